//! The environment variables of settings: `EFFIGY_` and the name of the flag.
//!
//! clap's `env` of a setting is the short name, such as `LISTEN`, until [`with_prefix`] replaces it
//! by `EFFIGY_LISTEN`. [`old_variables`] and [`unknown_variables`] need the short names.

use std::env;
use std::ffi::{OsStr, OsString};

use clap::{Arg, Command};

use crate::retired;

/// The prefix of the names of variables.
const PREFIX: &str = "EFFIGY_";

/// The names that are read without the prefix, too, because hosting platforms set them.
const UNPREFIXED: [&str; 2] = ["DATABASE_URL", "PORT"];

/// The settings without which a service would listen elsewhere, trust other proxies or call other
/// upstream services.
const GUARDED: [&str; 8] = [
    "listen",
    "metrics_listen",
    "trusted_proxy",
    "java_identity_url",
    "java_session_url",
    "bedrock_lookup_url",
    "texture_url",
    "texture_host",
];

/// The variables of the port. Kubernetes sets the first one to an address, for a service with the
/// name `effigy`.
const PORT: [&str; 2] = ["EFFIGY_PORT", "PORT"];

/// The prefixes of the variables that Kubernetes sets for a service with the name `effigy`.
const OF_KUBERNETES: [&str; 2] = ["EFFIGY_SERVICE_", "EFFIGY_PORT_"];

/// A variable without the prefix that earlier versions read.
#[derive(Debug)]
pub(crate) struct OldVariable {
    name: String,
    /// The id of the setting among the arguments.
    pub(crate) id: String,
}

impl OldVariable {
    /// Returns `true` if ignoring the variable would open the service or redirect its calls.
    pub(crate) fn is_guarded(&self) -> bool {
        GUARDED.contains(&&*self.id)
    }

    /// Returns the message of a server that doesn't start because of the variable.
    pub(crate) fn refusal(&self) -> String {
        format!("{}, or unset {}", self.warning(), self.name)
    }

    /// Returns the warning that the variable is ignored.
    pub(crate) fn warning(&self) -> String {
        let name = &self.name;
        match retired::successor(&self.id) {
            Some(setting) => {
                let new_name = setting.to_uppercase();
                format!("{name} is no longer read; use {PREFIX}{new_name}")
            }
            None => format!("{name} is no longer read, and has no successor"),
        }
    }
}

/// Returns `true` for a command whose settings are variables, too. `render` is for people at a
/// terminal, and shares settings with the server only by their flags.
pub(crate) fn has_variables(command: &Command) -> bool {
    command.get_name() != "render"
}

/// Replaces the short name of a setting's variable by the name with the prefix, or by nothing if
/// clap must not read the variable.
pub(crate) fn with_prefix(arg: Arg) -> Arg {
    let Some(short_name) = arg.get_env().map(OsStr::to_os_string) else {
        return arg;
    };
    let name = OsString::from_iter([PREFIX.as_ref(), short_name.as_os_str()]);
    if is_set(&name) {
        return arg.env(name);
    }
    let is_unprefixed = UNPREFIXED
        .iter()
        .any(|unprefixed| short_name == *unprefixed);
    if is_unprefixed && is_set(&short_name) {
        return arg.env(short_name);
    }
    if env::var_os(&name).is_some() {
        // It is set, but counts as unset. clap would read its value, empty or `tcp://…`.
        return arg.env(None::<&str>);
    }
    arg.env(name)
}

/// Returns the variables without the prefix that are set and that earlier versions read for this
/// command.
pub(crate) fn old_variables(with_short_names: &Command, command: &str) -> Vec<OldVariable> {
    old_variables_among(with_short_names, command, |name| is_set(name.as_ref()))
}

