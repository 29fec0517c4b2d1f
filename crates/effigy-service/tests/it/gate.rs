//! What requests cost their clients, and what others notice of it.

use std::{
    net::Ipv4Addr,
    sync::{Arc, Mutex, mpsc},
    time::Duration,
};

use effigy_render::{Facing, Layers};
use effigy_service::{Client, Fault, FileRequest, FileSpec, Origin, PictureParams, Rate, Turn};
use tokio::task::JoinSet;

use crate::support::{Bench, group, specified, until};

const HOUR: Duration = Duration::from_secs(3600);

fn head(size: u32, input: &str) -> FileRequest {
    specified::head(Some(size), Layers::Base).of_player(input)
}

/// A service whose clients may make so many look-ups, and one of its clients.
fn bench(lookups: u32) -> (Bench, Client) {
    let lookups = Rate::new(lookups, HOUR);
    let bench = Bench::with_config(|config| config.client_limits.lookups = lookups);
    let client = client(&bench, 1);
    (bench, client)
}

fn client(bench: &Bench, number: u8) -> Client {
    let address = Ipv4Addr::new(192, 0, 2, number);
    bench.service.gate().client(address.into(), true)
}

#[tokio::test]
async fn a_client_writes_its_share_of_the_database() {
    let writes = Rate::new(1, HOUR);
    let bench = Bench::with_config(|config| config.client_limits.writes = writes);
    let written = async || {
        bench.service.flush().await;
        bench.metric("effigy_write_dropped_images_total", "")
    };
    let (greedy, other) = (client(&bench, 1), client(&bench, 2));
    // Faces of some 100 bytes.
    for size in 8..40 {
        let face = bench.ask(&greedy, head(size, "Notch"));
        assert!(face.await.is_ok());
    }
    let dropped = written().await;
    assert!((1..32).contains(&dropped), "{dropped}");
    assert!(bench.ask(&other, head(41, "Notch")).await.is_ok());
    assert_eq!(written().await, dropped);
}

#[tokio::test]
async fn players_in_any_letter_case_are_one_file() {
    let (bench, client) = bench(1);
    for name in ["Notch", "NOTCH", "notch", "nOTCH"] {
        let found = bench.ask(&client, head(8, name)).await;
        let is_hit = found.unwrap().origin == Origin::Cache;
        assert_eq!(is_hit, name != "Notch", "{name}");
    }
    assert!(bench.ask(&client, head(8, "Other")).await.is_err());
}

#[tokio::test]
async fn only_calls_are_paid_for() {
    let (bench, client) = bench(2);
    let ask = |request| bench.ask(&client, request);
    // A known player from many sides takes one look-up.
    for size in 1..=50 {
        let request = head(size, "Notch").reusing_players();
        assert!(ask(request).await.is_ok(), "{size}");
    }
    assert_eq!(ask(head(1, "Notch")).await.unwrap().origin, Origin::Cache);
    // Players in the folder of skins take none.
    bench.source.revise(Some(1), "knight");
    for number in 0..50 {
        assert!(ask(head(1, &format!("Npc{number}"))).await.is_ok());
    }
    assert!(ask(head(1, "jeb_")).await.is_ok());
    let refused = ask(head(1, "Grumm")).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Limited);
    assert!(refused.retry_after().unwrap() > Duration::from_secs(60));
    // What is cached is served, and others are.
    assert!(ask(head(1, "jeb_")).await.is_ok());
    assert!(bench.get(head(1, "Grumm")).await.is_ok());
}

#[tokio::test]
async fn a_refusal_belongs_to_its_client() {
    let (bench, poor) = bench(1);
    bench.ask(&poor, head(1, "jeb_")).await.unwrap();
    let rich = client(&bench, 2);
    // Both ask at the same time, and the one that is refused first.
    let (poors, richs) = tokio::join!(
        bench.ask(&poor, head(1, "Notch")),
        bench.ask(&rich, head(1, "Notch"))
    );
    assert_eq!(poors.unwrap_err().fault(), Fault::Limited);
    assert_eq!(richs.unwrap().origin, Origin::Render);
    // No group is shown without the players who were refused.
    let request = FileSpec::Group(group(&["Notch", "Grumm"])).into();
    let refused = bench.ask(&poor, request).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Limited);
    let players = ["Notch", "Grumm"].map(str::to_owned);
    let refused = bench.service.profiles(&poor, &players).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Limited);
}

