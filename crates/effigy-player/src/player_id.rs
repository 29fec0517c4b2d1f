//! Detects which player a text names.

use crate::{Edition, Uuid};

/// The prefix that distinguishes an XUID from a Java name.
pub const XUID_PREFIX: &str = "0000";

/// The longest input, in bytes of UTF-8.
pub const MAX_INPUT_BYTES: usize = 256;

/// The length of the longest name that a Java account can take today. Some old accounts have
/// longer ones.
pub const MAX_JAVA_NAME: usize = 16;

/// The Java player whose skin replaces the skin of a Bedrock player that can't be found. Spec,
/// "Profile resolution" 3.
pub const FALLBACK_PLAYER: &str = "Steve";

/// The maximum number of digits of an XUID, a 64-bit number.
const MAX_XUID_DIGITS: usize = 20;

/// The number of digits of a UUID, all of which may be decimal.
const UUID_DIGITS: usize = 32;

/// A player as an input names it, detected by the input's shape alone. Only the upstream services
/// know whether the player exists.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlayerId {
    /// A Java name, as typed. Never empty.
    JavaName(String),
    /// A Java UUID.
    JavaUuid(Uuid),
    /// A Bedrock XUID, as it is sent upstream. The four zeros before it are kept, and so are
    /// characters that aren't digits.
    BedrockXuid(String),
    /// A Bedrock gamertag, without the dot before it. It may be empty, although no player's is.
    BedrockGamertag(String),
}

impl PlayerId {
    /// Detects the player that an input names. Spec, "Common rules" 4; first match wins.
    ///
    /// ```
    /// use effigy_player::PlayerId;
    ///
    /// let player = PlayerId::detect("Notch")?;
    /// assert_eq!(player, PlayerId::JavaName("Notch".to_owned()));
    /// # Ok::<(), effigy_player::InputError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InputError::TooLong`] above [`MAX_INPUT_BYTES`], [`InputError::Empty`] for no text at all.
    pub fn detect(input: &str) -> Result<Self, InputError> {
        if input.len() > MAX_INPUT_BYTES {
            return Err(InputError::TooLong { len: input.len() });
        }
        if input.is_empty() {
            return Err(InputError::Empty);
        }
        if input.starts_with(XUID_PREFIX) {
            return Ok(Self::BedrockXuid(xuid_to_send(input)));
        }
        if let Some(gamertag) = input.strip_prefix('.') {
            return Ok(Self::BedrockGamertag(gamertag.to_owned()));
        }
        if let Some(uuid) = Uuid::parse(input) {
            return Ok(Self::JavaUuid(uuid));
        }
        Ok(Self::JavaName(input.to_owned()))
    }

    /// Returns the edition of the player that an input names, even if the input is too long.
    #[must_use]
    pub fn edition_of(input: &str) -> Edition {
        if input.starts_with('.') || input.starts_with(XUID_PREFIX) {
            Edition::Bedrock
        } else {
            Edition::Java
        }
    }

    /// Returns the player in the form of a cache key: gamertags are in lower case, and so are Java
    /// names if `ignores_case` is true.
    #[must_use]
    pub fn folded(&self, ignores_case: bool) -> Self {
        match self {
            Self::JavaName(name) if ignores_case => Self::JavaName(lower_case(name)),
            Self::BedrockGamertag(gamertag) => Self::BedrockGamertag(lower_case(gamertag)),
            player => player.clone(),
        }
    }

    /// Returns the edition that the player plays.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        match self {
            Self::JavaName(_) | Self::JavaUuid(_) => Edition::Java,
            Self::BedrockXuid(_) | Self::BedrockGamertag(_) => Edition::Bedrock,
        }
    }
}

/// Returns the XUID that an input with the prefix of XUIDs is sent as.
fn xuid_to_send(input: &str) -> String {
    if let Some(xuid) = Uuid::parse(input).and_then(Uuid::floodgate_xuid) {
        return xuid.to_string();
    }
    short_xuid(input).unwrap_or_else(|| input.to_owned())
}

/// Returns an XUID with more than four leading zeros with exactly four. Returns `None` for every
/// other text.
///
/// ```
/// assert_eq!(effigy_player::short_xuid("0000000253").as_deref(), Some("0000253"));
/// assert_eq!(effigy_player::short_xuid("0000253"), None);
/// ```
#[must_use]
pub fn short_xuid(input: &str) -> Option<String> {
    let digits = input.trim_start_matches('0');
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_xuid = is_number && (1..=MAX_XUID_DIGITS).contains(&digits.len());
    let zeros = input.len() - digits.len();
    // 32 digits are a UUID.
    if is_xuid && zeros > XUID_PREFIX.len() && input.len() != UUID_DIGITS {
        Some(format!("{XUID_PREFIX}{digits}"))
    } else {
        None
    }
}

/// Returns `true` for bytes in the names that Java accounts can take today: ASCII letters, digits
/// and `_`. Some old accounts have other characters.
#[must_use]
pub const fn is_java_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns a text in lower case, except for letters that share their lower case with another
/// letter. The Kelvin sign, for example, doesn't become `k`: its name is another player's.
#[must_use]
pub fn lower_case(text: &str) -> String {
    text.chars().map(reversible_lower_case).collect()
}

/// Returns the lower case of a letter if its upper case is this letter again, else the letter.
fn reversible_lower_case(letter: char) -> char {
    let mut lower = letter.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(small), None) if small.to_uppercase().eq([letter]) => small,
        _ => letter,
    }
}

/// An input that cannot name a player. The caller is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The input is longer than any name, gamertag, UUID or XUID.
    #[error("the input has {len} bytes, more than {MAX_INPUT_BYTES}")]
    TooLong {
        /// Its length in bytes.
        len: usize,
    },
    /// The input is empty.
    #[error("the input is empty")]
    Empty,
    /// The input is a placeholder of a template, such as `{uuid}`, that was not filled in.
    #[error("the input is a placeholder")]
    Placeholder,
}

#[cfg(test)]
mod tests;
