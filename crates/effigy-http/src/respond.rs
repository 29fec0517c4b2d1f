//! Responses: their common headers, compression, and conditional requests.

pub(crate) mod code;
mod disposition;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod family;
pub(crate) mod image;
pub(crate) mod missing_player;
pub(crate) mod rate_limit;
pub(crate) mod reason;

use std::{
    io::{Read as _, Write as _},
    sync::LazyLock,
};

use bytes::Bytes;
use effigy_service::{Client, Failure, Service};
use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};
use httpdate::HttpDate;
use hyper::{
    StatusCode,
    header::{
        ACCEPT_ENCODING, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, CACHE_CONTROL,
        CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderMap, HeaderName,
        HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH, REFERRER_POLICY, VARY,
        X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
    },
};
use serde_json::Value;

pub(crate) const JSON: &str = "application/json";

/// The rule by which clients cache what may change within a minute: a missing player may exist soon.
pub(crate) const PUBLIC_MINUTE: &str = "public, max-age=60";

/// The header with the origin of a picture: `hit`, `miss` or `stale`.
pub(crate) const X_CACHE: HeaderName = HeaderName::from_static("x-cache");

/// The header with the kind of player that replaces the requested one: `default` or `fallback`.
pub(crate) const X_EFFIGY_SUBSTITUTE: HeaderName = HeaderName::from_static("x-effigy-substitute");

/// The media types that are compressed begin with these.
const COMPRESSIBLE: [&[u8]; 4] = [
    b"application/json",
    b"application/wasm",
    b"image/svg+xml",
    b"text/",
];

/// The number of items that are read of a list in a header. Browsers send five.
const MAX_ITEMS: usize = 16;

/// The longest text that is compressed on a thread that answers requests.
const MAX_BYTES_AT_ONCE: usize = 4 << 10;

/// The headers of every response. Other sites may use responses; pages load nothing from other sites.
static COMMON: LazyLock<HeaderMap> = LazyLock::new(|| {
    let headers = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        // Scripts of other sites may read these headers in addition to a few common ones.
        (
            ACCESS_CONTROL_EXPOSE_HEADERS,
            "ETag, X-Cache, X-Effigy-Substitute, Content-Disposition, Retry-After, RateLimit, \
             RateLimit-Policy",
        ),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "SAMEORIGIN"),
        (REFERRER_POLICY, "no-referrer"),
        // The landing page shows a visitor's own skin file under `blob:` URLs, and draws figures with
        // WebAssembly.
        (
            CONTENT_SECURITY_POLICY,
            "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:; \
             base-uri 'none'; form-action 'self'; frame-ancestors 'self'; object-src 'none'",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    headers.into_iter().collect()
});

/// A response. It has the common headers from the start, and its body is sent in one piece.
pub(crate) type Response = hyper::Response<Bytes>;

/// A response with a body.
pub(crate) fn with_body(status: StatusCode, content_type: &'static str, body: Bytes) -> Response {
    let mut response = empty(status);
    *response.body_mut() = body;
    set(&mut response, CONTENT_TYPE, content_type);
    set_vary(&mut response);
    response
}

/// A response without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = Response::default();
    *response.status_mut() = status;
    *response.headers_mut() = COMMON.clone();
    response
}

/// Sets a header to a constant value.
pub(crate) fn set(response: &mut Response, name: HeaderName, value: &'static str) {
    let value = HeaderValue::from_static(value);
    response.headers_mut().insert(name, value);
}

/// Returns the value of the header `X-Cache`.
pub(crate) fn cache_status(response: &Response) -> Option<&str> {
    response.headers().get(X_CACHE)?.to_str().ok()
}

/// Converts a text in visible ASCII to the value of a header.
fn header_value(text: impl Into<Bytes>) -> HeaderValue {
    HeaderValue::from_maybe_shared(text.into()).expect("the text is visible ASCII")
}

/// A response in JSON that is not cached.
pub(crate) fn json_response(status: StatusCode, value: &Value) -> Response {
    let mut response = with_body(status, JSON, value.to_string().into());
    set(&mut response, CACHE_CONTROL, "no-store");
    response
}

