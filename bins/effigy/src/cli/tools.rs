//! The arguments of `health`, `completions` and `man`.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use clap::Args;
use clap_complete::Shell;

use super::values::timeout;

#[derive(Debug, Args)]
pub(crate) struct HealthArgs {
    /// The address that the service listens on.
    #[arg(long, env = "LISTEN", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    pub(crate) listen: IpAddr,
    /// The port that the service listens on.
    #[arg(long, env = "PORT", default_value_t = 3005)]
    pub(crate) port: u16,
    /// Succeed if the service answers at all, even if an upstream service is down.
    #[arg(long)]
    pub(crate) live: bool,
    /// The time to wait for an answer.
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
    /// The command to describe (default: the whole program).
    pub(crate) command: Option<String>,
}