fn old_variables_among(
    with_short_names: &Command,
    command: &str,
    is_set: impl Fn(&str) -> bool,
) -> Vec<OldVariable> {
    let mut old_variables = Vec::new();
    let Some(command) = with_short_names.find_subcommand(command) else {
        return old_variables;
    };
    if !has_variables(command) {
        return old_variables;
    }
    for arg in command.get_arguments() {
        let Some(name) = arg.get_env().and_then(OsStr::to_str) else {
            continue;
        };
        if is_set(name) && !UNPREFIXED.contains(&name) {
            old_variables.push(OldVariable {
                name: name.to_owned(),
                id: arg.get_id().to_string(),
            });
        }
    }
    old_variables
}

/// Returns the names of variables that have the prefix but belong to no setting of the server.
pub(crate) fn unknown_variables(with_short_names: &Command) -> Vec<String> {
    let settings = with_short_names.get_arguments().filter_map(Arg::get_env);
    let known: Vec<OsString> = settings.map(OsStr::to_os_string).collect();
    let mut unknown = Vec::new();
    for (name, value) in env::vars_os() {
        let Some(name) = name.to_str() else {
            continue;
        };
        let Some(short_name) = name.strip_prefix(PREFIX) else {
            continue;
        };
        let is_known = known.iter().any(|known| known == short_name);
        // Services with names such as `effigy-other` have addresses in variables, too.
        let is_of_kubernetes = OF_KUBERNETES.iter().any(|prefix| name.starts_with(prefix))
            || is_address_of_kubernetes(&value);
        if is_set(name.as_ref()) && !is_known && !is_of_kubernetes {
            unknown.push(name.to_owned());
        }
    }
    unknown
}

/// Returns `true` for a variable with a value. As in shells and containers, an empty one counts as
/// unset. So does an address of Kubernetes in place of the port; in any other setting, it is a bad
/// value.
fn is_set(name: &OsStr) -> bool {
    let value = env::var_os(name).unwrap_or_default();
    if value.is_empty() {
        return false;
    }
    let is_port = PORT.iter().any(|port| name == *port);
    !(is_port && is_address_of_kubernetes(&value))
}

fn is_address_of_kubernetes(value: &OsStr) -> bool {
    value.to_string_lossy().starts_with("tcp://")
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Cli;

    /// Returns the warnings of a command if every variable is set.
    fn all_warnings(command: &str) -> Vec<String> {
        let variables = old_variables_among(&Cli::command(), command, |_| true);
        variables.iter().map(OldVariable::warning).collect()
    }

    #[test]
    fn old_variables_are_those_of_the_command() {
        let health = all_warnings("health");
        assert_eq!(health, ["LISTEN is no longer read; use EFFIGY_LISTEN"]);
        for command in ["render", "man", "completions"] {
            assert!(all_warnings(command).is_empty(), "{command}");
        }
        let serve = all_warnings("serve");
        assert!(serve.contains(&"LOG is no longer read; use EFFIGY_LOG".to_owned()));
        assert!(!serve.iter().any(|warning| warning.starts_with("PORT ")));
        assert!(
            !serve
                .iter()
                .any(|warning| warning.starts_with("DATABASE_URL "))
        );
    }

    #[test]
    fn variables_of_retired_settings_name_the_successor() {
        let serve = all_warnings("serve");
        for expected in [
            "PLAYER_TTL is no longer read; use EFFIGY_FRESH",
            "CLIENT_WORK is no longer read; use EFFIGY_CLIENT_DRAWING",
            "CLIENT_LOOKUPS is no longer read; use EFFIGY_CLIENT_CALLS",
            "CLIENT_BYTES is no longer read, and has no successor",
        ] {
            assert!(
                serve.contains(&expected.to_owned()),
                "{expected}: {serve:?}"
            );
        }
    }

    #[test]
    fn guarded_settings_are_settings_of_the_server() {
        let serve = old_variables_among(&Cli::command(), "serve", |_| true);
        let guarded = serve.iter().filter(|variable| variable.is_guarded());
        assert_eq!(guarded.count(), GUARDED.len());
    }
}
