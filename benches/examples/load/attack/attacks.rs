//! The attacks, by the rule that they try to break. Each goes on until its tasks are aborted.

mod shares;
mod trust;
mod waiting;
mod work;

use std::{sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    task::JoinSet,
    time::sleep,
};

use crate::{
    client::{Connection, Pace},
    crowd::Strangers,
};

/// The time after which a client abandons a picture.
const PATIENCE: Duration = Duration::from_millis(300);

/// Longer than any attack.
const EVER: Duration = Duration::from_secs(3600);

/// The number of the first attacker. Further attackers have the following numbers.
const ATTACKER: u32 = 1_000;

/// An attack by its name in the table.
#[derive(Clone)]
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    pub(crate) upstream: Upstream,
    pub(crate) begin: fn(&str) -> JoinSet<()>,
}

/// The upstream of an attacked server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Upstream {
    /// It knows every XUID.
    Crowd,
    /// It knows every XUID, and has GeyserMC's limit of calls.
    Gamertags,
    /// It knows a few names.
    Names,
}

impl Upstream {
    /// The picture that is hit.
    pub(crate) fn face(self) -> &'static str {
        match self {
            Self::Crowd | Self::Gamertags => "/head/0000987654321/128",
            Self::Names => "/head/Gwendolin/128",
        }
    }

    /// The settings of the server that asks it.
    pub(crate) fn settings(self) -> &'static [&'static str] {
        match self {
            Self::Gamertags => &["--bedrock-lookup-limit", "120/1m"],
            Self::Crowd | Self::Names => &[],
        }
    }
}

const fn on_crowd(name: &'static str, begin: fn(&str) -> JoinSet<()>) -> Attack {
    let upstream = Upstream::Crowd;
    Attack {
        name,
        upstream,
        begin,
    }
}

/// Returns all attacks, after the row without an attack.
pub(crate) fn all() -> impl Iterator<Item = Attack> {
    let none = on_crowd("none", |_| JoinSet::new());
    let rules = [
        shares::ATTACKS,
        work::ATTACKS,
        waiting::ATTACKS,
        trust::ATTACKS,
    ];
    [none].into_iter().chain(rules.concat())
}

/// The first client with a network of one site.
const SITE: u32 = 1 << 16;

/// The address of a client.
fn name(client: u32) -> String {
    let [.., a, b] = client.to_be_bytes();
    match client.checked_sub(SITE) {
        Some(network) => format!("2001:db8:0:{network:x}::1"),
        None => format!("198.51.{a}.{b}"),
    }
}

/// A name in the letter case of a number.
fn cased(number: usize) -> String {
    let letters = "gwendolin".chars().enumerate();
    let cased = letters.map(|(place, letter)| match number >> place & 1 {
        0 => letter,
        _ => letter.to_ascii_uppercase(),
    });
    cased.collect()
}

/// Asks on 32 connections of one client for the paths of ever new numbers.
fn on_32(address: &str, path: fn(usize) -> String, headers: &str) -> JoinSet<()> {
    let numbers = Arc::new(Strangers::from(0));
    let mut tasks = JoinSet::new();
    for _ in 0..32 {
        let own_numbers = Arc::clone(&numbers);
        let next = move || path(own_numbers.number());
        let own_address = address.to_owned();
        let pace = Pace::as_fast_as_it_goes(EVER);
        let own_headers = named(ATTACKER) + headers;
        tasks.spawn(async move {
            Connection::load(own_address, next, own_headers, pace).await;
        });
    }
    tasks
}

/// The header that names a client.
pub(crate) fn named(client: u32) -> String {
    format!("X-Forwarded-For: {}\r\n", name(client))
}

/// The text of a request of a client.
pub(crate) fn request(path: &str, client: u32) -> String {
    let client = named(client);
    format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{client}\r\n")
}

fn upload(path: &str, length: usize, client: u32) -> String {
    let client = named(client);
    format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: {length}\r\n{client}\r\n")
}

/// Sends bytes on a connection of their own.
pub(crate) async fn send(address: &str, bytes: &str) -> Option<TcpStream> {
    let mut stream = TcpStream::connect(address).await.ok()?;
    stream.write_all(bytes.as_bytes()).await.ok()?;
    Some(stream)
}

/// Reads the status of a response.
pub(crate) async fn status(stream: &mut TcpStream) -> Option<u16> {
    let mut begin = [0; 12];
    stream.read_exact(&mut begin).await.ok()?;
    std::str::from_utf8(&begin[9..]).ok()?.parse().ok()
}

/// A skin file of the largest width whose texels differ from their neighbors.
fn noise() -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, 1024, 1024);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_palette(&[20, 40, 60, 200, 180, 160][..]);
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        seed.to_be_bytes()[0]
    };
    let texels: Vec<u8> = (0..1024 * 1024 / 8).map(|_| random()).collect();
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&texels).unwrap();
    writer.finish().unwrap();
    file
}

async fn drain(stream: &mut TcpStream) {
    let mut buffer = vec![0; 64 * 1024];
    while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {}
}

async fn hold(stream: Option<TcpStream>) {
    sleep(EVER).await;
    drop(stream);
}

async fn abandon(address: &str, bytes: Vec<u8>) {
    let Ok(mut stream) = TcpStream::connect(address).await else {
        return;
    };
    if stream.write_all(&bytes).await.is_ok() {
        sleep(PATIENCE).await;
    }
}

/// Starts tasks that do the same again and again, with a pause in which others can breathe.
fn each<F>(
    count: u32,
    address: &str,
    work: impl Fn(String, u32) -> F + Copy + Send + 'static,
) -> JoinSet<()>
where
    F: Future<Output = ()> + Send,
{
    let tasks = (0..count).map(|number| {
        let address = address.to_owned();
        async move {
            loop {
                work(address.clone(), number).await;
                sleep(Duration::from_millis(1)).await;
            }
        }
    });
    tasks.collect()
}

/// Starts connections that ask for pictures that nobody has asked for.
fn misses(address: &str, client: impl Fn(u32) -> u32) -> JoinSet<()> {
    let strangers = Arc::new(Strangers::from(1));
    let tasks = (0..64).map(|number| {
        let strangers = Arc::clone(&strangers);
        let next = move || format!("/avatar/{}/right/128", strangers.next());
        ask(address, next, client(number))
    });
    tasks.collect()
}

fn names(address: &str, path: fn(u32) -> String) -> JoinSet<()> {
    let numbers = Arc::new(Strangers::from(0));
    let tasks = (0..8).map(|_| {
        let numbers = Arc::clone(&numbers);
        let next = move || path(u32::try_from(numbers.number()).unwrap());
        ask(address, next, ATTACKER)
    });
    tasks.collect()
}

/// Asks for one path after the other.
fn ask(
    address: &str,
    next: impl Fn() -> String + Send + 'static,
    client: u32,
) -> impl Future<Output = ()> + Send + 'static {
    let own_address = address.to_owned();
    let pace = Pace::as_fast_as_it_goes(EVER);
    async move {
        Connection::load(own_address, next, named(client), pace).await;
    }
}