/// Adds the entity tag of a body with this hash. The response becomes 304 if the client that sent
/// `headers` has the body already.
fn validate(
    response: &mut Response,
    fingerprint: &[u8],
    modified: Option<HttpDate>,
    headers: &HeaderMap,
) {
    // A text has one tag, compressed or not, so the tag is weak.
    let begin: &[u8] = if is_text(response) { b"W/\"" } else { b"\"" };
    let tag = [begin, fingerprint, b"\""].concat();
    if is_not_modified(headers, fingerprint, modified) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.body_mut().clear();
        response.headers_mut().remove(CONTENT_TYPE);
        response.headers_mut().remove(CONTENT_ENCODING);
    }
    response.headers_mut().insert(ETAG, header_value(tag));
}

/// Returns `true` if a client that sent `headers` has the version with this tag, by the weak
/// comparison. If the client sends no tags, the time decides. RFC 9110, 13.
fn is_not_modified(headers: &HeaderMap, tag: &[u8], modified: Option<HttpDate>) -> bool {
    if !headers.contains_key(IF_NONE_MATCH) {
        return match (modified, modified_since(headers)) {
            (Some(modified), Some(since)) => modified <= since,
            _ => false,
        };
    }
    let mut tags_left = MAX_ITEMS;
    for value in headers.get_all(IF_NONE_MATCH) {
        let Ok(list) = value.to_str() else {
            continue;
        };
        if list.trim() == "*" {
            return true;
        }
        // A tag may contain commas, so the list is split at quotes: every second piece is a tag.
        for known in list.split('"').skip(1).step_by(2) {
            if tags_left == 0 {
                break;
            }
            tags_left -= 1;
            if known.as_bytes() == tag {
                return true;
            }
        }
    }
    false
}

fn modified_since(headers: &HeaderMap) -> Option<HttpDate> {
    let value = headers.get(IF_MODIFIED_SINCE)?;
    value.to_str().ok()?.parse().ok()
}

/// Compresses or decompresses a response of text, so that the client that sent `headers` accepts its
/// encoding. RFC 9110, 12.5.3.
///
/// # Errors
/// If that needs a drawing thread, and the service refuses the work.
pub(crate) async fn encode(
    response: &mut Response,
    headers: &HeaderMap,
    service: &Service,
    client: Client,
) -> Result<(), Failure> {
    let is_compressed = response.headers().contains_key(CONTENT_ENCODING);
    if !is_text(response) || is_compressed == accepts_gzip(headers) {
        return Ok(());
    }
    let bytes = response.body().clone();
    if is_compressed {
        response.headers_mut().remove(CONTENT_ENCODING);
        let memory = content_length(&bytes) as u64;
        let decompress = move |_: &_| gunzip(&bytes);
        *response.body_mut() = service.document(client, memory, decompress).await?;
        return Ok(());
    }
    set(response, CONTENT_ENCODING, "gzip");
    *response.body_mut() = if bytes.len() <= MAX_BYTES_AT_ONCE {
        gzip(&bytes)
    } else {
        let compress = move |_: &_| gzip(&bytes);
        service.document(client, 0, compress).await?
    };
    Ok(())
}

/// Says that a response of text depends on `Accept-Encoding`.
fn set_vary(response: &mut Response) {
    if is_text(response) {
        set(response, VARY, "Accept-Encoding");
    }
}

fn is_text(response: &Response) -> bool {
    let content_type = response.headers().get(CONTENT_TYPE);
    content_type.is_some_and(|value| is_compressible(value.as_bytes()))
}

/// Returns `true` for the media types of texts.
pub(crate) fn is_compressible(content_type: &[u8]) -> bool {
    COMPRESSIBLE
        .iter()
        .any(|beginning| content_type.starts_with(beginning))
}

fn gzip(bytes: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes);
    let file = written.and_then(|()| encoder.finish());
    file.expect("writing to memory does not fail").into()
}

fn gunzip(file: &[u8]) -> Bytes {
    let mut bytes = Vec::with_capacity(content_length(file));
    let read = GzDecoder::new(file).read_to_end(&mut bytes);
    read.expect("the service has compressed the file");
    bytes.into()
}

/// Returns the length of the content of a gzip file, which is in its last bytes. RFC 1952, 2.3.1.
fn content_length(file: &[u8]) -> usize {
    match file.last_chunk() {
        Some(length) => u32::from_le_bytes(*length) as usize,
        None => 0,
    }
}

