//! Messages about players who do not exist, with the mistake that the input probably has.

use effigy_player::{MAX_JAVA_NAME, PlayerId, is_java_name};

/// The numbers of digits that XUIDs have after `0000`.
const XUID_DIGITS: std::ops::RangeInclusive<usize> = 15..=17;

/// The length of the longest gamertag.
const MAX_GAMERTAG: usize = 16;

/// The words that servers put in front of the gamertags of Bedrock players.
const WORD_PREFIXES: [&str; 4] = ["BE_", "BE-", "MCPE_", "PE_"];

/// The punctuation that is not a prefix, because it can't be one or begins another mistake.
const NO_PREFIXES: &str = "_,/+%.@\"'<";

/// Explains that there is no such player, and why no player can have the name.
pub(super) fn missing(player: &PlayerId) -> String {
    let reason = match player {
        PlayerId::JavaName(name) => no_java_name(name),
        PlayerId::JavaUuid(uuid) => format!("No Java player has the UUID {}", uuid.hyphenated()),
        PlayerId::BedrockGamertag(gamertag) if gamertag.is_empty() => {
            return "A Bedrock gamertag follows the dot: .Gamertag".to_owned();
        }
        PlayerId::BedrockGamertag(gamertag) => {
            format!("No Bedrock player has the gamertag {gamertag}")
        }
        PlayerId::BedrockXuid(xuid) => no_xuid(xuid),
    };
    if let PlayerId::JavaName(name) = player
        && let Some((prefix, _)) = split_prefix(name)
    {
        return format!(
            "{reason}. If {prefix} marks Bedrock players here, the operator of this service has to \
             set --bedrock-prefix={prefix}"
        );
    }
    match probably_meant(player) {
        Some(xuid) if xuid.starts_with('0') => {
            format!("{reason}. For a Bedrock XUID, put 0000 in front: {xuid}")
        }
        Some(gamertag) => format!("{reason}. For a Bedrock player, put a dot in front: {gamertag}"),
        None => format!("{reason}."),
    }
}

/// Returns the Bedrock player that a Java name probably means.
pub(crate) fn probably_meant(player: &PlayerId) -> Option<String> {
    let PlayerId::JavaName(name) = player else {
        return None;
    };
    if let Some((_, gamertag)) = split_prefix(name) {
        return Some(format!(".{gamertag}"));
    }
    if is_xuid(name) {
        return Some(format!("0000{name}"));
    }
    if is_gamertag(name) {
        return Some(format!(".{name}"));
    }
    None
}

/// Explains that no Java player has a name. Providers other than Mojang may have names that no
/// account can have.
fn no_java_name(name: &str) -> String {
    if is_java_name(name) || is_xuid(name) {
        return format!("No Java player is named {name}");
    }
    if let Some(digits) = digits_of_bad_uuid(name) {
        return format!("A UUID has 32 hexadecimal digits; this one has {digits}");
    }
    format!(
        "No Java player is named {name}; names at Mojang have at most {MAX_JAVA_NAME} letters, \
         digits and underscores"
    )
}

/// Returns the number of hexadecimal digits of a text that is probably a UUID with missing or extra
/// digits.
fn digits_of_bad_uuid(text: &str) -> Option<usize> {
    let digits = text.bytes().filter(u8::is_ascii_hexdigit).count();
    let dashes = text.bytes().filter(|byte| *byte == b'-').count();
    let is_like_uuid = digits > MAX_JAVA_NAME && digits + dashes == text.len();
    if is_like_uuid && digits != 32 {
        Some(digits)
    } else {
        None
    }
}

/// Explains that no Bedrock player has an XUID.
fn no_xuid(xuid: &str) -> String {
    let digits = xuid.trim_start_matches('0');
    if digits.is_empty() {
        return "No Bedrock player has the XUID 0".to_owned();
    }
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return "An XUID has only digits after 0000".to_owned();
    }
    if is_xuid(digits) {
        return format!("No Bedrock player has the XUID {digits}");
    }
    let count = digits.len();
    format!("An XUID has 16 digits after 0000; this one has {count}")
}

/// Splits a name into a prefix that servers often give Bedrock players, and a gamertag.
fn split_prefix(name: &str) -> Option<(&str, &str)> {
    for prefix in WORD_PREFIXES {
        if let Some((start, gamertag)) = name.split_at_checked(prefix.len())
            && start.eq_ignore_ascii_case(prefix)
            && is_gamertag_in_game(gamertag)
        {
            return Some((start, gamertag));
        }
    }
    let mark = name.chars().next()?;
    let (prefix, gamertag) = name.split_at(mark.len_utf8());
    let is_prefix = mark.is_ascii_punctuation() && !NO_PREFIXES.contains(mark);
    if is_prefix && is_gamertag_in_game(gamertag) {
        Some((prefix, gamertag))
    } else {
        None
    }
}

