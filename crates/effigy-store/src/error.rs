//! The errors of a store.

use std::path::PathBuf;
use std::time::Duration;

/// A store could not be opened, or a call of it failed.
///
/// Database URLs appear in it without password and query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The URL has an unknown scheme. The operator's mistake.
    #[error(
        "the database url `{url}` begins with none of `sqlite:`, `postgres://` and `postgresql://`"
    )]
    UnknownDatabase {
        /// The URL.
        url: String,
    },
    /// The URL has a known scheme but is malformed. The operator's mistake.
    #[error("the database url `{url}` is malformed")]
    MalformedUrl {
        /// The URL.
        url: String,
        /// The parser's error.
        #[source]
        source: DatabaseError,
    },
    /// The URL of an SQLite database names no file. The operator's mistake.
    #[error("the database url `{url}` names no file")]
    NoFile {
        /// The URL.
        url: String,
    },
    /// The directory of an SQLite file does not exist; only the file itself is created if it is
    /// missing. The operator's mistake.
    #[error("the directory `{}` for the database file does not exist", directory.display())]
    MissingDirectory {
        /// The directory.
        directory: PathBuf,
    },
    /// The file of an SQLite database does not exist, and was not to be created.
    #[error("there is no database file `{}`", file.display())]
    MissingFile {
        /// The file.
        file: PathBuf,
    },
    /// The database does not exist, is not readable or writable, is not a database, or refuses the
    /// connection.
    #[error("the database `{url}` cannot be opened")]
    Open {
        /// The URL.
        url: String,
        /// The database's error.
        #[source]
        source: DatabaseError,
    },
    /// The migrations failed: the database may be read-only, or made by a newer version.
    #[error("the tables of the database `{url}` cannot be brought up to date")]
    Migrate {
        /// The URL.
        url: String,
        /// The database's error.
        #[source]
        source: DatabaseError,
    },
    /// The database did not answer in time. It may be down, unreachable or overloaded.
    #[error("the database did not {operation} within {} s", limit.as_secs_f32())]
    TimedOut {
        /// The operation, as a verb phrase.
        operation: &'static str,
        /// The time limit.
        limit: Duration,
    },
    /// The database answered with an error.
    #[error("the database could not {operation}")]
    Database {
        /// The operation, as a verb phrase.
        operation: &'static str,
        /// The database's error.
        #[source]
        source: DatabaseError,
    },
    /// The health log holds an unknown status, so another program has written to it.
    #[error("the health log holds the unknown status `{status}`")]
    UnknownStatus {
        /// The status.
        status: String,
    },
}

impl StoreError {
    pub(crate) fn malformed_url(url: &str, error: sqlx::Error) -> Self {
        Self::MalformedUrl {
            url: url.to_owned(),
            source: DatabaseError(error),
        }
    }

    pub(crate) fn open(url: &str, error: sqlx::Error) -> Self {
        Self::Open {
            url: url.to_owned(),
            source: DatabaseError(error),
        }
    }

    pub(crate) fn migrate(url: &str, error: sqlx::Error) -> Self {
        Self::Migrate {
            url: url.to_owned(),
            source: DatabaseError(error),
        }
    }
}

/// An error of the database driver.
///
/// It has no `source`, because the driver's messages already contain those of their causes.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DatabaseError(pub(crate) sqlx::Error);

impl DatabaseError {
    /// Returns whether the database cannot read what it has stored.
    pub(crate) fn is_damage(&self) -> bool {
        match &self.0 {
            sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => true,
            sqlx::Error::Database(error) => {
                error.code().is_some_and(|code| CORRUPT.contains(&&*code))
            }
            _ => false,
        }
    }
}

/// The codes of `SQLITE_CORRUPT` and its variants, and of PostgreSQL's damaged data and index.
const CORRUPT: [&str; 6] = ["11", "267", "523", "779", "XX001", "XX002"];
