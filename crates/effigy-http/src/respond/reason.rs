//! Messages that name what happened to a look-up, and what to do.

use effigy_player::{
    Edition, InputError, MAX_INPUT_BYTES, MAX_JAVA_NAME, PlayerId, is_java_name_byte,
};
use effigy_service::ServiceError;
use effigy_upstream::{LimitReason, Step, UpstreamError};

use crate::routes::TOO_LARGE;

/// The numbers of digits that the ends of XUIDs have.
const XUID_DIGITS: std::ops::RangeInclusive<usize> = 15..=17;

/// The longest gamertag.
const MAX_GAMERTAG: usize = 16;

const MOJANG: &str = "Mojang";
const GEYSER: &str = "GeyserMC";

/// Returns the message of a failure, if its error tells more than its status.
pub(crate) fn reason(failure: &ServiceError) -> Option<String> {
    Some(match failure {
        ServiceError::Input(InputError::TooLong { len }) => {
            format!("A player may be at most {MAX_INPUT_BYTES} bytes long; this one has {len}.")
        }
        ServiceError::Input(_) => "The player is missing.".to_owned(),
        ServiceError::TooLarge => TOO_LARGE.to_owned(),
        ServiceError::NotASkin(reason) => format!("Not a skin: {reason}"),
        ServiceError::Upstream(error) => match error {
            UpstreamError::PlayerNotFound { player } => missing(player),
            UpstreamError::OfflineUuid { uuid } => format!(
                "No player with the UUID {} is known. It is that of a server in offline mode, from which the name \
                 cannot be told: ask for the player by name.",
                uuid.hyphenated()
            ),
            UpstreamError::Provider { provider, source } => not_available(provider, source),
            UpstreamError::Status { step, .. }
            | UpstreamError::Transport { step, .. }
            | UpstreamError::Shape { step, .. }
            | UpstreamError::Limited { step, .. } => not_available(service(*step), error),
            _ => return None,
        },
        _ => return None,
    })
}

/// Returns the service that a step of a look-up calls, unless the error names another provider.
const fn service(step: Step) -> &'static str {
    match step {
        Step::Identity | Step::Session | Step::Texture | Step::Metadata => MOJANG,
        Step::Xuid | Step::BedrockSkin => GEYSER,
    }
}

/// Returns the message of a failure of a service.
fn not_available(service: &str, failure: &UpstreamError) -> String {
    match failure {
        UpstreamError::Limited { reason, .. } => match reason {
            LimitReason::RateLimit | LimitReason::TooManyRequests | LimitReason::Concurrency => {
                format!("{service}'s limit of calls is reached; try again later")
            }
            LimitReason::Refused => format!("{service} refuses calls; try again later"),
            _ => not_answering(service),
        },
        _ => not_answering(service),
    }
}

fn not_answering(service: &str) -> String {
    format!("{service} is not answering; try again later")
}

/// Returns the message of an outage of the service for the players of an edition.
pub(crate) fn outage(edition: Edition) -> String {
    not_answering(match edition {
        Edition::Java => MOJANG,
        Edition::Bedrock => GEYSER,
    })
}

