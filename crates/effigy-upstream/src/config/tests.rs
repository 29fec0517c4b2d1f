//! Base URLs and rates.

use proptest::prelude::*;

use super::*;

fn base() -> BaseUrl {
    BaseUrl::parse("http://127.0.0.1:1/api/").expect("a good url")
}

#[test]
fn base_urls_may_have_a_path_and_a_slash_at_the_end() {
    for (base, expected) in [
        ("http://127.0.0.1:1", "http://127.0.0.1:1/users/Notch"),
        ("http://127.0.0.1:1/", "http://127.0.0.1:1/users/Notch"),
        ("http://x/api", "http://x/api/users/Notch"),
        ("http://x/api/", "http://x/api/users/Notch"),
        ("https://x/a%20b//", "https://x/a%20b/users/Notch"),
    ] {
        let base = BaseUrl::parse(base).expect(base);
        let url = base.join("users", "Notch").expect("a segment");
        assert_eq!(url.as_str(), expected);
    }
}

#[test]
fn segments_are_percent_encoded() {
    for (text, expected) in [
        ("a_b-c.d~e", "a_b-c.d~e"),
        ("Some Player", "Some%20Player"),
        ("../%2e\\?b#\r\n", "..%2F%252e%5C%3Fb%23%0D%0A"),
        ("é", "%C3%A9"),
    ] {
        let url = base().join("v2", text).expect(text);
        assert_eq!(url.path(), format!("/api/v2/{expected}"), "{text:?}");
    }
}

proptest! {
    #[test]
    fn any_text_is_exactly_one_segment(text: String) {
        if let Some(url) = base().join("v2/skin", &text) {
            let segments: Vec<&str> = url.path_segments().expect("a path").collect();
            prop_assert_eq!(&segments[..3], &["api", "v2", "skin"]);
            prop_assert_eq!(segments.len(), 4);
            let decoded = percent_encoding::percent_decode_str(segments[3]).decode_utf8();
            prop_assert_eq!(decoded.as_deref(), Ok(text.as_str()));
            prop_assert_eq!((url.query(), url.fragment()), (None, None));
        }
    }
}

#[test]
fn a_rate_has_an_amount_and_a_period() {
    let second = Duration::from_secs(1);
    assert!(Rate::new(0, second).is_none());
    assert!(Rate::new(1, Duration::ZERO).is_none());
    let longest = Rate::new(1, MAX_PERIOD + second);
    assert_eq!(longest.map(Rate::period), Some(MAX_PERIOD));
}

#[test]
fn malformed_base_urls_are_refused() {
    for (value, problem) in [
        ("", "is not a url"),
        ("api.mojang.com", "is not a url"),
        ("https://", "is not a url"),
        ("https://x:99999", "is not a url"),
        ("localhost:80", "must begin with http:// or https://"),
        ("ftp://x", "must begin with http:// or https://"),
        ("file:///x", "must begin with http:// or https://"),
        ("https://u@x", "must not hold a user name or password"),
        ("https://u:p@x", "must not hold a user name or password"),
        ("https://x?y", "must not have a query or fragment"),
        ("https://x#y", "must not have a query or fragment"),
    ] {
        assert_eq!(BaseUrl::parse(value), Err(problem), "{value}");
    }
}
