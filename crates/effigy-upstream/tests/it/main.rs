//! The chain with canned answers and over real sockets, and the transport with servers that
//! misbehave.

mod support;

mod asking_anew;
mod bedrock;
mod conditional;
mod faults;
mod java;
mod limits;
mod name_lookup;
mod plan;
mod providers;
mod renewal;
mod session_limits;
mod skin_folder;
mod textures;
mod time;
mod ureq_transport;
