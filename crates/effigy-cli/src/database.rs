//! The settings of the database.

use std::num::NonZeroU32;
use std::time::Duration;

use clap::Args;
use effigy_store::{Ages, LIFETIME, SqlStore};

use crate::values::{database_size, duration, positive};

/// The settings of the database.
#[derive(Debug, Args)]
pub struct DatabaseArgs {
    /// The database: `sqlite:<file>` or `postgres://…`.
    ///
    /// It stores pictures, textures, players, counts and the health log. The server creates a
    /// SQLite file that is missing.
    #[arg(long, env, value_name = "URL", default_value = "sqlite:effigy.db")]
    #[arg(hide_env_values = true)]
    pub database_url: String,
    /// The size of the database above which the oldest pictures, textures and players are deleted,
    /// for example 2GiB; 0 means no limit (default: 2GiB for SQLite, 10GiB for PostgreSQL).
    #[arg(long, env, value_name = "SIZE", value_parser = database_size)]
    pub database_max_size: Option<u64>,
    /// The number of connections to PostgreSQL (default: 10).
    #[arg(long, env, value_name = "NUMBER", value_parser = positive)]
    pub database_connections: Option<NonZeroU32>,
    /// The age up to which the last known skin of a player is shown while upstream services fail,
    /// for example 1d.
    #[arg(long, env, value_name = "DURATION", default_value = "1d", value_parser = duration)]
    pub stale_if_error: Duration,
    /// The age at which a picture is deleted, counted from when it was drawn. It is at least an
    /// hour.
    #[arg(long, env, value_name = "DURATION", default_value = "1d", value_parser = duration)]
    pub picture_age: Duration,
    /// The age at which a texture is deleted, counted from its last use. It is at least
    /// --stale-if-error.
    #[arg(long, env, value_name = "DURATION", default_value = "1d", value_parser = duration)]
    pub texture_age: Duration,
    /// The age at which the record of a player is deleted, counted from its last use. It is at
    /// least --stale-if-error.
    #[arg(long, env, value_name = "DURATION", default_value = "7d", value_parser = duration)]
    pub player_age: Duration,
}

impl DatabaseArgs {
    /// Returns the maximum size of the database, or `None` for no limit.
    #[must_use]
    pub fn max_bytes(&self) -> Option<u64> {
        match self.database_max_size {
            None => Some(SqlStore::default_max_bytes(&self.database_url)),
            Some(0) => None,
            size => size,
        }
    }

    /// Returns the problem of a URL of PostgreSQL whose user or password has an unescaped
    /// character. It would be read as the URL of another server.
    #[must_use]
    pub fn url_problem(&self) -> Option<&'static str> {
        let (scheme, rest) = self.database_url.split_once("://")?;
        if !["postgres", "postgresql"].contains(&scheme) {
            return None;
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, after) = rest.split_at(end);
        // An unescaped `/`, `?` or `#` in a password ends the authority too early, and leaves the `@`
        // of the host behind it. The value of a parameter may contain an `@`.
        let before_values = after.split('=').next().unwrap_or_default();
        if before_values.contains('@') || has_bare_percent(authority) {
            return Some(UNESCAPED_URL);
        }
        None
    }

    /// Returns the ages at which rows are deleted.
    #[must_use]
    pub fn ages(&self) -> Ages {
        Ages {
            // The pictures of the compatibility paths are used for an hour.
            pictures: self.picture_age.max(LIFETIME),
            textures: self.texture_age.max(self.stale_if_error),
            players: self.player_age.max(self.stale_if_error),
        }
    }

    /// Returns a warning for each age that counts as a longer one. `is_given` tells which settings
    /// the operator has chosen, by their ids: a default age follows the others silently.
    pub(crate) fn warnings(&self, is_given: impl Fn(&str) -> bool) -> Vec<&'static str> {
        let ages = self.ages();
        let mut warnings = Vec::new();
        if ages.pictures > self.picture_age {
            warnings.push("--picture-age is less than an hour, and counts as an hour");
        }
        if ages.textures > self.texture_age && is_given("texture_age") {
            warnings.push("--texture-age is less than --stale-if-error, and counts as that time");
        }
        if ages.players > self.player_age && is_given("player_age") {
            warnings.push("--player-age is less than --stale-if-error, and counts as that time");
        }
        warnings
    }

    /// Returns `true` if other processes can share the database.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        !self.database_url.starts_with("sqlite:")
    }
}

/// The problem of a URL with an unescaped character.
const UNESCAPED_URL: &str = "the user or the password in the database url has a character that \
    must be percent-encoded: write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25";

/// Returns `true` if a percent sign is not followed by two hexadecimal digits.
fn has_bare_percent(text: &str) -> bool {
    let mut escapes = text.split('%').skip(1).map(str::as_bytes);
    escapes.any(|escape| {
        let digits = escape.iter().take_while(|byte| byte.is_ascii_hexdigit());
        digits.count() < 2
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::Cli;

    #[test]
    fn unescaped_passwords_are_refused() {
        let problem = |url: &str| {
            let cli = Cli::try_parse_from(["effigy", "--database-url", url]).unwrap();
            cli.serve.database.url_problem()
        };
        for url in [
            "postgres://effigy:p@ss/w:rd@localhost/effigy",
            "postgres://effigy:p/w@localhost/effigy",
            "postgresql://effigy:p#w@localhost/effigy",
            "postgres://effigy:p?w@localhost/effigy",
            "postgres://effigy:p@s?w/x@localhost/effigy",
            "postgres://effigy:100%@localhost/effigy",
            "postgres://effigy:1%2@localhost/effigy",
        ] {
            assert_eq!(problem(url), Some(UNESCAPED_URL), "{url}");
        }
        for url in [
            "postgres://localhost/effigy",
            "postgres://effigy:p%40ss%2Fw%3Ard@localhost:5432/effigy",
            "postgres://effigy:p@ss:word@localhost/effigy",
            "postgres://effigy@localhost/effigy?sslrootcert=/etc/ssl/a@b.pem",
            "postgres://localhost/effigy?password=p@w",
            "postgres:///effigy?host=/run/postgresql",
            "sqlite:a@b.db",
            "sqlite:///var/lib/a@b.db",
            "mysql://effigy:p/w@localhost/effigy",
        ] {
            assert_eq!(problem(url), None, "{url}");
        }
    }
}
