//! The base URL of a service, and the URLs below it.

use std::fmt;

use effigy_player::Uuid;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use super::error::ConfigError;
use crate::texture_hash::TextureHash;

/// The address of a service: http or https, optionally with a path before the service's own paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Parses a base URL. A slash at its end makes no difference. `setting` is the operator's name
    /// for it.
    ///
    /// # Errors
    ///
    /// [`ConfigError::BaseUrl`] for anything but an http or https URL of a host, a port and a path.
    pub fn parse(setting: &str, value: &str) -> Result<Self, ConfigError> {
        let bad = |problem| ConfigError::BaseUrl {
            setting: setting.to_owned(),
            value: value.to_owned(),
            problem,
        };
        let url = Url::parse(value.trim()).map_err(|_| bad("is not a url"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("does not begin with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("must not hold a user name or password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(bad("must not have a query or fragment"));
        }
        Ok(Self(url))
    }

    /// Returns the URL of `segment` below `path`, which has no slash at either end.
    pub(crate) fn join(&self, path: &str, segment: &Segment) -> Url {
        let mut url = self.0.clone();
        let base = self.0.path().trim_end_matches('/');
        url.set_path(&format!("{base}/{path}/{segment}"));
        url
    }

    pub(crate) const fn as_url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.as_str().trim_end_matches('/'))
    }
}

/// The unreserved characters of RFC 3986, which stay as they are.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Text that is encoded as exactly one segment of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment(String);

impl Segment {
    /// Encodes the text. Returns `None` if it is empty or only dots: URL parsers drop such segments
    /// in any encoding.
    pub(crate) fn encode(text: &str) -> Option<Self> {
        if text.bytes().all(|byte| byte == b'.') {
            return None;
        }
        Some(Self(utf8_percent_encode(text, UNRESERVED).to_string()))
    }
}

impl From<Uuid> for Segment {
    /// Uses the form without hyphens.
    fn from(uuid: Uuid) -> Self {
        Self(uuid.to_string())
    }
}

impl From<&TextureHash> for Segment {
    fn from(hash: &TextureHash) -> Self {
        Self(hash.as_str().to_owned())
    }
}

impl fmt::Display for Segment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn segments_are_percent_encoded() {
        for (text, expected) in [
            ("Notch", "Notch"),
            ("a_b-c.d~e", "a_b-c.d~e"),
            ("Some Player", "Some%20Player"),
            ("Tag#1234", "Tag%231234"),
            ("../../x", "..%2F..%2Fx"),
            ("a?b&c", "a%3Fb%26c"),
            ("%2e%2e", "%252e%252e"),
            ("a\\b", "a%5Cb"),
            ("a\r\nb\t", "a%0D%0Ab%09"),
            ("é", "%C3%A9"),
        ] {
            let segment = Segment::encode(text).map(|segment| segment.to_string());
            assert_eq!(segment.as_deref(), Some(expected), "{text:?}");
        }
    }

    #[test]
    fn empty_text_and_dots_have_no_encoding() {
        for text in ["", ".", "..", "..."] {
            assert_eq!(Segment::encode(text), None, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_exactly_one_segment(text: String) {
            let base = BaseUrl::parse("test", "http://127.0.0.1:1/api/").expect("a good url");
            if let Some(segment) = Segment::encode(&text) {
                let url = base.join("v2/skin", &segment);
                let segments: Vec<&str> = url.path_segments().expect("a path").collect();
                prop_assert_eq!(&segments[..3], &["api", "v2", "skin"]);
                prop_assert_eq!(segments.len(), 4);
                let decoded = percent_encoding::percent_decode_str(segments[3]).decode_utf8();
                prop_assert_eq!(decoded.as_deref(), Ok(text.as_str()));
                prop_assert_eq!((url.query(), url.fragment()), (None, None));
            }
        }
    }
}
