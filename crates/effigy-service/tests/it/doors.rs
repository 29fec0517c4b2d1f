//! The doors, as requests meet them.

use std::{net::Ipv4Addr, time::Duration};

use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::{
    Client, Fault, FileRequest, FileSpec, Origin, PictureParams, Rate, SharedResource,
};

use crate::support::{Answer, Bench, Call, face, group, specified, until};

const HOUR: Duration = Duration::from_secs(3600);

fn head(size: u32, input: &str) -> FileRequest {
    specified::head(Some(size), Layers::Base).of_player(input)
}

/// A service whose clients may cause this number of calls.
fn bench_with_calls(calls: u32) -> Bench {
    let rate = Rate::new(calls, HOUR);
    Bench::with_config(|config| config.client_rates.calls = rate)
}

/// A service whose clients may cause this number of milliseconds of drawing.
fn bench_with_drawing(millis: u32) -> Bench {
    let rate = Rate::new(millis, HOUR);
    Bench::with_config(|config| config.client_rates.drawing = rate)
}

fn client(number: u8) -> Client {
    Client::limited(Ipv4Addr::new(192, 0, 2, number).into())
}

#[tokio::test]
async fn players_in_any_letter_case_are_one_file() {
    let bench = bench_with_calls(1);
    for name in ["Notch", "NOTCH", "notch", "nOTCH"] {
        let found = bench.ask(client(1), head(8, name)).await;
        let is_hit = found.unwrap().origin == Origin::Cache;
        assert_eq!(is_hit, name != "Notch", "{name}");
    }
    assert!(bench.ask(client(1), head(8, "Other")).await.is_err());
}

#[tokio::test]
async fn a_known_player_takes_no_further_calls() {
    let bench = bench_with_calls(1);
    for size in 1..=50 {
        let request = face(size, "Notch");
        assert!(bench.ask(client(1), request).await.is_ok(), "{size}");
    }
}

#[tokio::test]
async fn players_in_a_folder_take_no_calls() {
    let bench = bench_with_calls(1);
    let names: Vec<String> = (0..50).map(|number| format!("Npc{number}")).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (&**name, "knight")).collect();
    bench.source.put_into_folder(&files);
    for name in &names {
        let request = head(1, name);
        assert!(bench.ask(client(1), request).await.is_ok());
    }
}

#[tokio::test]
async fn calls_beyond_the_rate_are_refused_and_hits_are_not() {
    let bench = bench_with_calls(2);
    for name in ["Notch", "jeb_"] {
        assert!(bench.ask(client(1), head(1, name)).await.is_ok());
    }
    let refused = bench.ask(client(1), head(1, "Grumm")).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Limited);
    assert!(refused.retry_after().unwrap() > Duration::from_secs(60));
    let hit = bench.ask(client(1), head(1, "jeb_")).await;
    assert_eq!(hit.unwrap().origin, Origin::Cache);
    assert!(bench.ask(client(2), head(1, "Grumm")).await.is_ok());
    let refusals = bench.metric("effigy_refused_total", SharedResource::Calls.as_str());
    assert_eq!(refusals, 1);
}

/// Every check but that of an old gamertag asks for one profile.
#[tokio::test]
async fn a_check_is_charged_as_a_look_up_only_for_gamertags() {
    let bench = bench_with_calls(10);
    let inputs = ["Notch", ".Two Words"];
    for input in inputs {
        bench.ask(client(1), face(8, input)).await.unwrap();
    }
    // The client has less left.
    bench.source.state().calls_of_look_up = 10;
    bench.clock.advance(HOUR);
    for input in inputs {
        bench.ask(client(1), face(8, input)).await.unwrap();
    }
    assert_eq!(bench.source.calls_of(Call::Renewal), 1, "of Notch");
    assert_eq!(bench.source.calls_of(Call::Profile), 2, "at the beginning");
}

#[tokio::test]
async fn a_refusal_belongs_to_its_client() {
    let bench = bench_with_calls(1);
    bench.ask(client(1), head(1, "jeb_")).await.unwrap();
    // Both ask at the same time, and the one that is refused first.
    let (refused, drawn) = tokio::join!(
        bench.ask(client(1), head(1, "Notch")),
        bench.ask(client(2), head(1, "Notch"))
    );
    assert_eq!(refused.unwrap_err().fault(), Fault::Limited);
    assert_eq!(drawn.unwrap().origin, Origin::Render);
}

#[tokio::test]
async fn several_players_are_refused_if_one_of_them_is() {
    let bench = bench_with_calls(1);
    let request = FileSpec::Group(group(&["Notch", "Grumm"])).into();
    let picture = bench.ask(client(1), request).await;
    assert_eq!(picture.unwrap_err().fault(), Fault::Limited);
    let players = ["Notch", "Grumm"].map(str::to_owned);
    let profiles = bench.service.profiles(client(1), &players, None).await;
    assert_eq!(profiles.unwrap_err().fault(), Fault::Limited);
}

