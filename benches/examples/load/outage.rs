//! Hits while the upstreams hang: whether two hundred requests that wait for nothing harm those that
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

/// The time for which each row is measured. A hanging request ends after 10 s, and that has to be later.
const TIME: Duration = Duration::from_secs(5);

/// Measures and prints the table.
pub(crate) async fn run() {
    println!("{ROUNDS} rounds, {CONNECTIONS} connections, {TIME:?} a row");
    println!("| round | hanging | hits/s | p50 ms | p99 ms |");
    println!("|---|---:|---:|---:|---:|");
    let mut both = [Tally::default(), Tally::default()];
    for round in 1..=ROUNDS {
        let upstream = FakeUpstream::start();
        let directory = TempDir::new().unwrap();
        let effigy = Server::effigy(upstream.url(), &directory, &[]);
        client::get(&effigy.address, FACE).await;
        let idle = hits(&effigy).await;
        print(round, 0, &idle);
        let hanging = hang(&upstream, &effigy);
        let beside = hits(&effigy).await;
        let left = hanging.iter().filter(|task| !task.is_finished()).count();
        print(round, left, &beside);
        for task in hanging {
            task.abort();
            // It was aborted.
            let _ = task.await;
        }
        both[0].add(idle);
        both[1].add(beside);
    }
    for tally in &mut both {
        tally.good.sort_unstable();
    }
    let [idle, beside] = both.map(|tally| tally.percentile(0.99).as_secs_f64() * 1e3);
    println!();
    let times = beside / idle;
    println!("p99 of all rounds: {idle:.2} ms alone, {beside:.2} ms beside: {times:.2} times");
}

/// Starts requests that hang, and comes back when all of them do.
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
        // None asks a second time: the first answer comes after the end.
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

/// Hits, and nothing but hits.
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
