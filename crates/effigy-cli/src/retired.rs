//! Settings of earlier versions that have another name or no effect now.

use std::time::Duration;

use clap::Args;

use crate::values::{duration, yes_or_no};

/// Settings of earlier versions, which the help doesn't show.
#[derive(Debug, Args)]
pub(crate) struct RetiredArgs {
    /// Replaced by --fresh.
    #[arg(long, env, hide = true, value_parser = duration)]
    pub(crate) player_ttl: Option<Duration>,
    /// Has no effect any more.
    #[arg(long, env, hide = true, value_parser = yes_or_no)]
    player_ttl_everywhere: bool,
    /// Replaced by --client-drawing.
    #[arg(long, env, hide = true)]
    client_work: Option<String>,
    /// Replaced by --client-calls.
    #[arg(long, env, hide = true)]
    client_lookups: Option<String>,
    /// Has no effect any more.
    #[arg(long, env, hide = true)]
    client_bytes: Option<String>,
}

impl RetiredArgs {
    /// Returns a warning for each retired setting that is given.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.player_ttl.is_some() {
            warnings.push("--player-ttl is called --fresh now, and will be removed");
        }
        if self.player_ttl_everywhere {
            warnings.push("--player-ttl-everywhere has no effect any more, and will be removed");
        }
        if self.client_work.is_some() {
            warnings.push("--client-work has no effect any more; --client-drawing replaces it");
        }
        if self.client_lookups.is_some() {
            warnings.push("--client-lookups has no effect any more; --client-calls replaces it");
        }
        if self.client_bytes.is_some() {
            warnings.push("--client-bytes has no effect any more, and will be removed");
        }
        warnings.into_iter().map(str::to_owned).collect()
    }
}

/// Returns the setting that replaces a retired one, or the setting itself if it isn't retired.
pub(crate) fn successor(id: &str) -> Option<&str> {
    match id {
        "player_ttl" => Some("fresh"),
        "client_work" => Some("client_drawing"),
        "client_lookups" => Some("client_calls"),
        "player_ttl_everywhere" | "client_bytes" => None,
        _ => Some(id),
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::Cli;

    fn parse(arguments: &[&str]) -> crate::ServeArgs {
        let cli = Cli::try_parse_from([&["effigy"], arguments].concat());
        cli.unwrap().serve
    }

    #[test]
    fn retired_settings_warn() {
        assert!(parse(&[]).retired.warnings().is_empty());
        let args = parse(&[
            "--player-ttl=5m",
            "--player-ttl-everywhere",
            "--client-work=5s/1m",
            "--client-lookups=none",
            "--client-bytes=1GiB",
        ]);
        let warnings = args.retired.warnings();
        for flag in [
            "--player-ttl is called --fresh",
            "--player-ttl-everywhere has no effect",
            "--client-drawing replaces it",
            "--client-calls replaces it",
            "--client-bytes has no effect",
        ] {
            let count = warnings
                .iter()
                .filter(|warning| warning.contains(flag))
                .count();
            assert_eq!(count, 1, "{flag}: {warnings:?}");
        }
        assert_eq!(warnings.len(), 5);
    }

    #[test]
    fn player_ttl_still_is_the_age_of_fresh_records() {
        let minute = Duration::from_secs(60);
        assert_eq!(parse(&[]).fresh(), minute);
        assert_eq!(parse(&["--player-ttl=5m"]).fresh(), 5 * minute);
    }
}
