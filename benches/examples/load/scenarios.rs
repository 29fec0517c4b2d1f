//! The measurements, row by row.

use std::{
    hint::black_box,
    num::NonZeroUsize,
    process,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use benches::{skin, views};
use effigy_render::{ImageFormat, Renderer};
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::{
    Load,
    client::{self, Connection, Pace},
    crowd::Strangers,
    server::{Server, processor_time},
    tally::Tally,
};

/// The picture that is asked for most.
const FACE: &str = "/head/0000987654321/128";

/// The number of turns of two servers.
const SLICES: u32 = 10;

/// Hits in a second where it is measured how long one takes, and not how many there can be.
const CALM: f64 = 2_000.0;

/// Measures everything, or one part of it, and prints the table.
pub(crate) async fn run(load: Load, part: Option<&str>) {
    let (upstream, directory) = (Server::crowd(), TempDir::new().unwrap());
    let effigy = Server::effigy(&upstream.url(), &directory, &[]);
    let processors = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    println!(
        "{processors} processors, {} connections, {} s a row",
        load.connections,
        load.time.as_secs()
    );
    println!("| what | good/s | p50 ms | p99 ms | refused | server CPU µs/answer |");
    println!("|---|---:|---:|---:|---:|---:|");
    let wanted = |name| part.is_none_or(|part| part == name);
    let mut findings = Vec::new();
    // From now on it is in memory.
    client::get(&effigy.address, FACE).await;
    if wanted("hits") {
        findings.extend(hits(&effigy, load).await);
    }
    if wanted("misses") {
        findings.extend(misses(&effigy, load, processors).await);
    }
    if wanted("beside") {
        findings.extend(hits_beside(&effigy, load).await);
    }
    if let Some(memory) = effigy.most_memory() {
        findings.push(format!("memory at most: {memory:.0} MiB"));
    }
    println!();
    for finding in findings {
        println!("- {finding}");
    }
}

/// Measures the maximum rate of hits.
async fn hits(effigy: &Server, load: Load) -> Vec<String> {
    let tag = client::get(&effigy.address, FACE).await.header("etag");
    let bare = Server::bare(&format!("http://{}{FACE}", effigy.address));
    let (floor, hits) = in_turn(&bare, effigy, load, face).await;
    print("bare hyper, the same answer", &floor);
    print("hit", &hits);
    let condition = format!("If-None-Match: {tag}\r\n");
    row("304", effigy, load, face, &condition).await;
    vec![format!(
        "hits: {} of bare hyper, {} by processor time",
        percent(hits.per_second(), floor.per_second()),
        percent(floor.cost(), hits.cost()),
    )]
}

/// Measures the maximum rate of misses, and misses at twice that load.
async fn misses(effigy: &Server, load: Load, processors: usize) -> Vec<String> {
    let strangers = Arc::new(Strangers::from(1));
    let faces = misses_of("/head", "/128", &strangers);
    let bodies = misses_of("/avatar", "/right/128", &strangers);
    let heads = row("miss, head 128", effigy, load, faces, "").await;
    let avatars = row("miss, avatar 128", effigy, load, bodies.clone(), "").await;
    let twice = Load {
        connections: 1_024,
        rate: Some(2.0 * avatars.per_second()),
        ..load
    };
    let over = row("twice as many, avatar 128", effigy, twice, bodies, "").await;
    let mut findings = Vec::new();
    for (name, view, misses) in [
        ("head", "head", &heads),
        ("avatar", "isometric_body", &avatars),
    ] {
        let drawing = drawing_time(view, processors);
        let predicted = processors as f64 / drawing;
        findings.push(format!(
            "{name} misses: {} of {predicted:.0}/s, which is drawing alone ({:.0} µs) on all \
             processors; by the server's processor time {}",
            percent(misses.per_second(), predicted),
            drawing * 1e6,
            percent(drawing, misses.cost()),
        ));
    }
    findings.push(format!(
        "at twice the load: {} of the best throughput",
        percent(over.per_second(), avatars.per_second())
    ));
    findings
}

/// Measures the time of hits while pictures are drawn.
async fn hits_beside(effigy: &Server, load: Load) -> Vec<String> {
    let calm = Load {
        connections: 8,
        rate: Some(CALM),
        ..load
    };
    let strangers = Arc::new(Strangers::from(1_000_000_000));
    let large = misses_of("/avatar", "/right/1024", &strangers);
    let giants = misses_of("/avatar", "/right/20000", &strangers);
    let idle = row("hit, 2,000/s", effigy, calm, face, "").await;

    let mut others = JoinSet::new();
    for _ in 0..8 {
        let pace = Pace::as_fast_as_it_goes(load.time * 10);
        let address = effigy.address.clone();
        others.spawn(Connection::load(
            address,
            large.clone(),
            String::new(),
            pace,
        ));
    }
    let what = "hit, 2,000/s, beside bodies of 1,024 pixels";
    let busy = row(what, effigy, calm, face, "").await;
    others.shutdown().await;

    let address = effigy.address.clone();
    let reader =
        tokio::spawn(
            async move { while Connection::drain(&address, &giants()).await.is_some() {} },
        );
    let what = "hit, 2,000/s, beside one of 20,000 pixels";
    let giant = row(what, effigy, calm, face, "").await;
    reader.abort();

    let times = |tally: &Tally| {
        let (it, idle) = (tally.percentile(0.99), idle.percentile(0.99));
        it.as_secs_f64() / idle.as_secs_f64()
    };
    vec![format!(
        "p99 of hits: {:.1} times idle beside drawing on all processors, {:.1} times beside 20,000 \
         pixels",
        times(&busy),
        times(&giant)
    )]
}

fn face() -> String {
    FACE.to_owned()
}

/// Pictures of players that nobody has asked for before.
fn misses_of(
    before: &'static str,
    after: &'static str,
    strangers: &Arc<Strangers>,
) -> impl Fn() -> String + Clone + Send + use<> + 'static {
    let strangers = Arc::clone(strangers);
    move || format!("{before}/{}{after}", strangers.next())
}

