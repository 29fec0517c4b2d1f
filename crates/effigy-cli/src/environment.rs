//! The command line together with the environment.

use std::{env, ffi::OsStr};

use clap::{CommandFactory, FromArgMatches};

use super::Cli;

/// Parses the command line. As in shells and containers, an empty variable counts as unset.
pub fn parse() -> Cli {
    let mut command = without_empty_variables(Cli::command());
    let matches = command.get_matches_mut();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit())
}

fn without_empty_variables(command: clap::Command) -> clap::Command {
    let is_empty = |name: &OsStr| env::var_os(name).is_some_and(|value| value.is_empty());
    command
        .mut_args(|arg| match arg.get_env() {
            Some(name) if is_empty(name) => arg.env(None::<&str>),
            _ => arg,
        })
        .mut_subcommands(without_empty_variables)
}
