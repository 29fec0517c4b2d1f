//! The two forms of the look-up of Java names.

use std::fmt;
use std::str::FromStr;

use super::error::ConfigError;

/// The form of the look-up of Java names. Both return the same records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NameLookup {
    /// The legacy form, then the current one if the legacy one is refused or gone.
    #[default]
    Auto,
    /// `/users/profiles/minecraft/{name}` only.
    Legacy,
    /// `/minecraft/profile/lookup/name/{name}` only.
    Current,
}

impl NameLookup {
    /// All values.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Legacy, Self::Current];

    /// Returns the word that settings use.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Legacy => "legacy",
            Self::Current => "current",
        }
    }
}

impl fmt::Display for NameLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for NameLookup {
    type Err = ConfigError;

    fn from_str(value: &str) -> Result<Self, ConfigError> {
        let problem = "is not auto, legacy or current";
        let found = Self::ALL.into_iter().find(|form| form.as_str() == value);
        found.ok_or_else(|| ConfigError::new("name lookup", value, problem))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for form in NameLookup::ALL {
            assert_eq!(form.to_string().parse(), Ok(form));
        }
        for value in ["", "AUTO", "newest"] {
            let error = value.parse::<NameLookup>().unwrap_err();
            let expected = format!("name lookup: {value:?} is not auto, legacy or current");
            assert_eq!(error.to_string(), expected);
        }
    }
}
