//! Hits while the upstreams hang. Two hundred requests wait in vain, which must not harm those that
//! need no upstream.

use std::time::{Duration, Instant};

use fixtures::{FakeUpstream, Fault, Step};
use tempfile::TempDir;
use tokio::task::JoinHandle;

use crate::{
    client::{self, Connection, Pace},
    server::Server,
    tally::Tally,
};

/// The picture that is hit.
const FACE: &str = "/head/Gwendolin/128";

/// Connections that ask for it.
const CONNECTIONS: usize = 8;

/// Requests that hang, half of them at the identity service and half at the Bedrock service.
const HANGING: u64 = 200;

/// The number of rounds that measure both, each with a new server.
const ROUNDS: usize = 5;

/// The time for which each row is measured. It is less than 10 s, after which a hanging request
/// ends.
const TIME: Duration = Duration::from_secs(5);

/// Measures and prints the table.
pub(crate) async fn run() {
    println!("{ROUNDS} rounds, {CONNECTIONS} connections, {TIME:?} a row");
    println!("| round | hanging | hits/s | p50 ms | p99 ms |");
    println!("|---|---:|---:|---:|---:|");
    let mut all_idle = Tally::default();
    let mut all_during = Tally::default();
    for round in 1..=ROUNDS {
        let upstream = FakeUpstream::start();
        let directory = TempDir::new().unwrap();
        let effigy = Server::effigy(upstream.url(), &directory, &[]);
        client::get(&effigy.address, FACE).await;
        let idle = hits(&effigy).await;
        print(round, 0, &idle);
        let hanging = hang(&upstream, &effigy);
        let during = hits(&effigy).await;
        let left = hanging.iter().filter(|task| !task.is_finished()).count();
        print(round, left, &during);
        for task in hanging {
            task.abort();
            // An error means that it was aborted.
            let _ = task.await;
        }
        all_idle.add(idle);
        all_during.add(during);
    }
    let idle_p99 = p99_millis(all_idle);
    let during_p99 = p99_millis(all_during);
    let times = during_p99 / idle_p99;
    println!();
    println!(
        "p99 of all rounds: {idle_p99:.2} ms alone, {during_p99:.2} ms during the outage: {times:.2} times"
    );
}

fn p99_millis(mut tally: Tally) -> f64 {
    tally.good.sort_unstable();
    tally.percentile(0.99).as_secs_f64() * 1e3
}

/// Starts requests that hang, and returns when all of them wait.
fn hang(upstream: &FakeUpstream, server: &Server) -> Vec<JoinHandle<Tally>> {
    upstream.set_fault_everywhere(Some(&Fault::Hang));
    let each = HANGING / 2;
    let before = upstream.calls(Step::Identity);
    let java = (0..each).map(|number| format!("/head/Player{number}"));
    let bedrock = (0..each).map(|number| format!("/head/0000{}", 2_535_400_000_000_000 + number));
    let pace = Pace::as_fast_as_it_goes(TIME);
    let ask = |path: String| {
        let address = server.address.clone();
        let next = move || path.clone();
        // No task asks a second time, because the first answer comes after the end.
        tokio::spawn(Connection::load(address, next, String::new(), pace))
    };
    let tasks = java.chain(bedrock).map(ask).collect();
    for (step, calls) in [(Step::Identity, before + each), (Step::BedrockSkin, each)] {
        let all_came = upstream.wait_for_calls(step, calls, TIME);
        assert!(
            all_came,
            "only {} calls came to {step:?}",
            upstream.calls(step)
        );
    }
    tasks
}

/// Measures hits.
async fn hits(server: &Server) -> Tally {
    let begun = Instant::now();
    let pace = Pace::as_fast_as_it_goes(TIME);
    let ask = |_| {
        let next = || FACE.to_owned();
        tokio::spawn(Connection::load(
            server.address.clone(),
            next,
            String::new(),
            pace,
        ))
    };
    let tasks: Vec<_> = (0..CONNECTIONS).map(ask).collect();
    let mut tally = Tally::default();
    for task in tasks {
        tally.add(task.await.unwrap());
    }
    assert_eq!(tally.bad, 0, "a hit failed");
    tally.good.sort_unstable();
    tally.time = begun.elapsed();
    tally
}

fn print(round: usize, hanging: usize, tally: &Tally) {
    let millis = |share: f64| tally.percentile(share).as_secs_f64() * 1e3;
    println!(
        "| {round} | {hanging} | {:.0} | {:.3} | {:.3} |",
        tally.per_second(),
        millis(0.5),
        millis(0.99),
    );
}
