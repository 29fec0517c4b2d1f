//! Names of players beyond the specified paths: prefixes of Bedrock players, a `+` for a space, and
//! placeholders of templates.

use crate::player_id::{InputError, MAX_INPUT_BYTES, MAX_JAVA_NAME, PlayerId, is_java_name_byte};

/// The default prefix of Floodgate, which puts it in front of gamertags.
const DEFAULT_PREFIX: &str = ".";

/// The longest prefix, in bytes. Names in the game have at most 16.
const MAX_PREFIX: usize = 15;

/// The prefixes of the gamertags of Bedrock players on a server. A dot always is one of them.
///
/// ```
/// use effigy_player::{BedrockPrefixes, PlayerId};
///
/// let prefixes = BedrockPrefixes::new(["*".to_owned()])?;
/// let named = prefixes.named_player("*Gamer Tag")?;
/// assert_eq!(named.id, PlayerId::BedrockGamertag("Gamer Tag".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct BedrockPrefixes {
    /// The prefixes except for the dot. Longer ones come first, so that `BE_` wins over `B`.
    prefixes: Vec<String>,
}

/// A player whom a text names.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedPlayer {
    /// The player.
    pub id: PlayerId,
    /// The Java player to show if no Bedrock player has the gamertag. A Java name may begin with
    /// some prefixes, such as `BE_`.
    pub otherwise: Option<PlayerId>,
}

/// A text that cannot be the prefix of gamertags.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a prefix has 1 to {MAX_PREFIX} bytes without spaces, commas, slashes, + and %")]
#[non_exhaustive]
pub struct PrefixError;

impl BedrockPrefixes {
    /// Creates a list of prefixes in addition to the dot.
    ///
    /// # Errors
    ///
    /// [`PrefixError`] if a prefix is empty, too long, or has a character that isn't possible in
    /// URLs and lists of players.
    pub fn new(prefixes: impl IntoIterator<Item = String>) -> Result<Self, PrefixError> {
        let mut checked = Vec::new();
        for prefix in prefixes {
            if !is_prefix(&prefix) {
                return Err(PrefixError);
            }
            if prefix != DEFAULT_PREFIX {
                checked.push(prefix);
            }
        }
        checked.sort_by_key(|prefix| std::cmp::Reverse(prefix.len()));
        Ok(Self { prefixes: checked })
    }

    /// Returns the player whom a text names. UUIDs and XUIDs win over prefixes. A `+` in a gamertag
    /// is read as a space, which HTML forms encode as `+`; no gamertag contains a `+`.
    ///
    /// # Errors
    ///
    /// [`InputError::TooLong`] above [`MAX_INPUT_BYTES`], [`InputError::Empty`] for no text at all,
    /// and [`InputError::Placeholder`] for a placeholder of a template.
    pub fn named_player(&self, input: &str) -> Result<NamedPlayer, InputError> {
        if input.len() <= MAX_INPUT_BYTES && is_placeholder(input) {
            return Err(InputError::Placeholder);
        }
        let id = PlayerId::detect(input)?;
        match id {
            PlayerId::BedrockGamertag(tag) => Ok(NamedPlayer::with_gamertag(&tag)),
            PlayerId::JavaName(name) => self.player_of_name(name),
            id => Ok(NamedPlayer {
                id,
                otherwise: None,
            }),
        }
    }

    /// Returns the player of a text that is neither a UUID nor an XUID nor begins with a dot.
    fn player_of_name(&self, name: String) -> Result<NamedPlayer, InputError> {
        let tag = self
            .prefixes
            .iter()
            .find_map(|prefix| name.strip_prefix(prefix.as_str()));
        // A prefix alone isn't a gamertag, but may be a Java name.
        let Some(tag) = tag.filter(|tag| !tag.is_empty()) else {
            return Ok(NamedPlayer {
                id: PlayerId::JavaName(name),
                otherwise: None,
            });
        };
        if is_placeholder(tag) {
            return Err(InputError::Placeholder);
        }
        let mut named = NamedPlayer::with_gamertag(tag);
        if is_java_name(&name) {
            named.otherwise = Some(PlayerId::JavaName(name));
        }
        Ok(named)
    }
}

impl NamedPlayer {
    fn with_gamertag(tag: &str) -> Self {
        let tag = tag.replace('+', " ");
        Self {
            id: PlayerId::BedrockGamertag(tag.trim().to_owned()),
            otherwise: None,
        }
    }
}

/// Returns `true` for a name that a Java account can take today.
#[must_use]
pub fn is_java_name(name: &str) -> bool {
    (1..=MAX_JAVA_NAME).contains(&name.len()) && name.bytes().all(is_java_name_byte)
}

/// Returns `true` for a placeholder of a template, such as `{uuid}`, `${name}` or `%player_name%`,
/// with or without a dot in front.
///
/// ```
/// assert!(effigy_player::is_placeholder("{uuid}"));
/// assert!(!effigy_player::is_placeholder("Notch"));
/// ```
#[must_use]
pub fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let text = text.strip_prefix(DEFAULT_PREFIX).unwrap_or(text);
    [("{", "}"), ("${", "}"), ("%", "%")]
        .into_iter()
        .any(|(start, end)| has_ends(text, start, end))
}

/// Returns `true` if a text begins with `start` and ends with `end`, which don't overlap.
fn has_ends(text: &str, start: &str, end: &str) -> bool {
    let rest = text.strip_prefix(start);
    rest.is_some_and(|rest| rest.ends_with(end))
}

