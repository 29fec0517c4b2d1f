//! The arguments of the commands that make life with the program easier.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use clap::Args;
use clap_complete::Shell;

use super::timeout;

#[derive(Debug, Args)]
pub(crate) struct HealthArgs {
    /// The address that the service listens on.
    #[arg(long, env = "LISTEN", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    pub(crate) listen: IpAddr,
    /// Its port.
    #[arg(long, env = "PORT", default_value_t = 3005)]
    pub(crate) port: u16,
    /// Only ask whether it answers: an outage of the services behind it is none of its own.
    #[arg(long)]
    pub(crate) live: bool,
    /// How long to wait.
    #[arg(long, default_value = "10s", value_parser = timeout)]
    pub(crate) timeout: Duration,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: Shell,
}

#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The command whose page it is (default: that of the program).
    pub(crate) command: Option<String>,
}
