//! Responses with pictures, profiles and capes, and how long clients may cache them.

use std::{
    sync::LazyLock,
    time::{Duration, SystemTime},
};

use effigy_render::ImageFormat;
use effigy_service::{Endpoint, FileRequest, Origin, ServedFile, ShelfLife};
use effigy_store::LIFETIME;
use httpdate::HttpDate;
use hyper::{
    HeaderMap, StatusCode,
    header::{
        AGE, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_ENCODING, CONTENT_TYPE, ETAG, HeaderValue,
        LAST_MODIFIED,
    },
};

use super::{
    COMMON, Response, X_CACHE, X_EFFIGY_SUBSTITUTE, disposition::attachment, header_value, set,
    set_vary, validate,
};

/// The time for which a file may be cached at most that lacks a player, or whose record is old. It
/// may be shown for as long again while it is asked for.
const SHORT: Duration = Duration::from_secs(60);

/// The headers of a PNG from the cache, with placeholders for those of the single picture. Copying the map
/// costs less than adding its headers one by one.
static HIT: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers = COMMON.clone();
    // `max-age` is the time that is left now. The picture's own age would be subtracted from it
    // again. RFC 9111, 4.2.3.
    let png = ImageFormat::Png.content_type();
    let own = [(CONTENT_TYPE, png), (AGE, "0")];
    let empty = [X_CACHE, ETAG, LAST_MODIFIED, CACHE_CONTROL].map(|name| (name, ""));
    for (name, value) in own.into_iter().chain(empty) {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
});

/// The header of a file for each time that it may be cached, without a count of its users.
static MAX_AGES: LazyLock<Vec<HeaderValue>> = LazyLock::new(|| {
    let header = |seconds| HeaderValue::from_static(format!("public, max-age={seconds}").leak());
    (0..=LIFETIME.as_secs()).map(header).collect()
});

/// The rules by which clients may cache files.
#[derive(Debug)]
pub(crate) struct CacheControl {
    usual: HeaderValue,
    short: HeaderValue,
}

impl CacheControl {
    /// The rules, if files beyond the specification may usually be cached for this time.
    pub(crate) fn new(max_age: Duration) -> Self {
        Self {
            usual: public(max_age),
            short: short(max_age.min(SHORT)),
        }
    }

    /// Returns the header of a file.
    fn of(&self, image: &ServedFile, now: SystemTime) -> HeaderValue {
        match image.shelf_life {
            ShelfLife::Day => HeaderValue::from_static("public, max-age=86400"),
            ShelfLife::RestOfHour => {
                let left = usize::try_from(image.file.time_left(now).as_secs());
                MAX_AGES[left.expect("it is an hour at most")].clone()
            }
            ShelfLife::Usual => self.usual.clone(),
            ShelfLife::Short => self.short.clone(),
            ShelfLife::Unchecked => {
                HeaderValue::from_static("public, max-age=5, stale-while-revalidate=55")
            }
            ShelfLife::Revalidate => HeaderValue::from_static("no-cache"),
        }
    }
}

/// Returns the header of files that must soon be asked for again.
fn short(max_age: Duration) -> HeaderValue {
    let seconds = max_age.as_secs();
    header_value(format!(
        "public, max-age={seconds}, stale-while-revalidate={seconds}"
    ))
}

/// Returns the header of files that may be cached for a time, and shown four times as long while
/// they are asked for again.
fn public(max_age: Duration) -> HeaderValue {
    let seconds = max_age.as_secs();
    let revalidate = seconds * 4;
    let text = format!("public, max-age={seconds}, stale-while-revalidate={revalidate}");
    header_value(text)
}

/// The response with a picture, for a client that sent `headers`.
pub(crate) fn picture_response(
    request: &FileRequest,
    image: &ServedFile,
    now: SystemTime,
    headers: &HeaderMap,
    cache_control: &CacheControl,
) -> Response {
    let mut response = file_response(image, now, headers, cache_control);
    if request.spec.endpoint() == Endpoint::Download && response.status() == StatusCode::OK {
        let disposition = attachment(&request.spec.input());
        response
            .headers_mut()
            .insert(CONTENT_DISPOSITION, disposition);
    }
    response
}

/// The response with any file that is cached like a picture. The status is 304 for a client that
/// sent `headers` and has the file.
pub(crate) fn file_response(
    image: &ServedFile,
    now: SystemTime,
    headers: &HeaderMap,
    cache_control: &CacheControl,
) -> Response {
    let mut response = Response::default();
    let (common, origin) = match image.origin {
        Origin::Cache => (&HIT, "hit"),
        Origin::Render => (&COMMON, "miss"),
        Origin::Stale => (&COMMON, "stale"),
    };
    response.headers_mut().clone_from(common);
    set(&mut response, X_CACHE, origin);
    if let Some(substitution) = image.substitution {
        set(&mut response, X_EFFIGY_SUBSTITUTE, substitution.as_str());
    }
    set_content(&mut response, image);
    let modified = HttpDate::from(image.file.created_at);
    // After skins A, B and A, the time of the first A would confirm B.
    let has_time = image.shelf_life == ShelfLife::RestOfHour;
    validate(
        &mut response,
        &image.fingerprint,
        has_time.then_some(modified),
        headers,
    );
    if has_time {
        let last_modified = header_value(modified.to_string());
        response.headers_mut().insert(LAST_MODIFIED, last_modified);
    } else {
        response.headers_mut().remove(LAST_MODIFIED);
    }
    let cache_control = cache_control.of(image, now);
    response.headers_mut().insert(CACHE_CONTROL, cache_control);
    response
}

/// Sets the body and the headers that describe it. The body may be compressed.
pub(crate) fn set_content(response: &mut Response, image: &ServedFile) {
    let file = &image.file;
    let is_set =
        image.origin == Origin::Cache && file.content_type == ImageFormat::Png.content_type();
    // A text with characters that no header may have is left out.
    if !is_set && let Ok(content_type) = HeaderValue::from_str(&file.content_type) {
        response.headers_mut().insert(CONTENT_TYPE, content_type);
    }
    set_vary(response);
    if image.is_gzip() {
        set(response, CONTENT_ENCODING, "gzip");
    }
    *response.body_mut() = file.data.clone();
}

#[cfg(test)]
mod tests;