/// Explains that there is no such player: what its name lacks, if no player can have it.
fn missing(player: &PlayerId) -> String {
    let what = match player {
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
    match instead(player) {
        Some(xuid) if xuid.starts_with('0') => {
            format!("{what}. For a Bedrock XUID, put 0000 in front: {xuid}")
        }
        Some(gamertag) => format!("{what}. For a Bedrock player, put a dot in front: {gamertag}"),
        None => format!("{what}."),
    }
}

/// Returns the Bedrock player that may have been meant by a Java name.
pub(crate) fn instead(player: &PlayerId) -> Option<String> {
    match player {
        PlayerId::JavaName(name) if is_xuid(name) => Some(format!("0000{name}")),
        PlayerId::JavaName(name) if is_gamertag(name) => Some(format!(".{name}")),
        _ => None,
    }
}

fn no_java_name(name: &str) -> String {
    match digits_of_uuid(name) {
        Some(digits) if !is_xuid(name) => {
            format!("A UUID has 32 hexadecimal digits; this one has {digits}")
        }
        _ if !name.bytes().all(is_java_name_byte) => {
            "A Java name has only letters, digits and underscores".to_owned()
        }
        _ if name.len() > MAX_JAVA_NAME && !is_xuid(name) => format!(
            "A Java name is at most {MAX_JAVA_NAME} characters long; this one has {}",
            name.len()
        ),
        _ => format!("No Java player is named {name}"),
    }
}

/// Returns `true` for the end of an XUID.
fn is_xuid(text: &str) -> bool {
    XUID_DIGITS.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns `true` for texts that a Bedrock player may be named: letters, digits and single blanks.
fn is_gamertag(text: &str) -> bool {
    let mut words = text.split(' ');
    text.chars().count() <= MAX_GAMERTAG
        && text.starts_with(char::is_alphabetic)
        && words.all(|word| !word.is_empty() && word.chars().all(char::is_alphanumeric))
}

fn no_xuid(xuid: &str) -> String {
    let digits = xuid.trim_start_matches('0');
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    match digits.len() {
        _ if !is_number => "An XUID has only digits after 0000".to_owned(),
        length if !XUID_DIGITS.contains(&length) => {
            format!("An XUID has 16 digits after 0000; this one has {length}")
        }
        _ => format!("No Bedrock player has the XUID {digits}"),
    }
}

/// Returns the number of hexadecimal digits of a text that seems to be a UUID: too long for a name, or
/// in groups.
fn digits_of_uuid(text: &str) -> Option<usize> {
    let digits = text.bytes().filter(u8::is_ascii_hexdigit).count();
    let dashes = text.bytes().filter(|byte| *byte == b'-').count();
    let is_long = digits > MAX_JAVA_NAME && digits + dashes == text.len();
    (is_long && digits != 32).then_some(digits)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use effigy_player::Uuid;
    use effigy_upstream::TransportError;

    use super::*;

    #[test]
    fn a_message_says_what_the_input_lacks() {
        let rows = [
            (
                "Dinnerbone",
                "No Java player is named Dinnerbone. For a Bedrock player, put a dot in front: \
                 .Dinnerbone",
                Some(".Dinnerbone"),
            ),
            (
                "Two Words",
                "A Java name has only letters, digits and underscores. For a Bedrock player, put a \
                 dot in front: .Two Words",
                Some(".Two Words"),
            ),
            (
                "Seventeen_Letters",
                "A Java name is at most 16 characters long; this one has 17.",
                None,
            ),
            (
                "<script>",
                "A Java name has only letters, digits and underscores.",
                None,
            ),
            (
                "\u{1f600}",
                "A Java name has only letters, digits and underscores.",
                None,
            ),
            (
                "2535405317821216",
                "No Java player is named 2535405317821216. For a Bedrock XUID, put 0000 in front: \
                 00002535405317821216",
                Some("00002535405317821216"),
            ),
            (
                "25354053178212161",
                "No Java player is named 25354053178212161. For a Bedrock XUID, put 0000 in front: \
                 000025354053178212161",
                Some("000025354053178212161"),
            ),
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
        ];
        for (input, message, instead) in rows {
            let player = PlayerId::detect(input).unwrap();
            let error = UpstreamError::PlayerNotFound {
                player: player.clone(),
            };
            assert_eq!(reason(&error.into()).as_deref(), Some(message), "{input}");
            assert_eq!(super::instead(&player).as_deref(), instead, "{input}");
        }
    }

    #[test]
    fn an_outage_names_the_service() {
        use LimitReason::{
            CircuitOpen, Concurrency, NoMetadata, RateLimit, Refused, TooManyRequests,
        };
        let limits = [
            (RateLimit, "'s limit of calls is reached"),
            (TooManyRequests, "'s limit of calls is reached"),
            (Concurrency, "'s limit of calls is reached"),
            (Refused, " refuses calls"),
            (CircuitOpen, " is not answering"),
            (NoMetadata, " is not answering"),
        ];
        for (step, service) in [
            (Step::Identity, "Mojang"),
            (Step::Session, "Mojang"),
            (Step::Texture, "Mojang"),
            (Step::Xuid, "GeyserMC"),
            (Step::BedrockSkin, "GeyserMC"),
        ] {
            let check = |failure: &dyn Fn() -> UpstreamError, message: &str| {
                let expected = |service| Some(format!("{service}{message}; try again later"));
                assert_eq!(reason(&failure().into()), expected(service), "{step}");
                let provider = UpstreamError::Provider {
                    provider: "yggdrasil:ely.by".into(),
                    source: Box::new(failure()),
                };
                assert_eq!(reason(&provider.into()), expected("yggdrasil:ely.by"));
            };
            for (reason, message) in limits {
                let retry_after = Duration::ZERO;
                check(
                    &|| UpstreamError::Limited {
                        step,
                        reason,
                        retry_after,
                    },
                    message,
                );
            }
            let silent = " is not answering";
            check(&|| UpstreamError::Status { step, status: 500 }, silent);
            check(&|| UpstreamError::Shape { step, field: "id" }, silent);
            let source = || TransportError::Timeout;
            check(
                &|| UpstreamError::Transport {
                    step,
                    source: source(),
                },
                silent,
            );
        }
    }

    #[test]
    fn the_uuid_of_a_server_in_offline_mode_is_explained() {
        let offline = UpstreamError::OfflineUuid {
            uuid: Uuid::from_u128(3 << 76),
        };
        let message = reason(&offline.into()).unwrap();
        assert!(
            message.ends_with("ask for the player by name."),
            "{message}"
        );
        assert_eq!(reason(&ServiceError::NoCape), None);
    }
}
