//! Tests of the parameters of pictures.

use effigy_render::{Layers, PictureSpec};

use super::*;
use crate::routes::{
    request::Operation,
    tests::{parse, rejected},
};

#[test]
fn whitespace_around_values_is_ignored() {
    let query = Query::parse(Some("overlay=+FALSE+&size=+64%09&shape=%C2%A0square")).unwrap();
    let bust = PictureSpec::new(View::Bust, Size::px(64)).with_layers(Layers::Base);
    assert_eq!(picture(View::Bust, &query).unwrap().spec, bust);
}

#[test]
fn invalid_and_misplaced_parameters_are_named() {
    for (text, reason) in [
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
        let query = Query::parse(Some(text)).unwrap();
        let rejection = picture(View::Bust, &query).unwrap_err();
        assert_eq!(rejection, Rejection::bad_request(reason), "{text}");
    }
}

#[test]
fn parameters_that_contradict_others_are_rejected() {
    let cut = "Crop can be \"content\" only in a picture of one player";
    let light = "Light-from must be left out unless the light is \"soft\"";
    let shadow = "Shadow must be left out of a picture that is cropped to the head or the bust";
    let figure_only = "Crop applies only to figure";
    let flat = "Light-from applies only to isohead, isobody, figure, portrait and cube";
    for (url, reason) in [
        ("/v1/portrait/a?crop=head", figure_only),
        ("/v1/isobody/a.svg?crop=full", figure_only),
        ("/v1/cube/a.apng?crop=bust", figure_only),
        ("/v1/sheet?players=a&crop=bust", figure_only),
        ("/v1/group?players=a&crop=content", cut),
        ("/v1/group.json?players=a&crop=content", cut),
        ("/v1/sheet?players=a&view=figure&crop=content", cut),
        ("/v1/face/a?light-from=0,0", flat),
        ("/v1/isohead/a?light-from=0,0&light=game", light),
        ("/v1/figure/a.gif?light=none&light-from=0,0", light),
        (
            "/v1/preview/bust?outline-width=33",
            "Outline-width must be a whole number from 1 to 32",
        ),
        ("/v1/figure/a?crop=bust&shadow", shadow),
    ] {
        assert_eq!(rejected(url), Rejection::bad_request(reason), "{url}");
    }
}

#[test]
fn parameters_that_fit_together_are_accepted() {
    for url in [
        "/v1/figure/a?crop=content&outline=fff&shadow",
        "/v1/figure/a.svg?crop=content",
        "/v1/figure/a.apng?crop=head&outline=fff&outline-width=32",
        "/v1/figure/a.gif?crop=content&animate",
        "/v1/preview/figure.svg?crop=bust",
        "/v1/group?players=a,b&crop=head&outline=red",
        "/v1/sheet?players=a,b&view=figure&crop=bust",
        "/v1/cube/a?light-from=-30,60",
    ] {
        assert!(parse(url).operation.is_ok(), "{url}");
    }
}

#[test]
fn query_names_the_default() {
    let named = |player: &'static str| Some(SubstitutePlayer::Named(player.into()));
    let default_skin = Some(SubstitutePlayer::DefaultSkin);
    let rows = [
        ("?", None),
        ("?default=404", None),
        ("?default=steve", named(STEVE)),
        ("?default=+Steve+", named(STEVE)),
        ("?default=ALEX", named(ALEX)),
        ("?default=Notch", named("Notch")),
        ("?default=.Two+Words", named(".Two Words")),
        ("?default=default-skin", default_skin.clone()),
        ("?default=Default-Skin", default_skin),
    ];
    for (query, expected) in rows {
        for path in ["/v1/head/a", "/v1/figure/a.svg", "/v1/skin/a"] {
            let url = format!("{path}{query}");
            let Ok(Operation::File(request)) = parse(&url).operation else {
                panic!("{url} is no picture");
            };
            let substitute = expected.clone().map(|player| Substitute {
                player,
                otherwise: None,
                in_outage: true,
            });
            assert_eq!(request.substitute, substitute, "{url}");
        }
    }
}

#[test]
fn default_that_can_not_be_a_player_is_rejected() {
    let bad_default = "Default must be a player, \"steve\", \"alex\", \"default-skin\" or \"404\"";
    let long = format!("/v1/head/a?default={}", "x".repeat(257));
    for url in [
        "/v1/head/a?default=",
        "/v1/skin/a?default=+",
        "/v1/head/a?default=%uuid%",
        "/v1/group?players=a&default=",
        &long,
    ] {
        assert_eq!(rejected(url), Rejection::bad_request(bad_default), "{url}");
    }
}
