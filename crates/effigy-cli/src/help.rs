//! The arrangement of the help: examples first, settings under headings, and few of them for `-h`.

use clap::Arg;

use crate::render::is_common;

pub(crate) const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}{after-help}

{all-args}";

/// The headings, each with its arguments.
const HEADINGS: &str = include_str!("headings.txt");

/// The arguments that `-h` shows, in addition to the common parameters of pictures. `--help` shows
/// all.
#[rustfmt::skip]
const SHORT: [&str; 13] = [
    "listen", "port", "database_url", "skins", "provider", "player", "live", "shell", "command",
    "picture", "inputs", "output", "svg",
];

/// Puts an argument under its heading, hides it from `-h` unless that shows it, and lets the value
/// of an option be a negative number, so that the message about it is the option's own.
pub(crate) fn arranged(arg: Arg) -> Arg {
    let id = arg.get_id().to_string();
    let listed = headings().find(|(_, ids)| ids.split(' ').any(|listed| listed == id));
    let arg = match listed {
        Some((heading, _)) => arg.help_heading(heading),
        // A parameter of pictures has its heading from the table.
        None => arg,
    };
    let is_short = SHORT.contains(&&*id) || is_common(&id);
    let is_option = !arg.is_positional() && arg.get_action().takes_values();
    arg.hide_short_help(!is_short)
        .allow_negative_numbers(is_option)
}

fn headings() -> impl Iterator<Item = (&'static str, &'static str)> {
    HEADINGS.lines().filter_map(|line| line.split_once(": "))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Command;

    use super::*;
    use crate::parse;

    #[test]
    fn every_setting_has_a_heading_and_every_name_is_an_argument() {
        let command = parse::command();
        // Settings that have no effect any more are not in the help.
        let shown = command.get_arguments().filter(|arg| !arg.is_hide_set());
        for arg in shown {
            assert!(arg.get_help_heading().is_some(), "{}", arg.get_id());
        }
        let of_all = [&command].into_iter().chain(command.get_subcommands());
        let ids: BTreeSet<&str> = of_all
            .flat_map(Command::get_arguments)
            .map(|arg| arg.get_id().as_str())
            .collect();
        let named = headings().flat_map(|(_, listed)| listed.split(' '));
        for id in named.chain(SHORT) {
            assert!(ids.contains(id), "{id}");
        }
    }
}
