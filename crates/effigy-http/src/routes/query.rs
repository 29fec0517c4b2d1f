//! The query of a URL.

use std::borrow::Cow;

/// The text after the question mark, read as browsers write forms.
///
/// Every text is a query: an incomplete escape means itself, and invalid UTF-8 becomes replacement
/// characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Query<'a>(&'a str);

impl<'a> Query<'a> {
    pub(crate) fn new(text: Option<&'a str>) -> Self {
        Self(text.unwrap_or_default())
    }

    /// Returns the first value of that name. A name without a value has an empty one.
    pub(crate) fn get(self, name: &str) -> Option<Cow<'a, str>> {
        let mut pairs = form_urlencoded::parse(self.0.as_bytes());
        pairs.find(|pair| pair.0 == name).map(|(_, value)| value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries() {
        let rows = [
            (None, None),
            (Some(""), None),
            (Some("a"), Some("")),
            (Some("a="), Some("")),
            (Some("a=1"), Some("1")),
            (Some("a=1&a=2"), Some("1")),
            (Some("b=1&&a=2"), Some("2")),
            (Some("a=b=c"), Some("b=c")),
            (Some("a=Two+Words"), Some("Two Words")),
            (Some("a=Two%20Words%2B"), Some("Two Words+")),
            (Some("%61=x"), Some("x")),
            (Some("a=%E5%90%8D"), Some("名")),
            (Some("a=%zz%"), Some("%zz%")),
            (Some("a=%ff"), Some("\u{fffd}")),
            (Some("A=1"), None),
        ];
        for (text, expected) in rows {
            assert_eq!(Query::new(text).get("a").as_deref(), expected, "{text:?}");
        }
    }
}
