//! Gzip, for responses of text and clients that accept it. RFC 9110, section 12.5.3.

use std::io::Write;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};
use hyper::{
    HeaderMap,
    header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderValue, VARY},
};

use super::{
    body::ResponseBody,
    response::{Response, set, set_text},
};

/// The beginnings of the media types that are compressed.
const COMPRESSIBLE: [&[u8]; 3] = [b"application/json", b"image/svg+xml", b"text/"];

/// Compresses a response of text if the client accepts that.
pub(crate) fn compress(response: &mut Response, headers: &HeaderMap) {
    if !is_compressible(response) {
        return;
    }
    let known = response.headers().get(VARY);
    let vary = match known.and_then(|known| known.to_str().ok()) {
        Some(known) => format!("{known}, Accept-Encoding"),
        None => "Accept-Encoding".to_owned(),
    };
    set_text(response, VARY, vary);
    if !accepts_gzip(headers) {
        return;
    }
    let body = gzip(response.body().bytes()).expect("writing to memory does not fail");
    *response.body_mut() = ResponseBody::new(Bytes::from(body));
    set(response, CONTENT_ENCODING, "gzip");
    weaken_tag(response);
}

/// Makes a strong entity tag weak, because the bytes are no longer the same. RFC 9110, section 8.8.1.
fn weaken_tag(response: &mut Response) {
    let tag = response.headers().get(ETAG).map(HeaderValue::as_bytes);
    let Some(strong) = tag.filter(|tag| tag.starts_with(b"\"")) else {
        return;
    };
    if let Ok(weak) = HeaderValue::from_bytes(&[b"W/", strong].concat()) {
        response.headers_mut().insert(ETAG, weak);
    }
}

fn is_compressible(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE);
    let mut beginnings = COMPRESSIBLE.iter();
    content_type.is_some_and(|value| beginnings.any(|text| value.as_bytes().starts_with(text)))
}

fn gzip(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT_ENCODING);
    let lines: Vec<&str> = lines.iter().filter_map(|line| line.to_str().ok()).collect();
    prefers_gzip(&lines.join(","))
}

/// Tells whether a list of codings accepts gzip and does not prefer plain bytes.
fn prefers_gzip(list: &str) -> bool {
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

/// Splits a coding and its weight, as in `gzip;q=0.5`. An invalid weight counts as none.
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
    use crate::respond::with_body;

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
            assert_eq!(prefers_gzip(list), expected, "{list}");
        }
    }

    fn compressed(content_type: &'static str, accepted: &'static str) -> Response {
        let body = Bytes::from_static(b"the body, the body, the body");
        let mut response = with_body(StatusCode::OK, content_type, body);
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        compress(&mut response, &headers);
        response
    }

    #[test]
    fn text_is_compressed() {
        for content_type in [
            "application/json",
            "image/svg+xml",
            "text/html; charset=utf-8",
            "text/plain",
        ] {
            let response = compressed(content_type, "gzip");
            assert_eq!(
                response.headers()[CONTENT_ENCODING],
                "gzip",
                "{content_type}"
            );
            assert_eq!(
                response.headers()[VARY],
                "Accept-Encoding",
                "{content_type}"
            );
            let mut text = String::new();
            let mut decoder = GzDecoder::new(response.body().bytes());
            decoder.read_to_string(&mut text).unwrap();
            assert_eq!(text, "the body, the body, the body", "{content_type}");
        }
    }

    #[test]
    fn a_client_without_gzip_gets_plain_text_with_vary() {
        let response = compressed("application/json", "br");
        assert!(!response.headers().contains_key(CONTENT_ENCODING));
        assert_eq!(response.headers()[VARY], "Accept-Encoding");
        assert!(response.body().bytes().starts_with(b"the body"));
    }

    #[test]
    fn compression_weakens_tags() {
        for (tag, expected) in [("\"abc\"", "W/\"abc\""), ("W/\"abc\"", "W/\"abc\"")] {
            let body = Bytes::from_static(b"the body, the body, the body");
            let mut response = with_body(StatusCode::OK, "application/json", body);
            set(&mut response, ETAG, tag);
            let mut headers = HeaderMap::new();
            compress(&mut response, &headers);
            assert_eq!(response.headers()[ETAG], tag, "plain");
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
            compress(&mut response, &headers);
            assert_eq!(response.headers()[ETAG], expected, "{tag}");
        }
    }

    #[test]
    fn pictures_are_not_compressed() {
        let response = compressed("image/png", "gzip");
        assert!(!response.headers().contains_key(CONTENT_ENCODING));
        assert!(!response.headers().contains_key(VARY));
        assert!(response.body().bytes().starts_with(b"the body"));
    }
}
