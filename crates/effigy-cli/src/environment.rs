//! The command line together with the environment.

use std::{env, ffi::OsStr};

use clap::{CommandFactory, FromArgMatches, error::ErrorKind};

use super::{Cli, Command, help};

/// The variables that were settings of an earlier version, each with the advice to operators who still set
/// it. Their flags are refused like all that do not exist.
const REMOVED: [(&str, &str); 8] = [
    ("CONNECT_TIMEOUT", "use UPSTREAM_TIMEOUT"),
    ("DATABASE_CONNECTIONS", "it is 10 now"),
    ("HEALTH_PING_EVERY", "it is once a second now"),
    ("MAX_CONNECTIONS", "lower the limit of open files"),
    ("NAME_LOOKUP", "both forms are tried now"),
    ("PRUNE_EVERY", "it is 1h now"),
    ("RESOLVE_TIMEOUT", "it is twice UPSTREAM_TIMEOUT now"),
    ("UPSTREAM_CONCURRENCY", "it is 128 now"),
];

/// Parses the command line, or ends the program with a message. As in shells and containers, an empty variable
/// counts as unset.
pub fn parse() -> Cli {
    let mut command = without_empty_variables(help::arranged(Cli::command()));
    let matches = command.get_matches_mut();
    let cli = Cli::from_arg_matches(&matches);
    let cli = cli.unwrap_or_else(|error| error.format(&mut command).exit());
    if let Some((_, matches)) = matches.subcommand()
        && let Some(Command::Render(args)) = &cli.command
        && let Some(message) = args.misplaced(matches)
    {
        clap::Error::raw(ErrorKind::ArgumentConflict, message + "\n").exit()
    }
    cli
}

/// Returns the removed settings that are still in the environment, each with the advice what to do.
pub fn removed_settings() -> impl Iterator<Item = String> {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let found = REMOVED.into_iter().filter(move |(name, _)| is_set(name));
    found.map(|(name, advice)| format!("{name} ({advice})"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn removed_settings_are_no_settings() {
        for command in [Cli::command()]
            .iter()
            .chain(Cli::command().get_subcommands())
        {
            let variables = command.get_arguments().filter_map(clap::Arg::get_env);
            for variable in variables {
                let is_removed = REMOVED.iter().any(|(name, _)| *name == variable);
                assert!(!is_removed, "{variable:?}");
            }
        }
    }
}
