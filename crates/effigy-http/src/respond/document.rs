//! Documents that clients may cache if they ask each time whether they have changed.

use bytes::Bytes;
use effigy_service::Fingerprint;
use hyper::{
    HeaderMap, StatusCode,
    header::{CACHE_CONTROL, ETAG},
};

use super::{
    conditional::{has_tag, weak_tag},
    response::{Response, empty, set, set_text, with_body},
};

/// The response with a document, or 304 if the client that sent `headers` has it.
pub(crate) fn document_response(
    content_type: &'static str,
    body: Bytes,
    headers: &HeaderMap,
) -> Response {
    // The tag is weak because the document may be compressed.
    let tag = weak_tag(&Fingerprint::of(&body));
    let mut response = if has_tag(headers, &tag) {
        empty(StatusCode::NOT_MODIFIED)
    } else {
        with_body(StatusCode::OK, content_type, body)
    };
    set(&mut response, CACHE_CONTROL, "no-cache");
    set_text(&mut response, ETAG, tag);
    response
}

#[cfg(test)]
mod tests {
    use hyper::header::{CONTENT_TYPE, IF_NONE_MATCH};

    use super::*;

    #[test]
    fn a_client_that_has_the_document_gets_304() {
        let body = || Bytes::from_static(b"abc");
        let first = document_response("text/plain", body(), &HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        assert_eq!(first.headers()[CONTENT_TYPE], "text/plain");
        assert_eq!(first.headers()[CACHE_CONTROL], "no-cache");
        let mut request = HeaderMap::new();
        request.insert(IF_NONE_MATCH, first.headers()[ETAG].clone());
        let second = document_response("text/plain", body(), &request);
        assert_eq!(second.status(), StatusCode::NOT_MODIFIED);
        assert_eq!(second.headers()[ETAG], first.headers()[ETAG]);
        let other = document_response("text/plain", Bytes::from_static(b"abd"), &request);
        assert_eq!(other.status(), StatusCode::OK);
    }
}
