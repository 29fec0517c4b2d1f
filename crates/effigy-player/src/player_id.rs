//! From the text that a caller sends to the player that it names.

use crate::{Edition, Uuid};

/// The beginning of an XUID, which tells it from a name.
pub const XUID_PREFIX: &str = "0000";

/// The most digits of an XUID, which is a number of 64 bits.
const MAX_XUID_DIGITS: usize = 20;

/// The digits of a UUID, which may all be decimal.
const UUID_DIGITS: usize = 32;

/// The longest input, in bytes of UTF-8.
pub const MAX_INPUT_BYTES: usize = 256;

/// The length of the longest name that a Java account can take today. Some old accounts have longer ones.
pub const MAX_JAVA_NAME: usize = 16;

/// Returns an XUID with more zeros than tell it from a name without those. Another text has no shorter form.
#[must_use]
pub fn short_xuid(input: &str) -> Option<String> {
    let digits = input.trim_start_matches('0');
    let is_xuid = (1..=MAX_XUID_DIGITS).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    let zeros = input.len() - digits.len();
    let is_long = zeros > XUID_PREFIX.len() && input.len() != UUID_DIGITS;
    (is_xuid && is_long).then(|| format!("{XUID_PREFIX}{digits}"))
}

/// Returns `true` for the bytes of names that Java accounts can take today: ASCII letters, digits and `_`.
/// Some old accounts have others.
#[must_use]
pub const fn is_java_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The player that an input names, by its shape alone. Only the upstream services know whether the player
/// exists.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlayerId {
    /// A Java name, as typed. Never empty.
    JavaName(String),
    /// A Java UUID.
    JavaUuid(Uuid),
    /// A Bedrock XUID, as it is sent upstream: with the four zeros that tell it from a name, or other characters than
    /// digits.
    BedrockXuid(String),
    /// A Bedrock gamertag, without the dot before it. May be empty, which no player has.
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
        let uuid = Uuid::parse(input);
        Ok(match (input.strip_prefix('.'), uuid) {
            _ if input.starts_with(XUID_PREFIX) => {
                let xuid = uuid.and_then(Uuid::floodgate_xuid);
                let xuid = xuid.map(|xuid| xuid.to_string()).or(short_xuid(input));
                Self::BedrockXuid(xuid.unwrap_or_else(|| input.to_owned()))
            }
            (Some(gamertag), _) => Self::BedrockGamertag(gamertag.to_owned()),
            (None, Some(uuid)) => Self::JavaUuid(uuid),
            (None, None) => Self::JavaName(input.to_owned()),
        })
    }

    /// Returns the edition of the player whom an input names.
    #[must_use]
    pub fn edition_of(input: &str) -> Edition {
        if input.starts_with('.') || input.starts_with(XUID_PREFIX) {
            Edition::Bedrock
        } else {
            Edition::Java
        }
    }

    /// Returns the form under which the player is kept: gamertags in lower case, and Java names if their letter case
    /// does not matter.
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

/// Returns a text in lower case, as far as no other letter has the same one: the Kelvin sign is no `k`, and whoever is called
/// so is another player.
#[must_use]
pub fn lower_case(text: &str) -> String {
    let lower = |letter: char| {
        let mut lower = letter.to_lowercase();
        match (lower.next(), lower.next()) {
            (Some(small), None) if small.to_uppercase().eq([letter]) => small,
            _ => letter,
        }
    };
    text.chars().map(lower).collect()
}

/// The reason why an input cannot name a player. The caller is at fault.
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
    /// The input is a placeholder of a template, such as `{uuid}`, that nobody has filled in.
    #[error("the input is a placeholder")]
    Placeholder,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn name(text: &str) -> PlayerId {
        PlayerId::JavaName(text.to_owned())
    }

    fn xuid(text: &str) -> PlayerId {
        PlayerId::BedrockXuid(text.to_owned())
    }

    fn gamertag(text: &str) -> PlayerId {
        PlayerId::BedrockGamertag(text.to_owned())
    }

    #[test]
    fn the_shape_of_an_input_decides() {
        let notch = PlayerId::JavaUuid(Uuid(0x069a79f444e94726a5befca90e38aaf5));
        let other = "00000000-0000-0001-0009-01febe1ac3f4";
        let short = "0000000000000000000901febe1ac3f";
        for (input, expected) in [
            ("Notch", name("Notch")),
            ("MHF_Steve", name("MHF_Steve")),
            ("000", name("000")),
            ("0001234", name("0001234")),
            (" 0000", name(" 0000")),
            ("a.b", name("a.b")),
            ("名前", name("名前")),
            ("069a79f4-44e9-4726-a5be", name("069a79f4-44e9-4726-a5be")),
            ("069a79f444e94726a5befca90e38aaf5", notch),
            ("0000", xuid("0000")),
            ("00002535432196048835", xuid("00002535432196048835")),
            ("0000.", xuid("0000.")),
            ("0000 any text", xuid("0000 any text")),
            // Floodgate's UUIDs become their XUID.
            (
                "00000000-0000-0000-0009-01febe1ac3f4",
                xuid("2535468413142004"),
            ),
            ("0000000000000000000901FEBE1AC3F4", xuid("2535468413142004")),
            ("00000000000000000000000000000000", xuid("0")),
            ("00000002535468413142004", xuid("00002535468413142004")),
            (
                "0000000000000000ffffffffffffffff",
                xuid("18446744073709551615"),
            ),
            // Sixteen zeros are needed; with fewer the text is sent as it is.
            (other, xuid(other)),
            (short, xuid(short)),
            (".Some Player", gamertag("Some Player")),
            (".Tag#1234", gamertag("Tag#1234")),
            ("../x", gamertag("./x")),
            (".0000", gamertag("0000")),
            (".", gamertag("")),
            ("..", gamertag(".")),
            (".069a79f444e94726a5be", gamertag("069a79f444e94726a5be")),
        ] {
            assert_eq!(PlayerId::detect(input), Ok(expected), "{input:?}");
        }
        assert_eq!(PlayerId::detect(""), Err(InputError::Empty));
    }

    #[test]
    fn length_is_counted_in_bytes() {
        let longest = "é".repeat(128);
        assert_eq!(PlayerId::detect(&longest), Ok(name(&longest)));
        let too_long = format!("{longest}a");
        let prefixed = ["0000", ".", "x"].map(|prefix| prefix.repeat(257));
        for input in prefixed.iter().chain([&too_long]) {
            let len = input.len();
            assert_eq!(PlayerId::detect(input), Err(InputError::TooLong { len }));
        }
    }

    proptest! {
        #[test]
        fn a_uuid_is_the_same_player_in_every_form(value: u128) {
            let uuid = Uuid(value);
            let forms = [
                uuid.to_string(),
                uuid.hyphenated(),
                uuid.to_string().to_uppercase(),
                uuid.hyphenated().to_uppercase(),
            ];
            for form in forms.iter().filter(|form| !form.starts_with("0000")) {
                prop_assert_eq!(PlayerId::detect(form), Ok(PlayerId::JavaUuid(uuid)));
            }
        }
    }
}