fn percent(one: f64, other: f64) -> String {
    format!("{:.0} %", 100.0 * one / other)
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
    let every = load.rate.map(|rate| load.connections as f64 / rate);
    let every = every.map(Duration::from_secs_f64);
    let mut tasks = JoinSet::new();
    for number in 0..load.connections {
        // They begin one after the other, so that the pace of all is even.
        let part = number as f64 / load.connections as f64;
        let pace = Pace {
            first: begun + every.unwrap_or_default().mul_f64(part),
            every,
            end: begun + load.time,
        };
        let (address, headers) = (server.address.clone(), headers.to_owned());
        tasks.spawn(Connection::load(address, next.clone(), headers, pace));
    }
    let mut tally = Tally::default();
    for one in tasks.join_all().await {
        tally.add(one);
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
        1e6 * tally.cost(),
    );
}

/// The seconds of processor time that it takes to draw and encode a view while all processors do so,
/// which they do more slowly than one alone.
fn drawing_time(name: &str, processors: usize) -> f64 {
    let skin = skin();
    let used = || processor_time(process::id());
    let (begun, before) = (Instant::now(), used());
    let draw = || {
        let views = views(128);
        let (_, view) = views.iter().find(|(found, _)| *found == name).unwrap();
        let (mut renderer, mut renders) = (Renderer::new(), 0_u32);
        while begun.elapsed() < Duration::from_secs(2) {
            let render = view.picture(black_box(&skin)).unwrap();
            black_box(renderer.encode(&render, ImageFormat::Png).unwrap());
            renders += 1;
        }
        renders
    };
    let renders: u32 = thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(draw)).collect();
        let renders = threads.into_iter().map(|thread| thread.join().unwrap());
        renders.sum()
    });
    let took = used().zip(before).map(|(after, before)| after - before);
    let all = begun.elapsed().as_secs_f64() * processors as f64;
    took.unwrap_or(all) / f64::from(renders)
}
