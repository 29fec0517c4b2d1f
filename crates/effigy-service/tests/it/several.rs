//! Several players in one request.

use crate::support::{Answer, Bench, group, until};
use effigy_render::{PictureSpec, Size, View};
use effigy_service::{
    Client, Failure, Fault, FileSpec, GroupRequest, Image, Origin, PictureParams, ShelfLife,
};

/// The origin of each profile, or the party at fault.
async fn profiles(bench: &Bench, players: &[&str]) -> Vec<Result<Origin, Fault>> {
    let outcome = |profile: &Result<Image, Failure>| match profile {
        Ok(image) => Ok(image.origin),
        Err(error) => Err(error.fault()),
    };
    let inputs: Vec<String> = players.iter().map(|&input| input.to_owned()).collect();
    let profiles = bench.service.profiles(Client::SERVICE, &inputs, None).await;
    profiles.unwrap().iter().map(outcome).collect()
}

#[tokio::test]
async fn profiles_are_listed_in_order_and_fail_alone() {
    let bench = Bench::new();
    let long = "x".repeat(257);
    let players = ["Notch", "nobody1", &long, ".Bluejay", "notch", "jeb_"];
    let (made, cached) = (Ok(Origin::Render), Ok(Origin::Cache));
    let (missing, invalid) = (Err(Fault::NotFound), Err(Fault::Request));
    let found = profiles(&bench, &players).await;
    // It shares the first one, or finds it in memory if that was faster.
    assert!(matches!(found[4], Ok(Origin::Render | Origin::Cache)));
    let expected = [made, missing, invalid, made, found[4], made];
    assert_eq!(found, expected);
    // One for each player, in whatever letter case.
    assert_eq!(bench.source.lookups(), 3);

    let players = ["jeb_", "nobody1", "Notch", "nobody2"];
    let expected = [cached, missing, cached, missing];
    assert_eq!(profiles(&bench, &players).await, expected);
    assert_eq!(bench.source.lookups(), 3);
    let single = bench.profile("Notch").await.unwrap();
    assert_eq!(single.origin, Origin::Cache);

    bench.source.answer(Answer::Down);
    let down = Err(Fault::Upstream);
    let players = ["Grumm", "Notch", "Dinnerbone"];
    assert_eq!(profiles(&bench, &players).await, [down, cached, down]);
}

#[tokio::test]
async fn a_substitute_takes_the_places_of_missing_players() {
    let bench = Bench::new();
    let shown = |players: &[&str], substitute: Option<&str>| {
        let mut request = group(players);
        request.substitute = substitute.map(str::to_owned);
        bench.get(FileSpec::Group(request).into())
    };
    let (two_missing, substitute) = (["Notch", "nobody1", "nobody2"], Some("jeb_"));
    let gap = shown(&two_missing, None).await.unwrap();
    let filled = shown(&two_missing, substitute).await.unwrap();
    assert_ne!(gap.file.data, filled.file.data);
    assert_eq!(filled.origin, Origin::Render);
    // It does not count as a render of either.
    assert_eq!(bench.java_count().await, 2);
    // It is the picture of those who are seen.
    let alike = shown(&["Notch", "jeb_", "jeb_"], None).await.unwrap();
    assert_eq!(alike.origin, Origin::Cache);
    assert_eq!(alike.file.data, filled.file.data);
    let other = ["Notch", "nobody1", "nobody2", "jeb_"];
    let other = shown(&other, None).await.unwrap();
    assert_eq!(other.origin, Origin::Render);

    // During an outage nobody keeps it.
    bench.source.answer(Answer::Down);
    let known = shown(&["Notch", "Grumm", "Grumm"], substitute);
    let known = known.await.unwrap();
    assert_eq!(known.file.data, alike.file.data);
    assert_eq!(known.shelf_life, ShelfLife::Revalidate);
    let built_in = shown(&["Grumm"], Some("Dinnerbone")).await.unwrap();
    assert_eq!(built_in.shelf_life, ShelfLife::Revalidate);
    assert!(shown(&["Grumm"], None).await.is_err());
}

#[tokio::test]
async fn a_group_looks_each_player_up_once() {
    let bench = Bench::new();
    let shown = |players: &[&str]| {
        let request = FileSpec::Group(group(players)).into();
        bench.get(request)
    };
    // Both places of one player wait for one look-up.
    bench.source.hold();
    let release = async {
        until(|| bench.source.lookups() == 2).await;
        bench.source.release();
    };
    let (made, ()) = tokio::join!(shown(&["Notch", "nobody1", "Notch", "JEB_"]), release);
    assert_eq!(made.unwrap().origin, Origin::Render);
    assert_eq!(bench.source.lookups(), 2);
    assert_eq!(bench.java_count().await, 3);

    // They are reused by their names, and by a picture of one of them.
    shown(&["jeb_", "notch"]).await.unwrap();
    let single = PictureParams::OWN_SKIN.of_player("Notch");
    bench.image(single).await;
    assert_eq!(bench.source.lookups(), 2);

    bench.source.answer(Answer::Down);
    let error = shown(&["Dinnerbone", "Grumm"]).await.unwrap_err();
    assert_eq!(error.fault(), Fault::Upstream);
    bench.source.answer(Answer::Own);
    shown(&["Dinnerbone", "Grumm"]).await.unwrap();
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