/// Returns `true` for a gamertag as Java servers show it, with underscores instead of spaces.
fn is_gamertag_in_game(text: &str) -> bool {
    is_gamertag(&text.replace(['_', '+'], " "))
}

/// Returns `true` for a text that can be a gamertag: letters, digits and single spaces.
fn is_gamertag(text: &str) -> bool {
    let mut words = text.split(' ');
    text.chars().count() <= MAX_GAMERTAG
        && text.starts_with(char::is_alphabetic)
        && words.all(|word| !word.is_empty() && word.chars().all(char::is_alphanumeric))
}

/// Returns `true` for an XUID without its leading zeros.
fn is_xuid(text: &str) -> bool {
    XUID_DIGITS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Asserts the messages about missing players, and the Bedrock players that are suggested.
    fn check(rows: &[(&str, &str, Option<&str>)]) {
        for (input, message, suggested) in rows {
            let player = PlayerId::detect(input).unwrap();
            assert_eq!(missing(&player), *message, "{input}");
            assert_eq!(probably_meant(&player).as_deref(), *suggested, "{input}");
        }
    }

    #[test]
    fn missing_java_name_may_be_a_gamertag() {
        check(&[
            (
                "Dinnerbone",
                "No Java player is named Dinnerbone. For a Bedrock player, put a dot in front: \
                 .Dinnerbone",
                Some(".Dinnerbone"),
            ),
            (
                "Two Words",
                "No Java player is named Two Words; names at Mojang have at most 16 letters, \
                 digits and underscores. For a Bedrock player, put a dot in front: .Two Words",
                Some(".Two Words"),
            ),
        ]);
    }

    #[test]
    fn unlikely_names_are_not_gamertags() {
        check(&[
            ("BE_", "No Java player is named BE_.", None),
            (
                "Seventeen_Letters",
                "No Java player is named Seventeen_Letters; names at Mojang have at most 16 \
                 letters, digits and underscores.",
                None,
            ),
            (
                "<script>",
                "No Java player is named <script>; names at Mojang have at most 16 letters, \
                 digits and underscores.",
                None,
            ),
            (
                "\u{1f600}",
                "No Java player is named \u{1f600}; names at Mojang have at most 16 letters, \
                 digits and underscores.",
                None,
            ),
            (
                "*1",
                "No Java player is named *1; names at Mojang have at most 16 letters, digits and \
                 underscores.",
                None,
            ),
        ]);
    }

    #[test]
    fn prefix_of_a_gamertag_may_need_a_setting() {
        check(&[
            (
                "BE_Tag",
                "No Java player is named BE_Tag. If BE_ marks Bedrock players here, the operator \
                 of this service has to set --bedrock-prefix=BE_",
                Some(".Tag"),
            ),
            (
                "*gamer_tag",
                "No Java player is named *gamer_tag; names at Mojang have at most 16 letters, \
                 digits and underscores. If * marks Bedrock players here, the operator of this \
                 service has to set --bedrock-prefix=*",
                Some(".gamer_tag"),
            ),
        ]);
        let spaced = PlayerId::detect("*Gamer+Tag").unwrap();
        assert_eq!(probably_meant(&spaced).as_deref(), Some(".Gamer+Tag"));
    }

    #[test]
    fn digits_may_be_an_xuid_without_zeros() {
        check(&[(
            "2535405317821216",
            "No Java player is named 2535405317821216. For a Bedrock XUID, put 0000 in front: \
             00002535405317821216",
            Some("00002535405317821216"),
        )]);
        let long = PlayerId::detect("25354053178212161").unwrap();
        assert_eq!(
            probably_meant(&long).as_deref(),
            Some("000025354053178212161")
        );
    }

    #[test]
    fn uuid_with_a_missing_digit_is_explained() {
        check(&[
            (
                "069a79f4-44e9-4726-a5be-fca90e38aaf",
                "A UUID has 32 hexadecimal digits; this one has 31.",
                None,
            ),
            (
                "069a79f444e94726a5befca90e38aaf5",
                "No Java player has the UUID 069a79f4-44e9-4726-a5be-fca90e38aaf5.",
                None,
            ),
        ]);
    }

    #[test]
    fn missing_bedrock_players_are_explained() {
        check(&[
            (".", "A Bedrock gamertag follows the dot: .Gamertag", None),
            (
                ".Two Words",
                "No Bedrock player has the gamertag Two Words.",
                None,
            ),
            (
                "00002535405317821216",
                "No Bedrock player has the XUID 2535405317821216.",
                None,
            ),
            (
                "000025354053",
                "An XUID has 16 digits after 0000; this one has 8.",
                None,
            ),
            ("0000 text", "An XUID has only digits after 0000.", None),
        ]);
    }
}