/// Returns `true` if a client that sent `headers` accepts gzip.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter();
    let lists = values.filter_map(|value| value.to_str().ok());
    let mut gzip = None;
    let mut any = None;
    for item in lists.flat_map(|list| list.split(',')).take(MAX_ITEMS) {
        let item = item.to_ascii_lowercase();
        let (name, weight) = item.split_once(';').unwrap_or((&item, ""));
        let is_accepted = is_accepting_weight(weight);
        // If a coding is listed twice, it is enough that one item accepts it.
        match name.trim() {
            "gzip" | "x-gzip" => gzip = Some(gzip.unwrap_or(false) || is_accepted),
            "*" => any = Some(any.unwrap_or(false) || is_accepted),
            _ => {}
        }
    }
    // An item that names gzip decides, whatever the asterisk says.
    gzip.or(any).unwrap_or(false)
}

/// Returns `true` for any weight but zero, also for a missing or malformed one.
fn is_accepting_weight(weight: &str) -> bool {
    match weight.trim().strip_prefix("q=") {
        Some(number) => number.parse() != Ok(0.0_f32),
        None => true,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn decompressing_restores_the_text() {
        let bytes = b"<svg/>".repeat(1_000);
        let file = gzip(&bytes);
        assert!(file.len() < 100);
        assert_eq!(content_length(&file), 6_000);
        assert_eq!(gunzip(&file), bytes);
    }

    #[test]
    fn gzip_is_accepted_unless_its_weight_is_zero() {
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
            ("gzip;q=0, *", false),
            ("*, gzip;q=0", false),
            ("*;q=0, gzip", true),
            ("br, *;q=0", false),
        ];
        for (list, expected) in rows {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(list));
            assert_eq!(accepts_gzip(&headers), expected, "{list}");
        }
    }

    fn headers(lines: &[&str], since: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(IF_NONE_MATCH, HeaderValue::from_str(line).unwrap());
        }
        if let Some(since) = since {
            headers.insert(IF_MODIFIED_SINCE, HeaderValue::from_str(since).unwrap());
        }
        headers
    }

    /// Asserts whether a client with these lines of tags has the version `abc`.
    fn check_tags(rows: &[(&[&str], bool)]) {
        for (lines, expected) in rows {
            let found = is_not_modified(&headers(lines, None), b"abc", None);
            assert_eq!(found, *expected, "{lines:?}");
        }
    }

    #[test]
    fn known_tag_confirms_the_version() {
        check_tags(&[
            (&["\"abc\""], true),
            (&["W/\"abc\""], true),
            (&["\"abcd\""], false),
            (&["abc"], false),
            (&[""], false),
            (&[], false),
        ]);
    }

    #[test]
    fn asterisk_confirms_any_version() {
        check_tags(&[(&["*"], true), (&[" * "], true), (&["\"*\""], false)]);
    }

    #[test]
    fn any_tag_of_a_list_confirms_the_version() {
        check_tags(&[
            (&["\"x\", \"abc\""], true),
            (&["\"x\"", "\"abc\""], true),
            (&["\"x\",W/\"abc\",\"y\""], true),
            (&["\"a,b\", \"abc\""], true),
            (&["\"x\", \"y\""], false),
            (&["\"x,abc,y\""], false),
        ]);
    }

    #[test]
    fn long_list_of_tags_is_not_read_to_its_end() {
        let list = "\"x\", ".repeat(MAX_ITEMS) + "\"abc\"";
        check_tags(&[(&[&list], false)]);
    }

    /// Asserts whether a client with these tags and this time has the version `abc`, which was
    /// modified on 1994-11-06 at 08:49:37.5 UTC.
    fn check_time(lines: &[&str], since: &str, expected: bool) {
        let modified = UNIX_EPOCH + Duration::from_millis(784_111_777_500);
        let headers = headers(lines, Some(since));
        let found = is_not_modified(&headers, b"abc", Some(modified.into()));
        assert_eq!(found, expected, "{lines:?} {since}");
    }

    #[test]
    fn version_is_confirmed_by_its_time_or_a_later_one() {
        check_time(&[], "Sun, 06 Nov 1994 08:49:36 GMT", false);
        check_time(&[], "Sun, 06 Nov 1994 08:49:37 GMT", true);
        check_time(&[], "Sun, 06 Nov 1994 08:49:38 GMT", true);
        check_time(&[], "yesterday", false);
    }

    #[test]
    fn time_is_ignored_if_there_are_tags() {
        check_time(&["\"x\""], "Sun, 06 Nov 1994 08:49:37 GMT", false);
        check_time(&["\"abc\""], "Sun, 06 Nov 1994 08:49:36 GMT", true);
    }
}
