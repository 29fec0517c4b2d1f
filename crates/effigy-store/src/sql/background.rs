//! Connections whose threads are less important than those that answer.

use std::thread;

use sqlx::SqlitePool;
use tokio::{runtime::Handle, sync::oneshot};

/// How much less of a processor the thread gets, where both want it, as `nice` counts.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Opens the pool's first connection from a thread of low priority, which the connection's own
/// thread then has too: what it writes, nobody waits for, and it may be megabytes.
///
/// Where that fails, the pool opens the connection when it is asked for one.
pub(crate) async fn connect_first(pool: &SqlitePool) {
    let (pool, runtime) = (pool.clone(), Handle::current());
    let (opened, done) = oneshot::channel();
    let open = move || {
        // On Linux this concerns the thread, and those that it starts; elsewhere it would be the
        // process, and nothing would be won.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICENESS);
        // Whoever comes next finds it in the pool.
        runtime.block_on(async { drop(pool.acquire().await) });
        let _ = opened.send(());
    };
    if thread::Builder::new().spawn(open).is_ok() {
        // It ends either way.
        let _ = done.await;
    }
}
