//! Responses with pictures: how long clients may cache them, and conditional requests.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_render::ImageFormat;
use effigy_service::{
    Endpoint, Image, LargePicture, Origin, PictureRequest, PictureStream, ServiceError,
};
use effigy_store::LIFETIME;
use hyper::{
    HeaderMap, Method, StatusCode,
    header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, LAST_MODIFIED},
    http::request::Parts,
};

use super::{
    body::ResponseBody,
    conditional::{has_tag, is_not_modified, strong_tag, weak_tag},
    disposition::attachment,
    gzip::{is_compressible, set_vary},
    headers::{X_CACHE, hit_headers},
    response::{Response, set, set_text},
};
use crate::{clients::Place, server::activity::LargePictureInFlight};

/// The response with a picture, for a client that sent `headers`.
pub(crate) fn picture_response(
    request: &PictureRequest,
    image: &Image,
    now: SystemTime,
    headers: &HeaderMap,
) -> Response {
    let mut response = file_response(image, now, headers);
    if request.endpoint() == Endpoint::Download && response.status() == StatusCode::OK {
        let headers = response.headers_mut();
        headers.insert(CONTENT_DISPOSITION, attachment(request.input()));
    }
    response
}

/// The response with any file that is cached like a picture.
pub(crate) fn file_response(image: &Image, now: SystemTime, headers: &HeaderMap) -> Response {
    let file = &image.file;
    let is_png = file.content_type == ImageFormat::Png.content_type();
    let is_text = !is_png && is_compressible(file.content_type.as_bytes());
    // The tag is that of both forms of a text, compressed or not.
    let tag = match is_text {
        true => weak_tag(&image.fingerprint),
        false => strong_tag(&image.fingerprint),
    };
    let max_age = (!image.may_change).then(|| file.time_left(now));
    let mut response = cacheable(image.origin, tag, file.created_at, max_age, headers);
    if is_text {
        set_vary(&mut response);
    }
    if response.status() == StatusCode::NOT_MODIFIED {
        return response;
    }
    *response.body_mut() = ResponseBody::new(file.data.clone());
    // The headers of a hit have the type of PNG already.
    if image.origin != Origin::Cache || !is_png {
        set_text(&mut response, CONTENT_TYPE, file.content_type.clone());
    }
    response
}

/// The shared things that a client uses while a large picture is sent to it.
#[derive(Debug)]
pub(crate) struct Sending {
    pub(crate) _place: Place,
    pub(crate) _large_picture: LargePictureInFlight,
}

/// The response with a large picture, which is drawn while it is sent. It is not drawn for HEAD, nor for
/// a client that has it, and otherwise only if `begin` permits it.
///
/// # Errors
/// If too many large pictures are being drawn, or it cannot be drawn.
pub(crate) async fn large_picture_response<E: From<Arc<ServiceError>>>(
    picture: LargePicture,
    request: &Parts,
    begin: impl FnOnce(&LargePicture) -> Result<Sending, E>,
) -> Result<Response, E> {
    // The fingerprint is that of what the picture is drawn from.
    let (tag, modified) = (weak_tag(&picture.fingerprint), picture.created_at);
    let max_age = (!picture.may_change()).then_some(LIFETIME);
    let mut response = cacheable(picture.origin, tag, modified, max_age, &request.headers);
    if response.status() == StatusCode::NOT_MODIFIED {
        return Ok(response);
    }
    set(&mut response, CONTENT_TYPE, ImageFormat::Png.content_type());
    *response.body_mut() = match request.method {
        Method::HEAD => ResponseBody::Stream(None),
        _ => {
            let sending = begin(&picture)?;
            ResponseBody::stream(picture.begin().await?, sending)
        }
    };
    Ok(response)
}

/// The response with a large picture that no cache may keep.
pub(crate) fn stream_response(picture: PictureStream, sending: Sending) -> Response {
    let mut response = Response::default();
    set(&mut response, CONTENT_TYPE, ImageFormat::Png.content_type());
    *response.body_mut() = ResponseBody::stream(picture, sending);
    response
}

/// A response without a body, but with the headers that describe a picture. Clients may cache it for
/// `max_age`, or have to ask each time without it. The status is 304 for a client that sent `headers` and
/// has the picture.
fn cacheable(
    origin: Origin,
    tag: String,
    modified: SystemTime,
    max_age: Option<Duration>,
    headers: &HeaderMap,
) -> Response {
    let is_known = match max_age {
        Some(_) => is_not_modified(headers, &tag, modified),
        // An earlier skin can be back, with the picture and the time that it had.
        None => has_tag(headers, &tag),
    };
    let mut response = Response::default();
    match origin {
        Origin::Cache => *response.headers_mut() = hit_headers(),
        Origin::Render | Origin::OutageFallback => set(&mut response, X_CACHE, "miss"),
        Origin::Stale => set(&mut response, X_CACHE, "stale"),
    }
    set_text(&mut response, ETAG, tag);
    let modified = httpdate::fmt_http_date(modified);
    set_text(&mut response, LAST_MODIFIED, modified);
    match (origin, max_age) {
        (Origin::Cache | Origin::Render, Some(max_age)) => {
            let value = format!("public, max-age={}", max_age.as_secs());
            set_text(&mut response, CACHE_CONTROL, value);
        }
        // It may show the wrong player or an old skin the next time.
        _ => set(&mut response, CACHE_CONTROL, "no-cache"),
    }
    if is_known {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.headers_mut().remove(CONTENT_TYPE);
    }
    response
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use bytes::Bytes;
    use effigy_service::{Fingerprint, PictureParams};
    use effigy_store::CachedImage;
    use hyper::header::{AGE, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH};

    use super::*;

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
        let tag = strong_tag(&Fingerprint::of(b"abc"));
        request.insert(IF_NONE_MATCH, HeaderValue::try_from(&tag).unwrap());
        let response = response(Origin::Cache, 100, &request);
        assert_eq!(response.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(response.body().bytes(), b"");
        assert_eq!(response.headers()[ETAG], tag);
        assert_eq!(response.headers()[CACHE_CONTROL], "public, max-age=3500");
        assert!(!response.headers().contains_key(CONTENT_TYPE));
    }
}
