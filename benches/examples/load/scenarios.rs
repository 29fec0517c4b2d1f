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

/// Hits in a second while the time of a hit is measured, and not the maximum rate.
const CALM: f64 = 2_000.0;

/// Measures everything, or one part of it, and prints the table.
pub(crate) async fn run(load: Load, part: Option<&str>) {
    let upstream = Server::crowd();
    let directory = TempDir::new().unwrap();
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
    // Puts the picture into memory.
    client::get(&effigy.address, FACE).await;
    if wanted("hits") {
        findings.extend(hits(&effigy, load).await);
    }
    if wanted("misses") {
        findings.extend(misses(&effigy, load, processors).await);
    }
    if wanted("during") {
        findings.push(hits_beside(&effigy, load).await);
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
async fn hits_beside(effigy: &Server, load: Load) -> String {
    let calm = Load {
        connections: 8,
        rate: Some(CALM),
        ..load
    };
    let strangers = Arc::new(Strangers::from(1_000_000_000));
    let idle = row("hit, 2,000/s", effigy, calm, face, "").await;
    let busy = hits_beside_bodies(effigy, calm, &strangers).await;
    let giant = hits_beside_giant(effigy, calm, &strangers).await;
    let idle_p99 = idle.percentile(0.99).as_secs_f64();
    format!(
        "p99 of hits: {:.1} times idle during drawing on all processors, {:.1} times during 20,000 \
         pixels",
        busy.percentile(0.99).as_secs_f64() / idle_p99,
        giant.percentile(0.99).as_secs_f64() / idle_p99,
    )
}

/// Measures hits while eight connections ask for large bodies.
async fn hits_beside_bodies(effigy: &Server, calm: Load, strangers: &Arc<Strangers>) -> Tally {
    let large = misses_of("/avatar", "/right/1024", strangers);
    let mut others = JoinSet::new();
    for _ in 0..8 {
        let pace = Pace::as_fast_as_it_goes(calm.time * 10);
        let address = effigy.address.clone();
        let headers = String::new();
        others.spawn(Connection::load(address, large.clone(), headers, pace));
    }
    let what = "hit, 2,000/s, during bodies of 1,024 pixels";
    let tally = row(what, effigy, calm, face, "").await;
    others.shutdown().await;
    tally
}

/// Measures hits while one connection reads giant bodies.
async fn hits_beside_giant(effigy: &Server, calm: Load, strangers: &Arc<Strangers>) -> Tally {
    let giants = misses_of("/avatar", "/right/20000", strangers);
    let address = effigy.address.clone();
    let reader =
        tokio::spawn(
            async move { while Connection::drain(&address, &giants()).await.is_some() {} },
        );
    let what = "hit, 2,000/s, during one of 20,000 pixels";
    let tally = row(what, effigy, calm, face, "").await;
    reader.abort();
    tally
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

/// Measures two servers in turn, so that other work of the machine affects both.
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
    let mut of_one = Tally::default();
    let mut of_other = Tally::default();
    for _ in 0..SLICES {
        of_one.add(measure(one, slice, next.clone(), "").await);
        of_other.add(measure(other, slice, next.clone(), "").await);
    }
    of_one.good.sort_unstable();
    of_other.good.sort_unstable();
    (of_one, of_other)
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
    let begun = Instant::now();
    let used_before = server.processor_time();
    let every = load
        .rate
        .map(|rate| Duration::from_secs_f64(load.connections as f64 / rate));
    let mut tasks = JoinSet::new();
    for number in 0..load.connections {
        // They begin one after the other, so that the pace of all is even.
        let part = number as f64 / load.connections as f64;
        let pace = Pace {
            first: begun + every.unwrap_or_default().mul_f64(part),
            every,
            end: begun + load.time,
        };
        let address = server.address.clone();
        let own_headers = headers.to_owned();
        tasks.spawn(Connection::load(address, next.clone(), own_headers, pace));
    }
    let mut tally = Tally::default();
    for one in tasks.join_all().await {
        tally.add(one);
    }
    tally.time = begun.elapsed();
    if let Some(before) = used_before
        && let Some(after) = server.processor_time()
    {
        tally.processor = after - before;
    }
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

/// The seconds of processor time of drawing and encoding a view while all processors do so, which
/// takes longer than on one processor alone.
fn drawing_time(name: &str, processors: usize) -> f64 {
    let skin = skin();
    let begun = Instant::now();
    let used_before = processor_time(process::id());
    let draw = || {
        let views = views(128);
        let (_, view) = views.iter().find(|(found, _)| *found == name).unwrap();
        let mut renderer = Renderer::new();
        let mut renders = 0_u32;
        while begun.elapsed() < Duration::from_secs(2) {
            let render = view.picture(black_box(&skin)).unwrap();
            black_box(renderer.encode(&render, ImageFormat::Png).unwrap());
            renders += 1;
        }
        renders
    };
    let renders: u32 = thread::scope(|scope| {
        let threads: Vec<_> = (0..processors).map(|_| scope.spawn(draw)).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum()
    });
    let took = match (used_before, processor_time(process::id())) {
        (Some(before), Some(after)) => after - before,
        // The system doesn't tell, but all processors were busy.
        _ => begun.elapsed().as_secs_f64() * processors as f64,
    };
    took / f64::from(renders)
}
