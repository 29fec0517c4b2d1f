//! Connections whose threads yield to those that answer requests.

use std::thread;

use sqlx::SqlitePool;
use tokio::{runtime::Handle, sync::oneshot};

/// Increase of the writing thread's niceness: nobody waits for its writes, and they may be megabytes.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// Opens the pool's first connection from a thread of low priority. sqlx starts a thread for the
/// connection, which inherits the priority.
///
/// If this fails, the pool opens the connection on its first use.
pub(super) async fn connect_first(pool: &SqlitePool) {
    let (pool, runtime) = (pool.clone(), Handle::current());
    let (opened, done) = oneshot::channel();
    let open = move || {
        // On Linux `nice` concerns one thread and its future children; elsewhere it would concern
        // the whole process.
        #[cfg(target_os = "linux")]
        let _ = rustix::process::nice(NICENESS);
        // Dropping the connection returns it to the pool, open.
        runtime.block_on(async { drop(pool.acquire().await) });
        let _ = opened.send(());
    };
    if thread::Builder::new().spawn(open).is_ok() {
        // An error means that the thread panicked; the pool opens the connection later.
        let _ = done.await;
    }
}