#[tokio::test]
async fn a_client_that_leaves_looks_nobody_up_any_more() {
    let bench = Bench::new();
    bench.source.hold();
    let inputs: Vec<String> = (0..100).map(|number| format!(".Tag{number}")).collect();
    let task = tokio::spawn({
        let bench = bench.clone();
        async move { bench.service.profiles(&bench.me(), &inputs).await }
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
async fn work_is_paid_for_afterwards() {
    let work = Rate::new(1, HOUR);
    let bench = Bench::with_config(|config| config.client_limits.work = work);
    let client = client(&bench, 1);
    let body = |size| specified::avatar(Some(size), Facing::Left);
    let ask = |size| {
        let request = body(size).of_player("Notch").reusing_players();
        bench.ask(&client, request)
    };
    assert!(ask(2000).await.is_ok());
    let refused = ask(2001).await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Limited);
    assert!(ask(2000).await.is_ok(), "it is cached");
}

#[tokio::test]
async fn who_has_too_many_pictures_waiting_is_refused_before_the_look_up() {
    let (bench, busy) = bench(1_000);
    let (sender, receiver) = mpsc::channel::<()>();
    let receiver = Arc::new(Mutex::new(receiver));
    let mut tasks = JoinSet::new();
    let mut occupy = |client: &Client, count: usize| {
        for _ in 0..count {
            let (client, receiver) = (client.clone(), Arc::clone(&receiver));
            let work = move |_: &Turn| receiver.lock().unwrap().recv().is_ok();
            tasks.spawn(async move { client.work(0, work).await });
        }
    };
    // All drawing threads have a job that does not end, and as many as may wait do.
    let processors = std::thread::available_parallelism().unwrap().get();
    occupy(&client(&bench, 2), processors);
    until(|| bench.metric("effigy_work_running", "") == processors as u64).await;
    occupy(&busy, 512);
    until(|| bench.metric("effigy_work_waiting", "") == 512).await;
    let refused = bench.ask(&busy, head(1, "Notch")).await;
    assert_eq!(refused.unwrap_err().fault(), Fault::Overloaded);
    assert_eq!(bench.source.lookups(), 0);
    let other = client(&bench, 3);
    let picture = bench.ask(&other, head(1, "Notch"));
    let end = async {
        // The picture that would have been drawn for nothing, and the newest job of the queue.
        until(|| bench.metric("effigy_refused_total", "work") == 2).await;
        assert_eq!(bench.source.lookups(), 1);
        drop(sender);
    };
    assert!(tokio::join!(picture, end).0.is_ok());
    let ended = tasks.join_all().await;
    let refused = ended.iter().filter(|ended| ended.is_err()).count();
    assert_eq!(refused, 1, "the newest made room for the other client's");
}

#[tokio::test]
async fn too_many_players_at_once_fail_at_once() {
    let bench = Bench::new();
    bench.source.hold();
    let ask = |number| bench.spawn(head(8, &format!("Player{number}")));
    let mut tasks: Vec<_> = (0..256).map(ask).collect();
    until(|| bench.source.lookups() == 256).await;
    let one_too_many = || bench.get(head(8, "OneTooMany"));
    let refused = one_too_many().await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Overloaded, "{refused:?}");
    // A request for a player that is being looked up needs no permit.
    tasks.push(bench.spawn(PictureParams::SKIN.of_player("Player0")));
    bench.source.release();
    for task in tasks {
        assert!(task.await.unwrap().is_ok());
    }
    assert!(one_too_many().await.is_ok());
}
