//! The parameters in the query of a URL.

use std::{borrow::Cow, collections::HashMap};

use effigy_parameters::{Kind, Output, find, value};

use super::{
    path::{decode, is_raw_placeholder},
    rejection::{Parsed, Rejection},
    unknown_parameter::{cut, unknown_parameter},
    version::is_version,
};

/// The number of parameters that are read. No valid query has more: it would have an unknown
/// parameter, a duplicate, or too many players.
const MAX_PARAMETERS: usize = 160;

/// The parameters after the question mark, read as browsers write forms.
#[derive(Debug, Default)]
pub(crate) struct Query<'a> {
    /// The names and values, in the order of the URL.
    pairs: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

impl<'a> Query<'a> {
    /// Parses a query, in which a placeholder such as `%uuid%` may stand for a value.
    ///
    /// # Errors
    /// If it has a malformed escape that is not a placeholder's, or text that is not UTF-8.
    pub(crate) fn parse(text: Option<&'a str>) -> Parsed<Self> {
        let text = text.unwrap_or_default();
        if decode(text).is_ok() {
            return Ok(Self::parse_lossy(Some(text)));
        }
        // A percent sign of a placeholder looks like a malformed escape.
        let escaped = with_escaped_placeholders(text);
        decode(&escaped)?;
        Ok(Query::parse_lossy(Some(&escaped)).into_owned())
    }

    /// Parses a query in which a malformed escape means itself, and invalid UTF-8 becomes
    /// replacement characters.
    pub(crate) fn parse_lossy(text: Option<&'a str>) -> Self {
        let parameters = form_urlencoded::parse(text.unwrap_or_default().as_bytes());
        let pairs = parameters.take(MAX_PARAMETERS).collect();
        Self { pairs }
    }

    /// Returns a copy that doesn't borrow the text of the query.
    fn into_owned<'b>(self) -> Query<'b> {
        let mut pairs = Vec::new();
        for (name, value) in self.pairs {
            let owned_name = Cow::Owned(name.into_owned());
            let owned_value = Cow::Owned(value.into_owned());
            pairs.push((owned_name, owned_value));
        }
        Query { pairs }
    }

    /// Checks that an output, or the route itself, has each of the parameters. An output of `None`
    /// has no parameters.
    ///
    /// # Errors
    /// If a parameter is unknown, or one that is not a list has several values.
    pub(super) fn reject_unknown(&self, output: Option<Output>, own: &[&str]) -> Parsed<()> {
        let counts = self.counts();
        for (name, value) in &self.pairs {
            let name = name.as_ref();
            if counts[name] > 1 && !is_list(name) {
                let message = format!("Duplicate parameter \"{}\"", cut(name));
                return Err(Rejection::bad_request(message));
            }
            let is_known =
                belongs_to(name, output) || own.contains(&name) || is_version(name, value);
            if !is_known {
                return Err(unknown_parameter(name, output));
            }
        }
        Ok(())
    }

    /// Returns the number of values of each name.
    fn counts(&self) -> HashMap<&str, usize> {
        let mut counts = HashMap::new();
        for name in self.names() {
            *counts.entry(name).or_default() += 1;
        }
        counts
    }

