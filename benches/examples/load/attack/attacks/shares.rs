//! Rule 1: one client takes at most half of the rest of a shared resource.

use std::{sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    time::sleep,
};

use super::{
    ATTACKER, Attack, EVER, SITE, Upstream, ask, drain, each, hold, named, names, noise, on_32,
    on_crowd, request, send, upload,
};
use crate::crowd::Strangers;

pub(super) const ATTACKS: &[Attack] = &[
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
    on_crowd("5 clients that read files of memory slowly", |address| {
        each(160, address, |address, number| async move {
            let path = format!("/avatar/0000987654321/left/{}", 5_000 + number % 4);
            let sent = send(&address, &request(&path, ATTACKER + number % 5)).await;
            let Some(mut stream) = sent else {
                return;
            };
            let mut buffer = vec![0; 64 << 10];
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
    on_crowd("10,150 uploads without a byte, of one client", |address| {
        each(10_150, address, |address, _| async move {
            let head = upload("/preview/head/16", 1_000, ATTACKER);
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
    on_crowd("36 unread SVGs of skins of 1,024 texels", |address| {
        let file = Arc::new(noise());
        let tasks = (0..36).map(|number| {
            let own_address = address.to_owned();
            let own_file = Arc::clone(&file);
            async move {
                loop {
                    let client = ATTACKER + number % 4;
                    let head = upload("/v1/preview/figure.svg", own_file.len(), client);
                    let bytes = [head.as_bytes(), &own_file].concat();
                    let Ok(mut stream) = TcpStream::connect(&own_address).await else {
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
    Attack {
        name: "ever new gamertags on 32 connections",
        upstream: Upstream::Gamertags,
        begin: |address| on_32(address, |number| format!("/head/.Stranger{number}"), ""),
    },
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