#[tokio::test]
async fn drawing_is_charged_when_nothing_stored_answers() {
    let bench = bench_with_drawing(1);
    let ask = |size| {
        let body = PictureSpec::new(View::IsometricBody, Size::px(size));
        let body = PictureParams::beyond_specification(body, ImageFormat::Png);
        bench.ask(client(1), body.of_player("Notch"))
    };
    assert!(ask(2_000).await.is_ok());
    let refused = ask(2_001).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Limited);
    assert_eq!(ask(2_000).await.unwrap().origin, Origin::Cache);
}

#[tokio::test]
async fn drawing_is_refused_before_the_look_up() {
    let bench = bench_with_drawing(1);
    let avatar = |name| specified::avatar(Some(2_000), Facing::Left).of_player(name);
    assert!(bench.ask(client(1), avatar("Notch")).await.is_ok());
    let before = bench.source.lookups();
    assert!(bench.ask(client(1), avatar("Grumm")).await.is_err());
    assert_eq!(bench.source.lookups(), before);
}

#[tokio::test]
async fn an_unknown_player_is_refused_before_the_look_up() {
    let bench = bench_with_drawing(1);
    let large = specified::avatar(Some(2_000), Facing::Left).of_player("Notch");
    assert!(bench.ask(client(1), large).await.is_ok());
    let before = bench.source.lookups();
    let refused = bench.ask(client(1), face(8, "Grumm")).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Limited);
    assert_eq!(bench.source.lookups(), before);
}

#[tokio::test]
async fn pictures_in_the_store_pass_no_door() {
    let bench = bench_with_drawing(1);
    let request = head(100, "Notch");
    let drawn = bench.served(request.clone()).await;
    let other = Bench::with_store(bench.store.clone(), |config| {
        config.client_rates.drawing = Rate::new(1, HOUR);
    });
    bench.service.flush().await;
    let avatar = specified::avatar(Some(2_000), Facing::Left).of_player("Notch");
    assert!(other.ask(client(1), avatar).await.is_ok());
    let stored = other.ask(client(1), request).await.unwrap();
    assert_eq!(stored.file.data, drawn.file.data);
    assert_eq!(stored.origin, Origin::Cache);
}

#[tokio::test]
async fn a_client_that_leaves_looks_nobody_up_any_more() {
    let bench = Bench::new();
    bench.source.hold();
    let inputs: Vec<String> = (0..100).map(|number| format!(".Tag{number}")).collect();
    let task = tokio::spawn({
        let bench = bench.clone();
        async move { bench.service.profiles(Client::SERVICE, &inputs, None).await }
    });
    until(|| bench.source.lookups() == 8).await;
    task.abort();
    assert!(task.await.is_err());
    bench.source.release();
    tokio::time::sleep(Duration::from_millis(20)).await;
    assert_eq!(bench.source.lookups(), 8);
    assert_eq!(bench.metric("effigy_misses_in_flight", ""), 0);
}

#[tokio::test]
async fn a_remembered_player_waits_for_no_fresh_look_up() {
    let bench = Bench::new();
    bench.served(head(8, "Notch")).await;
    bench.source.hold();
    let fresh = bench.spawn(head(9, "Notch"));
    until(|| bench.source.lookups() == 2).await;
    let remembered = bench.get(face(10, "Notch"));
    let remembered = tokio::time::timeout(Duration::from_secs(10), remembered).await;
    assert!(remembered.expect("it waits for the look-up").is_ok());
    bench.source.release();
    assert!(fresh.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_remembered_player_fails_with_no_fresh_look_up() {
    let bench = Bench::new();
    bench.served(head(8, "Notch")).await;
    bench.source.hold();
    bench.source.answer(Answer::Down);
    let fresh = bench.spawn(head(9, "Notch"));
    until(|| bench.source.lookups() == 2).await;
    let remembered = bench.spawn(face(10, "Notch"));
    bench.source.release();
    assert!(fresh.await.unwrap().is_err());
    assert!(remembered.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_failure_that_several_share_is_counted_once() {
    let bench = Bench::new();
    bench.source.hold();
    bench.source.answer(Answer::Down);
    let waiting: Vec<_> = (0..10).map(|_| bench.spawn(head(8, "Notch"))).collect();
    until(|| bench.source.lookups() == 1).await;
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    bench.source.release();
    for request in waiting {
        assert!(request.await.unwrap().is_err());
    }
    assert_eq!(bench.metric("effigy_failures_total", "upstream"), 1);
}