    /// Returns the names of all parameters.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(name, _)| name.as_ref())
    }

    /// Reads the value of a name, if the query has one.
    ///
    /// # Errors
    /// If the value is not valid.
    pub(super) fn read<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&str) -> value::Parsed<T>,
    ) -> Parsed<Option<T>> {
        Ok(value::read(name, self.get(name), read)?)
    }

    /// Returns the first value of a name, without whitespace around it. A name without a value has
    /// an empty one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Returns all values of a name, without whitespace around them.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let found = self.pairs.iter().filter(move |pair| pair.0 == name);
        found.map(|(_, value)| value.trim())
    }

    /// Returns the first value of any of these names in any letter case, without whitespace around
    /// it. Other services read their parameters so.
    pub(super) fn word(&self, names: &[&str]) -> Option<&str> {
        for (name, value) in &self.pairs {
            if is_one_of(name, names) {
                return Some(value.trim());
            }
        }
        None
    }

    /// Returns the words of all lists with one of these names in any letter case. The words are in
    /// lower case; in the query, commas are between them.
    pub(super) fn list(&self, names: &[&str]) -> Vec<String> {
        let mut words = Vec::new();
        for (name, value) in &self.pairs {
            if is_one_of(name, names) {
                let items = value.split(',');
                words.extend(items.map(|item| item.trim().to_ascii_lowercase()));
            }
        }
        words
    }
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// Returns `true` for a parameter that may have several values.
fn is_list(name: &str) -> bool {
    find(name).is_some_and(|parameter| matches!(parameter.kind, Kind::List))
}

fn belongs_to(name: &str, output: Option<Output>) -> bool {
    let Some(output) = output else {
        return false;
    };
    find(name).is_some_and(|parameter| parameter.belongs_to(output))
}

/// Escapes the percent signs of placeholders among the values, also in a list.
fn with_escaped_placeholders(query: &str) -> String {
    let mut escaped = String::new();
    for piece in query.split_inclusive(['&', '=', ',']) {
        let text = piece.trim_end_matches(['&', '=', ',']);
        if is_raw_placeholder(text) {
            escaped.push_str(&text.replace('%', "%25"));
            escaped.push_str(&piece[text.len()..]);
        } else {
            escaped.push_str(piece);
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use effigy_parameters::{MAX_PLAYERS, parameters};

    use super::*;

    #[test]
    fn first_value_of_a_name_is_decoded_like_a_form() {
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
            (Some("A=1"), None),
        ];
        for (text, expected) in rows {
            assert_eq!(Query::parse_lossy(text).get("a"), expected, "{text:?}");
            let query = Query::parse(text).unwrap();
            assert_eq!(query.get("a"), expected, "{text:?}");
        }
    }

    #[test]
    fn lossy_query_keeps_malformed_escapes() {
        for (text, expected) in [("a=%zz%", "%zz%"), ("a=%ff", "\u{fffd}")] {
            let query = Query::parse_lossy(Some(text));
            assert_eq!(query.get("a"), Some(expected), "{text}");
        }
    }

    #[test]
    fn strict_query_rejects_malformed_escapes() {
        for text in ["a=%zz", "a=%ff", "a=1&%", "a=%b%c", "a=%b%&c=%ff"] {
            assert!(Query::parse(Some(text)).is_err(), "{text}");
        }
    }

    #[test]
    fn raw_placeholders_may_be_values_and_items_of_lists() {
        let query = Query::parse(Some("a=Notch,%uuid%,%face%&b=%name%")).unwrap();
        assert_eq!(query.get("a"), Some("Notch,%uuid%,%face%"));
        assert_eq!(query.get("b"), Some("%name%"));
    }

    #[test]
    fn all_values_of_a_name_are_trimmed() {
        let query = Query::parse_lossy(Some("a=1&b=2&a=+3"));
        let values: Vec<&str> = query.all("a").collect();
        assert_eq!(values, ["1", "3"]);
    }

    #[test]
    fn every_valid_query_is_read_to_its_end() {
        assert!(MAX_PLAYERS + parameters().count() <= MAX_PARAMETERS);
        let late = "b&".repeat(MAX_PARAMETERS) + "a";
        assert_eq!(Query::parse_lossy(Some(&late)).get("a"), None);
    }

    #[test]
    fn first_duplicate_is_reported_before_later_unknown_names() {
        let query = Query::parse_lossy(Some("size=1&sise=2&size=3"));
        let rejection = query.reject_unknown(Some(Output::Picture), &[]);
        let expected = Rejection::bad_request("Duplicate parameter \"size\"");
        assert_eq!(rejection, Err(expected));
    }
}
