//! Tests of the parameters of pictures.

use effigy_render::{Layers, PictureSpec};

use super::*;
use crate::routes::{
    request::Operation,
    tests::{parse, rejected},
};

#[test]
fn values_have_no_whitespace_and_messages_begin_with_the_name() {
    let spec = |view, query| Ok(picture(view, &Query::parse(Some(query))?)?.spec);
    let bust = PictureSpec::new(View::Bust, Size::px(64)).with_layers(Layers::Base);
    assert_eq!(
        spec(View::Bust, "overlay=+FALSE+&size=+64%09&shape=%C2%A0square"),
        Ok(bust)
    );
    for (query, reason) in [
        ("size=2049", "Size must be a whole number from 1 to 2048"),
        (
            "padding=257",
            "Padding must be a whole number from 0 to 256",
        ),
        (
            "light=none",
            "Light applies only to isohead, isobody, figure, portrait and cube",
        ),
        (
            "right-arm=1,2,3",
            "Right-arm applies only to figure, portrait and cube",
        ),
        ("names=2", "Names must be \"true\" or \"false\""),
    ] {
        let refused = spec(View::Bust, query);
        assert_eq!(refused, Err(Rejection::bad_request(reason)), "{query}");
    }
}

#[test]
fn a_query_names_the_default_who_is_somebody() {
    let rows = [
        ("?", None),
        ("?default=404", None),
        ("?default=steve", Some(STEVE)),
        ("?default=+Steve+", Some(STEVE)),
        ("?default=ALEX", Some(ALEX)),
        ("?default=Notch", Some("Notch")),
        ("?default=.Two+Words", Some(".Two Words")),
    ];
    for (query, expected) in rows {
        for path in ["/v1/head/a", "/v1/figure/a.svg", "/v1/skin/a"] {
            let url = format!("{path}{query}");
            let Ok(Operation::File(request)) = parse(&url).operation else {
                panic!("{url} is no picture");
            };
            let expected = expected.map(|player| Substitute {
                player: player.into(),
                otherwise: None,
                in_outage: true,
            });
            assert_eq!(request.substitute.as_ref(), expected.as_ref(), "{url}");
        }
    }
    let bad_default = "Default must be a player, \"steve\", \"alex\" or \"404\"";
    let long = format!("/v1/head/a?default={}", "x".repeat(257));
    for url in [
        "/v1/head/a?default=",
        "/v1/skin/a?default=+",
        "/v1/head/a?default=%uuid%",
        &long,
    ] {
        assert_eq!(rejected(url), Rejection::bad_request(bad_default), "{url}");
    }
}
