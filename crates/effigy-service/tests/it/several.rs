//! Several players in one request.

use crate::support::SkinOrigin;
use effigy_render::{PictureSpec, Size, View};
use effigy_service::{Failure, Fault, FileSpec, GroupRequest, Image, Origin, PictureParams};

use crate::support::{Answer, Asked as _, Bench, until};

fn inputs(inputs: &[&str]) -> Vec<String> {
    inputs.iter().map(|&input| input.to_owned()).collect()
}

/// The origin of each profile, or the party at fault.
async fn profiles(bench: &Bench, players: &[&str]) -> Vec<Result<Origin, Fault>> {
    let outcome = |profile: &Result<Image, Failure>| match profile {
        Ok(image) => Ok(image.origin),
        Err(error) => Err(error.fault()),
    };
    let profiles = bench
        .service
        .profiles(&bench.service.me(), &inputs(players))
        .await
        .unwrap();
    profiles.iter().map(outcome).collect()
}

#[tokio::test]
async fn profiles_are_listed_in_order_and_fail_alone() {
    let bench = Bench::new();
    let long = "x".repeat(257);
    let players = ["Notch", "nobody1", &long, ".Bluejay", "notch", "jeb_"];
    let (made, cached) = (Ok(Origin::Render), Ok(Origin::Cache));
    let (missing, invalid) = (Err(Fault::NotFound), Err(Fault::Request));
    let expected = [made, missing, invalid, made, made, made];
    assert_eq!(profiles(&bench, &players).await, expected);
    // One for each player, in whatever letter case.
    assert_eq!(bench.source.lookups(), 3);

    let players = ["jeb_", "nobody1", "Notch", "nobody2"];
    let expected = [cached, missing, cached, missing];
    assert_eq!(profiles(&bench, &players).await, expected);
    assert_eq!(bench.source.lookups(), 3);
    let single = bench.service.profile("Notch").await.unwrap();
    assert_eq!(single.origin, Origin::Cache);
}

#[tokio::test]
async fn cached_profiles_are_listed_during_an_outage() {
    let bench = Bench::new();
    assert_eq!(profiles(&bench, &["Notch"]).await, [Ok(Origin::Render)]);
    bench.source.answer(Answer::Down);
    let down = Err(Fault::Upstream);
    let expected = [down, Ok(Origin::Cache), down];
    assert_eq!(
        profiles(&bench, &["jeb_", "Notch", "Dinnerbone"]).await,
        expected
    );
}

#[tokio::test]
async fn a_substitute_takes_the_places_of_missing_players() {
    let bench = Bench::new();
    let spec = PictureSpec::new(View::Face, Size::new(8).unwrap());
    let group = |players: &[&str], substitute: Option<&str>| {
        let mut request = GroupRequest::new(spec, None, inputs(players)).unwrap();
        request.substitute = substitute.map(str::to_owned);
        let service = &bench.service;
        async move { service.image(FileSpec::Group(request).into()).await }
    };
    let alike = group(&["Notch", "jeb_", "jeb_"], None).await.unwrap();
    let gap = group(&["Notch", "nobody1", "nobody2"], None).await.unwrap();
    assert_ne!(gap.file.data, alike.file.data);
    let filled = group(&["Notch", "nobody1", "nobody2"], Some("jeb_"))
        .await
        .unwrap();
    assert_eq!(filled.file.data, alike.file.data);
    assert_eq!(filled.origin, Origin::Render);
    // It does not count as a render of either.
    assert_eq!(bench.java_count().await, 5);
    let again = group(&["Notch", "nobody1", "nobody2"], Some("jeb_"))
        .await
        .unwrap();
    assert_eq!(again.origin, Origin::Cache);
    let other = group(&["Notch", "nobody1", "nobody2", "jeb_"], None)
        .await
        .unwrap();
    assert_eq!(other.origin, Origin::Render);

    // During an outage nobody keeps it.
    bench.source.answer(Answer::Down);
    let known = group(&["Notch", "Grumm", "Grumm"], Some("jeb_"))
        .await
        .unwrap();
    assert_eq!(known.file.data, alike.file.data);
    assert_eq!(known.origin, Origin::OutageFallback);
    let built_in = group(&["Grumm"], Some("Dinnerbone")).await.unwrap();
    assert_eq!(built_in.origin, Origin::OutageFallback);
    assert!(group(&["Grumm"], None).await.is_err());
}

#[tokio::test]
async fn a_group_looks_each_player_up_once() {
    let bench = Bench::new();
    let spec = PictureSpec::new(View::Face, Size::new(8).unwrap());
    let group = |players| {
        let request = GroupRequest::new(spec, None, inputs(players)).unwrap();
        let service = &bench.service;
        async move { service.image(FileSpec::Group(request).into()).await }
    };
    // Both places of one player wait for one look-up.
    bench.source.hold();
    let release = async {
        until(|| bench.source.lookups() == 2).await;
        bench.source.release();
    };
    let (made, ()) = tokio::join!(group(&["Notch", "nobody1", "Notch", "JEB_"]), release);
    assert_eq!(made.unwrap().origin, Origin::Render);
    assert_eq!(bench.source.lookups(), 2);
    assert_eq!(bench.java_count().await, 3);

    // They are reused by their names, and by a picture of one of them.
    group(&["jeb_", "notch"]).await.unwrap();
    let params = PictureParams::extension(spec, effigy_render::ImageFormat::Png);
    let single = params.of_player("Notch").reusing_players();
    bench.image(single).await;
    assert_eq!(bench.source.lookups(), 2);

    bench.source.answer(Answer::Down);
    let error = group(&["Dinnerbone", "Grumm"]).await.unwrap_err();
    assert_eq!(error.fault(), Fault::Upstream);
    bench.source.answer(Answer::Skin(SkinOrigin::Own));
    group(&["Dinnerbone", "Grumm"]).await.unwrap();
}
