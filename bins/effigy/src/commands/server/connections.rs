//! The maximum number of connections.

/// The maximum number of connections at once, if the limit of open files allows it.
const MAX_CONNECTIONS: u32 = 10_000;

/// The files that are open in addition to the connections of clients: those to upstream services
/// (256) and to the database, the listener, the log, and one for the next connection.
const OTHER_FILES: u64 = 320;

/// The limit of open files if it can neither be raised nor read.
const USUAL_FILES: u64 = 1024;

/// Raises the limit of open files as far as the system allows, and returns the maximum number of
/// connections that it allows.
pub(super) fn max_connections() -> u32 {
    let files = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(USUAL_FILES);
    let allowed = u32::try_from(files.saturating_sub(OTHER_FILES));
    let connections = allowed.unwrap_or(u32::MAX).clamp(1, MAX_CONNECTIONS);
    if connections < MAX_CONNECTIONS {
        tracing::warn!(
            "{connections} connections instead of {MAX_CONNECTIONS}: the system allows {files} \
             open files; raise LimitNOFILE= of the unit, or `ulimit -Hn`"
        );
    }
    connections
}
