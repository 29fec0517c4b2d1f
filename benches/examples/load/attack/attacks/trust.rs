//! Rule 4: a header that cannot be read is not trusted.

use super::{Attack, Upstream, abandon, each};
use crate::crowd::Strangers;

pub(super) const ATTACKS: &[Attack] = &[Attack {
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
}];
