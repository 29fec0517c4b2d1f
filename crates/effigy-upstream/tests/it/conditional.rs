//! Textures that are fetched only if they have changed.

use effigy_upstream::{Fetched, TextureUrl, Textures as _, UpstreamError, Validators};

use crate::support::canned::{Answer, Canned, NOTCH_TEXTURE, SKIN_HEADER, kind, texture};
use crate::support::resolve::{file_of_hash, look_up, whole_file};

fn url() -> TextureUrl {
    TextureUrl::new(format!("https://textures.minecraft.net/{NOTCH_TEXTURE}"))
}

fn tagged(etag: &str) -> Validators {
    Validators {
        etag: Some(etag.to_owned()),
        last_modified: Some("Sun, 06 Nov 1994 08:49:37 GMT".to_owned()),
    }
}

/// Fetches the texture, and returns the answer with the validators that were sent.
fn fetch(
    upstream: &Canned,
    known: Option<&Validators>,
) -> (Result<Fetched, UpstreamError>, Validators) {
    let chain = upstream.resolver();
    let fetched = chain.texture(&url(), known, &look_up(&chain));
    let mut requests = upstream.requests();
    assert_eq!(requests.len(), 1);
    (fetched, requests.remove(0).validators)
}

#[test]
fn a_file_comes_with_its_validators() {
    for validators in [tagged(r#""1""#), Validators::default()] {
        let answer = Answer::Tagged(validators.clone(), texture("one"));
        let upstream = Canned::new().on(NOTCH_TEXTURE, answer);
        let (fetched, sent) = fetch(&upstream, None);
        assert!(sent.is_empty());
        let file = texture("one");
        assert_eq!(fetched.ok(), Some(Fetched::File { file, validators }));
    }
}

#[test]
fn a_file_that_has_not_changed_is_not_sent_again() {
    let known = tagged(r#""1""#);
    let upstream = Canned::new().on(NOTCH_TEXTURE, Answer::status(304));
    let (fetched, sent) = fetch(&upstream, Some(&known));
    assert_eq!(sent, known);
    assert_eq!(fetched.ok(), Some(Fetched::Unchanged));
}

#[test]
fn a_file_that_has_changed_is_sent() {
    let known = tagged(r#""1""#);
    let upstream = Canned::new();
    let validators = tagged(r#""2""#);
    let answer = Answer::Tagged(validators.clone(), texture("two"));
    let (fetched, sent) = fetch(&upstream.on(NOTCH_TEXTURE, answer), Some(&known));
    assert_eq!(sent, known);
    let file = texture("two");
    assert_eq!(fetched.ok(), Some(Fetched::File { file, validators }));
}

#[test]
fn a_304_without_validators_is_a_bad_answer() {
    let unusable = Validators {
        etag: Some("x".repeat(257)),
        last_modified: None,
    };
    let upstream = Canned::new().on(NOTCH_TEXTURE, Answer::status(304));
    for known in [None, Some(&Validators::default()), Some(&unusable)] {
        let (fetched, sent) = fetch(&upstream, known);
        assert!(sent.is_empty());
        let error = fetched.expect_err("nothing is known");
        assert_eq!(kind(&error), "304");
        assert!(error.is_outage());
    }
    let hash = NOTCH_TEXTURE.strip_prefix("texture/").expect("a hash");
    let error = file_of_hash(&upstream.resolver(), hash).expect_err("nothing is known");
    assert!(error.is_outage());
}

#[test]
fn a_conditional_request_may_fail() {
    let known = tagged(r#""1""#);
    for (answer, expected) in [
        (Answer::status(404), "404"),
        (Answer::status(500), "500"),
        (Answer::status(204), "204"),
        (Answer::ok("<html>"), "an HTML page"),
        (Answer::Reset, "the connection failed"),
    ] {
        let upstream = Canned::new().on(NOTCH_TEXTURE, answer);
        let error = fetch(&upstream, Some(&known)).0.expect_err(expected);
        assert_eq!(kind(&error), expected);
    }
}

#[test]
fn an_unchanged_file_is_no_failure_of_its_server() {
    let upstream = Canned::new().on(NOTCH_TEXTURE, Answer::status(304));
    let chain = upstream.resolver();
    let known = tagged(r#""1""#);
    for _ in 0..10 {
        let fetched = chain.texture(&url(), Some(&known), &look_up(&chain));
        assert_eq!(fetched.ok(), Some(Fetched::Unchanged));
    }
    assert_eq!(
        upstream.calls().len(),
        10,
        "without probes, and not remembered"
    );
}

#[test]
fn a_file_at_hand_is_not_fetched() {
    let png = [SKIN_HEADER, b"mine"].concat();
    let file = ("Alice.png".to_owned(), png.clone());
    let checks = effigy_upstream::FileChecks::NONE;
    let chain = effigy_upstream::ProviderChain::in_memory([file], checks);
    let alice = crate::support::resolve::profile(&chain, "Alice").expect("known");
    let skin = alice.skin.expect("a skin").texture;
    let fetched = chain.texture(&skin, Some(&tagged(r#""1""#)), &look_up(&chain));
    let fetched = fetched.expect("it is at hand");
    assert!(matches!(&fetched, Fetched::File { validators, .. } if validators.is_empty()));
    assert_eq!(whole_file(fetched), png);
}

#[test]
fn the_host_of_a_stored_url_is_checked_again() {
    let upstream = Canned::new().on("*", Answer::texture("any"));
    let chain = upstream.resolver();
    for (url, is_allowed) in [
        ("https://textures.minecraft.net/texture/1", true),
        ("http://127.0.0.1/texture/1", false),
        ("file:///etc/passwd", false),
    ] {
        for provider in ["mojang", "yggdrasil:of.yore"] {
            let json = serde_json::json!({ "url": url, "provider": provider });
            let stored: TextureUrl = serde_json::from_value(json).expect("a url");
            let fetched = chain.texture(&stored, None, &look_up(&chain));
            assert_eq!(fetched.is_ok(), is_allowed, "{url} {provider}");
        }
    }
}
