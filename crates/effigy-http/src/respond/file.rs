//! Responses with files: pictures, profiles and capes, and documents that are made beforehand. How long clients
//! may cache them, and conditional requests.

use std::time::SystemTime;

use bytes::Bytes;
use effigy_render::ImageFormat;
use effigy_service::{Endpoint, Image, Origin, PictureRequest, fingerprint};
use httpdate::HttpDate;
use hyper::{
    HeaderMap, StatusCode,
    header::{
        CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, ETAG,
        IF_MODIFIED_SINCE, IF_NONE_MATCH, LAST_MODIFIED,
    },
};

use super::{
    body::ResponseBody,
    disposition::attachment,
    response::{
        HIT, Response, X_CACHE, accepts_gzip, gzip, is_compressible, set, set_text, set_vary,
        with_body,
    },
};

/// The response with a picture, for a client that sent `headers`.
pub(crate) fn picture_response(
    request: &PictureRequest,
    image: &Image,
    now: SystemTime,
    headers: &HeaderMap,
) -> Response {
    let mut response = file_response(image, now, headers);
    if request.params.endpoint == Endpoint::Download && response.status() == StatusCode::OK {
        let headers = response.headers_mut();
        headers.insert(CONTENT_DISPOSITION, attachment(request.input()));
    }
    response
}

/// The response with any file that is cached like a picture. The status is 304 for a client that sent
/// `headers` and has the file.
pub(crate) fn file_response(image: &Image, now: SystemTime, headers: &HeaderMap) -> Response {
    let file = &image.file;
    let modified = HttpDate::from(file.created_at);
    // The tag of a text is that of both forms, compressed or not.
    let tag = match is_compressible(file.content_type.as_bytes()) {
        true => weak_tag(image.fingerprint),
        false => strong_tag(image.fingerprint),
    };
    // An earlier skin can be back, with the picture and the time that it had.
    let is_known = match image.may_change {
        true => has_tag(headers, &tag),
        false => is_not_modified(headers, &tag, modified),
    };
    let mut response = Response::default();
    match image.origin {
        Origin::Cache => *response.headers_mut() = HIT.clone(),
        Origin::Render | Origin::OutageFallback => set(&mut response, X_CACHE, "miss"),
        Origin::Stale => set(&mut response, X_CACHE, "stale"),
    }
    set_content(&mut response, image);
    if is_known {
        make_not_modified(&mut response);
    }
    set_text(&mut response, ETAG, tag);
    set_text(&mut response, LAST_MODIFIED, modified.to_string());
    match image.origin {
        Origin::Cache | Origin::Render if !image.may_change => {
            let max_age = file.time_left(now).as_secs();
            set_text(
                &mut response,
                CACHE_CONTROL,
                format!("public, max-age={max_age}"),
            );
        }
        // It may show the wrong player or an old skin the next time.
        _ => set(&mut response, CACHE_CONTROL, "no-cache"),
    }
    response
}

/// Sets the body and the headers that describe it. The body may be compressed.
pub(crate) fn set_content(response: &mut Response, image: &Image) {
    let file = &image.file;
    // The headers of a hit have the type of PNG already.
    if image.origin != Origin::Cache || file.content_type != ImageFormat::Png.content_type() {
        set_text(response, CONTENT_TYPE, file.content_type.clone());
    }
    if is_compressible(file.content_type.as_bytes()) {
        set_vary(response);
    }
    if image.is_gzip() {
        set(response, CONTENT_ENCODING, "gzip");
    }
    *response.body_mut() = file.data.clone().into();
}

/// The entity tag of exactly these bytes.
fn strong_tag(fingerprint: u128) -> String {
    format!("\"{fingerprint:032x}\"")
}

/// The entity tag of bytes with the same meaning.
fn weak_tag(fingerprint: u128) -> String {
    format!("W/\"{fingerprint:032x}\"")
}

