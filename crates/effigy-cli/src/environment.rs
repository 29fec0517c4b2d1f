//! The command line together with the environment.

use std::{env, ffi::OsStr};

use clap::{CommandFactory, FromArgMatches, error::ErrorKind};

use super::{Cli, Command, help};

/// Parses the command line, or ends the program with a message. As in shells and containers, an empty variable
/// counts as unset.
pub fn parse() -> Cli {
    let mut command = without_empty_variables(help::arranged(Cli::command()));
    let matches = command.get_matches_mut();
    let cli = Cli::from_arg_matches(&matches);
    let cli = cli.unwrap_or_else(|error| error.format(&mut command).exit());
    let serve = match &cli.command {
        None => Some(&cli.serve),
        Some(Command::Serve(serve)) => Some(serve),
        Some(_) => None,
    };
    if serve.is_some_and(|serve| serve.clients.contradicts_itself()) {
        let message = "--trusted-proxy is either none or the proxies\n";
        clap::Error::raw(ErrorKind::ArgumentConflict, message).exit()
    }
    if let (Some(Command::Render(args)), Some((_, matches))) = (&cli.command, matches.subcommand())
        && let Some(message) = args.misplaced(matches)
    {
        clap::Error::raw(ErrorKind::ArgumentConflict, message + "\n").exit()
    }
    cli
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
