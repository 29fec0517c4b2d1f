//! Responses: the headers that all have, how they are compressed, and clients that have the body already.

pub(crate) mod code;
mod disposition;
pub(crate) mod document;
pub(crate) mod error;
pub(crate) mod family;
pub(crate) mod image;
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

/// The origin of a picture: `hit`, `miss` or `stale`.
pub(crate) const X_CACHE: HeaderName = HeaderName::from_static("x-cache");

/// The kind of player that a picture shows in place of the requested one: `default` or `fallback`.
pub(crate) const X_EFFIGY_SUBSTITUTE: HeaderName = HeaderName::from_static("x-effigy-substitute");

/// The beginnings of the media types that are compressed.
const COMPRESSIBLE: [&[u8]; 4] = [
    b"application/json",
    b"application/wasm",
    b"image/svg+xml",
    b"text/",
];

/// The items that are read of a list in a header. Browsers send five.
const MAX_ITEMS: usize = 16;

/// The longest text that is compressed on a thread that serves hits.
const MAX_BYTES_AT_ONCE: usize = 4 << 10;

/// The headers of every response: other sites may use it, and its pages load nothing from others.
static COMMON: LazyLock<HeaderMap> = LazyLock::new(|| {
    let headers = [
        (ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        // Scripts of other sites may read these in addition to the few that they always may.
        (
            ACCESS_CONTROL_EXPOSE_HEADERS,
            "ETag, X-Cache, X-Effigy-Substitute, Content-Disposition, Retry-After, RateLimit, \
             RateLimit-Policy",
        ),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "SAMEORIGIN"),
        (REFERRER_POLICY, "no-referrer"),
        // The landing page shows pictures of the visitor's own skin file under `blob:` URLs, and draws figures itself.
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

/// Returns the header `X-Cache`.
pub(crate) fn cache_status(response: &Response) -> Option<&str> {
    let value = response.headers().get(X_CACHE);
    value.and_then(|value| value.to_str().ok())
}

/// A response, which has the headers that all have from the start. Its body is sent in one piece.
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

/// Sets a header to a constant.
pub(crate) fn set(response: &mut Response, name: HeaderName, value: &'static str) {
    let value = HeaderValue::from_static(value);
    response.headers_mut().insert(name, value);
}

/// Returns a value of a header from text in visible ASCII.
fn header_value(text: impl Into<Bytes>) -> HeaderValue {
    HeaderValue::from_maybe_shared(text.into()).expect("it is visible ASCII")
}

/// A response in JSON that is not cached.
pub(crate) fn json_response(status: StatusCode, value: &Value) -> Response {
    let mut response = with_body(status, JSON, value.to_string().into());
    set(&mut response, CACHE_CONTROL, "no-store");
    response
}

/// Adds the entity tag of a body with this hash. The response becomes 304 if the client that sent `headers` has the body.
fn validate(
    response: &mut Response,
    fingerprint: &[u8],
    modified: Option<HttpDate>,
    headers: &HeaderMap,
) {
    // The tag of a text is weak, because it is that of both forms, compressed or not.
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

/// Tells whether a client that sent `headers` has the version whose tag has this text, by the weak comparison. The time counts
/// if there is one and the client sends no tags. RFC 9110, 13.
fn is_not_modified(headers: &HeaderMap, tag: &[u8], modified: Option<HttpDate>) -> bool {
    if !headers.contains_key(IF_NONE_MATCH) {
        let since = headers.get(IF_MODIFIED_SINCE);
        let since: Option<HttpDate> = since.and_then(|value| value.to_str().ok()?.parse().ok());
        return modified.is_some_and(|modified| since.is_some_and(|since| modified <= since));
    }
    let lines = || {
        let lines = headers.get_all(IF_NONE_MATCH).iter();
        lines.filter_map(|line| line.to_str().ok())
    };
    // A tag may contain commas, so a list is split at quotes: every second piece is a tag.
    let tags = |line| str::split(line, '"').skip(1).step_by(2);
    let mut tags = lines().flat_map(tags).take(MAX_ITEMS);
    tags.any(|found| found.as_bytes() == tag) || lines().any(|line| line.trim() == "*")
}

/// Compresses a response of text, or decompresses it, as the client that sent `headers` accepts it. RFC 9110,
/// 12.5.3.
///
/// # Errors
/// If that takes long, and the client may have no work done.
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
    *response.body_mut() = if is_compressed {
        response.headers_mut().remove(CONTENT_ENCODING);
        let memory = content_length(&bytes) as u64;
        let decompress = move |_: &_| gunzip(&bytes);
        service.document(client, memory, decompress).await?
    } else {
        set(response, CONTENT_ENCODING, "gzip");
        if bytes.len() <= MAX_BYTES_AT_ONCE {
            gzip(&bytes)
        } else {
            let compress = move |_: &_| gzip(&bytes);
            service.document(client, 0, compress).await?
        }
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
    let mut beginnings = COMPRESSIBLE.iter();
    beginnings.any(|text| content_type.starts_with(text))
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

/// Returns the length of the content of a gzip file, with which the file ends. RFC 1952, 2.3.1.
fn content_length(file: &[u8]) -> usize {
    let length = file.last_chunk();
    length.map_or(0, |length| u32::from_le_bytes(*length) as usize)
}

/// Returns `true` if a client that sent `headers` accepts gzip.
pub(crate) fn accepts_gzip(headers: &HeaderMap) -> bool {
    let lines = headers.get_all(ACCEPT_ENCODING).iter();
    let lists = lines.filter_map(|line| line.to_str().ok());
    let items = lists.flat_map(|list| list.split(',')).take(MAX_ITEMS);
    // What names gzip counts before the asterisk.
    let named = items.filter_map(read_coding).max();
    named.is_some_and(|(_, is_accepted)| is_accepted)
}

/// Reads an item of a list of codings that means gzip. Returns `true` if it names gzip, and `true` if it accepts it, as any
/// weight but zero does.
fn read_coding(item: &str) -> Option<(bool, bool)> {
    let item = item.to_ascii_lowercase();
    let (name, weight) = item.split_once(';').unwrap_or((&item, ""));
    let weight = weight.trim().strip_prefix("q=").map(str::parse::<f32>);
    let is_named = match name.trim() {
        "gzip" | "x-gzip" => true,
        "*" => false,
        _ => return None,
    };
    Some((is_named, weight != Some(Ok(0.0))))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use super::*;

    #[test]
    fn a_file_is_compressed_and_back() {
        let bytes = b"<svg/>".repeat(1_000);
        let file = gzip(&bytes);
        assert!(file.len() < 100);
        assert_eq!(content_length(&file), 6_000);
        assert_eq!(gunzip(&file), bytes);
    }

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

    const TAG: &str = "\"abc\"";
    const TEXT: &[u8] = b"abc";

    /// 1994-11-06 08:49:37.5 UTC.
    fn modified() -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(784_111_777_500)
    }

    fn check(rows: &[(&[&str], Option<&str>, bool)]) {
        for (tags, since, expected) in rows {
            let mut headers = HeaderMap::new();
            for line in *tags {
                headers.append(IF_NONE_MATCH, HeaderValue::from_str(line).unwrap());
            }
            if let Some(since) = since {
                headers.insert(IF_MODIFIED_SINCE, HeaderValue::from_str(since).unwrap());
            }
            let not_modified = is_not_modified(&headers, TEXT, Some(modified().into()));
            assert_eq!(not_modified, *expected, "{tags:?} {since:?}");
        }
    }

    #[test]
    fn tags_are_compared_weakly() {
        check(&[
            (&[], None, false),
            (&["\"abc\""], None, true),
            (&["W/\"abc\""], None, true),
            (&["*"], None, true),
            (&[" * "], None, true),
            (&["\"x\", \"abc\""], None, true),
            (&["\"x\"", TAG], None, true),
            (&["\"x\",W/\"abc\",\"y\""], None, true),
            (&["\"a,b\", \"abc\""], None, true),
            (&["\"x\""], None, false),
            (&["\"abcd\""], None, false),
            (&["abc"], None, false),
            (&["\"x,abc,y\""], None, false),
            (&["\"*\""], None, false),
            (&[""], None, false),
        ]);
        let late = "\"x\", ".repeat(MAX_ITEMS) + TAG;
        check(&[(&[&late], None, false)]);
    }

    #[test]
    fn dates_count_only_without_tags() {
        let (same, before, after) = (
            Some("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some("Sun, 06 Nov 1994 08:49:36 GMT"),
            Some("Sun, 06 Nov 1994 08:49:38 GMT"),
        );
        check(&[
            (&[], same, true),
            (&[], after, true),
            (&[], before, false),
            (&[], Some("yesterday"), false),
            (&["\"x\""], same, false),
            (&["\"abc\""], before, true),
        ]);
    }
}