/// Tells whether a client that sent `headers` has the version with this tag and time.
fn is_not_modified(headers: &HeaderMap, tag: &str, modified: HttpDate) -> bool {
    // If the client sends tags, the time does not count.
    if headers.contains_key(IF_NONE_MATCH) {
        return has_tag(headers, tag);
    }
    let since = headers.get(IF_MODIFIED_SINCE);
    let since = since.and_then(|value| value.to_str().ok()?.parse().ok());
    since.is_some_and(|since: HttpDate| modified <= since)
}

/// Tells whether a client that sent `headers` has the tag, by the weak comparison.
fn has_tag(headers: &HeaderMap, tag: &str) -> bool {
    let tag = tag.trim_start_matches("W/").trim_matches('"');
    let lines = headers.get_all(IF_NONE_MATCH).iter();
    let mut lines = lines.filter_map(|line| line.to_str().ok());
    // A tag may contain commas, so a list is split at quotes: every second piece is a tag.
    let has_tag = |line: &str| line.split('"').skip(1).step_by(2).any(|found| found == tag);
    lines.any(|line| line.trim() == "*" || has_tag(line))
}

/// Makes a response that of a client which has the file or document.
fn make_not_modified(response: &mut Response) {
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    *response.body_mut() = ResponseBody::default();
    response.headers_mut().remove(CONTENT_TYPE);
    response.headers_mut().remove(CONTENT_ENCODING);
}

/// A document that is ready to be sent. It is made once, or on a drawing thread, because compressing it takes
/// longer than many hits.
#[derive(Debug)]
pub(crate) struct StaticDocument {
    content_type: &'static str,
    identity: Bytes,
    /// The compressed form, if the document is a text.
    gzip: Option<Bytes>,
    /// The hash of the identity, which is the tag of both forms.
    pub(crate) fingerprint: u128,
}

impl StaticDocument {
    pub(crate) fn new(content_type: &'static str, text: impl Into<Bytes>) -> Self {
        let identity = text.into();
        Self {
            content_type,
            gzip: is_compressible(content_type.as_bytes()).then(|| gzip(&identity)),
            fingerprint: fingerprint(&identity),
            identity,
        }
    }

    /// Returns the response with the document, or 304 if the client that sent `headers` has it. Clients
    /// may cache it if they ask each time whether it has changed.
    pub(crate) fn response(&self, headers: &HeaderMap) -> Response {
        let mut response = self.uncached_response(StatusCode::OK, headers);
        let tag = weak_tag(self.fingerprint);
        if has_tag(headers, &tag) {
            make_not_modified(&mut response);
        }
        set(&mut response, CACHE_CONTROL, "no-cache");
        set_text(&mut response, ETAG, tag);
        response
    }

