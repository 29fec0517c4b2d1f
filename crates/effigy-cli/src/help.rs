//! The arrangement of the help: examples come first, settings are under headings, and `-h` shows
//! only the common settings.

use clap::Arg;

use crate::render::is_common;

pub(crate) const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}{after-help}

{all-args}";

/// The headings, each followed by its arguments.
const HEADINGS: &str = include_str!("headings.txt");

/// The arguments that `-h` shows in addition to the common parameters of pictures. `--help` shows
/// all arguments.
#[rustfmt::skip]
const SHORT: [&str; 13] = [
    "listen", "port", "database_url", "skins", "provider", "player", "live", "shell", "command",
    "picture", "inputs", "output", "svg",
];

/// Puts an argument under its heading, and hides it from `-h` unless it is common.
pub(crate) fn arranged(arg: Arg) -> Arg {
    let id = arg.get_id().to_string();
    let is_short = SHORT.contains(&&*id) || is_common(&id);
    let is_option = !arg.is_positional() && arg.get_action().takes_values();
    let arg = arg
        .hide_short_help(!is_short)
        // A negative number is refused by the option's own message, not as an unknown flag.
        .allow_negative_numbers(is_option);
    match heading_of(&id) {
        Some(heading) => arg.help_heading(heading),
        // A parameter of pictures, whose heading is in the table of parameters, or an argument of
        // `render` such as `output`, which stays in clap's own list.
        None => arg,
    }
}

fn heading_of(id: &str) -> Option<&'static str> {
    for (heading, ids) in headings() {
        if ids.split(' ').any(|listed| listed == id) {
            return Some(heading);
        }
    }
    None
}

/// Returns the headings, each with its arguments in one text.
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
    fn headings_list_every_setting_and_nothing_else() {
        let command = parse::command();
        // Retired settings are not in the help.
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
