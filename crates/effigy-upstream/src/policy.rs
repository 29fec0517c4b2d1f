//! How considerately the upstreams are called, beside their budgets.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::time::Duration;

use crate::ConfigError;

/// How considerately the upstreams are called, beside their [`Budgets`](crate::Budgets).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Which form of the look-up of Java names is used.
    pub name_lookup: NameLookup,
    /// How many calls to one upstream may be under way at once; who comes after that is refused at
    /// once. 128 by default: a page of a hundred heads asks for all of them together, and with
    /// answers of a tenth of a second that is more than any of the public services bears.
    pub concurrency: NonZeroU32,
    /// How long the look-up of a host's address may take, and then the connection with its TLS.
    /// 5 s by default.
    pub connect_timeout: Duration,
}

impl Default for Policy {
    fn default() -> Self {
        const CONCURRENCY: NonZeroU32 = NonZeroU32::new(128).expect("128 is not zero");
        Self {
            name_lookup: NameLookup::default(),
            concurrency: CONCURRENCY,
            connect_timeout: Duration::from_secs(5),
        }
    }
}

/// The form of the look-up of Java names. Both give the same answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum NameLookup {
    /// The legacy form, and where that is refused or gone the current one.
    #[default]
    Auto,
    /// `/users/profiles/minecraft/{name}` only.
    Legacy,
    /// `/minecraft/profile/lookup/name/{name}` only.
    Current,
}

impl NameLookup {
    /// Every choice.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Legacy, Self::Current];

    /// The word for it in settings.
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
        let bad = || ConfigError::NameLookup {
            value: value.to_owned(),
        };
        let is_meant = |choice: &Self| choice.as_str() == value;
        Self::ALL.into_iter().find(is_meant).ok_or_else(bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_lookups_by_their_words() {
        for choice in NameLookup::ALL {
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        for value in ["", "AUTO", "newest"] {
            let error = value.parse::<NameLookup>().unwrap_err();
            let expected = format!("name lookup: {value:?} is not auto, legacy or current");
            assert_eq!(error.to_string(), expected);
        }
    }
}
