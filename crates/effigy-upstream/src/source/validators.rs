//! The validators of a response, by which a server can tell that a file has not changed.

use serde::{Deserialize, Deserializer, Serialize};

/// The longest validator that is kept and sent, in bytes.
const MAX_BYTES: usize = 256;

/// The validators of a file (RFC 9110, section 8.8). They are stored as JSON.
///
/// A validator that is longer than 256 bytes, empty, or not printable ASCII is dropped when it
/// arrives and when it is read from JSON, and is never sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Validators {
    /// The `ETag`, with its quotes.
    #[serde(
        default,
        deserialize_with = "usable",
        skip_serializing_if = "Option::is_none"
    )]
    pub etag: Option<String>,
    /// The `Last-Modified`, as the server wrote it.
    #[serde(
        default,
        deserialize_with = "usable",
        skip_serializing_if = "Option::is_none"
    )]
    pub last_modified: Option<String>,
}

impl Validators {
    /// Creates the validators of a response from its two headers.
    pub(crate) fn new(etag: Option<&str>, last_modified: Option<&str>) -> Self {
        Self {
            etag: etag.filter(|text| is_usable(text)).map(str::to_owned),
            last_modified: last_modified
                .filter(|text| is_usable(text))
                .map(str::to_owned),
        }
    }

    /// Returns the validators that can be sent.
    pub(crate) fn sendable(&self) -> Self {
        Self::new(self.etag.as_deref(), self.last_modified.as_deref())
    }

    /// Returns `true` if both are missing.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}

/// Returns `true` if a validator can be kept, and sent in a header.
fn is_usable(text: &str) -> bool {
    let is_printable = text.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    is_printable && (1..=MAX_BYTES).contains(&text.len())
}

/// Reads a validator, or `None` if it is not usable.
fn usable<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let text = Option::<String>::deserialize(from)?;
    Ok(text.filter(|text| is_usable(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unusable_validators_are_dropped() {
        let longest = "x".repeat(256);
        let too_long = "x".repeat(257);
        for (text, is_kept) in [
            (r#""abc""#, true),
            (r#"W/"abc""#, true),
            (&longest, true),
            (&too_long, false),
            ("", false),
            ("a\r\nX: y", false),
            ("é", false),
        ] {
            let expected = is_kept.then(|| text.to_owned());
            let arrived = Validators::new(Some(text), Some(text));
            assert_eq!(arrived.etag, expected, "{text:?}");
            assert_eq!(arrived.last_modified, expected, "{text:?}");
            assert_eq!(arrived.is_empty(), !is_kept);
            let json = serde_json::json!({ "etag": text, "last_modified": text });
            let read: Validators = serde_json::from_value(json).expect("an object of texts");
            assert_eq!(read, arrived, "{text:?}");
            let set = Validators {
                etag: Some(text.to_owned()),
                last_modified: None,
            };
            assert_eq!(set.sendable().etag, expected, "{text:?}");
        }
    }

    #[test]
    fn validators_are_stored_as_json() {
        let both = Validators::new(Some(r#""a""#), Some("Sun, 06 Nov 1994 08:49:37 GMT"));
        let json = r#"{"etag":"\"a\"","last_modified":"Sun, 06 Nov 1994 08:49:37 GMT"}"#;
        assert_eq!(serde_json::to_string(&both).expect("it has texts"), json);
        assert_eq!(serde_json::from_str::<Validators>(json).ok(), Some(both));
        let none = Validators::default();
        assert_eq!(serde_json::to_string(&none).expect("it is empty"), "{}");
        for empty in ["{}", r#"{"etag":null,"of_a_later_version":1}"#] {
            let read = serde_json::from_str::<Validators>(empty).ok();
            assert_eq!(read, Some(Validators::default()), "{empty}");
        }
    }
}
