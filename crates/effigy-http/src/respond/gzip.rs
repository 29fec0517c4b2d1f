//! Gzip, for answers that get smaller by it and clients that take it. RFC 9110, section 12.5.3.

use std::io::Write;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use hyper::{
    HeaderMap,
    header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderValue, VARY},
};

use crate::{
    respond::answer::{Answer, set},
    respond::body::Payload,
};

/// Compresses the answer where it is JSON, HTML or text and the request's headers allow.
pub(crate) fn compress(answer: &mut Answer, request: &HeaderMap) {
    if !is_compressible(answer) {
        return;
    }
    set(answer, VARY, "Accept-Encoding");
    if !accepts_gzip(request) {
        return;
    }
    // Writing to memory does not fail; if it did, the plain body would still be right.
    if let Ok(body) = gzip(answer.body().bytes()) {
        *answer.body_mut() = Payload::new(Bytes::from(body));
        set(answer, CONTENT_ENCODING, "gzip");
        weaken_tag(answer);
    }
}

/// A strong tag is that of certain bytes, and these are others. RFC 9110, section 8.8.1.
fn weaken_tag(answer: &mut Answer) {
    let tag = answer.headers().get(ETAG).map(HeaderValue::as_bytes);
    let Some(strong) = tag.filter(|tag| tag.starts_with(b"\"")) else {
        return;
    };
    if let Ok(weak) = HeaderValue::from_bytes(&[b"W/", strong].concat()) {
        answer.headers_mut().insert(ETAG, weak);
    }
}

fn is_compressible(answer: &Answer) -> bool {
    let content_type = answer.headers().get(CONTENT_TYPE);
    content_type.is_some_and(|value| {
        let texts: [&[u8]; 3] = [b"application/json", b"image/svg+xml", b"text/"];
        texts.iter().any(|text| value.as_bytes().starts_with(text))
    })
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT_ENCODING);
    let lines: Vec<&str> = lines.iter().filter_map(|line| line.to_str().ok()).collect();
    gzip_is_acceptable(&lines.join(","))
}

/// Whether a list of codings takes gzip, and does not like plain bytes better.
fn gzip_is_acceptable(list: &str) -> bool {
    let weight = |names: &[&str]| {
        list.split(',')
            .map(coding)
            .filter(|(name, _)| names.iter().any(|known| name.eq_ignore_ascii_case(known)))
            .map(|(_, weight)| weight)
            .reduce(f32::max)
    };
    let gzip = weight(&["gzip", "x-gzip"]).or_else(|| weight(&["*"]));
    let plain = weight(&["identity"]).unwrap_or_default();
    gzip.is_some_and(|gzip| gzip > 0.0 && gzip >= plain)
}

/// A coding and its weight: `gzip;q=0.5`. A weight that cannot be read counts as none given.
fn coding(item: &str) -> (&str, f32) {
    let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
    let weight = parameters
        .split(';')
        .filter_map(|parameter| parameter.split_once('='))
        .find(|(key, _)| key.trim().eq_ignore_ascii_case("q"))
        .and_then(|(_, value)| value.trim().parse().ok());
    (name.trim(), weight.unwrap_or(1.0))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;
    use hyper::{StatusCode, header::HeaderValue};

    use super::*;
    use crate::respond::answer::whole;

    #[test]
    fn lists_of_codings() {
        let rows = [
            ("", false),
            ("gzip", true),
            ("GZIP", true),
            ("x-gzip", true),
            ("gzip, deflate, br", true),
            ("br,gzip", true),
            ("deflate, br", false),
            ("identity", false),
            ("*", true),
            ("*;q=0", false),
            ("gzip;q=0", false),
            ("gzip;q=0.0, *", false),
            ("gzip; q=0.001", true),
            ("gzip ; Q=0", false),
            ("br;q=1.0, gzip;q=0.8, *;q=0.1", true),
            ("gzip;q=0.5, identity", false),
            ("gzip, identity;q=0.5", true),
            ("gzip;q=many", true),
            ("gzippo", false),
        ];
        for (list, expected) in rows {
            assert_eq!(gzip_is_acceptable(list), expected, "{list}");
        }
    }

    fn compressed(content_type: &'static str, accepted: &'static str) -> Answer {
        let body = Bytes::from_static(b"the body, the body, the body");
        let mut answer = whole(StatusCode::OK, content_type, body);
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        compress(&mut answer, &headers);
        answer
    }

    #[test]
    fn texts_are_compressed() {
        for content_type in [
            "application/json",
            "image/svg+xml",
            "text/html; charset=utf-8",
            "text/plain",
        ] {
            let answer = compressed(content_type, "gzip");
            assert_eq!(answer.headers()[CONTENT_ENCODING], "gzip", "{content_type}");
            assert_eq!(answer.headers()[VARY], "Accept-Encoding", "{content_type}");
            let mut text = String::new();
            let mut decoder = GzDecoder::new(answer.body().bytes());
            decoder.read_to_string(&mut text).unwrap();
            assert_eq!(text, "the body, the body, the body", "{content_type}");
        }
    }

    #[test]
    fn a_client_without_gzip_gets_plain_text_that_varies() {
        let answer = compressed("application/json", "br");
        assert!(!answer.headers().contains_key(CONTENT_ENCODING));
        assert_eq!(answer.headers()[VARY], "Accept-Encoding");
        assert!(answer.body().bytes().starts_with(b"the body"));
    }

    #[test]
    fn a_tag_of_certain_bytes_is_no_tag_of_others() {
        for (tag, expected) in [("\"abc\"", "W/\"abc\""), ("W/\"abc\"", "W/\"abc\"")] {
            let body = Bytes::from_static(b"the body, the body, the body");
            let mut answer = whole(StatusCode::OK, "application/json", body);
            set(&mut answer, ETAG, tag);
            let mut headers = HeaderMap::new();
            compress(&mut answer, &headers);
            assert_eq!(answer.headers()[ETAG], tag, "plain");
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
            compress(&mut answer, &headers);
            assert_eq!(answer.headers()[ETAG], expected, "{tag}");
        }
    }

    #[test]
    fn pictures_are_left_alone() {
        let answer = compressed("image/png", "gzip");
        assert!(!answer.headers().contains_key(CONTENT_ENCODING));
        assert!(!answer.headers().contains_key(VARY));
        assert!(answer.body().bytes().starts_with(b"the body"));
    }
}