    /// Returns the response that no client caches, in the form that the client that sent `headers` prefers.
    pub(crate) fn uncached_response(&self, status: StatusCode, headers: &HeaderMap) -> Response {
        let accepted = self.gzip.as_ref().filter(|_| accepts_gzip(headers));
        let body = accepted.unwrap_or(&self.identity).clone();
        let mut response = with_body(status, self.content_type, body);
        if accepted.is_some() {
            set(&mut response, CONTENT_ENCODING, "gzip");
        }
        if self.gzip.is_some() {
            set_vary(&mut response);
        }
        set(&mut response, CACHE_CONTROL, "no-store");
        response
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use bytes::Bytes;
    use effigy_service::PictureParams;
    use effigy_store::CachedImage;
    use hyper::header::{ACCEPT_ENCODING, AGE, HeaderValue, VARY};

    use super::*;
    use crate::{routes::DocPage, site::reference::reference};

    fn image(origin: Origin) -> Image {
        let file = CachedImage {
            data: Bytes::from_static(b"abc"),
            content_type: "image/png".to_owned(),
            created_at: UNIX_EPOCH,
        };
        Image::new(file, origin)
    }

    fn response(origin: Origin, age: u64, headers: &HeaderMap) -> Response {
        let now = UNIX_EPOCH + Duration::from_secs(age);
        let request = PictureParams::SKIN.of_player("Notch");
        picture_response(&request, &image(origin), now, headers)
    }

    #[test]
    fn clients_may_cache_a_picture_for_the_rest_of_its_hour() {
        let rows = [
            (Origin::Render, 0, "public, max-age=3600", "miss"),
            (Origin::Cache, 1, "public, max-age=3599", "hit"),
            (Origin::Cache, 3599, "public, max-age=1", "hit"),
            (Origin::Cache, 3601, "public, max-age=0", "hit"),
            (Origin::OutageFallback, 0, "no-cache", "miss"),
            (Origin::Stale, 3601, "no-cache", "stale"),
        ];
        for (origin, age, cache_control, x_cache) in rows {
            let response = response(origin, age, &HeaderMap::new());
            assert_eq!(response.status(), StatusCode::OK);
            assert_eq!(response.headers()[CACHE_CONTROL], cache_control, "{age}");
            assert_eq!(response.headers()[X_CACHE], x_cache, "{age}");
            assert_eq!(response.headers()[CONTENT_TYPE], "image/png");
            let age_header = response.headers().get(AGE).map(HeaderValue::as_bytes);
            assert_eq!(
                age_header,
                (x_cache == "hit").then_some(b"0".as_slice()),
                "{age}"
            );
            let modified = &response.headers()[LAST_MODIFIED];
            assert_eq!(modified, "Thu, 01 Jan 1970 00:00:00 GMT");
        }
    }

    #[test]
    fn clients_ask_each_time_for_a_picture_that_may_change() {
        let image = Image {
            may_change: true,
            ..image(Origin::Cache)
        };
        let mut headers = HeaderMap::new();
        let later = HeaderValue::from_static("Fri, 02 Jan 1970 00:00:00 GMT");
        headers.insert(IF_MODIFIED_SINCE, later);
        for status in [StatusCode::OK, StatusCode::NOT_MODIFIED] {
            let response = file_response(&image, UNIX_EPOCH, &headers);
            assert_eq!(response.status(), status);
            assert_eq!(response.headers()[CACHE_CONTROL], "no-cache");
            headers.insert(IF_NONE_MATCH, response.headers()[ETAG].clone());
        }
    }

    #[test]
    fn a_client_that_has_the_picture_gets_304() {
        let mut request = HeaderMap::new();
        let tag = strong_tag(fingerprint(b"abc"));
        request.insert(IF_NONE_MATCH, HeaderValue::try_from(&tag).unwrap());
        let response = response(Origin::Cache, 100, &request);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(response.body().bytes.len(), 0);
        assert_eq!(response.headers()[ETAG], tag);
        assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=3500");
        assert!(!response.headers().contains_key(CONTENT_TYPE));
    }

    #[test]
    fn a_compressed_file_has_the_tag_of_both_forms() {
        let file = CachedImage {
            data: gzip(b"<svg/>"),
            content_type: "image/svg+xml".to_owned(),
            created_at: UNIX_EPOCH,
        };
        let image = Image::new(file, Origin::Cache);
        let mut request = HeaderMap::new();
        let zipped = file_response(&image, UNIX_EPOCH, &request);
        assert_eq!(zipped.headers()[CONTENT_ENCODING], "gzip");
        assert_eq!(zipped.body().bytes, image.file.data);
        request.insert(IF_NONE_MATCH, zipped.headers()[ETAG].clone());
        let known = file_response(&image, UNIX_EPOCH, &request);
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
        assert!(!known.headers().contains_key(CONTENT_ENCODING));
        for response in [zipped, known] {
            assert_eq!(response.headers()[ETAG], weak_tag(image.fingerprint));
            assert_eq!(response.headers()[VARY], "Accept-Encoding");
        }
    }

    const TAG: &str = "\"abc\"";

    /// 1994-11-06 08:49:37.5 UTC.
    fn modified() -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(784_111_777_500)
    }

    fn check(rows: &[(Option<&str>, Option<&str>, bool)]) {
        for (tags, since, expected) in rows {
            let mut headers = HeaderMap::new();
            if let Some(tags) = tags {
                headers.insert(IF_NONE_MATCH, HeaderValue::from_str(tags).unwrap());
            }
            if let Some(since) = since {
                headers.insert(IF_MODIFIED_SINCE, HeaderValue::from_str(since).unwrap());
            }
            let not_modified = is_not_modified(&headers, TAG, modified().into());
            assert_eq!(not_modified, *expected, "{tags:?} {since:?}");
        }
    }

