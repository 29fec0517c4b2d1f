//! Documents that a client may keep as long as it asks whether they still hold.

use bytes::Bytes;
use effigy_service::Fingerprint;
use hyper::{
    HeaderMap, StatusCode,
    header::{CACHE_CONTROL, ETAG, HeaderValue},
};

use crate::{
    respond::answer::{Answer, empty, set, whole},
    respond::conditional::{entity_tag, has_tag},
};

/// The document, or word that a client that sent `request` has it already.
pub(crate) fn fresh(content_type: &'static str, body: Bytes, request: &HeaderMap) -> Answer {
    // Gzipped or not it is one document, so the tag is weak.
    let tag = format!("W/{}", entity_tag(&Fingerprint::of(&body)));
    let mut answer = if has_tag(request, &tag) {
        empty(StatusCode::NOT_MODIFIED)
    } else {
        whole(StatusCode::OK, content_type, body)
    };
    set(&mut answer, CACHE_CONTROL, "no-cache");
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        answer.headers_mut().insert(ETAG, tag);
    }
    answer
}

#[cfg(test)]
mod tests {
    use hyper::header::{CONTENT_TYPE, IF_NONE_MATCH};

    use super::*;

    #[test]
    fn a_client_that_has_it_is_told_so() {
        let body = || Bytes::from_static(b"abc");
        let first = fresh("text/plain", body(), &HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        assert_eq!(first.headers()[CONTENT_TYPE], "text/plain");
        assert_eq!(first.headers()[CACHE_CONTROL], "no-cache");
        let mut request = HeaderMap::new();
        request.insert(IF_NONE_MATCH, first.headers()[ETAG].clone());
        let second = fresh("text/plain", body(), &request);
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(second.headers()[ETAG], first.headers()[ETAG]);
        let other = fresh("text/plain", Bytes::from_static(b"abd"), &request);
        assert_eq!(other.status(), StatusCode::OK);
    }
}
