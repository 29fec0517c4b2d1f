//! Rule 3: a refusal concerns its client alone, and a request that was abandoned is not worked on.

use std::time::Duration;

use fixtures::skin;
use tokio::time::sleep;

use super::{ATTACKER, Attack, abandon, each, named, on_crowd, request, send, upload};
use crate::crowd::Strangers;

pub(super) const ATTACKS: &[Attack] = &[
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
    on_crowd("the pictures that others are about to ask for", |address| {
        each(16, address, |address, number| async move {
            static SOON: Strangers = Strangers::from(900_000_000);
            // The attacker has much other work waiting.
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
    on_crowd("moving figures of 64 clients, all abandoned", |address| {
        each(64, address, |address, number| async move {
            let path = format!("/v1/figure/0000{number:012}?size=512&pose=walk&animate");
            abandon(&address, request(&path, ATTACKER + number).into_bytes()).await;
        })
    }),
    on_crowd("new figures of 64 clients, all abandoned", |address| {
        each(64, address, |address, number| async move {
            let yaw = std::process::id().wrapping_add(number) % 360;
            let path = format!("/v1/figure/0000{number:012}?size=1024&pose=walk&shadow&yaw={yaw}");
            abandon(&address, request(&path, ATTACKER + number).into_bytes()).await;
        })
    }),
];
