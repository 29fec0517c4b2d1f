//! The limit of open files, which bounds the connections.

/// The files that are open in addition to the connections of clients: those to upstreams (256) and to the
/// database, the listener, the log, and one for the next connection.
#[cfg(target_os = "linux")]
const OTHER_FILES: u64 = 320;

/// Raises the soft limit of open files to the hard one, and returns the number of connections that it
/// allows, at most `wanted`.
#[cfg(target_os = "linux")]
pub(super) fn max_connections(wanted: u32) -> u32 {
    use rustix::process::{Resource, getrlimit, setrlimit};

    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        tracing::debug!("the limit of open files could not be raised: {error}");
    }
    // No limit is reported as nothing.
    let files = getrlimit(Resource::Nofile).current.unwrap_or(u64::MAX);
    let allowed = u32::try_from(files.saturating_sub(OTHER_FILES)).unwrap_or(u32::MAX);
    let connections = wanted.min(allowed.max(1));
    if connections < wanted {
        tracing::warn!(
            "{connections} connections instead of {wanted}: the system allows {files} open files; \
             raise LimitNOFILE= of the unit, or `ulimit -Hn`"
        );
    }
    connections
}

/// Returns the wanted number of connections.
#[cfg(not(target_os = "linux"))]
pub(super) const fn max_connections(wanted: u32) -> u32 {
    wanted
}
