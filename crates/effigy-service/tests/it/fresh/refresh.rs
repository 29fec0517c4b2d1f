//! `POST /v1/refresh/{player}`.

use std::{
    net::Ipv4Addr,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering::Relaxed},
    },
    time::Duration,
};

use effigy_service::{Client, Failure, Fault, FileSpec, Rate, Refreshed, Service, ServiceConfig};
use effigy_upstream::{ProviderChain, Request, Response, Step, UpstreamConfig};
use fixtures::MemoryStore;

use crate::support::{
    Answer, Bench, Call, FakeSource, HOUR, MINUTE, NOTCH, SKIN, face, texture_url,
};

impl Bench {
    async fn refresh(&self, input: &str) -> Result<Refreshed, Failure> {
        self.service.refresh(Client::SERVICE, input).await
    }
}

/// A service that has shown a player a moment ago.
async fn bench() -> Bench {
    let bench = Bench::new();
    bench.served(face(8, "Notch")).await;
    bench
}

#[tokio::test]
async fn a_changed_skin_is_told_and_shows_at_once() {
    for input in ["Notch", NOTCH] {
        let bench = bench().await;
        bench.source.wear("Notch", "knight");
        bench.clock.advance(Duration::from_secs(1));
        let refreshed = bench.refresh(input).await.unwrap();
        assert!(refreshed.changed);
        assert_eq!(refreshed.checked_at, bench.clock.now());
        assert_eq!(refreshed.profile["texture_url"], texture_url("knight"));
        assert_eq!(bench.seen("Notch").await, "knight");
        assert_eq!(bench.source.lookups(), 2, "{input}");
    }
}

#[tokio::test]
async fn an_unchanged_player_is_told() {
    let bench = bench().await;
    bench.clock.advance(Duration::from_secs(1));
    let refreshed = bench.refresh("Notch").await.unwrap();
    assert!(!refreshed.changed);
    assert_eq!(refreshed.checked_at, bench.clock.now());
    assert_eq!(refreshed.profile["name"], "Notch");
    assert_eq!(bench.source.calls_of(Call::Renewal), 1);
}

#[tokio::test]
async fn a_changed_name_is_told() {
    let bench = bench().await;
    bench.source.rename("Notch", "Persson");
    let refreshed = bench.refresh(NOTCH).await.unwrap();
    assert!(refreshed.changed);
    assert_eq!(refreshed.profile["name"], "Persson");
}

#[tokio::test]
async fn a_changed_file_at_a_fixed_url_is_told() {
    let bench = Bench::new();
    bench.source.state().has_fixed_urls = true;
    bench.served(face(8, "Notch")).await;
    assert!(!bench.refresh("Notch").await.unwrap().changed);
    bench.source.wear("Notch", "knight");
    assert!(bench.refresh("Notch").await.unwrap().changed);
}

#[tokio::test]
async fn within_the_interval_the_record_is_the_answer() {
    let bench = bench().await;
    bench.source.state().interval = MINUTE;
    bench.source.wear("Notch", "knight");
    let checked_at = bench.clock.now();
    bench.clock.advance(MINUTE - Duration::from_secs(1));
    let refreshed = bench.refresh("Notch").await.unwrap();
    assert!(!refreshed.changed);
    assert_eq!(refreshed.checked_at, checked_at);
    assert_eq!(refreshed.profile["texture_url"], texture_url(SKIN));
    bench.clock.advance(Duration::from_secs(1));
    assert!(bench.refresh("Notch").await.unwrap().changed);
}

#[tokio::test]
async fn an_unknown_player_is_looked_up() {
    let bench = Bench::new();
    let refreshed = bench.refresh("Notch").await.unwrap();
    assert!(refreshed.changed);
    assert_eq!(bench.seen("Notch").await, SKIN);
    assert_eq!(bench.source.lookups(), 1);
}

