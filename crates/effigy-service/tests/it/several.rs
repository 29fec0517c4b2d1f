//! Several players in one request.

use crate::support::{Answer, Bench, MINUTE, group, until};
use effigy_render::{PictureSpec, Size, View};
use effigy_service::{
    Client, Failure, Fault, FileSpec, GroupRequest, Origin, PictureParams, ServedFile, ShelfLife,
    SubstitutePlayer,
};

const RENDERED: Result<Origin, Fault> = Ok(Origin::Render);
const CACHED: Result<Origin, Fault> = Ok(Origin::Cache);
const MISSING: Result<Origin, Fault> = Err(Fault::NotFound);

/// The origin of each profile, or the party at fault.
async fn profiles(bench: &Bench, players: &[&str]) -> Vec<Result<Origin, Fault>> {
    let outcome = |profile: &Result<ServedFile, Failure>| match profile {
        Ok(served) => Ok(served.origin),
        Err(error) => Err(error.fault()),
    };
    let inputs: Vec<String> = players.iter().map(|&input| input.to_owned()).collect();
    let profiles = bench.service.profiles(Client::SERVICE, &inputs, None).await;
    profiles.unwrap().iter().map(outcome).collect()
}

/// The picture of these players, with a substitute for those who are missing.
async fn shown(
    bench: &Bench,
    players: &[&str],
    substitute: Option<&'static str>,
) -> Result<ServedFile, Failure> {
    let mut request = group(players);
    request.substitute = substitute.map(|name| SubstitutePlayer::Named(name.into()));
    bench.get(FileSpec::Group(request).into()).await
}

#[tokio::test]
async fn profiles_are_listed_in_order_and_fail_alone() {
    let bench = Bench::new();
    let too_long = "x".repeat(257);
    let players = ["Notch", "nobody1", &too_long, ".Bluejay", "jeb_"];
    let found = profiles(&bench, &players).await;
    let malformed = Err(Fault::Request);
    assert_eq!(found, [RENDERED, MISSING, malformed, RENDERED, RENDERED]);
}

#[tokio::test]
async fn profiles_of_one_player_share_a_look_up() {
    let bench = Bench::new();
    let found = profiles(&bench, &["Notch", "notch", "NOTCH"]).await;
    assert!(found.iter().all(Result::is_ok), "{found:?}");
    assert_eq!(bench.source.lookups(), 1);
}

#[tokio::test]
async fn listed_profiles_are_remembered() {
    let bench = Bench::new();
    profiles(&bench, &["Notch", "jeb_"]).await;
    let found = profiles(&bench, &["jeb_", "nobody1", "Notch"]).await;
    assert_eq!(found, [CACHED, MISSING, CACHED]);
    let single = bench.profile("Notch").await.unwrap();
    assert_eq!(single.origin, Origin::Cache);
    assert_eq!(bench.source.lookups(), 2);
}

#[tokio::test]
async fn in_an_outage_known_profiles_are_listed() {
    let bench = Bench::new();
    bench.profile("Notch").await.unwrap();
    bench.source.answer(Answer::Down);
    let found = profiles(&bench, &["Grumm", "Notch", "Dinnerbone"]).await;
    let down = Err(Fault::Upstream);
    assert_eq!(found, [down, CACHED, down]);
}

#[tokio::test]
async fn a_substitute_stands_in_for_missing_players() {
    let bench = Bench::new();
    let missing = ["Notch", "nobody1", "nobody2"];
    let gap = shown(&bench, &missing, None).await.unwrap();
    let filled = shown(&bench, &missing, Some("jeb_")).await.unwrap();
    assert_ne!(gap.file.data, filled.file.data);
    // The picture of the players who are seen has the same key.
    let alike = shown(&bench, &["Notch", "jeb_", "jeb_"], None);
    let alike = alike.await.unwrap();
    assert_eq!(alike.origin, Origin::Cache);
    assert_eq!(alike.file.data, filled.file.data);
}

#[tokio::test]
async fn the_name_of_a_gap_does_not_change_a_picture() {
    let missing = |name: &str| {
        let mut spec = PictureSpec::new(View::Face, Size::px(8));
        spec.names = true;
        let players = vec!["Notch".to_owned(), name.to_owned()];
        FileSpec::Group(GroupRequest::new(spec, None, players).unwrap()).into()
    };
    let bench = Bench::new();
    let first = bench.get(missing("nobody1")).await.unwrap();
    let alike = bench.get(missing("nobody2")).await.unwrap();
    assert_eq!(alike.origin, Origin::Cache);
    let drawn = Bench::new().get(missing("nobody2")).await.unwrap();
    assert_eq!(drawn.origin, Origin::Render);
    assert_eq!(drawn.file.data, first.file.data);
}

