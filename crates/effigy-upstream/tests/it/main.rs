//! The resolver against canned answers and over real sockets, and the transport against servers
//! that misbehave.

mod support;

mod bedrock;
mod faults;
mod java;
mod limits;
mod name_lookup;
mod plan;
mod providers;
mod skin_folder;
mod textures;
mod time;
mod ureq_transport;
