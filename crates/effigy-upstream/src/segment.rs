//! Text as exactly one segment of a URL's path.

use std::fmt;

use effigy_player::Uuid;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::TextureHash;
use crate::default_skins::DefaultSkin;

/// What is left unencoded: the unreserved characters of RFC 3986.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Text encoded so that it is one segment of a path, whatever it holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment(String);

impl Segment {
    /// Encodes the text; `None` where it is empty or only dots, which no encoding keeps from being
    /// read as a step up or as nothing.
    pub(crate) fn encode(text: &str) -> Option<Self> {
        if text.bytes().all(|byte| byte == b'.') {
            return None;
        }
        Some(Self(utf8_percent_encode(text, UNRESERVED).to_string()))
    }
}

impl From<Uuid> for Segment {
    /// The undashed form.
    fn from(uuid: Uuid) -> Self {
        Self(uuid.to_string())
    }
}

impl From<DefaultSkin> for Segment {
    /// The hash.
    fn from(skin: DefaultSkin) -> Self {
        Self(skin.hash.to_owned())
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
    use crate::BaseUrl;

    #[test]
    fn encoded() {
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
    fn what_no_encoding_can_hold() {
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