#[tokio::test]
async fn a_substitute_counts_as_no_render() {
    let bench = Bench::new();
    let missing = ["Notch", "nobody1"];
    shown(&bench, &missing, Some("jeb_")).await.unwrap();
    assert_eq!(bench.java_count().await, 1);
}

#[tokio::test]
async fn a_substitute_in_an_outage_is_not_cached() {
    let bench = Bench::new();
    let usual = shown(&bench, &["Notch", "jeb_"], None).await.unwrap();
    bench.source.answer(Answer::Down);
    let filled = shown(&bench, &["Notch", "Grumm"], Some("jeb_"));
    let filled = filled.await.unwrap();
    assert_eq!(filled.file.data, usual.file.data);
    assert_eq!(filled.shelf_life, ShelfLife::Revalidate);
}

#[tokio::test]
async fn the_built_in_player_replaces_an_unknown_substitute() {
    let bench = Bench::new();
    bench.source.answer(Answer::Down);
    let built_in = shown(&bench, &["Grumm"], Some("Dinnerbone")).await;
    assert_eq!(built_in.unwrap().shelf_life, ShelfLife::Revalidate);
    let nobody = shown(&bench, &["Grumm"], None).await;
    assert_eq!(nobody.unwrap_err().fault(), Fault::Upstream);
}

/// Both places of one player wait for one look-up.
#[tokio::test]
async fn a_group_looks_each_player_up_once() {
    let bench = Bench::new();
    bench.source.hold();
    let release = async {
        until(|| bench.source.lookups() == 2).await;
        bench.source.release();
    };
    let players = ["Notch", "nobody1", "Notch", "JEB_"];
    let (made, ()) = tokio::join!(shown(&bench, &players, None), release);
    assert_eq!(made.unwrap().origin, Origin::Render);
    assert_eq!(bench.source.lookups(), 2);
    assert_eq!(bench.java_count().await, 3);
}

#[tokio::test]
async fn the_players_of_a_group_are_remembered() {
    let bench = Bench::new();
    shown(&bench, &["Notch", "JEB_"], None).await.unwrap();
    let lookups = bench.source.lookups();
    shown(&bench, &["jeb_", "notch"], None).await.unwrap();
    let single = PictureParams::OWN_SKIN.of_player("Notch");
    bench.served(single).await;
    assert_eq!(bench.source.lookups(), lookups);
}

#[tokio::test]
async fn a_group_that_fails_is_made_by_a_later_request() {
    let bench = Bench::new();
    bench.source.answer(Answer::Down);
    let players = ["Dinnerbone", "Grumm"];
    let failed = shown(&bench, &players, None).await;
    assert_eq!(failed.unwrap_err().fault(), Fault::Upstream);
    bench.source.answer(Answer::Own);
    assert!(shown(&bench, &players, None).await.is_ok());
}

#[tokio::test]
async fn a_group_of_hashes_is_cached_for_a_day() {
    let bench = Bench::new();
    let first = "ab".repeat(32);
    let second = "cd".repeat(32);
    let served = shown(&bench, &[&first, &second], None).await.unwrap();
    assert_eq!(served.shelf_life, ShelfLife::Day);
    bench.clock.advance(MINUTE);
    let again = shown(&bench, &[&first, &second], None).await.unwrap();
    assert_eq!(again.origin, Origin::Cache);
    assert_eq!(again.shelf_life, ShelfLife::Day);
}

#[test]
fn pictures_of_several_players_are_bounded() {
    let players = |count| vec!["a".to_owned(); count];
    let spec = |pixels| PictureSpec::new(View::Face, Size::new(pixels).unwrap());
    let sheet = Some;
    let rows = [
        (128, sheet(10), 100, true),
        (409, sheet(10), 100, true),
        (410, sheet(10), 100, false),
        (2048, sheet(100), 4, true),
        (2048, sheet(100), 5, false),
        (2048, None, 4, true),
        (64, sheet(0), 1, false),
        (64, None, 0, false),
        (2_147_483_647, sheet(1), 1, false),
    ];
    for (pixels, layout, count, expected) in rows {
        let request = GroupRequest::new(spec(pixels), layout, players(count));
        assert_eq!(request.is_some(), expected, "{pixels} {layout:?} {count}");
    }
}
