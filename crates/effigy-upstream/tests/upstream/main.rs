//! Resolving players against canned answers, and the real transport against real sockets.

mod bedrock;
mod canned;
mod faults;
mod gates;
mod java;
mod limits;
mod name_lookup;
mod profiles;
mod server;
mod session_records;
mod stand_ins;
mod textures;
mod time;
mod ureq_transport;
mod world;
