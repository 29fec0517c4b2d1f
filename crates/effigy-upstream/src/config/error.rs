//! Settings that are rejected.

/// A setting that cannot be used. The operator is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The base URL of a service is malformed.
    #[error("{setting}: {value:?} {problem}")]
    BaseUrl {
        /// The setting.
        setting: String,
        /// Its value.
        value: String,
        /// What is wrong with the value.
        problem: &'static str,
    },
    /// The contact cannot be sent in a header.
    #[error("contact: {value:?} has characters other than visible ascii and blanks")]
    Contact {
        /// The value.
        value: String,
    },
    /// The form of the name look-up is unknown.
    #[error("name lookup: {value:?} is not auto, legacy or current")]
    NameLookup {
        /// The value.
        value: String,
    },
    /// A texture host is malformed.
    #[error("texture host: {value:?} is not a host or host:port")]
    TextureHost {
        /// The value.
        value: String,
    },
}