/// A source that does not know anybody at first, and counts the calls for names.
fn source_of_newcomers(names: Arc<AtomicU32>) -> ProviderChain {
    let send = move |request: &Request| {
        let is_first = request.step == Step::Identity && names.fetch_add(1, Relaxed) == 0;
        let profile = format!(r#"{{"id":"{NOTCH}","name":"Notch","properties":[]}}"#);
        Ok(Response {
            status: if is_first { 404 } else { 200 },
            body: if is_first { Vec::new() } else { profile.into() },
            ..Response::default()
        })
    };
    ProviderChain::new(send, UpstreamConfig::default()).unwrap()
}

#[tokio::test]
async fn a_remembered_absence_is_asked_anew() {
    let names = Arc::new(AtomicU32::new(0));
    let source = source_of_newcomers(Arc::clone(&names));
    let store = Arc::new(MemoryStore::default());
    let clock = Arc::new(std::time::SystemTime::now);
    let config = ServiceConfig::default();
    let service = Service::new(store, Arc::new(source), clock, config).unwrap();
    for _ in 0..2 {
        let request = FileSpec::Profile("Notch".to_owned()).into();
        let missing = service.get(&request).await.unwrap_err();
        assert_eq!(missing.fault(), Fault::NotFound);
    }
    assert_eq!(names.load(Relaxed), 1, "the absence is remembered");
    let refreshed = service.refresh(Client::SERVICE, "Notch").await.unwrap();
    assert!(refreshed.changed);
    assert_eq!(refreshed.profile["uuid"], NOTCH);
}

#[tokio::test]
async fn a_missing_player_is_not_found() {
    let unknown = Bench::new();
    let known = bench().await;
    for bench in [unknown, known] {
        bench.source.answer(Answer::Missing);
        let error = bench.refresh("Notch").await.unwrap_err();
        assert_eq!(error.fault(), Fault::NotFound);
    }
}

#[tokio::test]
async fn a_check_that_fails_is_an_error_and_the_record_stays() {
    for answer in [
        Answer::Down,
        Answer::Limited,
        Answer::TooMany,
        Answer::Uncertain,
    ] {
        let bench = bench().await;
        bench.source.wear("Notch", "knight");
        bench.source.answer(answer);
        let error = bench.refresh("Notch").await.unwrap_err();
        assert!(error.is_outage(), "{answer:?}");
        assert_eq!(bench.seen("Notch").await, SKIN);
    }
}

#[tokio::test]
async fn a_client_that_has_used_its_calls_is_refused() {
    let rate = Rate::new(1, HOUR);
    let bench = Bench::with_config(|config| config.client_rates.calls = rate);
    let client = Client::limited(Ipv4Addr::LOCALHOST.into());
    assert!(bench.service.refresh(client, "Notch").await.is_ok());
    let refused = bench.service.refresh(client, "Notch").await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Limited);
    assert!(refused.retry_after().is_some());
}

#[tokio::test]
async fn a_spent_budget_of_checks_is_an_error() {
    let source = FakeSource::new();
    source.limit(Rate::new(2, HOUR).unwrap());
    let bench = Bench::with_source(source, |_| ());
    bench.served(face(8, "Notch")).await;
    bench.clock.advance(MINUTE);
    assert!(bench.refresh("Notch").await.is_ok());
    bench.clock.advance(MINUTE);
    let refused = bench.refresh("Notch").await.unwrap_err();
    assert_eq!(refused.fault(), Fault::Overloaded);
}

#[tokio::test]
async fn a_player_of_the_folder_needs_no_call() {
    let bench = Bench::new();
    bench.source.put_into_folder(&[("Npc", "knight")]);
    let refreshed = bench.refresh("Npc").await.unwrap();
    assert!(!refreshed.changed);
    assert_eq!(refreshed.checked_at, bench.clock.now());
    assert_eq!(bench.source.lookups(), 0);
}

#[tokio::test]
async fn the_folder_answers_if_no_earlier_provider_does() {
    let bench = Bench::new();
    bench.source.state().earlier = vec!["fake".into()];
    bench.source.put_into_folder(&[("Notch", "knight")]);
    bench.source.answer(Answer::Missing);
    let refreshed = bench.refresh("Notch").await.unwrap();
    assert_ne!(refreshed.profile["provider"], "fake");
}

#[tokio::test]
async fn a_malformed_player_is_the_callers_fault() {
    let error = Bench::new().refresh("").await.unwrap_err();
    assert_eq!(error.fault(), Fault::Request);
}
