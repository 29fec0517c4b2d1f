//! Pictures as answers: how long they may be kept, and whether they need be sent at all.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use effigy_service::{Image, LargePicture, Origin, PictureParams, ServiceError};
use effigy_store::LIFETIME;
use hyper::{
    HeaderMap, Method, StatusCode,
    header::{
        CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, HeaderName, HeaderValue,
        LAST_MODIFIED, WARNING,
    },
    http::request::Parts,
};

use crate::{
    respond::answer::{Answer, set},
    respond::body::Payload,
    respond::conditional::{entity_tag, is_not_modified, weak_entity_tag},
    respond::disposition::attachment,
    respond::headers::{self, X_CACHE},
};

/// What goes with a picture whose hour is over. RFC 7234, 5.5.1.
const STALE: &str = "110 - \"Response is Stale\"";

/// The answer that brings a picture of a player to a client that sent `request`, at the time `now`.
pub(crate) fn picture_answer(
    picture: PictureParams,
    input: &str,
    image: &Image,
    now: SystemTime,
    request: &HeaderMap,
) -> Answer {
    let mut answer = file_answer(image, now, request);
    if picture == PictureParams::DOWNLOAD && answer.status() == StatusCode::OK {
        let headers = answer.headers_mut();
        headers.insert(CONTENT_DISPOSITION, attachment(input));
    }
    answer
}

/// The answer that brings any file that is kept like a picture.
pub(crate) fn file_answer(image: &Image, now: SystemTime, request: &HeaderMap) -> Answer {
    let (file, tag) = (&image.file, entity_tag(&image.fingerprint));
    let is_known = is_not_modified(request, &tag, file.created_at);
    let mut answer = headed(image.origin, tag, file.created_at, file.time_left(now));
    if is_known {
        unmodified(&mut answer);
        return answer;
    }
    *answer.body_mut() = Payload::new(file.data.clone());
    // The headers of a hit have the usual type already.
    if image.origin != Origin::Cache || file.content_type != headers::USUAL_TYPE {
        put(&mut answer, CONTENT_TYPE, file.content_type.clone());
    }
    answer
}

/// The answer that brings a picture while it is drawn. For who has it already, or asks for the head
/// alone, nothing is drawn.
///
/// # Errors
/// When it cannot be drawn.
pub(crate) async fn large_picture_answer(
    picture: LargePicture,
    request: &Parts,
) -> Result<Answer, Arc<ServiceError>> {
    let (tag, modified) = (weak_entity_tag(&picture.fingerprint), picture.created_at);
    let is_known = is_not_modified(&request.headers, &tag, modified);
    let mut answer = headed(picture.origin, tag, modified, LIFETIME);
    if is_known {
        unmodified(&mut answer);
    } else {
        set(&mut answer, CONTENT_TYPE, headers::USUAL_TYPE);
        *answer.body_mut() = match request.method {
            Method::HEAD => Payload::stream_unsent(),
            _ => Payload::stream(picture.begin().await?),
        };
    }
    Ok(answer)
}

/// An answer with what is said of a picture, whether it is sent or not. Others may keep it for what
/// is left of its hour.
fn headed(origin: Origin, tag: String, modified: SystemTime, left: Duration) -> Answer {
    let mut answer = Answer::default();
    match origin {
        Origin::Cache => *answer.headers_mut() = headers::of_a_hit(),
        Origin::Render | Origin::OutageFallback => set(&mut answer, X_CACHE, "miss"),
        Origin::Stale => {
            set(&mut answer, X_CACHE, "stale");
            set(&mut answer, WARNING, STALE);
        }
    }
    put(&mut answer, ETAG, tag);
    put(
        &mut answer,
        LAST_MODIFIED,
        httpdate::fmt_http_date(modified),
    );
    match origin {
        // It shows the wrong player or an old skin, because of an outage.
        Origin::OutageFallback | Origin::Stale => set(&mut answer, CACHE_CONTROL, "no-cache"),
        Origin::Cache | Origin::Render => {
            let kept = format!("public, max-age={}", left.as_secs());
            put(&mut answer, CACHE_CONTROL, kept);
        }
    }
    answer
}

fn unmodified(answer: &mut Answer) {
    *answer.status_mut() = StatusCode::NOT_MODIFIED;
    answer.headers_mut().remove(CONTENT_TYPE);
}

/// Sets a header to a text; one that no header can hold is left out.
fn put(answer: &mut Answer, name: HeaderName, value: String) {
    if let Ok(value) = HeaderValue::try_from(value) {
        answer.headers_mut().insert(name, value);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use bytes::Bytes;
    use effigy_service::Fingerprint;
    use effigy_store::CachedImage;
    use hyper::header::{AGE, IF_NONE_MATCH};

    use super::*;

    fn image(origin: Origin) -> Image {
        let file = CachedImage {
            data: Bytes::from_static(b"abc"),
            content_type: "image/png".to_owned(),
            created_at: UNIX_EPOCH,
        };
        Image::new(file, origin)
    }

    fn answer(origin: Origin, age: u64, request: &HeaderMap) -> Answer {
        let now = UNIX_EPOCH + Duration::from_secs(age);
        picture_answer(PictureParams::SKIN, "Notch", &image(origin), now, request)
    }

    #[test]
    fn a_picture_may_be_kept_for_the_rest_of_its_hour() {
        let rows = [
            (Origin::Render, 0, "public, max-age=3600", "miss"),
            (Origin::Cache, 1, "public, max-age=3599", "hit"),
            (Origin::Cache, 3599, "public, max-age=1", "hit"),
            (Origin::Cache, 3601, "public, max-age=0", "hit"),
            (Origin::OutageFallback, 0, "no-cache", "miss"),
            (Origin::Stale, 3601, "no-cache", "stale"),
        ];
        for (origin, age, cache_control, x_cache) in rows {
            let answer = answer(origin, age, &HeaderMap::new());
            assert_eq!(answer.status(), StatusCode::OK);
            assert_eq!(answer.headers()[CACHE_CONTROL], cache_control, "{age}");
            assert_eq!(answer.headers()[X_CACHE], x_cache, "{age}");
            assert_eq!(answer.headers()[CONTENT_TYPE], "image/png");
            let aged = answer.headers().get(AGE).map(HeaderValue::as_bytes);
            assert_eq!(aged, (x_cache == "hit").then_some(b"0".as_slice()), "{age}");
            let warning = answer.headers().get(WARNING);
            assert_eq!(warning.is_some(), x_cache == "stale", "{age}");
            assert!(warning.is_none_or(|text| text == "110 - \"Response is Stale\""));
            let modified = &answer.headers()[LAST_MODIFIED];
            assert_eq!(modified, "Thu, 01 Jan 1970 00:00:00 GMT");
        }
    }

    #[test]
    fn a_client_that_has_it_is_told_so() {
        let mut request = HeaderMap::new();
        let tag = entity_tag(&Fingerprint::of(b"abc"));
        request.insert(IF_NONE_MATCH, HeaderValue::try_from(&tag).unwrap());
        let answer = answer(Origin::Cache, 100, &request);
        assert_eq!(answer.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(answer.body().bytes(), b"");
        assert_eq!(answer.headers()[ETAG], tag);
        assert_eq!(answer.headers()[CACHE_CONTROL], "public, max-age=3500");
        assert!(!answer.headers().contains_key(CONTENT_TYPE));
    }
}
