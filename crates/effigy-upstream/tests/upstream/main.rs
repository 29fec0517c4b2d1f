//! Resolving players against canned answers, and the real transport against real sockets.

mod bedrock;
mod canned;
mod java;
mod limits;
mod server;
mod session_records;
mod stand_ins;
mod textures;
mod time;
mod ureq_transport;
