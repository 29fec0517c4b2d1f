//! Responses with pictures, profiles and capes, and how long clients may cache them.

use std::{sync::LazyLock, time::SystemTime};

use effigy_render::ImageFormat;
use effigy_service::{Endpoint, FileRequest, Image, Origin};
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
    COMMON, Response, X_CACHE, disposition::attachment, header_value, set, set_vary, validate,
};

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

/// The response with a picture, for a client that sent `headers`.
pub(crate) fn picture_response(
    request: &FileRequest,
    image: &Image,
    now: SystemTime,
    headers: &HeaderMap,
) -> Response {
    let mut response = file_response(image, now, headers);
    if request.spec.endpoint() == Endpoint::Download && response.status() == StatusCode::OK {
        let disposition = attachment(&request.spec.input());
        response
            .headers_mut()
            .insert(CONTENT_DISPOSITION, disposition);
    }
    response
}

/// The response with any file that is cached like a picture. The status is 304 for a client that sent
/// `headers` and has the file.
pub(crate) fn file_response(image: &Image, now: SystemTime, headers: &HeaderMap) -> Response {
    let mut response = Response::default();
    let (common, origin) = match image.origin {
        Origin::Cache => (&HIT, "hit"),
        Origin::Render | Origin::OutageFallback => (&COMMON, "miss"),
        Origin::Stale => (&COMMON, "stale"),
    };
    response.headers_mut().clone_from(common);
    set(&mut response, X_CACHE, origin);
    set_content(&mut response, image);
    let modified = HttpDate::from(image.file.created_at);
    // An earlier skin can be back, with the picture and the time that it had.
    let version = (!image.may_change).then_some(modified);
    validate(&mut response, &image.fingerprint, version, headers);
    let cache_control = match image.origin {
        Origin::Cache | Origin::Render if !image.may_change => {
            let left = usize::try_from(image.file.time_left(now).as_secs());
            MAX_AGES[left.expect("it is an hour at most")].clone()
        }
        // It may show the wrong player or an old skin the next time.
        _ => HeaderValue::from_static("no-cache"),
    };
    let last_modified = header_value(modified.to_string());
    response.headers_mut().insert(LAST_MODIFIED, last_modified);
    response.headers_mut().insert(CACHE_CONTROL, cache_control);
    response
}

/// Sets the body and the headers that describe it. The body may be compressed.
pub(crate) fn set_content(response: &mut Response, image: &Image) {
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
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use effigy_service::PictureParams;
    use hyper::header::{IF_MODIFIED_SINCE, IF_NONE_MATCH, VARY};

    use super::*;
    use crate::respond::gzip;

    fn image(origin: Origin) -> Image {
        Image::made("abc", "image/png", UNIX_EPOCH, origin)
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
        // XXH3 of "abc".
        let tag = "\"06b05ab6733a618578af5f94892f3950\"";
        let request = HeaderMap::from_iter([(IF_NONE_MATCH, HeaderValue::from_static(tag))]);
        let response = response(Origin::Cache, 100, &request);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(response.body().len(), 0);
        assert_eq!(response.headers()[ETAG], tag);
        assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=3500");
        assert!(!response.headers().contains_key(CONTENT_TYPE));
    }

    #[test]
    fn a_compressed_file_has_the_tag_of_both_forms() {
        let image = Image::made(gzip(b"<svg/>"), "image/svg+xml", UNIX_EPOCH, Origin::Cache);
        let mut request = HeaderMap::new();
        let zipped = file_response(&image, UNIX_EPOCH, &request);
        assert_eq!(zipped.headers()[CONTENT_ENCODING], "gzip");
        assert_eq!(*zipped.body(), image.file.data);
        request.insert(IF_NONE_MATCH, zipped.headers()[ETAG].clone());
        let known = file_response(&image, UNIX_EPOCH, &request);
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
        assert!(!known.headers().contains_key(CONTENT_ENCODING));
        for response in [zipped, known] {
            let tag = [b"W/\"", &image.fingerprint[..], b"\""].concat();
            assert_eq!(response.headers()[ETAG].as_bytes(), tag);
            assert_eq!(response.headers()[VARY], "Accept-Encoding");
        }
    }
}
