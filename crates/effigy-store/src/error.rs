//! What can go wrong with a store.

use std::path::PathBuf;
use std::time::Duration;

/// A store could not be opened or could not do what was asked.
///
/// Database URLs appear in it without their password and query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The URL names no database that a store can be kept in. The operator's mistake.
    #[error(
        "the database url `{url}` begins with none of `sqlite:`, `postgres://` and `postgresql://`"
    )]
    UnknownDatabase {
        /// The URL.
        url: String,
    },
    /// The URL is of a known kind, but malformed. The operator's mistake.
    #[error("the database url `{url}` is malformed")]
    MalformedUrl {
        /// The URL.
        url: String,
        /// What is wrong with it.
        #[source]
        source: DatabaseError,
    },
    /// The URL of an SQLite database does not say which file. The operator's mistake.
    #[error("the database url `{url}` names no file")]
    NoFile {
        /// The URL.
        url: String,
    },
    /// The directory for an SQLite file is not there; only the file itself is created when
    /// missing. The operator's mistake.
    #[error("the directory `{}` for the database file does not exist", directory.display())]
    MissingDirectory {
        /// The directory.
        directory: PathBuf,
    },
    /// The database is not there, not readable, not writable, not a database, or refuses us.
    #[error("the database `{url}` cannot be opened")]
    Open {
        /// The URL.
        url: String,
        /// What the database said.
        #[source]
        source: DatabaseError,
    },
    /// The database's tables cannot be brought up to date: it may be read-only, or of a newer
    /// version.
    #[error("the tables of the database `{url}` cannot be brought up to date")]
    Migrate {
        /// The URL.
        url: String,
        /// What the database said.
        #[source]
        source: DatabaseError,
    },
    /// The database did not answer in time. It may be down, unreachable or overloaded.
    #[error("the database did not {operation} within {} s", limit.as_secs_f32())]
    TimedOut {
        /// What was asked of it.
        operation: &'static str,
        /// The time it had.
        limit: Duration,
    },
    /// The database answered with an error.
    #[error("the database could not {operation}")]
    Database {
        /// What was asked of it.
        operation: &'static str,
        /// What it said.
        #[source]
        source: DatabaseError,
    },
    /// The health log holds a status that is none of ours: somebody else writes there.
    #[error("the health log holds the unknown status `{status}`")]
    UnknownStatus {
        /// The status found.
        status: String,
    },
}

/// The database's own account of a failure. It is the end of the chain of causes: the driver's
/// messages already hold their causes' messages.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DatabaseError(sqlx::Error);

impl From<sqlx::Error> for DatabaseError {
    fn from(error: sqlx::Error) -> Self {
        Self(error)
    }
}

impl From<sqlx::migrate::MigrateError> for DatabaseError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        Self(error.into())
    }
}
