//! Gzip, for responses of text and clients that accept it. RFC 9110, section 12.5.3.

use std::io::Write;

use bytes::Bytes;
use effigy_service::{Client, ServiceError};
use flate2::{Compression, write::GzEncoder};
use hyper::{
    HeaderMap,
    header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, VARY},
};

use super::{
    body::ResponseBody,
    response::{Response, set},
};

/// The beginnings of the media types that are compressed.
const COMPRESSIBLE: [&[u8]; 4] = [
    b"application/json",
    b"application/wasm",
    b"image/svg+xml",
    b"text/",
];

/// The longest text that is compressed on a thread that serves hits.
const MAX_BYTES_AT_ONCE: usize = 4 << 10;

/// Compresses a response of text if the client that sent `headers` accepts that, and it is not compressed.
///
/// # Errors
/// If the text is long, and the client may have no work done.
pub(crate) async fn compress(
    response: &mut Response,
    headers: &HeaderMap,
    client: &Client,
) -> Result<(), ServiceError> {
    let content_type = response.headers().get(CONTENT_TYPE);
    if !content_type.is_some_and(|value| is_compressible(value.as_bytes())) {
        return Ok(());
    }
    set_vary(response);
    let is_compressed = response.headers().contains_key(CONTENT_ENCODING);
    let Some(bytes) = response.body().bytes().cloned() else {
        return Ok(());
    };
    if is_compressed || !accepts_gzip(headers) {
        return Ok(());
    }
    let file = match bytes.len() {
        0..=MAX_BYTES_AT_ONCE => gzip(&bytes),
        _ => client.work(0, move |_| gzip(&bytes)).await?,
    };
    *response.body_mut() = ResponseBody::new(file);
    set(response, CONTENT_ENCODING, "gzip");
    Ok(())
}

/// Says that the response depends on `Accept-Encoding`, unless it says on what it depends.
pub(super) fn set_vary(response: &mut Response) {
    let vary = response.headers_mut().entry(VARY);
    vary.or_insert(HeaderValue::from_static("Accept-Encoding"));
}

/// Returns `true` for the media types of texts.
pub(super) fn is_compressible(content_type: &[u8]) -> bool {
    let mut beginnings = COMPRESSIBLE.iter();
    beginnings.any(|text| content_type.starts_with(text))
}

pub(super) fn gzip(bytes: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes);
    let file = written.and_then(|()| encoder.finish());
    file.expect("writing to memory does not fail").into()
}

/// Returns `true` if a client that sent `headers` accepts gzip.
pub(super) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT_ENCODING).iter();
    let mut lists = lines.filter_map(|line| line.to_str().ok());
    lists.any(|list| list.split(',').any(is_gzip))
}

/// Returns `true` for gzip in a list of codings, unless its weight is zero as in `gzip;q=0`.
fn is_gzip(item: &str) -> bool {
    let (name, weight) = item.split_once(';').unwrap_or((item, ""));
    let weight = weight.trim().to_ascii_lowercase();
    let weight = weight.strip_prefix("q=").map(str::parse::<f32>);
    let names = ["gzip", "x-gzip", "*"];
    names
        .iter()
        .any(|known| name.trim().eq_ignore_ascii_case(known))
        && weight != Some(Ok(0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

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
            ("gzip;q=0.0, br", false),
            ("gzip; q=0.001", true),
            ("gzip ; Q=0", false),
            ("br;q=1.0, gzip;q=0.8, *;q=0.1", true),
            ("gzip;q=0.5, identity", true),
            ("gzip, identity;q=0.5", true),
            ("gzip;q=many", true),
            ("gzippo", false),
        ];
        for (list, expected) in rows {
            assert_eq!(list.split(',').any(is_gzip), expected, "{list}");
        }
    }
}
