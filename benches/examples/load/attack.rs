//! Attacks the server as one client or a few, and measures the other clients meanwhile.
//!
//! `just attack` builds the binary and runs this. Everything runs on one machine. On Linux, the
//! server has half of the processors, so that only it can cause a delay. The attackers, the others
//! and the upstream share the rest. As root, the others have a higher priority there.
//!
//! The server is told that loopback is a proxy, so each request names its client.

mod attacks;
mod others;

use std::time::Duration;

use fixtures::FakeUpstream;
use tempfile::TempDir;
use tokio::{runtime::Runtime, task::JoinSet};

use attacks::{Attack, Upstream};
use others::Others;

use crate::server::Server;

/// The time of an attack before the others are measured, and the time of that measurement.
const BEFORE: Duration = Duration::from_secs(1);
const MEASURED: Duration = Duration::from_secs(5);

/// Runs all attacks, or those with this part in their name, and prints the table. The bare server
/// sends the answer to a hit for every request, so it shows the cost of answering alone.
pub(crate) async fn run(part: Option<&str>, on_bare: bool) {
    assert!(
        std::env::var_os("EFFIGY_TRUSTED_PROXY").is_some(),
        "`just attack` sets EFFIGY_TRUSTED_PROXY=127.0.0.1"
    );
    println!("| attack | hits' p99 ms | others' misses | slowest s | memory MiB | recovery s |");
    println!("|---|---:|---:|---:|---:|---:|");
    for attack in attacks::all() {
        if part.is_none_or(|part| attack.name.contains(part)) {
            measure(&attack, on_bare).await;
        }
    }
}

/// The attackers, on a thread of their own, so that they delay the others only by their effect on
/// the server.
struct Attackers {
    runtime: Runtime,
    tasks: JoinSet<()>,
}

impl Attackers {
    fn begin(attack: &Attack, address: &str) -> Self {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        runtime.worker_threads(1).on_thread_start(|| priority(19));
        let runtime = runtime.enable_all().build().unwrap();
        let entered = runtime.enter();
        let tasks = (attack.begin)(address);
        drop(entered);
        Self { runtime, tasks }
    }

    async fn end(mut self) {
        self.tasks.shutdown().await;
        self.runtime.shutdown_background();
    }
}

/// A runtime for the others.
pub(crate) fn runtime() -> Runtime {
    move_to(1);
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.on_thread_start(|| priority(-20));
    runtime.enable_all().build().unwrap()
}

/// Moves this thread and the processes that it starts to the first or the second half of the
/// processors, if the system allows it.
fn move_to(half: usize) {
    #[cfg(target_os = "linux")]
    {
        use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
        use std::sync::LazyLock;
        /// The processors that this process had when it started.
        static ALL: LazyLock<CpuSet> = LazyLock::new(|| sched_getaffinity(None).unwrap());
        let processors: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&at| ALL.is_set(at)).collect();
        let (first, second) = processors.split_at(processors.len() / 2);
        let mut chosen = CpuSet::new();
        for &processor in [first, second][half] {
            chosen.set(processor);
        }
        // A single processor has no first half, which is refused, and is shared.
        let _ = sched_setaffinity(None, &chosen);
    }
}

/// Changes the priority of this thread, if the system allows it.
fn priority(change: i32) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::nice(change);
}

/// Runs an attack on a server of its own and prints its row.
async fn measure(attack: &Attack, on_bare: bool) {
    let directory = TempDir::new().unwrap();
    let crowd = Server::crowd();
    let fake = FakeUpstream::start();
    let upstream = match attack.upstream {
        Upstream::Crowd | Upstream::Gamertags => crowd.url(),
        Upstream::Names => fake.url().to_owned(),
    };
    move_to(0);
    let mut server = Server::effigy(&upstream, &directory, attack.upstream.settings());
    if on_bare {
        server = Server::bare(&(server.url() + attack.upstream.face()));
    }
    move_to(1);
    let others = Others::new(&server.address, attack.upstream).await;
    let attackers = Attackers::begin(attack, &server.address);
    tokio::time::sleep(BEFORE).await;
    let fared = others.measure(MEASURED).await;
    attackers.end().await;
    let recovery = others.recovery().await;
    println!(
        "| {} | {:.2} | {:.0} % | {:.2} | {:.0} | {:.2} |",
        attack.name,
        fared.hits_p99.as_secs_f64() * 1e3,
        fared.misses_good * 100.0,
        fared.slowest_miss.as_secs_f64(),
        server.most_memory().unwrap_or_default(),
        recovery.as_secs_f64(),
    );
}
