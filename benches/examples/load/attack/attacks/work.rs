//! Rule 2: work is charged when it is done, by its cost.

use std::sync::Arc;

use tokio::task::JoinSet;

use super::{
    ATTACKER, Attack, Upstream, ask, cased, drain, each, misses, named, on_32, on_crowd, request,
    send,
};
use crate::crowd::Strangers;

pub(super) const ATTACKS: &[Attack] = &[
    on_crowd("misses on 64 connections of one client", |address| {
        misses(address, |_| ATTACKER)
    }),
    on_crowd("misses of 64 clients", |address| {
        misses(address, |number| ATTACKER + number)
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
    on_crowd("one player with ever new versions", |address| {
        on_32(
            address,
            |number| format!("/v1/face/0000987654321?v={number}"),
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
    on_crowd("refused bodies of a byte in a piece", |address| {
        each(40, address, |address, _| async move {
            let client = named(ATTACKER);
            let head = format!(
                "POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n{client}\r\n"
            );
            let one = head + &"1\r\nx\r\n".repeat(8_000) + "0\r\n\r\n";
            if let Some(mut stream) = send(&address, &one.repeat(20)).await {
                drain(&mut stream).await;
            }
        })
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
    on_crowd("the page of ever new players", |address| {
        on_32(address, |number| format!("/?player=0000{number:012}"), "")
    }),
    on_crowd("groups of 50 in ever new order", |address| {
        on_32(address, group, "")
    }),
    on_crowd("a file of 850 kB on 32 connections", |address| {
        on_32(address, |_| group(0), "")
    }),
    on_crowd("paths that nobody has, on 32 connections", |address| {
        on_32(
            address,
            |number| format!("/nowhere/{number}"),
            "Accept: text/html\r\n",
        )
    }),
    on_crowd("80 of the most expensive figures at once", |address| {
        let yaw = Arc::new(Strangers::from(0));
        let mut figures = JoinSet::new();
        for _ in 0..80 {
            let own_yaw = Arc::clone(&yaw);
            let next = move || expensive_figure(own_yaw.number() % 3_600);
            figures.spawn(ask(address, next, ATTACKER));
        }
        figures
    }),
];

/// Returns the path of a large figure from a side, in tenths of a degree.
fn expensive_figure(yaw: usize) -> String {
    let degrees = yaw / 10;
    let tenths = yaw % 10;
    format!(
        "/v1/figure/0000987654321?size=2048&pose=sit&shadow&padding=256&shape=circle\
         &background=336699&yaw={degrees}.{tenths}"
    )
}

/// Returns the path of 50 players in an order that is new for each of the first 2,500 numbers.
fn group(number: usize) -> String {
    let mut players: Vec<String> = (0..50).map(|player| format!("0000{player:012}")).collect();
    players.rotate_left(number % 50);
    players.swap(0, number / 50 % 50);
    format!("/v1/group?size=128&players={}", players.join(","))
}
