//! The errors of a store.

use std::{borrow::Cow, error::Error, io::ErrorKind, time::Duration};

use sqlx::{migrate::MigrateError, postgres::PgDatabaseError};

/// A store could not be opened, or a call of it failed.
///
/// It names the file or the host of the database, but never the URL, which may have a password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The URL is malformed or has an unknown scheme, or its file or the directory of the file is
    /// missing. The operator is at fault.
    #[error("{0}")]
    Url(String),
    /// When the store was opened, the server of the database was down or another process had locked
    /// the file. No attempt to open it has succeeded since.
    #[error("the database is not open yet")]
    NotOpen,
    /// The database did not answer in time. It may be down, unreachable or overloaded.
    #[error("the database did not answer within {} s", .0.as_secs_f32())]
    TimedOut(Duration),
    /// The database answered with an error, or cannot be opened: it does not exist, is not readable
    /// or writable, is not a database, was changed by a newer version of this crate or by another
    /// program, or refuses the connection or the migrations.
    #[error("the database {problem}")]
    Database {
        /// The failed operation, as a verb phrase. An error of opening names the file, or the host
        /// of the server.
        problem: String,
        /// The database's error.
        #[source]
        source: DatabaseError,
    },
}

impl StoreError {
    /// Returns `true` if it is this kind of error of the database's driver.
    pub(crate) fn is(&self, kind: fn(&sqlx::Error) -> bool) -> bool {
        matches!(self, Self::Database { source, .. } if kind(&source.0))
    }

    /// Returns the message and the cause in one line.
    pub(crate) fn with_cause(&self) -> String {
        match self.source() {
            Some(cause) => format!("{self}: {cause}"),
            None => self.to_string(),
        }
    }

    pub(crate) fn unknown() -> Self {
        let forms = "`sqlite:FILE` nor `postgres://HOST/DATABASE`";
        Self::Url(format!("the database url is neither {forms}"))
    }

    pub(crate) fn malformed(error: sqlx::Error) -> Self {
        Self::Url(format!("the database url is malformed: {error}"))
    }

    pub(crate) fn open(database: &str, error: sqlx::Error) -> Self {
        Self::Database {
            problem: format!("`{database}` cannot be opened"),
            source: DatabaseError(error),
        }
    }
}

/// An error of the database driver.
///
/// It has no `source`, because the driver's messages already contain their causes.
#[derive(Debug, thiserror::Error)]
#[error("{}{}", self.message(), self.advice())]
pub struct DatabaseError(pub(crate) sqlx::Error);

impl DatabaseError {
    /// Returns the driver's message. PostgreSQL's line of its own source code is left out.
    fn message(&self) -> String {
        if let Some(error) = self.0.as_database_error()
            && let Some(postgres_error) = error.try_downcast_ref::<PgDatabaseError>()
        {
            return postgres_error.message().to_owned();
        }
        self.0.to_string()
    }

    /// Returns advice for an error with one likely cause, or an empty text.
    fn advice(&self) -> &'static str {
        if let sqlx::Error::Migrate(error) = &self.0
            && matches!(**error, MigrateError::VersionMissing(_))
        {
            return "; a newer version or another program has changed the tables";
        }
        match &*code(&self.0) {
            // A prepared statement is missing, or exists already.
            "26000" | "42P05" => "; a pooler such as PgBouncer needs `pool_mode = session`",
            // `SQLITE_CANTOPEN`.
            "14" => "; the file and its folder must be writable",
            // `SQLITE_IOERR_SHMSIZE`: the index of the write-ahead log cannot grow.
            "4874" => "; the disk may be full",
            _ => "",
        }
    }
}

/// Returns an error of a damaged database, which [`is_damage`] recognizes.
pub(crate) fn damage(problem: &'static str) -> sqlx::Error {
    sqlx::Error::Decode(problem.into())
}

/// Returns `true` if the database cannot read its own data. A SQLite file is then moved aside when
/// it is opened.
pub(crate) fn is_damage(error: &sqlx::Error) -> bool {
    let is_undecodable = matches!(
        error,
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_)
    );
    // `SQLITE_CORRUPT` and its variants, and PostgreSQL's damaged data and index.
    is_undecodable || ["11", "267", "523", "779", "XX001", "XX002"].contains(&&*code(error))
}

/// Returns `true` if a later attempt may succeed: the server cannot be reached, is starting, or has
/// no connection left, or another process has locked the SQLite file.
pub(crate) fn is_down(error: &sqlx::Error) -> bool {
    // The server of a certificate that is not trusted can be reached.
    let is_unreachable =
        matches!(error, sqlx::Error::Io(error) if error.kind() != ErrorKind::InvalidData);
    // PostgreSQL is starting or has no connection left; `SQLITE_BUSY` and its variants.
    is_unreachable || ["57P03", "53300", "5", "261", "517", "773"].contains(&&*code(error))
}

/// Returns the code of the database's own error, or an empty text for any other error.
fn code(error: &sqlx::Error) -> Cow<'_, str> {
    match error.as_database_error() {
        Some(database_error) => database_error.code().unwrap_or_default(),
        None => Cow::default(),
    }
}
