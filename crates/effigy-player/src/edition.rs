//! The two editions of the game.

use std::fmt;
use std::str::FromStr;

use crate::word::{ParseError, parse_word};

/// The edition of the game a player plays, and whose counter a render counts for.
///
/// The order is the one in which the two are listed: Java first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edition {
    /// Java Edition.
    Java,
    /// Bedrock Edition.
    Bedrock,
}

impl Edition {
    /// Both editions, in order.
    pub const ALL: [Edition; 2] = [Edition::Java, Edition::Bedrock];

    /// The word that names the edition wherever it is stored or sent.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Edition::Java => "java",
            Edition::Bedrock => "bedrock",
        }
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Edition {
    type Err = ParseError;

    fn from_str(word: &str) -> Result<Edition, ParseError> {
        parse_word(word, &Edition::ALL, Edition::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_order() {
        let words = Edition::ALL.map(|edition| edition.to_string());
        assert_eq!(words, ["java", "bedrock"]);
        assert!(Edition::ALL.is_sorted());
        assert_eq!("bedrock".parse(), Ok(Edition::Bedrock));
        assert!("Java".parse::<Edition>().is_err());
    }
}
