//! The width of a player's arms.

use std::fmt;
use std::str::FromStr;

use crate::word::{ParseError, parse_word};

/// The width of a player's arms. A skin file does not state it: the same file can be worn either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Model {
    /// Arms of 4 texels.
    #[default]
    Classic,
    /// Arms of 3 texels.
    Slim,
}

impl Model {
    /// Both models.
    pub const ALL: [Model; 2] = [Model::Classic, Model::Slim];

    /// The model's word in URLs, JSON and on the command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Model::Classic => "classic",
            Model::Slim => "slim",
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Model {
    type Err = ParseError;

    fn from_str(word: &str) -> Result<Model, ParseError> {
        parse_word(word, &Model::ALL, Model::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (model, word) in [(Model::Classic, "classic"), (Model::Slim, "slim")] {
            assert_eq!(model.to_string(), word);
            assert_eq!(word.parse(), Ok(model));
        }
        for wrong in ["", "Slim", "slim ", "alex"] {
            let error = wrong.parse::<Model>().expect_err(wrong);
            assert_eq!(error.to_string(), "expected one of: classic, slim");
        }
    }
}
