//! The parameters in the query of a URL.

use std::borrow::Cow;

use effigy_parameters::{Synonym, find_synonym, value};

use super::{
    request::{Parsed, Rejection, decode},
    version::is_version,
};

/// The least similarity of a name that is suggested, from 0 to 1. clap suggests options by the same.
const SIMILAR: f64 = 0.7;

/// The characters of an unknown name that are compared and repeated. Anybody may send a longer one.
const MAX_CHARS: usize = 40;

/// The parameters that are read. No route has as many, so of more one is unknown or there twice.
const MAX_PARAMETERS: usize = 64;

/// The parameters after the question mark, read as browsers write forms.
#[derive(Debug, Default)]
pub(crate) struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Parses a query.
    ///
    /// # Errors
    /// If it has a malformed escape, or text that is not UTF-8.
    pub(crate) fn parse(text: Option<&'a str>) -> Parsed<Self> {
        decode(text.unwrap_or_default()).map(|_| Self::parse_lossy(text))
    }

    /// Parses a query in which an incomplete escape means itself, and invalid UTF-8 becomes replacement
    /// characters.
    pub(crate) fn parse_lossy(text: Option<&'a str>) -> Self {
        let parameters = form_urlencoded::parse(text.unwrap_or_default().as_bytes());
        Self(parameters.take(MAX_PARAMETERS).collect())
    }

    /// Returns the names of all parameters.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    /// Checks that there are no other parameters than the known ones, and each once.
    ///
    /// # Errors
    /// If there are, with the known name that is meant, or else all of them.
    pub(super) fn reject_unknown(&self, known: &[&[&'static str]]) -> Parsed<()> {
        for (name, value) in &self.0 {
            let name = name.as_ref();
            if !known.iter().any(|names| names.contains(&name)) && is_version(name, value) {
                continue;
            }
            if self.names().filter(|other| *other == name).count() > 1 {
                let message = format!("The parameter \"{}\" is there twice", cut(name));
                return Err(Rejection::bad_request(message));
            }
            if known.iter().any(|names| names.contains(&name)) {
                continue;
            }
            let (name, known) = (cut(name), known.concat());
            let similar = || most_similar(&name, &known).map(Synonym::Parameter);
            let hint = match find_synonym(&name, |name| known.contains(&name)).or_else(similar) {
                _ if known.is_empty() => "This path has no parameters".to_owned(),
                Some(Synonym::Parameter(meant)) => format!("Did you mean \"{meant}\"?"),
                Some(Synonym::Explained(sentence)) => sentence.to_owned(),
                None => format!("The parameters are: {}", known.join(", ")),
            };
            let message = format!("Unknown parameter \"{name}\". {hint}");
            return Err(Rejection::bad_request(message));
        }
        Ok(())
    }

    /// Returns the value of that name without whitespace around it, of several the first one. A name without a value has an
    /// empty one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|pair| pair.0 == name);
        found.map(|(_, value)| value.trim())
    }

    /// Reads the value of that name.
    ///
    /// # Errors
    /// If there is one that cannot be read.
    pub(super) fn read<T>(
        &self,
        name: &'static str,
        read: impl FnOnce(&str) -> value::Parsed<T>,
    ) -> Parsed<Option<T>> {
        Ok(value::read(name, self.get(name), read)?)
    }
}

/// Returns the beginning of a text that anybody may have sent.
pub(super) fn cut(name: &str) -> String {
    name.chars().take(MAX_CHARS).collect()
}

/// Returns the known name that is most similar, if one is.
fn most_similar(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let name = name.to_lowercase();
    // A single letter is similar to whatever begins with it.
    let scored = (known.iter())
        .filter(|known| known.len() > 1)
        .map(|known| (strsim::jaro(&name, known), *known));
    let similar = scored.filter(|(similarity, _)| *similarity > SIMILAR);
    let most = similar.max_by(|one, other| one.0.total_cmp(&other.0));
    most.map(|(_, found)| found)
}

/// Returns a sentence that begins with a name.
pub(super) fn capitalized(sentence: &str) -> String {
    let (first, rest) = sentence.split_at(1);
    first.to_uppercase() + rest
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
        let late = "b&".repeat(MAX_PARAMETERS) + "a";
        assert_eq!(Query::parse_lossy(Some(&late)).get("a"), None);
        for text in ["a=%zz%", "a=%ff", "a=1&%"] {
            assert!(Query::parse(Some(text)).is_err(), "{text}");
        }
        for (text, expected) in rows {
            assert_eq!(Query::parse_lossy(text).get("a"), expected, "{text:?}");
        }
    }
}
