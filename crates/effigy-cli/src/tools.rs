//! The arguments of `health`, `completions` and `man`.

use std::{
    net::{IpAddr, Ipv4Addr},
    time::Duration,
};

use clap::Args;
use clap_complete::Shell;

use crate::values::timeout;

/// The settings of `health`.
#[derive(Debug, Args)]
pub struct HealthArgs {
    /// The address that the service listens on.
    #[arg(long, env = "LISTEN", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    pub listen: IpAddr,
    /// The port that the service listens on.
    #[arg(long, env = "PORT", default_value_t = 3005)]
    pub port: u16,
    /// Succeed if the service answers, even if an upstream service is down.
    #[arg(long)]
    pub live: bool,
    /// The time to wait for an answer.
    #[arg(long, default_value = "10s", value_parser = timeout)]
    pub timeout: Duration,
}

/// The settings of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    pub shell: Shell,
}

/// The settings of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command to describe (default: the whole program).
    pub command: Option<String>,
}
