//! The patterns of paths.

use std::borrow::Cow;

use effigy_service::PictureParams;

use super::{
    target::{Parsed, Rejection, Target},
    url::Query,
};

/// A pattern such as `/head/{input}/{size?}`: fixed words, then parameters.
///
/// - `{name}` is required.
/// - `{name?}` may be missing.
/// - `{name!}` is documented as required, but the pattern matches without it, so that the parser can
///   reject the request with a message of its own instead of "Not found".
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) text: &'static str,
    words: Vec<&'static str>,
    /// The names of the parameters.
    pub(crate) parameters: Vec<&'static str>,
    /// The number of parameters without which a path does not match.
    required: usize,
    /// The number of parameters that are documented as required.
    documented: usize,
}

/// The parameters of a path that matches a pattern, and the query.
#[derive(Debug)]
pub(super) struct Captures<'a> {
    names: &'a [&'static str],
    values: &'a [Cow<'a, str>],
    pub(super) query: Query<'a>,
}

impl Pattern {
    pub(super) fn new(text: &'static str) -> Self {
        let segments = text.trim_start_matches('/').split('/');
        let (words, parameters): (Vec<_>, Vec<_>) =
            segments.partition(|segment| !segment.starts_with('{'));
        let count = |ends: &[&str]| {
            let optional = |text: &&&str| ends.iter().any(|end| text.ends_with(end));
            parameters.len() - parameters.iter().filter(optional).count()
        };
        Self {
            text,
            required: count(&["?}", "!}"]),
            documented: count(&["?}"]),
            parameters: parameters
                .iter()
                .map(|text| text.trim_matches(['{', '}', '?', '!']))
                .collect(),
            words,
        }
    }

    /// Returns the first word of its paths, which is empty for `/`.
    pub(super) fn first_word(&self) -> &'static str {
        self.words[0]
    }

    /// Returns the paths as OpenAPI writes them, without and with each optional parameter.
    pub(crate) fn paths(&self) -> Vec<String> {
        let path = |count| {
            let words = self.words.iter().map(|word| format!("/{word}"));
            let parameters = self.parameters[..count].iter();
            let parameters = parameters.map(|name| format!("/{{{name}}}"));
            words.chain(parameters).collect()
        };
        let counts = self.documented..=self.parameters.len();
        counts.map(path).collect()
    }

    /// Matches the words in any letter case, and the number of the other segments.
    pub(super) fn captures<'a>(
        &'a self,
        segments: &'a [Cow<'a, str>],
        query: Query<'a>,
    ) -> Option<Captures<'a>> {
        let (words, values) = segments.split_at_checked(self.words.len())?;
        let lengths = self.required..=self.parameters.len();
        let mut pairs = words.iter().zip(&self.words);
        let matches = lengths.contains(&values.len())
            && pairs.all(|(segment, word)| segment.eq_ignore_ascii_case(word));
        matches.then_some(Captures {
            names: &self.parameters,
            values,
            query,
        })
    }
}

impl<'a> Captures<'a> {
    /// Returns the parameter of that name, which may be empty; nothing if it is missing.
    pub(super) fn get(&self, name: &str) -> Option<&'a str> {
        let at = self.names.iter().position(|known| *known == name);
        debug_assert!(at.is_some(), "the pattern has no {name}");
        self.values.get(at?).map(AsRef::as_ref)
    }

    /// Returns all parameters in their order.
    pub(super) fn values(&self) -> impl Iterator<Item = &'a str> {
        self.values.iter().map(AsRef::as_ref)
    }

    /// Returns a parameter that must not be empty.
    pub(super) fn required(&self, name: &str) -> Result<&str, Rejection> {
        let value = self.get(name).filter(|value| !value.is_empty());
        value.ok_or(Rejection::NOT_FOUND)
    }

    /// Returns a required parameter in lower case.
    pub(super) fn word(&self, name: &str) -> Result<String, Rejection> {
        Ok(self.required(name)?.to_ascii_lowercase())
    }

    /// Returns the target that a required parameter names.
    pub(super) fn text(&self, name: &str, target: fn(String) -> Target) -> Parsed {
        Ok(target(self.required(name)?.to_owned()))
    }

    /// Returns the target of a picture of the player that the path names.
    pub(super) fn picture(&self, params: PictureParams) -> Parsed {
        Ok(params.of_player(self.required("input")?).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let rows: [(&str, &str, Option<&[&str]>); 16] = [
            ("/", "", Some(&[])),
            ("/", "docs", None),
            ("/docs", "DOCS", Some(&[])),
            ("/docs", "docs/x", None),
            ("/minecraft/mhf", "minecraft/MHF", Some(&[])),
            ("/minecraft/mhf", "minecraft", None),
            ("/head/{input}/{size?}", "head", None),
            ("/head/{input}/{size?}", "Head/Notch", Some(&["Notch"])),
            ("/head/{input}/{size?}", "head//64", Some(&["", "64"])),
            ("/head/{input}/{size?}", "head/Notch/64/hat", None),
            ("/avatar/{input}/{direction!}/{size?}", "avatar", None),
            (
                "/avatar/{input}/{direction!}/{size?}",
                "avatar/x",
                Some(&["x"]),
            ),
            (
                "/avatar/{input}/{direction!}/{size?}",
                "avatar/x/y/1",
                Some(&["x", "y", "1"]),
            ),
            ("/v1/texture/{hash}/{view}", "v1/texture/ab", None),
            (
                "/v1/texture/{hash}/{view}",
                "v1/texture/ab/head",
                Some(&["ab", "head"]),
            ),
            ("/v1/texture/{hash}/{view}", "v1/other/ab/head", None),
        ];
        for (text, path, expected) in rows {
            let pattern = Pattern::new(text);
            let segments: Vec<_> = path.split('/').map(Cow::Borrowed).collect();
            let captures = pattern.captures(&segments, Query::default());
            let found = captures.map(|captures| captures.values().collect::<Vec<_>>());
            assert_eq!(found.as_deref(), expected, "{text} {path}");
        }
    }

    #[test]
    fn parameters_have_names() {
        let pattern = Pattern::new("/avatar/{input}/{direction!}/{size?}");
        let segments = ["avatar", "x", "left"].map(Cow::Borrowed);
        let captures = pattern.captures(&segments, Query::default()).unwrap();
        assert_eq!(captures.get("input"), Some("x"));
        assert_eq!(captures.get("direction"), Some("left"));
        assert_eq!(captures.get("size"), None);
    }
}
