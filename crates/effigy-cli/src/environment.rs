//! The command line together with the environment.

use std::env;
use std::ffi::{OsStr, OsString};

use clap::{Arg, CommandFactory, FromArgMatches, error::ErrorKind};

use super::{Cli, Command, help, render, tips};

/// The command whose settings are no variables, since it is not of a server.
const LOCAL: &str = "render";

/// The beginning of the names of variables. Those without it are read as well.
const PREFIX: &str = "EFFIGY_";

/// The beginnings of variables that Kubernetes sets if a service is called `effigy`.
const OF_KUBERNETES: [&str; 2] = ["EFFIGY_SERVICE_", "EFFIGY_PORT_"];

/// Parses the command line, or ends the program with a message.
pub fn parse() -> Cli {
    let words = env::args_os().map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = words.collect();
    let word = |place: usize| words.get(place).map_or("", String::as_str);
    let mut command = command();
    if command.find_subcommand(word(1)).is_some() {
        // The settings of the server that would run without a command.
        command = command.mut_args(|arg| arg.env(None::<&str>));
    }
    command = command.mut_subcommand(LOCAL, |of_render| render::hide_excluded(of_render, word(2)));
    let matches = command.try_get_matches_from_mut(env::args_os());
    let matches = matches.unwrap_or_else(|error| tips::with_tip(error, &command, word(1)).exit());
    let cli = Cli::from_arg_matches(&matches).expect("the matches are those of the same command");
    if let (Some(Command::Render(args)), Some((_, matches))) = (&cli.command, matches.subcommand())
        && let Some(message) = args.misplaced(matches)
    {
        clap::Error::raw(ErrorKind::ArgumentConflict, message + "\n").exit()
    }
    cli
}

/// Returns the commands with their help and the names of their variables: those with the prefix, unless only one without it
/// is set.
pub(crate) fn command() -> clap::Command {
    with_variables(help::arranged(Cli::command()))
}

fn with_variables(command: clap::Command) -> clap::Command {
    let is_of_server = command.get_name() != LOCAL;
    let command = command.mut_args(|arg| {
        let short = arg.get_env().filter(|_| is_of_server);
        let Some(short) = short.map(OsStr::to_os_string) else {
            return arg.env(None::<&str>);
        };
        let name = OsString::from_iter([PREFIX.as_ref(), &*short]);
        match [&name, &short].into_iter().find(|name| is_set(name)) {
            None if env::var_os(&name).is_some() => arg.env(None::<&str>),
            set => arg.env(set.unwrap_or(&name).clone()),
        }
    });
    command.mut_subcommands(with_variables)
}

/// Returns `true` for a variable with a value. As in shells and containers, an empty one counts as unset, and so does the
/// address by which Kubernetes replaces `EFFIGY_PORT` if a service is called `effigy`.
fn is_set(name: &OsStr) -> bool {
    let value = env::var_os(name).unwrap_or_default();
    !value.is_empty() && !value.to_string_lossy().starts_with("tcp://")
}

/// Returns the names of variables that begin as those of settings do, but name none.
pub fn unknown_variables() -> impl Iterator<Item = String> {
    let command = command();
    let names = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    names.filter(move |name| {
        let mut known = command.get_arguments().filter_map(Arg::get_env);
        let is_known = known.any(|known| known == name.as_str());
        let is_of_kubernetes = OF_KUBERNETES.iter().any(|prefix| name.starts_with(prefix));
        name.starts_with(PREFIX) && is_set(name.as_ref()) && !is_known && !is_of_kubernetes
    })
}
