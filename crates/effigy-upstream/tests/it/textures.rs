//! Textures by their hash and by the URL that a profile names.

use std::time::Duration;

use effigy_upstream::{ReceivedFile, Status as _, TextureUrl, UpstreamError, error_chain};

use crate::support::canned::{Answer, Canned, NOTCH, NOTCH_TEXTURE, kind, texture};
use crate::support::resolve::{Resolve as _, file, file_of_hash, profile};

#[test]
fn textures_are_found_by_hash_and_by_url() {
    let upstream = Canned::with_notch();
    let resolver = upstream.resolver();
    let hash = NOTCH_TEXTURE.strip_prefix("texture/").unwrap();
    let skin = profile(&resolver, NOTCH).unwrap().skin.unwrap().texture;
    for file in [file(&resolver, &skin), file_of_hash(&resolver, hash)] {
        assert_eq!(file.unwrap(), texture("Notch"));
    }
    for url in ["", "cape", "/v1/texture/00", "http://evil.example/abc"] {
        let elsewhere = file(&resolver, &TextureUrl::new(url));
        let is_refused =
            matches!(elsewhere, Err(UpstreamError::TextureUrl { url: refused }) if refused == url);
        assert!(is_refused, "{url}");
    }
    for (answer, expected) in [
        (Answer::status(503), "503"),
        (Answer::ok("<html>"), "an HTML page"),
    ] {
        drop(upstream.clone().on(NOTCH_TEXTURE, answer));
        let errors = [file(&resolver, &skin), file_of_hash(&resolver, hash)];
        for error in errors.map(Result::unwrap_err) {
            assert_eq!(kind(&error), expected);
            assert!(error.is_outage());
            assert_eq!(error.to_string(), "textures", "it names the provider");
        }
        // Until then, they are remembered.
        upstream.pass(Duration::from_secs(2));
    }
}

#[test]
fn a_texture_that_is_refused_by_its_hash_does_not_exist() {
    for status in [403, 404, 410] {
        let upstream = Canned::with_notch().on("*", Answer::status(status));
        let resolver = upstream.resolver();
        for number in 0..100 {
            let error = file_of_hash(&resolver, &format!("{number:064x}")).unwrap_err();
            let is_not_found = matches!(error, UpstreamError::TextureNotFound { .. });
            assert!(is_not_found && !error.is_outage(), "{error:?}");
        }
        let mut states = resolver.states().into_iter();
        assert!(states.all(|state| state.paused_for.is_none()));
        // It is asked for once in a minute, and one that a profile names is another matter.
        let again = || file_of_hash(&resolver, &format!("{:064x}", 99)).unwrap_err();
        for (seconds, expected) in [(0, 0), (59, 0), (1, 1)] {
            upstream.calls();
            upstream.pass(Duration::from_secs(seconds));
            assert!(!again().is_outage());
            assert_eq!(upstream.calls().len(), expected);
        }
        let named = format!("https://textures.minecraft.net/texture/{:064x}", 99);
        let named = TextureUrl::new(named);
        assert!(file(&resolver, &named).unwrap_err().is_outage());
    }
}

#[test]
fn an_outage_of_one_texture_is_remembered_until_the_next_probe() {
    let upstream = Canned::with_notch().on(NOTCH_TEXTURE, Answer::status(500));
    let resolver = upstream.resolver();
    for _ in 0..2 {
        upstream.calls();
        for _ in 0..12 {
            let error = resolver.resolve("Notch").unwrap_err();
            assert_eq!(kind(&error), "500");
        }
        let calls = upstream.calls();
        let textures = calls.iter().filter(|call| *call == NOTCH_TEXTURE).count();
        assert_eq!(textures, 1, "{calls:?}");
        upstream.pass(Duration::from_secs(2));
    }
    drop(upstream.on(NOTCH_TEXTURE, Answer::texture("Notch")));
    assert!(resolver.resolve("Notch").is_ok());
}

#[test]
fn a_bad_texture_is_called_by_its_kind() {
    use ReceivedFile::{Html, Jpeg, Status};
    for (answer, received, message) in [
        (Answer::ok(b"\xff\xd8\xff\xe0"), Jpeg, "a JPEG image"),
        (Answer::ok("<!DOCTYPE html>"), Html, "an HTML page"),
        (Answer::status(401), Status(401), "status 401"),
        (Answer::status(403), Status(403), "status 403"),
        (Answer::status(404), Status(404), "status 404"),
        (Answer::status(410), Status(410), "status 410"),
        (Answer::status(451), Status(451), "status 451"),
    ] {
        let upstream = Canned::with_notch().on(NOTCH_TEXTURE, answer);
        let error = upstream.resolve("Notch").unwrap_err();
        assert_eq!(error.bad_texture(), Some(&received));
        let expected = format!("textures: texture: received {message} instead of a PNG");
        assert_eq!(error_chain(&error), expected);
        // A picture that is drawn in its place is never stored.
        assert!(error.is_outage());
        assert_eq!(error.retry_after(), None);
        let status = match received {
            Status(status) => Some(status),
            _ => None,
        };
        assert_eq!(error.status(), status);
    }
    for answer in [Answer::status(429), Answer::status(500), Answer::Hang] {
        let upstream = Canned::with_notch().on(NOTCH_TEXTURE, answer);
        let error = upstream.resolve("Notch").unwrap_err();
        assert_eq!(error.bad_texture(), None, "{error:?}");
    }
}

#[test]
fn bad_textures_never_stop_calls_for_others() {
    for answer in [
        Answer::status(401),
        Answer::status(403),
        Answer::status(404),
        Answer::ok("<html>"),
    ] {
        let upstream = Canned::with_notch().on("*", answer.clone());
        let resolver = upstream.resolver();
        for number in 0..20 {
            let url = format!("https://textures.minecraft.net/texture/{number:064x}");
            let error = file(&resolver, &TextureUrl::new(url)).unwrap_err();
            assert!(error.bad_texture().is_some(), "{error:?}");
        }
        assert_eq!(upstream.calls().len(), 20, "without probes");
        let mut states = resolver.states().into_iter();
        assert!(states.all(|state| state.paused_for.is_none()), "{answer:?}");
        assert!(resolver.resolve("Notch").is_ok());
    }
}

#[test]
fn a_bad_texture_is_remembered_for_two_seconds() {
    let upstream = Canned::with_notch().on(NOTCH_TEXTURE, Answer::status(404));
    let resolver = upstream.resolver();
    assert!(resolver.resolve("Notch").is_err());
    drop(upstream.clone().on(NOTCH_TEXTURE, Answer::texture("Notch")));
    upstream.pass(Duration::from_millis(1_999));
    assert!(resolver.resolve("Notch").is_err());
    upstream.pass(Duration::from_millis(1));
    assert!(resolver.resolve("Notch").is_ok());
}

#[test]
fn a_texture_service_that_fails_is_probed_with_a_default_skin() {
    let upstream = Canned::with_notch().on("*", Answer::status(503));
    let resolver = upstream.resolver();
    for number in 0..20 {
        let url = format!("https://textures.minecraft.net/texture/{number:064x}");
        assert!(file(&resolver, &TextureUrl::new(url)).is_err());
    }
    let calls = upstream.calls();
    let default = "texture/46acd06e8483b176e8ea39fc12fe105eb3a2a4970f5100057e9d84d4b60bdfa7";
    assert_eq!(calls.len(), 4);
    assert_eq!(calls[3], default);
    // It need not be known there.
    drop(upstream.clone().on(default, Answer::status(404)));
    upstream.pass(Duration::from_secs(2));
    assert!(resolver.resolve("Notch").is_ok());
}