/// Returns `true` for a text that can be the prefix of gamertags.
fn is_prefix(text: &str) -> bool {
    let is_allowed = |c: char| !c.is_whitespace() && !c.is_control() && !",/+%".contains(c);
    (1..=MAX_PREFIX).contains(&text.len()) && text.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Uuid;

    fn prefixes(list: &[&str]) -> BedrockPrefixes {
        let list = list.iter().map(|&prefix| prefix.to_owned());
        BedrockPrefixes::new(list).unwrap()
    }

    fn java(name: &str) -> PlayerId {
        PlayerId::JavaName(name.to_owned())
    }

    fn gamertag(tag: &str) -> PlayerId {
        PlayerId::BedrockGamertag(tag.to_owned())
    }

    #[test]
    fn prefixes_mark_gamertags() {
        let several = prefixes(&["*", "B", "BE_", "-"]);
        for (input, id, otherwise) in [
            ("*gamer_tag", gamertag("gamer_tag"), None),
            ("*Two Words", gamertag("Two Words"), None),
            ("-Tag", gamertag("Tag"), None),
            (".Tag", gamertag("Tag"), None),
            (".*Tag", gamertag("*Tag"), None),
            ("BE_Tag", gamertag("Tag"), Some(java("BE_Tag"))),
            ("BTag", gamertag("Tag"), Some(java("BTag"))),
            // A Java name can't be that long or contain a space.
            ("BE_Seventeen_Chars", gamertag("Seventeen_Chars"), None),
            ("BE_Two Words", gamertag("Two Words"), None),
            // Letter case matters, and a prefix alone isn't a gamertag.
            ("be_Tag", java("be_Tag"), None),
            ("BE_", java("BE_"), None),
            ("B", java("B"), None),
            ("*", java("*"), None),
            ("Notch", java("Notch"), None),
        ] {
            let expected = NamedPlayer { id, otherwise };
            assert_eq!(several.named_player(input), Ok(expected), "{input}");
        }
    }

    #[test]
    fn identifiers_win_over_prefixes() {
        let all = prefixes(&["0", "b", "-"]);
        let uuid = "b50ad385829d3141a2167e7d7539ba7f";
        let id = |input: &str| all.named_player(input).unwrap().id;
        assert_eq!(id(uuid), PlayerId::JavaUuid(Uuid::parse(uuid).unwrap()));
        let xuid = PlayerId::BedrockXuid("00002535432196048835".to_owned());
        assert_eq!(id("00002535432196048835"), xuid);
        assert_eq!(id("0Tag"), gamertag("Tag"));
    }

    #[test]
    fn plus_in_a_gamertag_is_a_space() {
        let named = |input: &str| prefixes(&["*"]).named_player(input).unwrap().id;
        assert_eq!(named(".Gamer+Tag"), gamertag("Gamer Tag"));
        assert_eq!(named("*Gamer+Tag+"), gamertag("Gamer Tag"));
        assert_eq!(named("a+b"), java("a+b"));
    }

    #[test]
    fn dot_is_the_only_default_prefix() {
        let named = |input: &str| BedrockPrefixes::default().named_player(input).unwrap().id;
        assert_eq!(named(".Tag"), gamertag("Tag"));
        assert_eq!(named("*Tag"), java("*Tag"));
        assert_eq!(named("BE_Tag"), java("BE_Tag"));
    }

    #[test]
    fn placeholders_name_nobody() {
        let all = prefixes(&["*"]);
        for input in [
            "{uuid}",
            "{{name}}",
            "${player.name}",
            "%player_name%",
            ".{gamertag}",
            ".%name%",
            "*{gamertag}",
            " {uuid} ",
            "{}",
            "%%",
        ] {
            let found = all.named_player(input);
            assert_eq!(found, Err(InputError::Placeholder), "{input}");
        }
        for input in ["{", "%", "100%", "{a", "a}", "<uuid>"] {
            assert!(!is_placeholder(input), "{input}");
        }
        assert_eq!(all.named_player(""), Err(InputError::Empty));
        let long = format!("{{{}}}", "x".repeat(300));
        assert_eq!(
            all.named_player(&long),
            Err(InputError::TooLong { len: 302 })
        );
    }

    #[test]
    fn impossible_prefixes_are_refused() {
        let sixteen = "x".repeat(16);
        for text in ["", " ", "a b", "a,", "/", "+", "%", "\0", &sixteen] {
            let made = BedrockPrefixes::new([text.to_owned()]);
            assert_eq!(made, Err(PrefixError), "{text:?}");
        }
        assert_eq!(prefixes(&["."]), BedrockPrefixes::default());
    }

    proptest! {
        #[test]
        fn accepted_prefix_marks_gamertags(prefix in ".{0,17}", tag in "[A-Za-z]{1,8}") {
            // XUIDs and the dot win over prefixes.
            prop_assume!(!prefix.starts_with("0000") && !prefix.starts_with('.'));
            let Ok(one) = BedrockPrefixes::new([prefix.clone()]) else {
                return Ok(());
            };
            let named = one.named_player(&format!("{prefix}{tag}"));
            prop_assert_eq!(named.unwrap().id, gamertag(&tag));
        }

        #[test]
        fn any_text_and_prefix_are_read(text in ".{0,80}", prefix in ".{0,17}") {
            let one = BedrockPrefixes::new([prefix]).unwrap_or_default();
            if let Ok(named) = one.named_player(&text) {
                prop_assert!(!is_placeholder(&text));
                prop_assert!(named.otherwise.is_none_or(|java| java == PlayerId::JavaName(text)));
            }
        }
    }
}
