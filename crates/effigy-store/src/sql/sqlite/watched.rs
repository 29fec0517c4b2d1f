//! A database file that may be replaced or deleted while it is open.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{fs, io};

use file_id::{FileId, get_file_id};
use sqlx::Sqlite;
use sqlx::sqlite::SqliteConnectOptions;
use tokio::sync::Mutex;

use super::open_file;
use crate::StoreError;
use crate::sql::connections::Connections;

/// Time between two checks whether the file is still the one that is open.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// The suffixes of the files of a write-ahead log.
const LOG_SUFFIXES: [&str; 2] = ["-wal", "-shm"];

/// The connections to a database file, which is opened again if another file takes its place.
pub(in crate::sql) struct WatchedFile {
    url: String,
    options: SqliteConnectOptions,
    state: Mutex<State>,
}

struct State {
    /// `None` if the file was lost and could not be opened again.
    connections: Option<Arc<Connections<Sqlite>>>,
    identity: FileId,
    /// The files of the write-ahead log, at the last check.
    logs: [Option<FileId>; LOG_SUFFIXES.len()],
    checked: Instant,
}

impl WatchedFile {
    pub(super) async fn open(url: &str, options: SqliteConnectOptions) -> Result<Self, StoreError> {
        let (connections, identity) = open_identified(&options, url).await?;
        let state = State {
            connections: Some(connections),
            identity,
            logs: identities_of_logs(options.get_filename()),
            checked: Instant::now(),
        };
        Ok(Self {
            url: url.to_owned(),
            options,
            state: Mutex::new(state),
        })
    }

    /// Returns the connections to the file that has the name now.
    pub(in crate::sql) async fn connections(&self) -> Result<Arc<Connections<Sqlite>>, StoreError> {
        let mut state = self.state.lock().await;
        if state.checked.elapsed() >= CHECK_INTERVAL {
            state.checked = Instant::now();
            self.check(&mut state).await?;
        }
        let connections = state.connections.clone();
        connections.ok_or_else(|| StoreError::FileLost {
            file: self.options.get_filename().to_owned(),
        })
    }

    async fn check(&self, state: &mut State) -> Result<(), StoreError> {
        let file = self.options.get_filename();
        let is_same = match get_file_id(file) {
            Ok(identity) => identity == state.identity,
            // That says nothing about the file.
            Err(error) => error.kind() != io::ErrorKind::NotFound,
        };
        if is_same && state.connections.is_some() {
            state.logs = identities_of_logs(file);
            return Ok(());
        }
        if let Some(lost) = state.connections.take() {
            // SQLite notices that the file has another name or none, and leaves its log alone.
            lost.close().await;
            remove_logs(file, &state.logs);
        }
        let (connections, identity) = open_identified(&self.options, &self.url).await?;
        state.connections = Some(connections);
        state.identity = identity;
        Ok(())
    }

    pub(in crate::sql) async fn close(&self) {
        let state = self.state.lock().await;
        if let Some(connections) = &state.connections {
            connections.close().await;
        }
    }
}

async fn open_identified(
    options: &SqliteConnectOptions,
    url: &str,
) -> Result<(Arc<Connections<Sqlite>>, FileId), StoreError> {
    let connections = open_file(options.clone(), url).await?;
    let identity = get_file_id(options.get_filename());
    let identity = identity.map_err(|error| StoreError::open(url, error.into()))?;
    Ok((Arc::new(connections), identity))
}

fn identities_of_logs(file: &Path) -> [Option<FileId>; LOG_SUFFIXES.len()] {
    logs(file).map(|log| get_file_id(log).ok())
}

fn logs(file: &Path) -> [PathBuf; LOG_SUFFIXES.len()] {
    LOG_SUFFIXES.map(|suffix| {
        let mut log = file.as_os_str().to_owned();
        log.push(suffix);
        log.into()
    })
}

/// Removes the log of the lost file, which SQLite would apply to the one in its place. A log that came
/// with the new file stays.
fn remove_logs(file: &Path, of_lost: &[Option<FileId>]) {
    for (log, of_lost) in logs(file).iter().zip(of_lost) {
        if of_lost.is_some() && get_file_id(log).ok() == *of_lost {
            // A directory in which this is not allowed is one in which no database can be opened.
            let _ = fs::remove_file(log);
        }
    }
}
