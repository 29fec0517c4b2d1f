//! The parameters in the query of a URL.

use std::borrow::Cow;

use effigy_parameters::{Kind, MOVING, Output, Synonym, find, find_synonym, parameters, value};

use super::{
    path::{decode, is_raw_placeholder},
    rejection::{Parsed, Rejection},
    version::is_version,
};

/// The least similarity of a name that is suggested, from 0 to 1. clap suggests options by the
/// same.
const SIMILAR: f64 = 0.7;

/// The characters of an unknown name that are compared and repeated. Anybody may send a longer one.
const MAX_CHARS: usize = 40;

/// The number of parameters that are read. A longer query is not valid: it has an unknown
/// parameter, one that is there twice, or too many players.
const MAX_PARAMETERS: usize = 160;

/// The parameters after the question mark, read as browsers write forms.
#[derive(Debug, Default)]
pub(crate) struct Query<'a>(Vec<(Cow<'a, str>, Cow<'a, str>)>);

impl<'a> Query<'a> {
    /// Parses a query. A placeholder such as `%uuid%` is no malformed escape.
    ///
    /// # Errors
    /// If it has a malformed escape, or text that is not UTF-8.
    pub(crate) fn parse(text: Option<&'a str>) -> Parsed<Self> {
        let text = text.unwrap_or_default();
        let Err(malformed) = decode(text) else {
            return Ok(Self::parse_lossy(Some(text)));
        };
        let escaped = with_escaped_placeholders(text);
        if decode(&escaped).is_err() {
            return Err(malformed);
        }
        let mut owned = Vec::new();
        for (name, value) in Query::parse_lossy(Some(&escaped)).0 {
            owned.push((name.into_owned().into(), value.into_owned().into()));
        }
        Ok(Self(owned))
    }

    /// Parses a query in which an incomplete escape means itself, and invalid UTF-8 becomes
    /// replacement characters.
    pub(crate) fn parse_lossy(text: Option<&'a str>) -> Self {
        let parameters = form_urlencoded::parse(text.unwrap_or_default().as_bytes());
        Self(parameters.take(MAX_PARAMETERS).collect())
    }

    /// Returns the names of all parameters.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_ref())
    }

    /// Checks that an output, or the route itself, has each of the parameters. An output of `None`
    /// has no parameters.
    ///
    /// # Errors
    /// If a parameter is unknown, with a suggestion or all names, or if one that is not a list is
    /// there twice.
    pub(super) fn reject_unknown(&self, output: Option<Output>, own: &[&str]) -> Parsed<()> {
        for (name, value) in &self.0 {
            let name = name.as_ref();
            let parameter = find(name);
            let is_list = parameter.is_some_and(|known| matches!(known.kind, Kind::List));
            if !is_list && self.names().filter(|other| *other == name).count() > 1 {
                let message = format!("Duplicate parameter \"{}\"", cut(name));
                return Err(Rejection::bad_request(message));
            }
            let is_known = parameter
                .zip(output)
                .is_some_and(|(known, output)| known.belongs_to(output));
            if !is_known && !own.contains(&name) && !is_version(name, value) {
                return Err(unknown(&cut(name), output));
            }
        }
        Ok(())
    }

    /// Returns the first value of that name, without whitespace around it. A name without a value
    /// has an empty one.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.all(name).next()
    }

    /// Returns the first value of any of these names, in any letter case.
    pub(super) fn word(&self, names: &[&str]) -> Option<&str> {
        let is_named = |name: &str| names.iter().any(|known| name.eq_ignore_ascii_case(known));
        let pair = self.0.iter().find(|(name, _)| is_named(name))?;
        Some(pair.1.trim())
    }

    /// Returns the words of all lists with one of these names, in lower case. Commas are between
    /// the words.
    pub(super) fn list(&self, names: &[&str]) -> Vec<String> {
        let mut words = Vec::new();
        for (name, value) in &self.0 {
            if names.iter().any(|known| name.eq_ignore_ascii_case(known)) {
                words.extend(
                    value
                        .split(',')
                        .map(|word| word.trim().to_ascii_lowercase()),
                );
            }
        }
        words
    }

    /// Returns all values of that name, without whitespace around them.
    pub(super) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let found = self.0.iter().filter(move |pair| pair.0 == name);
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

/// The answer to those who ask for a preview that moves.
pub(super) const STILL: &str =
    "Previews and pictures of textures don't move; figures, portraits and cubes of players do";

/// Returns the rejection of a parameter that an output does not have.
fn unknown(name: &str, output: Option<Output>) -> Rejection {
    let known: Vec<&'static str> = match output {
        Some(output) => parameters()
            .filter(|parameter| parameter.belongs_to(output))
            .map(|parameter| parameter.name)
            .collect(),
        None => Vec::new(),
    };
    let hint = if known.is_empty() {
        "This path has no parameters".to_owned()
    } else {
        match meaning(name, &known) {
            Some(Synonym::Parameter(meant)) => format!("Did you mean \"{meant}\"?"),
            Some(Synonym::Explained(MOVING)) if output == Some(Output::Texture) => STILL.to_owned(),
            Some(Synonym::Explained(sentence)) => sentence.to_owned(),
            None => format!("The parameters are: {}", known.join(", ")),
        }
    };
    Rejection::bad_request(format!("Unknown parameter \"{name}\". {hint}"))
}

/// Returns the meaning of a name that is not known, if it is a habit or a misspelling.
fn meaning(name: &str, known: &[&'static str]) -> Option<Synonym> {
    let synonym = find_synonym(name, |candidate| known.contains(&candidate));
    synonym.or_else(|| most_similar(name, known).map(Synonym::Parameter))
}

/// Returns the beginning of a text that anybody may have sent.
pub(super) fn cut(name: &str) -> String {
    name.chars().take(MAX_CHARS).collect()
}

/// Returns the known name that is most similar, if one is.
fn most_similar(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let lowercase = name.to_lowercase();
    let mut most = None;
    let mut similarity = SIMILAR;
    for candidate in known {
        let score = strsim::jaro(&lowercase, candidate);
        // A single letter is similar to all words that begin with it.
        if candidate.len() > 1 && score > similarity {
            most = Some(*candidate);
            similarity = score;
        }
    }
    most
}

#[cfg(test)]
mod tests {
    use effigy_parameters::MAX_PLAYERS;

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
        // A valid query is read to its end.
        assert!(MAX_PLAYERS + parameters().count() <= MAX_PARAMETERS);
        let late = "b&".repeat(MAX_PARAMETERS) + "a";
        assert_eq!(Query::parse_lossy(Some(&late)).get("a"), None);
        let several = Query::parse_lossy(Some("a=1&b=2&a=+3"));
        assert_eq!(several.all("a").collect::<Vec<_>>(), ["1", "3"]);
        for text in ["a=%zz", "a=%ff", "a=1&%", "a=%b%c", "a=%b%&c=%ff"] {
            assert!(Query::parse(Some(text)).is_err(), "{text}");
        }
        let lists = Query::parse(Some("a=Notch,%uuid%,%face%&b=%name%")).unwrap();
        assert_eq!(lists.get("a"), Some("Notch,%uuid%,%face%"));
        assert_eq!(lists.get("b"), Some("%name%"));
        for (text, expected) in rows {
            assert_eq!(Query::parse_lossy(text).get("a"), expected, "{text:?}");
        }
    }
}
