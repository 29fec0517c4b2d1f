//! Tests of groups, sheets and lists of players.

use effigy_render::{Decoration, PictureSpec, Shape, Size};

use super::*;
use crate::routes::tests::{parse, rejected};

fn request(spec: PictureSpec, columns: Option<u32>, players: &[&str]) -> GroupRequest {
    let players = players.iter().map(|&name| name.to_owned()).collect();
    GroupRequest::new(spec, columns, players).unwrap()
}

/// A group of figures.
fn figures(players: &[&str]) -> GroupRequest {
    request(of_view(View::Figure), None, players)
}

/// A sheet of faces.
fn faces(columns: u32, players: &[&str]) -> GroupRequest {
    request(with_gap(of_view(View::Face)), Some(columns), players)
}

/// The picture of each player on a sheet without parameters for the gap.
fn with_gap(spec: PictureSpec) -> PictureSpec {
    spec.with_decoration(Decoration::NONE.with_padding(4))
}

fn of_view(view: View) -> PictureSpec {
    PictureSpec::new(view, Size::px(128))
}

#[track_caller]
fn check(rows: &[(&str, GroupRequest)]) {
    for (url, expected) in rows {
        let expected = FileSpec::Group(expected.clone());
        assert_eq!(parse(url).operation, Ok(Operation::file(expected)), "{url}");
    }
}

#[track_caller]
fn check_bad_requests(rows: &[(&str, &'static str)]) {
    for (url, message) in rows {
        assert_eq!(rejected(url), Rejection::bad_request(*message), "{url}");
    }
}

#[test]
fn group_has_all_players_in_their_order() {
    let expected = figures(&["a", ".Two Words", "0000123"]);
    check(&[
        (
            "/v1/group?players=a,.Two%20Words,+0000123",
            expected.clone(),
        ),
        (
            "/v1/group?players=a&size=128&players=.Two+Words,0000123",
            expected,
        ),
    ]);
}

#[test]
fn query_describes_the_picture_of_each_player() {
    let named = request(of_view(View::Figure).with_names(true), None, &["a"]);
    let cube = PictureSpec::new(View::Cube, Size::px(32));
    check(&[
        ("/v1/group?players=a&names", named),
        (
            "/v1/sheet?players=a&view=+Cube&size=32&columns=+1",
            request(with_gap(cube), Some(1), &["a"]),
        ),
    ]);
}

#[test]
fn padding_and_shapes_replace_the_gap_of_a_sheet() {
    let sheet = |decoration| {
        let face = of_view(View::Face).with_decoration(decoration);
        request(face, Some(1), &["a"])
    };
    let round = Decoration::NONE.with_shape(Shape::Circle);
    check(&[
        ("/v1/sheet?players=a&padding=0", sheet(Decoration::NONE)),
        ("/v1/sheet?players=a&shape=circle", sheet(round)),
        (
            "/v1/sheet?players=a&shape=circle&padding=9",
            sheet(round.with_padding(9)),
        ),
    ]);
}

#[test]
fn json_has_the_places() {
    let mut group = figures(&["a"]);
    group.positions_only = true;
    let mut sheet = faces(3, &["a", "b"]);
    sheet.positions_only = true;
    check(&[
        ("/v1/group.json?players=a", group),
        ("/v1/sheet.json?players=a,b&columns=3", sheet),
    ]);
}

#[test]
fn missing_players_may_have_a_substitute() {
    let mut group = figures(&["a"]);
    group.substitute = Some(SubstitutePlayer::Named("MHF_Steve".into()));
    let mut sheet = faces(1, &["a"]);
    sheet.substitute = Some(SubstitutePlayer::Named(".b".into()));
    let mut in_default_skins = figures(&["a"]);
    in_default_skins.substitute = Some(SubstitutePlayer::DefaultSkin);
    check(&[
        ("/v1/group?players=a&default=steve", group),
        ("/v1/sheet.png?players=a&default=.b", sheet),
        ("/v1/group?players=a&default=default-skin", in_default_skins),
    ]);
}

#[test]
fn empty_places_and_unfilled_placeholders_are_skipped() {
    check(&[
        ("/v1/group?players=a,,b", figures(&["a", "b"])),
        ("/v1/group?players=a&players=", figures(&["a"])),
        (
            "/v1/group?players={name},a,%uuid%,+,b,",
            figures(&["a", "b"]),
        ),
        ("/v1/sheet?players=,a", faces(1, &["a"])),
    ]);
    let profiles = Operation::Profiles(vec!["a".to_owned(), "b".to_owned()]);
    let found = parse("/v1/profiles?players=a,{name},,b").operation;
    assert_eq!(found, Ok(profiles));
}

#[test]
fn default_is_shown_if_no_player_is_filled_in() {
    let mut steve = faces(1, &["MHF_Steve"]);
    steve.substitute = Some(SubstitutePlayer::Named("MHF_Steve".into()));
    let mut nobody = faces(1, &[""]);
    nobody.substitute = Some(SubstitutePlayer::DefaultSkin);
    check(&[
        ("/v1/sheet?players=,%25name%25&default=steve", steve),
        ("/v1/sheet?players=,{name}&default=default-skin", nobody),
    ]);
}

#[test]
fn request_without_players_is_rejected() {
    check_bad_requests(&[
        ("/v1/group", BAD_PLAYERS),
        ("/v1/group?players=", BAD_PLAYERS),
        ("/v1/group?players=,{name},%25uuid%25", BAD_PLAYERS),
        ("/v1/group?default=steve", BAD_PLAYERS),
        ("/v1/profiles?players=,", BAD_PLAYERS),
        ("/v1/profiles?players={name}", BAD_PLAYERS),
    ]);
}

#[test]
fn too_many_players_are_rejected() {
    let one_list = format!("/v1/sheet?players={}", vec!["a"; 101].join(","));
    let many_lists = format!("/v1/sheet?{}", "players=a&".repeat(101));
    check_bad_requests(&[(&one_list, BAD_PLAYERS), (&many_lists, BAD_PLAYERS)]);
}

#[test]
fn too_large_picture_is_rejected() {
    let players = vec!["a"; 20].join(",");
    let url = format!("/v1/sheet?size=2048&players={players}");
    check_bad_requests(&[(&url, TOO_LARGE)]);
}

#[test]
fn invalid_values_are_rejected() {
    check_bad_requests(&[
        (
            "/v1/sheet?players=a&columns=0",
            "Columns must be a whole number from 1 to 100",
        ),
        (
            "/v1/sheet?players=a&yaw=1",
            "Yaw applies only to figure, portrait and cube",
        ),
        (
            "/v1/sheet?players=a&view=back",
            "View must be \"figure\", \"portrait\", \"cube\", \"isobody\", \"isohead\", \"face\", \
             \"bust\", \"body\", \"combo\", \"body-back\", \"body-left\", \"body-right\" or \
             \"layout\"",
        ),
    ]);
}
