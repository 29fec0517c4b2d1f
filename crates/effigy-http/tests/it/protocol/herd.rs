//! Simultaneous requests share one look-up and one drawing, and do not disturb each other.

use std::{
    collections::HashSet,
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use crate::support::{Judge, Outcome, Picture, Server, assert_error, pictures};
use fixtures::client::{Reply, read_all, request, send_raw};
use fixtures::{Fault, Step};

/// The number of simultaneous requests.
const HERD: u32 = 500;

/// The longest time that a condition may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A request that was sent and waits for its answer.
struct Asked(TcpStream);

impl Asked {
    fn send(server: &Server, path: &str) -> Self {
        let request = request(server.address(), "GET", path, &[]);
        Self(send_raw(server.address(), request.as_bytes()))
    }

    fn answer(self) -> Reply {
        Reply::parse(&read_all(self.0), true)
    }
}

/// Waits until a metric is at least `expected`.
#[track_caller]
fn wait_for(server: &Server, name: &str, expected: u32) {
    let begun = Instant::now();
    while server.metric(name) < f64::from(expected) {
        let figure = server.metric(name);
        assert!(begun.elapsed() < PATIENCE, "{name} is {figure} for ever");
        thread::sleep(Duration::from_millis(5));
    }
}

/// The calls of a Java name's look-up.
const JAVA_STEPS: [Step; 3] = [Step::Identity, Step::Session, Step::Texture];

#[track_caller]
fn assert_looked_up_once(server: &Server) {
    for step in JAVA_STEPS {
        assert_eq!(server.upstream.calls(step), 1, "{step:?}");
    }
    assert_eq!(server.upstream.total_calls(), 3);
}

/// Different pictures of one player, as many as there are requests.
fn many_pictures(input: &str) -> Vec<(Picture, String)> {
    let sizes = 16..;
    let all = sizes.flat_map(|size| pictures(input, size));
    // The texture has no size: it is one picture at two endpoints.
    let mut seen = HashSet::new();
    let different = all.filter(|(_, path)| seen.insert(path.clone()));
    different.take(HERD as usize).collect()
}

/// Sends a request for each picture while their player is being looked up.
fn gather(server: &Server, asked: &[(Picture, String)]) -> Vec<Asked> {
    server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
    let herd = asked.iter().map(|(_, path)| Asked::send(server, path));
    let herd: Vec<Asked> = herd.collect();
    assert!(server.upstream.wait_for_calls(Step::Identity, 1, PATIENCE));
    wait_for(server, "effigy_connections", HERD + 1);
    herd
}

/// Like [`gather`] for different pictures; returns when each has been looked for in the store.
fn gather_all(server: &Server, asked: &[(Picture, String)]) -> Vec<Asked> {
    let herd = gather(server, asked);
    wait_for(server, "effigy_misses_in_flight", HERD);
    let reads = "effigy_database_read_duration_seconds_count{outcome=\"ok\"}";
    wait_for(server, reads, HERD);
    herd
}

#[test]
fn a_herd_for_one_picture_makes_one_render_and_one_look_up() {
    let server = Server::start();
    let (picture, path) = pictures("Gwendolin", 128)[2].clone();
    let herd = gather(&server, &vec![(picture, path); HERD as usize]);
    server.upstream.set_fault(Step::Identity, None);
    let judge = Judge::default();
    for asked in herd {
        let outcome = judge.outcome(&asked.answer(), picture, "knight");
        assert_eq!(outcome, Some(Outcome::Own));
    }
    assert_looked_up_once(&server);
    let renders = "effigy_render_duration_seconds_count{endpoint=\"avatar\"}";
    assert_eq!(server.metric(renders), 1.0);
    assert_eq!(server.get("/allstats").json()["count"], 1);
}

#[test]
fn a_herd_for_all_pictures_of_one_player_makes_one_look_up() {
    let server = Server::start();
    let asked = many_pictures("Gwendolin");
    let herd = gather_all(&server, &asked);
    server.upstream.set_fault(Step::Identity, None);
    let judge = Judge::default();
    for (waiting, (picture, path)) in herd.into_iter().zip(&asked) {
        let outcome = judge.outcome(&waiting.answer(), *picture, "knight");
        assert_eq!(outcome, Some(Outcome::Own), "{path}");
    }
    assert_looked_up_once(&server);
    assert_eq!(server.get("/allstats").json()["count"], HERD);
}

#[test]
fn a_failure_reaches_the_whole_herd_once_and_is_forgotten_in_two_seconds() {
    let server = Server::start();
    let asked = many_pictures("Gwendolin");
    let herd = gather_all(&server, &asked);
    let down = Fault::status(500);
    server.upstream.set_fault(Step::Identity, Some(down));
    let judge = Judge::default();
    for (waiting, (picture, path)) in herd.into_iter().zip(&asked) {
        let outcome = judge.outcome(&waiting.answer(), *picture, "knight");
        assert_eq!(outcome, Some(Outcome::Error), "{path}");
    }
    assert_eq!(server.upstream.total_calls(), 1);
    assert_eq!(server.get("/allstats").json()["count"], 0);

    server.upstream.set_fault(Step::Identity, None);
    thread::sleep(Duration::from_secs(2));
    let (picture, path) = &asked[0];
    let outcome = judge.outcome(&server.get(path), *picture, "knight");
    assert_eq!(outcome, Some(Outcome::Own));
    assert_eq!(server.upstream.calls(Step::Identity), 2);
}

#[test]
fn clients_that_leave_do_not_disturb_others() {
    let judge = Judge::default();
    // The client that started the work leaves, or one that waits for it, or both.
    for leaving in [&[0][..], &[1], &[0, 1]] {
        let server = Server::start();
        let (picture, path) = pictures("Gwendolin", 128)[0].clone();
        server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
        let leader = Asked::send(&server, &path);
        assert!(server.upstream.wait_for_calls(Step::Identity, 1, PATIENCE));
        let (second, third) = (Asked::send(&server, &path), Asked::send(&server, &path));
        wait_for(&server, "effigy_connections", 4);
        let mut herd = vec![Some(leader), Some(second), Some(third)];
        for number in leaving {
            herd[*number] = None;
        }
        server.upstream.set_fault(Step::Identity, None);
        for asked in herd.into_iter().flatten() {
            let outcome = judge.outcome(&asked.answer(), picture, "knight");
            assert_eq!(outcome, Some(Outcome::Own), "{leaving:?} left");
        }
        // If the one that leads the others leaves, the next one begins again.
        let most = 1 + u64::from(leaving[0] == 0) * leaving.len() as u64;
        for step in JAVA_STEPS {
            let calls = server.upstream.calls(step);
            assert!((1..=most).contains(&calls), "{step:?}: {calls}");
        }
    }
}

#[test]
fn work_that_all_clients_have_left_is_not_done() {
    let server = Server::start();
    let (picture, path) = pictures("Gwendolin", 128)[0].clone();
    server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
    let leader = Asked::send(&server, &path);
    assert!(server.upstream.wait_for_calls(Step::Identity, 1, PATIENCE));
    drop(leader);
    let begun = Instant::now();
    while server.metric("effigy_misses_in_flight") > 0.0 {
        assert!(begun.elapsed() < PATIENCE, "the work goes on");
    }
    server.upstream.set_fault(Step::Identity, None);
    let outcome = Judge::default().outcome(&server.get(&path), picture, "knight");
    assert_eq!(outcome, Some(Outcome::Own));
    let renders = "effigy_render_duration_seconds_count{endpoint=\"head\"}";
    assert_eq!(server.metric(renders), 1.0);
    assert_eq!(server.get("/allstats").json()["count"], 1);
}

#[test]
fn a_full_concurrency_limit_refuses_at_once_and_stops_no_other_requests() {
    const PLACES: u32 = 128;
    let server = Server::start_with(|settings| {
        settings.upstream.timeout = Duration::from_secs(300);
        settings.response_timeout = Duration::from_secs(340);
    });
    let (picture, cached) = pictures("Reynard", 64)[0].clone();
    assert_eq!(server.get(&cached).status, 200);
    server.upstream.reset_calls();
    server.upstream.set_fault(Step::Identity, Some(Fault::Hold));
    let ask = |number| Asked::send(&server, &format!("/head/Player{number}"));
    let house: Vec<Asked> = (0..PLACES).map(ask).collect();
    let calls = u64::from(PLACES);
    assert!(
        server
            .upstream
            .wait_for_calls(Step::Identity, calls, PATIENCE)
    );

    for number in PLACES..PLACES + 20 {
        let refused = ask(number).answer();
        assert_error(&refused, 500, "Failed to render head");
        assert_eq!(refused.header("retry-after"), Some("1"));
    }
    assert_eq!(server.upstream.calls(Step::Identity), calls);
    // Inputs that need no look-up of a name are served, and cached pictures.
    let rows = [
        ("523239d6f3954d778c25aa3d0db1e779", "knight"),
        (".Bluejay", "diver"),
        ("Reynard", "fox"),
    ];
    let judge = Judge::default();
    for (input, skin) in rows {
        let reply = server.get(&format!("/head/{input}/64"));
        assert_eq!(
            judge.outcome(&reply, picture, skin),
            Some(Outcome::Own),
            "{input}"
        );
    }
    let places =
        "effigy_upstream_calls_in_flight{provider=\"mojang\",upstream=\"identity_legacy\"}";
    assert_eq!(server.metric(places), f64::from(PLACES), "they wait on");

    server.upstream.set_fault(Step::Identity, None);
    for asked in house {
        // There are no such players.
        assert_error(&asked.answer(), 500, "Failed to render head");
    }
    assert_eq!(server.metric(places), 0.0);
}