    #[test]
    fn tags_are_compared_weakly() {
        check(&[
            (None, None, false),
            (Some("\"abc\""), None, true),
            (Some("W/\"abc\""), None, true),
            (Some("*"), None, true),
            (Some(" * "), None, true),
            (Some("\"x\", \"abc\""), None, true),
            (Some("\"x\",W/\"abc\",\"y\""), None, true),
            (Some("\"a,b\", \"abc\""), None, true),
            (Some("\"x\""), None, false),
            (Some("\"abcd\""), None, false),
            (Some("abc"), None, false),
            (Some("\"x,abc,y\""), None, false),
            (Some("\"*\""), None, false),
            (Some(""), None, false),
        ]);
    }

    #[test]
    fn dates_count_only_without_tags() {
        let (same, before, after) = (
            Some("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some("Sun, 06 Nov 1994 08:49:36 GMT"),
            Some("Sun, 06 Nov 1994 08:49:38 GMT"),
        );
        check(&[
            (None, same, true),
            (None, after, true),
            (None, before, false),
            (None, Some("yesterday"), false),
            (Some("\"x\""), same, false),
            (Some("\"abc\""), before, true),
        ]);
    }

    #[test]
    fn every_line_of_tags_is_read() {
        let mut headers = HeaderMap::new();
        headers.append(IF_NONE_MATCH, HeaderValue::from_static("\"x\""));
        headers.append(IF_NONE_MATCH, HeaderValue::from_static(TAG));
        assert!(is_not_modified(&headers, TAG, modified().into()));
    }

    #[test]
    fn a_strong_tag_is_the_hash_of_the_bytes() {
        let tag = strong_tag(fingerprint(b"abc"));
        // XXH3 of "abc".
        assert_eq!(tag, "\"06b05ab6733a618578af5f94892f3950\"");
    }

    #[test]
    fn both_forms_have_one_tag_and_depend_on_the_same_header() {
        let document = StaticDocument::new("text/plain", "abc".repeat(100));
        let mut request = HeaderMap::new();
        let plain = document.response(&request);
        assert_eq!(plain.status(), StatusCode::OK);
        assert_eq!(plain.headers()[CONTENT_TYPE], "text/plain");
        assert!(!plain.headers().contains_key(CONTENT_ENCODING));
        request.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        let zipped = document.response(&request);
        assert_eq!(zipped.headers()[CONTENT_ENCODING], "gzip");
        request.insert(IF_NONE_MATCH, plain.headers()[ETAG].clone());
        let known = document.response(&request);
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
        for response in [plain, zipped, known] {
            assert_eq!(response.headers()[ETAG], weak_tag(document.fingerprint));
            assert_eq!(response.headers()[VARY], "Accept-Encoding");
            assert_eq!(response.headers()[CACHE_CONTROL], "no-cache");
        }
    }

    #[test]
    fn documents_are_made_once() {
        let mut request = HeaderMap::new();
        for accepted in ["identity", "gzip"] {
            request.insert(ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            let documents = [&*crate::openapi::DOCUMENT, reference(DocPage::Main)];
            for document in documents {
                let bytes = || {
                    let response = document.response(&request);
                    response.into_body().bytes
                };
                let (first, second) = (bytes(), bytes());
                assert!(first.len() > 1_000);
                assert_eq!(
                    first.as_ptr(),
                    second.as_ptr(),
                    "the same bytes, not a copy"
                );
            }
        }
    }

    #[test]
    fn another_document_is_sent_and_pictures_are_not_compressed() {
        let mut request = HeaderMap::new();
        request.insert(ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
        let first = StaticDocument::new("image/png", "abc");
        request.insert(
            IF_NONE_MATCH,
            first.response(&request).headers()[ETAG].clone(),
        );
        let second = StaticDocument::new("image/png", "abd").response(&request);
        assert_eq!(second.status(), StatusCode::OK);
        assert!(!second.headers().contains_key(VARY));
        assert!(!second.headers().contains_key(CONTENT_ENCODING));
    }
}
