//! Which database a URL names, and how the URL is shown to people.

use std::path::Path;

use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;

use crate::StoreError;

/// A database URL, understood.
pub(crate) struct DatabaseUrl {
    pub(crate) target: Target,
    /// The URL without its secrets, for errors.
    pub(crate) shown: String,
}

/// Where a database is.
pub(crate) enum Target {
    /// In a file.
    SqliteFile(SqliteConnectOptions),
    /// In this process's memory.
    SqliteMemory(SqliteConnectOptions),
    /// On a server.
    Postgres(PgConnectOptions),
}

impl DatabaseUrl {
    pub(crate) fn parse(url: &str) -> Result<Self, StoreError> {
        if let Some(file) = url.strip_prefix("sqlite:") {
            return parse_sqlite(url, file.trim_start_matches("//"));
        }
        let shown = without_secrets(url);
        if !url.starts_with("postgres://") && !url.starts_with("postgresql://") {
            return Err(StoreError::UnknownDatabase { url: shown });
        }
        match url.parse() {
            Ok(options) => Ok(Self {
                target: Target::Postgres(options),
                shown,
            }),
            Err(error) => Err(malformed(shown, error)),
        }
    }
}

fn parse_sqlite(url: &str, location: &str) -> Result<DatabaseUrl, StoreError> {
    let shown = url.to_owned();
    let options: SqliteConnectOptions = match url.parse() {
        Ok(options) => options,
        Err(error) => return Err(malformed(shown, error)),
    };
    let (file, parameters) = location.split_once('?').unwrap_or((location, ""));
    if file == ":memory:"
        || parameters
            .split('&')
            .any(|parameter| parameter == "mode=memory")
    {
        let target = Target::SqliteMemory(options);
        return Ok(DatabaseUrl { target, shown });
    }
    if file.is_empty() {
        return Err(StoreError::NoFile { url: shown });
    }
    let directory = options.get_filename().parent().unwrap_or(Path::new(""));
    if !directory.as_os_str().is_empty() && !directory.is_dir() {
        return Err(StoreError::MissingDirectory {
            directory: directory.to_owned(),
        });
    }
    Ok(DatabaseUrl {
        target: Target::SqliteFile(options),
        shown,
    })
}

fn malformed(url: String, error: sqlx::Error) -> StoreError {
    StoreError::MalformedUrl {
        url,
        source: error.into(),
    }
}

/// The URL without its password and its parameters, which may hold another one.
///
/// It must hold for malformed URLs too, the ones that people are shown: a password with an
/// unescaped `@`, `/` or `?` ends at the last `@`, and what stands before the first of these
/// characters is at most a user's name.
fn without_secrets(url: &str) -> String {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), url),
    };
    let (user, host) = match rest.rsplit_once('@') {
        Some((user_info, host)) => {
            let user = user_info
                .split([':', '/', '?', '#'])
                .next()
                .unwrap_or_default();
            let stars = if user.len() < user_info.len() {
                ":***"
            } else {
                ""
            };
            (format!("{user}{stars}@"), host)
        }
        None => (String::new(), rest),
    };
    let place = host.split(['?', '#']).next().unwrap_or_default();
    // The keyword form, `host=localhost password=secret`, is no URL but a likely mistake.
    let place = match place.to_ascii_lowercase().find("password") {
        Some(start) => format!("{}***", &place[..start]),
        None => place.to_owned(),
    };
    format!("{scheme}{user}{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        let table = [
            ("postgres://host/db", "postgres://host/db"),
            ("postgres://user@host/db", "postgres://user@host/db"),
            (
                "postgres://user:hunter2@host:5432/db",
                "postgres://user:***@host:5432/db",
            ),
            (
                "postgres://user:hun@ter2@host/db",
                "postgres://user:***@host/db",
            ),
            (
                "postgres://user:hun/ter2@host/db",
                "postgres://user:***@host/db",
            ),
            (
                "postgres://user:hun?ter2@host/db",
                "postgres://user:***@host/db",
            ),
            (
                "postgres://user:hun#ter2@host/db",
                "postgres://user:***@host/db",
            ),
            ("postgres://:hunter2@host/db", "postgres://:***@host/db"),
            (
                "postgres://host/db?user=u&password=hunter2",
                "postgres://host/db",
            ),
            (
                "postgres://host/db?password=hunt@er2",
                "postgres://host:***@er2",
            ),
            ("mysql://root:hunter2@host/db", "mysql://root:***@host/db"),
            ("root:hunter2@host", "root:***@host"),
            ("host=db Password=hunter2 user=x", "host=db ***"),
            (
                "jdbc:postgresql://h/db?user=u&password=hunter2",
                "jdbc:postgresql://h/db",
            ),
            ("", ""),
        ];
        for (url, shown) in table {
            assert_eq!(without_secrets(url), shown, "{url}");
        }
    }

    #[test]
    fn each_form_of_url_names_its_database() {
        let kind = |url| {
            DatabaseUrl::parse(url).map(|url| match url.target {
                Target::SqliteFile(options) => format!("file {}", options.get_filename().display()),
                Target::SqliteMemory(_) => "memory".to_owned(),
                Target::Postgres(options) => {
                    format!("server {}:{}", options.get_host(), options.get_port())
                }
            })
        };
        let table = [
            ("sqlite:effigy.db", "file effigy.db"),
            ("sqlite://effigy.db", "file effigy.db"),
            ("sqlite:///effigy.db", "file /effigy.db"),
            ("sqlite:/effigy.db", "file /effigy.db"),
            ("sqlite:effigy.db?mode=rwc", "file effigy.db"),
            ("sqlite:what%3f.db", "file what?.db"),
            ("sqlite::memory:", "memory"),
            ("sqlite://:memory:", "memory"),
            ("sqlite:name?mode=memory", "memory"),
            (
                "postgres://u:p@localhost:5433/db?sslmode=require",
                "server localhost:5433",
            ),
            ("postgresql://localhost/db", "server localhost:5432"),
        ];
        for (url, expected) in table {
            assert_eq!(kind(url).expect(url), expected, "{url}");
        }
    }
}
