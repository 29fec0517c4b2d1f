//! The arrangement of the help: examples first, settings under headings, and few of them for `-h`.

use clap::{Arg, Command};

const TEMPLATE: &str = "\
{about-with-newline}
{usage-heading} {usage}{after-help}

{all-args}";

/// The headings, each with its arguments.
#[rustfmt::skip]
const HEADINGS: [(&str, &[&str]); 8] = [
    ("Server", &["listen", "port", "memory_cache", "max_size", "no_preview", "metrics_listen", "access_log"]),
    ("Database", &["database_url", "database_max_size", "stale_if_error"]),
    ("Skins", &["skins", "provider", "player_ttl", "player_ttl_everywhere"]),
    ("Limits of each client", &["trusted_proxy", "client_lookups", "client_work", "client_bytes"]),
    ("Upstream services", &[
        "java_identity_url", "java_session_url", "bedrock_lookup_url", "texture_url", "texture_host",
        "upstream_timeout", "contact", "java_identity_limit", "java_session_limit", "bedrock_lookup_limit",
    ]),
    ("Direction and pose", &["facing", "yaw", "pitch", "pose", "fit", "turn", "animate"]),
    ("Looks", &[
        "overlay", "no_overlay", "cape", "no_cape", "slim", "classic", "light", "background", "padding", "shape", "shadow",
    ]),
    ("Log", &["log", "log_format"]),
];

/// The arguments that `-h` shows. `--help` shows all.
#[rustfmt::skip]
const SHORT: [&str; 20] = [
    "listen", "port", "database_url", "skins", "provider", "player", "live", "shell", "command", "picture", "inputs",
    "output", "size", "svg", "columns", "facing", "yaw", "pose", "overlay", "background",
];

/// Arranges the help of a command and of those below it.
pub(crate) fn arranged(command: Command) -> Command {
    let arrange = |arg: Arg| {
        let id = arg.get_id().to_string();
        let heading = HEADINGS.iter().find(|(_, ids)| ids.contains(&&*id));
        let arg = arg.hide_short_help(!SHORT.contains(&&*id));
        arg.help_heading(heading.map(|(heading, _)| *heading))
    };
    let command = command.help_template(TEMPLATE).mut_args(arrange);
    command.mut_subcommands(arranged)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::CommandFactory;

    use super::*;
    use crate::Cli;

    #[test]
    fn every_setting_has_a_heading_and_every_name_is_an_argument() {
        let command = arranged(Cli::command());
        for arg in command.get_arguments() {
            assert!(arg.get_help_heading().is_some(), "{}", arg.get_id());
        }
        let of_all = [&command].into_iter().chain(command.get_subcommands());
        let ids: BTreeSet<&str> = of_all
            .flat_map(Command::get_arguments)
            .map(|arg| arg.get_id().as_str())
            .collect();
        let named = HEADINGS
            .iter()
            .flat_map(|(_, ids)| ids.iter())
            .chain(&SHORT);
        for id in named {
            assert!(ids.contains(id), "{id}");
        }
    }
}
