//! What is measured, row by row.

use std::{
    hint::black_box,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use benches::{skin, views};
use fixtures::{Answer, FakePlayer, FakeUpstream};
use tempfile::TempDir;

use crate::{
    Load,
    client::{self, Connection, Tally},
    server::Server,
};

/// The picture that is asked for most.
const FACE: &str = "/head/Gwendolin/128";

/// How often two servers take turns.
const SLICES: u32 = 10;

/// Measures everything and prints the table.
pub(crate) async fn run(load: Load) {
    let (upstream, directory) = (FakeUpstream::start(), TempDir::new().unwrap());
    let effigy = Server::effigy(&upstream, &directory);
    client::get(&effigy.address, FACE).await;
    let bare = Server::bare(&format!("http://{}{FACE}", effigy.address));
    let keys = Keys::default();
    let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    println!(
        "{processors} processors, {} connections, {} s a row",
        load.connections,
        load.time.as_secs()
    );
    println!("| what | good/s | p50 ms | p99 ms | refused | server CPU µs/answer |");
    println!("|---|---:|---:|---:|---:|---:|");

    let face = || FACE.to_owned();
    let heads = {
        let keys = keys.clone();
        move || keys.next("/head", "/128")
    };
    let avatars = {
        let keys = keys.clone();
        move || keys.next("/avatar", "/right/128")
    };
    let giants = move || keys.next("/avatar", "/right/20000");
    let tag = client::get(&effigy.address, FACE).await.header("etag");
    let condition = format!("If-None-Match: {tag}\r\n");
    let fewer = Load {
        connections: load.connections.min(8),
        ..load
    };
    let twice = Load {
        connections: 1_024,
        ..load
    };

    let (floor, hits) = in_turn(&bare, &effigy, load, face).await;
    print("bare hyper, the same answer", &floor);
    print("hit", &hits);
    row("304", &effigy, load, face, &condition).await;
    let head_misses = row("miss, head 128", &effigy, load, heads, "").await;
    let what = "miss, avatar 128";
    let avatar_misses = row(what, &effigy, load, avatars.clone(), "").await;
    let what = "miss, avatar 128, 1,024 connections";
    let over = row(what, &effigy, twice, avatars.clone(), "").await;
    let idle = row("hit, 8 connections", &effigy, fewer, face, "").await;
    let others = background(&effigy, load, 32, avatars);
    let what = "hit, 8 connections, beside 32 of misses";
    let busy = row(what, &effigy, fewer, face, "").await;
    others.end().await;
    let other = background(&effigy, load, 1, giants);
    let what = "hit, 8 connections, beside 20,000 pixels";
    let giant = row(what, &effigy, fewer, face, "").await;
    other.end().await;

    println!();
    let percent = |one: f64, other: f64| 100.0 * one / other;
    println!(
        "hits: {:.0} % of bare hyper",
        percent(hits.per_second(), floor.per_second())
    );
    for (name, view, misses) in [
        ("head", "head", &head_misses),
        ("avatar", "isometric_body", &avatar_misses),
    ] {
        let predicted = renders_per_second(view) * processors as f64;
        let reached = percent(misses.per_second(), predicted);
        println!(
            "{name} misses: {reached:.0} % of {predicted:.0}/s, drawing alone on all processors"
        );
    }
    let times =
        |tally: &Tally| tally.percentile(0.99).as_secs_f64() / idle.percentile(0.99).as_secs_f64();
    println!("p99 of hits beside misses: {:.1} times idle", times(&busy));
    println!(
        "p99 of hits beside 20,000 pixels: {:.1} times idle",
        times(&giant)
    );
    let kept = percent(over.per_second(), avatar_misses.per_second());
    println!("overload: {kept:.0} % of the best throughput kept");
    if let Some(memory) = effigy.memory() {
        println!("memory at the end: {memory:.0} MiB");
    }
}

/// Measures two servers in turn, so that whatever else the machine does befalls both.
async fn in_turn(
    one: &Server,
    other: &Server,
    load: Load,
    next: impl Fn() -> String + Clone + Send + 'static,
) -> (Tally, Tally) {
    let slice = Load {
        time: load.time / SLICES,
        ..load
    };
    let mut tallies = (Tally::default(), Tally::default());
    for _ in 0..SLICES {
        tallies.0.add(measure(one, slice, next.clone(), "").await);
        tallies.1.add(measure(other, slice, next.clone(), "").await);
    }
    tallies.0.good.sort_unstable();
    tallies.1.good.sort_unstable();
    tallies
}

/// Measures one row and prints it.
async fn row(
    what: &str,
    server: &Server,
    load: Load,
    next: impl Fn() -> String + Clone + Send + 'static,
    headers: &str,
) -> Tally {
    let mut tally = measure(server, load, next, headers).await;
    tally.good.sort_unstable();
    print(what, &tally);
    tally
}

async fn measure(
    server: &Server,
    load: Load,
    next: impl Fn() -> String + Clone + Send + 'static,
    headers: &str,
) -> Tally {
    let (begun, before) = (Instant::now(), server.processor_time());
    let end = begun + load.time;
    let ask = |_| {
        let (address, headers) = (server.address.clone(), headers.to_owned());
        tokio::spawn(Connection::load(address, next.clone(), headers, end))
    };
    let tasks: Vec<_> = (0..load.connections).map(ask).collect();
    let mut tally = Tally::default();
    for task in tasks {
        tally.add(task.await.unwrap());
    }
    tally.time = begun.elapsed();
    let used = server.processor_time().zip(before);
    tally.processor = used.map_or(0.0, |(after, before)| after - before);
    tally
}

fn print(what: &str, tally: &Tally) {
    let millis = |share: f64| tally.percentile(share).as_secs_f64() * 1e3;
    println!(
        "| {what} | {:.0} | {:.2} | {:.2} | {} | {:.1} |",
        tally.per_second(),
        millis(0.5),
        millis(0.99),
        tally.bad,
        1e6 * tally.processor / tally.good.len().max(1) as f64,
    );
}

/// Load beside what is measured.
struct Background(Vec<tokio::task::JoinHandle<Tally>>);

impl Background {
    async fn end(self) {
        for task in self.0 {
            task.abort();
            // It was aborted.
            let _ = task.await;
        }
    }
}

fn background(
    server: &Server,
    load: Load,
    connections: usize,
    next: impl Fn() -> String + Clone + Send + 'static,
) -> Background {
    let end = Instant::now() + load.time * 10;
    let task = |_| {
        let (address, next) = (server.address.clone(), next.clone());
        tokio::spawn(Connection::load(address, next, String::new(), end))
    };
    Background((0..connections).map(task).collect())
}

/// Inputs that mean players, each a key of its own: one UUID can be written in many ways.
#[derive(Debug, Clone, Default)]
struct Keys(Arc<AtomicUsize>);

impl Keys {
    fn next(&self, before: &str, after: &str) -> String {
        let number = self.0.fetch_add(1, Ordering::Relaxed);
        let players: Vec<&str> = fixtures::players()
            .iter()
            .filter(|player| matches!(player.answer, Answer::Skin(_)))
            .filter_map(FakePlayer::uuid)
            .collect();
        let uuid = players[number % players.len()];
        let mut bits = number / players.len();
        let written = uuid.chars().map(|c| {
            if !c.is_ascii_alphabetic() {
                return c;
            }
            let upper = bits % 2 == 1;
            bits /= 2;
            if upper { c.to_ascii_uppercase() } else { c }
        });
        format!("{before}/{}{after}", written.collect::<String>())
    }
}

/// How often one processor draws and encodes a view in a second.
fn renders_per_second(name: &str) -> f64 {
    let skin = skin();
    let views = views(128);
    let (_, view) = views.iter().find(|(found, _)| *found == name).unwrap();
    let (begun, mut renders) = (Instant::now(), 0_u32);
    while begun.elapsed() < Duration::from_secs(2) {
        let render = view.render(black_box(&skin)).unwrap();
        black_box(render.encode_png().unwrap());
        renders += 1;
    }
    f64::from(renders) / begun.elapsed().as_secs_f64()
}
