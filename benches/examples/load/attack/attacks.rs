//! The attacks. Each goes on until its tasks are aborted.

use std::{sync::Arc, time::Duration};

use fixtures::skin;
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

/// The address of the one attacker. Attackers that are several have the following ones.
const ATTACKER: u32 = 1_000;

/// An attack by its name in the table.
pub(crate) struct Attack {
    pub(crate) name: &'static str,
    pub(crate) upstream: Upstream,
    pub(crate) begin: fn(&str) -> JoinSet<()>,
}

/// The upstream of an attacked server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Upstream {
    /// One that knows every XUID.
    Crowd,
    /// One that knows a few names.
    Names,
}

impl Upstream {
    /// The picture that is hit.
    pub(crate) fn face(self) -> &'static str {
        match self {
            Self::Crowd => "/head/0000987654321/128",
            Self::Names => "/head/Gwendolin/128",
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

pub(crate) const ATTACKS: [Attack; 34] = [
    on_crowd("none", |_| JoinSet::new()),
    on_crowd(
        "7 abandoned bodies of 104,000 pixels, again and again",
        |address| {
            each(7, address, |address, number| async move {
                let path = format!("/avatar/0000{number:012}/left/104000");
                abandon(&address, request(&path, ATTACKER).into_bytes()).await;
            })
        },
    ),
    on_crowd(
        "8 abandoned previews of 100,000 pixels, again and again",
        |address| {
            each(8, address, |address, _| async move {
                let knight = skin("knight").png;
                let head = upload("/preview/avatar/left/100000", knight.len(), ATTACKER);
                abandon(&address, [head.as_bytes(), knight].concat()).await;
            })
        },
    ),
    on_crowd("misses on 64 connections of one client", |address| {
        misses(address, |_| ATTACKER)
    }),
    on_crowd("misses of 64 clients", |address| {
        misses(address, |number| ATTACKER + number)
    }),
    on_crowd(
        "20 clients that do not read bodies of 20,000 pixels",
        |address| {
            each(20, address, |address, number| async move {
                let path = format!("/avatar/0000{number:012}/left/20000");
                let stream = send(&address, &request(&path, ATTACKER + number)).await;
                hold(stream).await;
            })
        },
    ),
    on_crowd("7 clients with bodies of 1,000,000 pixels", |address| {
        each(7, address, |address, number| async move {
            let path = format!("/avatar/0000{number:012}/left/1000000");
            if let Some(mut stream) = send(&address, &request(&path, ATTACKER + number)).await {
                drain(&mut stream).await;
            }
        })
    }),
    on_crowd("300 uploads of a byte a second", |address| {
        each(300, address, |address, number| async move {
            let head = upload("/preview/head/16", 1_000, ATTACKER + number);
            let Some(mut stream) = send(&address, &head).await else {
                return;
            };
            while stream.write_all(b"x").await.is_ok() {
                sleep(Duration::from_secs(1)).await;
            }
        })
    }),
    on_crowd("10,200 idle connections", |address| {
        each(102, address, |address, _| async move {
            let mut held = Vec::new();
            for _ in 0..100 {
                held.push(TcpStream::connect(&address).await);
            }
            sleep(EVER).await;
        })
    }),
    on_crowd("255 clients that do not read documents", |address| {
        each(255, address, |address, number| async move {
            let client = named(ATTACKER + number % 4);
            let request = format!("GET /openapi.json HTTP/1.1\r\nHost: x\r\n{client}\r\n");
            hold(send(&address, &request.repeat(200)).await).await;
        })
    }),
    on_crowd("pipelines of hits on 100 connections", |address| {
        each(100, address, |address, _| async move {
            let client = named(ATTACKER);
            let path = Upstream::Crowd.face();
            let one = format!("GET {path} HTTP/1.1\r\nHost: x\r\n{client}\r\n");
            let many = one.repeat(1_000) + &request(path, ATTACKER);
            if let Some(mut stream) = send(&address, &many).await {
                drain(&mut stream).await;
            }
        })
    }),
    on_crowd("documents on 32 connections", |address| {
        on_32(address, |_| "/openapi.json".to_owned(), "")
    }),
    on_crowd("5 clients that read files of memory slowly", |address| {
        each(160, address, |address, number| async move {
            let path = format!("/avatar/0000987654321/left/{}", 5_000 + number % 4);
            let sent = send(&address, &request(&path, ATTACKER + number % 5)).await;
            let (Some(mut stream), mut buffer) = (sent, vec![0; 64 << 10]) else {
                return;
            };
            while stream.read(&mut buffer).await.is_ok_and(|read| read > 0) {
                sleep(Duration::from_millis(600)).await;
            }
        })
    }),
    on_crowd("1,024 uploads without a byte, of 8 clients", |address| {
        each(1_024, address, |address, number| async move {
            let head = upload("/preview/head/16", 1_000_000, ATTACKER + number % 8);
            let stream = send(&address, &head).await;
            sleep(Duration::from_secs(15)).await;
            drop(stream);
        })
    }),
    on_crowd("misses of 700 networks of a site", |address| {
        let strangers = Arc::new(Strangers::from(1));
        let tasks = (0..700).map(|number| {
            let strangers = Arc::clone(&strangers);
            let next = move || format!("/avatar/{}/right/128", strangers.next());
            ask(address, next, SITE + number)
        });
        tasks.collect()
    }),
    Attack {
        name: "one skin in ever new letter cases",
        upstream: Upstream::Names,
        begin: |address| on_32(address, |number| format!("/skin/{}", cased(number)), ""),
    },
    on_crowd("one player with ever more zeros", |address| {
        on_32(
            address,
            |number| format!("/avatar/{:0>1$}/left/512", "987654321", 13 + number % 200),
            "",
        )
    }),
    on_crowd("`*` for a file that memory has no room for", |address| {
        let path = |_| "/avatar/0000987654321/left/12000".to_owned();
        on_32(address, path, "If-None-Match: *\r\n")
    }),
    on_crowd("long lists in headers and queries", |address| {
        let path = |number| format!("/v1/face/0000987654321?{}={number}", "&a".repeat(3_000));
        let tags = format!(
            "If-None-Match: {}\r\nAccept-Encoding: {}\r\n",
            "\"\",".repeat(1_500),
            "x,".repeat(1_500)
        );
        on_32(address, path, &tags)
    }),
    on_crowd("the metrics on 32 connections", |address| {
        on_32(address, |_| "/metrics".to_owned(), "")
    }),
    on_crowd("lists of 100 known profiles", |address| {
        let players: Vec<String> = (0..100)
            .map(|number| format!("0000{:012}", 700 + number))
            .collect();
        let path = format!("/v1/profiles?players={}", players.join(","));
        (0..32)
            .map(|_| {
                let path = path.clone();
                ask(address, move || path.clone(), ATTACKER)
            })
            .collect()
    }),
    on_crowd("the pictures that others are about to ask for", |address| {
        each(16, address, |address, number| async move {
            static SOON: Strangers = Strangers::from(900_000_000);
            // With much work of its own before it.
            let worst = request(&format!("/avatar/0000{number:012}/left/9000"), ATTACKER);
            let _busy = send(&address, &worst).await;
            abandon(
                &address,
                request(&format!("/head/{}/128", SOON.next()), ATTACKER).into_bytes(),
            )
            .await;
            // The others ask for four in a second.
            sleep(Duration::from_millis(3_700)).await;
        })
    }),
    on_crowd(
        "clients that leave with a further request waiting",
        |address| {
            each(8, address, |address, number| async move {
                let path = format!("/avatar/0000{number:012}/left/104000");
                let client = named(ATTACKER + number);
                let one = format!("GET {path} HTTP/1.1\r\nHost: x\r\n{client}\r\n");
                abandon(&address, one.repeat(2).into_bytes()).await;
            })
        },
    ),
    Attack {
        name: "missing names behind a hop that cannot be read",
        upstream: Upstream::Names,
        begin: |address| {
            each(8, address, |address, _| async move {
                static NUMBERS: Strangers = Strangers::from(0);
                let head = format!(
                    "GET /head/Nobody{} HTTP/1.1\r\nHost: x\r\n",
                    NUMBERS.number()
                );
                let hop = b"X-Forwarded-For: 198.51.100.1, \xe9\r\n\r\n";
                abandon(&address, [head.as_bytes(), hop].concat()).await;
            })
        },
    },
    on_crowd("the page of ever new players", |address| {
        on_32(address, |number| format!("/?player=0000{number:012}"), "")
    }),
    on_crowd("groups of 50 in ever new order", |address| {
        on_32(
            address,
            |number| {
                let players: Vec<String> = (0..50)
                    .map(|place| format!("0000{:012}", (number * 7 + place) % 60))
                    .collect();
                format!("/v1/group?size=128&players={}", players.join(","))
            },
            "",
        )
    }),
    on_crowd("moving figures of 64 clients, all abandoned", |address| {
        each(64, address, |address, number| async move {
            let path = format!("/v1/figure/0000{number:012}?size=512&pose=walk&animate");
            abandon(&address, request(&path, ATTACKER + number).into_bytes()).await;
        })
    }),
    on_crowd("paths that nobody has, on 32 connections", |address| {
        on_32(
            address,
            |number| format!("/nowhere/{number}"),
            "Accept: text/html\r\n",
        )
    }),
    on_crowd("500 heads of a byte in a quarter of a second", |address| {
        each(500, address, |address, number| async move {
            let Some(mut stream) = send(&address, &request("/", ATTACKER + number)[..20]).await
            else {
                return;
            };
            while stream.write_all(b"x").await.is_ok() {
                sleep(Duration::from_millis(250)).await;
            }
        })
    }),
    on_crowd("80 of the most expensive figures at once", |address| {
        let yaw = Arc::new(Strangers::from(0));
        let figures = (0..80).map(|_| {
            let yaw = Arc::clone(&yaw);
            let next = move || {
                let yaw = yaw.number() % 3_600;
                format!(
                    "/v1/figure/0000987654321?size=2048&pose=sit&shadow&padding=256&shape=circle&background=336699&yaw={}.{}",
                    yaw / 10,
                    yaw % 10
                )
            };
            ask(address, next, ATTACKER)
        });
        figures.collect()
    }),
    on_crowd("36 unread SVGs of skins of 1,024 texels", |address| {
        let file = Arc::new(noise());
        let tasks = (0..36).map(|number| {
            let (address, file) = (address.to_owned(), Arc::clone(&file));
            async move {
                loop {
                    let head = upload("/v1/preview/figure.svg", file.len(), ATTACKER + number % 4);
                    let bytes = [head.as_bytes(), &file].concat();
                    let Ok(mut stream) = TcpStream::connect(&address).await else {
                        continue;
                    };
                    if stream.write_all(&bytes).await.is_ok() {
                        sleep(Duration::from_secs(10)).await;
                    }
                }
            }
        });
        tasks.collect()
    }),
    on_crowd("new figures of 64 clients, all abandoned", |address| {
        each(64, address, |address, number| async move {
            let yaw = std::process::id().wrapping_add(number) % 360;
            let path = format!("/v1/figure/0000{number:012}?size=1024&pose=walk&shadow&yaw={yaw}");
            abandon(&address, request(&path, ATTACKER + number).into_bytes()).await;
        })
    }),
    Attack {
        name: "one missing name on 8 connections",
        upstream: Upstream::Names,
        begin: |address| names(address, |_| "/head/Nobody0".to_owned()),
    },
    Attack {
        name: "ever new missing names on 8 connections",
        upstream: Upstream::Names,
        begin: |address| names(address, |number| format!("/head/Nobody{number}")),
    },
];

/// The first client of those that have networks of one site.
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
    let tasks = (0..32).map(|_| {
        let (numbers, address) = (Arc::clone(&numbers), address.to_owned());
        let headers = named(ATTACKER) + headers;
        async move {
            let pace = Pace::as_fast_as_it_goes(EVER);
            Connection::load(address, || path(numbers.number()), headers, pace).await;
        }
    });
    tasks.collect()
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

/// Starts connections that ask for what nobody has asked for.
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
    let (address, pace) = (address.to_owned(), Pace::as_fast_as_it_goes(EVER));
    async move {
        Connection::load(address, next, named(client), pace).await;
    }
}
