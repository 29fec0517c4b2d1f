//! Documents that are made once, with their compressed form.

use bytes::Bytes;
use effigy_service::fingerprint;
use hyper::{
    HeaderMap, StatusCode,
    header::{CACHE_CONTROL, CONTENT_ENCODING},
};

use super::{
    Response,
    conditional::tag_or_not_modified,
    encoding::{accepts_gzip, gzip},
    is_compressible, set, with_body,
};

/// A document that is ready to be sent. Compressing it takes longer than many hits, so it is made
/// once or on a drawing thread.
#[derive(Debug)]
pub(crate) struct StaticDocument {
    content_type: &'static str,
    identity: Bytes,
    /// The compressed form, if the document is a text.
    gzip: Option<Bytes>,
    /// The hash of the identity. Both forms have it as their tag.
    pub(crate) fingerprint: [u8; 32],
}

impl StaticDocument {
    pub(crate) fn new(content_type: &'static str, text: impl Into<Bytes>) -> Self {
        let identity = text.into();
        let gzip = if is_compressible(content_type.as_bytes()) {
            Some(gzip(&identity))
        } else {
            None
        };
        Self {
            content_type,
            gzip,
            fingerprint: fingerprint(&identity),
            identity,
        }
    }

    /// Returns the response with the document, or 304 if the client that sent `headers` has it.
    /// Clients may cache it, but must ask each time whether it has changed.
    pub(crate) fn response(&self, headers: &HeaderMap) -> Response {
        let mut response = self.uncached_response(StatusCode::OK, headers);
        tag_or_not_modified(&mut response, &self.fingerprint, None, headers);
        set(&mut response, CACHE_CONTROL, "no-cache");
        response
    }

    /// Returns the response that no client caches. It is compressed if the client that sent
    /// `headers` accepts that.
    pub(crate) fn uncached_response(&self, status: StatusCode, headers: &HeaderMap) -> Response {
        let mut response = with_body(status, self.content_type, self.identity.clone());
        if let Some(gzip) = &self.gzip
            && accepts_gzip(headers)
        {
            *response.body_mut() = gzip.clone();
            set(&mut response, CONTENT_ENCODING, "gzip");
        }
        set(&mut response, CACHE_CONTROL, "no-store");
        response
    }
}

#[cfg(test)]
mod tests {
    use hyper::header::{
        ACCEPT_ENCODING, CONTENT_TYPE, ETAG, HeaderName, HeaderValue, IF_NONE_MATCH, VARY,
    };

    use super::*;
    use crate::site::REFERENCE;

    const GZIP: (HeaderName, HeaderValue) = (ACCEPT_ENCODING, HeaderValue::from_static("gzip"));

    #[test]
    fn both_forms_have_one_tag_and_depend_on_the_same_header() {
        let document = StaticDocument::new("text/plain", "abc".repeat(100));
        let plain = document.response(&HeaderMap::new());
        assert_eq!(plain.status(), StatusCode::OK);
        assert_eq!(plain.headers()[CONTENT_TYPE], "text/plain");
        assert!(!plain.headers().contains_key(CONTENT_ENCODING));
        let zipped = document.response(&HeaderMap::from_iter([GZIP]));
        assert_eq!(zipped.headers()[CONTENT_ENCODING], "gzip");
        let known_tag = (IF_NONE_MATCH, plain.headers()[ETAG].clone());
        let request = HeaderMap::from_iter([GZIP, known_tag]);
        let known = document.response(&request);
        assert_eq!(known.status(), StatusCode::NOT_MODIFIED);
        for response in [plain, zipped, known] {
            let tag = [b"W/\"", &document.fingerprint[..], b"\""].concat();
            assert_eq!(response.headers()[ETAG].as_bytes(), tag);
            assert_eq!(response.headers()[VARY], "Accept-Encoding");
            assert_eq!(response.headers()[CACHE_CONTROL], "no-cache");
        }
        // Another document is sent, and a picture is not compressed.
        let other = StaticDocument::new("image/png", "abd").response(&request);
        assert_eq!(other.status(), StatusCode::OK);
        assert!(!other.headers().contains_key(VARY));
        assert!(!other.headers().contains_key(CONTENT_ENCODING));
    }

    #[test]
    fn documents_are_made_once() {
        for request in [HeaderMap::new(), HeaderMap::from_iter([GZIP])] {
            for document in [&*crate::openapi::DOCUMENT, REFERENCE.at("/docs")] {
                let first = document.response(&request).into_body();
                let second = document.response(&request).into_body();
                assert!(first.len() > 1_000);
                assert_eq!(first.as_ptr(), second.as_ptr(), "not a copy");
            }
        }
    }
}
