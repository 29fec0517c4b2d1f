//! The query of a URL: names and values.

use percent_encoding::percent_decode_str;

/// What follows the question mark.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// Reads a query as browsers write those of forms. Nothing in it is an error: a broken escape
    /// stands for itself, and bytes that are not UTF-8 become marks that say so.
    pub(crate) fn parse(text: Option<&str>) -> Self {
        let pieces = text.unwrap_or_default().split('&');
        let pairs = pieces.filter(|piece| !piece.is_empty()).map(|piece| {
            let (name, value) = piece.split_once('=').unwrap_or((piece, ""));
            (decode(name), decode(value))
        });
        Self(pairs.collect())
    }

    /// The first value of that name. A name without a value has an empty one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(found, _)| found == name);
        found.map(|(_, value)| value.as_str())
    }
}

fn decode(text: &str) -> String {
    let blanks = text.replace('+', " ");
    percent_decode_str(&blanks).decode_utf8_lossy().into_owned()
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
            assert_eq!(Query::parse(text).get("a"), expected, "{text:?}");
        }
    }
}
