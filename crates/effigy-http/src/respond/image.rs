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
    COMMON, Response, X_CACHE, X_EFFIGY_SUBSTITUTE, conditional::tag_or_not_modified,
    disposition::attachment, header_value, set, set_vary,
};

/// The time for which clients may cache a file that shows somebody else, or whose record is old.
/// They may show it for the same time again while they load a new one.
const SHORT: Duration = Duration::from_secs(60);

/// The headers of a PNG from the cache, with placeholders for the headers that differ. Copying the
/// map costs less than adding the headers one by one.
static HIT: LazyLock<HeaderMap> = LazyLock::new(|| {
    let mut headers = COMMON.clone();
    let png = ImageFormat::Png.content_type();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static(png));
    // `max-age` is the time that is left. Caches would subtract any other age from it. RFC 9111,
    // 4.2.3.
    headers.insert(AGE, HeaderValue::from_static("0"));
    for name in [X_CACHE, ETAG, LAST_MODIFIED, CACHE_CONTROL] {
        headers.insert(name, HeaderValue::from_static(""));
    }
    headers
});

/// The header for each number of seconds that a specified picture has left. The texts are leaked,
/// so that cloning a header counts no references.
static MAX_AGES: LazyLock<Vec<HeaderValue>> = LazyLock::new(|| {
    let mut headers = Vec::new();
    for seconds in 0..=LIFETIME.as_secs() {
        let text = format!("public, max-age={seconds}");
        headers.push(HeaderValue::from_static(text.leak()));
    }
    headers
});

/// The rules by which clients may cache files.
#[derive(Debug)]
pub(crate) struct CacheControl {
    usual: HeaderValue,
    short: HeaderValue,
}

impl CacheControl {
    /// The rules for files beyond the specification that may usually be cached for this time.
    pub(crate) fn new(max_age: Duration) -> Self {
        Self {
            usual: usual(max_age),
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

/// Returns the header of files that clients may show for four times as long again while they load
/// new ones.
fn usual(max_age: Duration) -> HeaderValue {
    let seconds = max_age.as_secs();
    let revalidate = seconds * 4;
    header_value(format!(
        "public, max-age={seconds}, stale-while-revalidate={revalidate}"
    ))
}

/// Returns the header of files that clients may show for the same time again while they load new
/// ones.
fn short(max_age: Duration) -> HeaderValue {
    let seconds = max_age.as_secs();
    header_value(format!(
        "public, max-age={seconds}, stale-while-revalidate={seconds}"
    ))
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

/// The response with any file that is cached like a picture. The status is 304 if the client that
/// sent `headers` has the file.
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
    let modified = modified(image);
    tag_or_not_modified(&mut response, &image.fingerprint, modified, headers);
    if let Some(time) = modified {
        let last_modified = header_value(time.to_string());
        response.headers_mut().insert(LAST_MODIFIED, last_modified);
    } else {
        // It may be the placeholder of `HIT`.
        response.headers_mut().remove(LAST_MODIFIED);
    }
    let rule = cache_control.of(image, now);
    response.headers_mut().insert(CACHE_CONTROL, rule);
    response
}

/// Returns the time by which clients may confirm that they have a file. Only specified pictures
/// have one: after skins A, B and A, the time of the first A would confirm B.
fn modified(image: &ServedFile) -> Option<HttpDate> {
    if image.shelf_life == ShelfLife::RestOfHour {
        Some(image.file.created_at.into())
    } else {
        None
    }
}

/// Sets the body and the headers that describe it. The body may be compressed.
pub(crate) fn set_content(response: &mut Response, image: &ServedFile) {
    let file = &image.file;
    // The headers of a hit have the media type of PNG already.
    let is_set =
        image.origin == Origin::Cache && file.content_type == ImageFormat::Png.content_type();
    // A media type with characters that no header may have is left out.
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
