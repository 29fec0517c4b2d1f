//! Messages that name what happened to a look-up, and what to do.

use effigy_player::{InputError, MAX_INPUT_BYTES, MAX_JAVA_NAME, PlayerId, is_java_name};
use effigy_render::{RenderError, TextureError};
use effigy_service::{Fault, Refused, ServiceError, SharedResource};
use effigy_upstream::{LimitReason, UpstreamError};

use crate::routes::TOO_LARGE;

/// The numbers of digits that the ends of XUIDs have.
const XUID_DIGITS: std::ops::RangeInclusive<usize> = 15..=17;

/// The longest gamertag.
const MAX_GAMERTAG: usize = 16;

/// The words that servers put in front of the gamertags of Bedrock players.
const WORD_PREFIXES: [&str; 4] = ["BE_", "BE-", "MCPE_", "PE_"];

/// The punctuation that is no prefix: it cannot be one, or begins another mistake.
const NO_PREFIXES: &str = "_,/+%.@\"'<";

const MOJANG: &str = "Mojang";
const GEYSER: &str = "GeyserMC";
const TOO_LONG_FOR_SVG: &str = "This skin has so many texels that the picture is too long for \
    SVG: end the path with \".png\" instead";
pub(crate) const NO_SKIN: &str = "No skin of the player is known.";

/// Returns the message of a failure, if its error tells more than its status.
pub(crate) fn reason(failure: &ServiceError) -> Option<String> {
    Some(match failure {
        ServiceError::Input(InputError::TooLong { len }) => {
            format!("A player may be at most {MAX_INPUT_BYTES} bytes long; this one has {len}.")
        }
        ServiceError::Input(InputError::Placeholder) => {
            "The player is a placeholder that was not filled in".to_owned()
        }
        ServiceError::Input(_) => "The player is missing.".to_owned(),
        ServiceError::InputIsTexture => {
            "This is the hash of a texture, which has a picture, but no account".to_owned()
        }
        ServiceError::TooLarge => TOO_LARGE.to_owned(),
        ServiceError::TextureUrl(_) => {
            "Textures are not fetched from the host of this URL; the operator of this service can \
             allow it with --texture-host"
                .to_owned()
        }
        ServiceError::NoTextureAt(_) => "There is no skin at this URL".to_owned(),
        ServiceError::Refused(refused) if refused.fault == Fault::Limited => used_up(refused),
        ServiceError::NoSkin => NO_SKIN.to_owned(),
        ServiceError::NoCape => "The player has no cape".to_owned(),
        ServiceError::NotACape(TextureError::Dimensions { width, height, .. }) => {
            format!("The cape of this player is {width} x {height} pixels, which can't be drawn")
        }
        ServiceError::NotACape(_) => {
            "The cape of this player is not a PNG file, or it is damaged".to_owned()
        }
        ServiceError::Render(RenderError::SvgTooLong) => TOO_LONG_FOR_SVG.to_owned(),
        ServiceError::NotASkin(reason) => format!("Not a skin: {reason}"),
        ServiceError::Upstream(error) => match error {
            UpstreamError::PlayerNotFound { player } => missing(player),
            UpstreamError::OfflineUuid { uuid } => format!(
                "No player with the UUID {} is known. It is that of a server in offline mode, from which the name \
                 cannot be told: ask for the player by name.",
                uuid.hyphenated()
            ),
            UpstreamError::Provider { provider, source } => match &**provider {
                // The second are the textures of the game.
                "mojang" | "textures" => not_available(MOJANG, source),
                "geyser" => not_available(GEYSER, source),
                provider => not_available(provider, source),
            },
            UpstreamError::TextureNotFound { .. } => "No such texture".to_owned(),
            UpstreamError::Decode { .. } => "The texture of the player is no skin".to_owned(),
            _ => return None,
        },
        _ => return None,
    })
}

/// Returns the message of a client that has reached one of its limits.
fn used_up(refused: &Refused) -> String {
    let limit = match refused.resource {
        SharedResource::Drawing => "drawing",
        SharedResource::Calls => "calls to other services",
        SharedResource::Queue | SharedResource::Memory => "waiting requests",
    };
    format!("Too many requests: your limit of {limit} is reached; try again later")
}

/// Returns the message of a failure of a service.
fn not_available(service: &str, failure: &UpstreamError) -> String {
    use LimitReason::{Concurrency, RateLimit, Refused, TooManyRequests};
    if let Some(received) = failure.bad_texture() {
        return format!("{service} sent {received} in place of the texture");
    }
    let problem = match failure.limit() {
        // The first rejection is told like those that follow.
        None if failure.status() == Some(429) => "'s limit of calls is reached",
        Some(RateLimit | TooManyRequests | Concurrency) => "'s limit of calls is reached",
        Some(Refused) => " refuses calls",
        None if matches!(failure, UpstreamError::TextureUrl { .. }) => {
            return format!("{service} names a texture at a host that is not allowed");
        }
        _ => " is not answering",
    };
    format!("{service}{problem}; try again later")
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
    if let PlayerId::JavaName(name) = player
        && let Some((prefix, _)) = split_prefix(name)
    {
        return format!(
            "{what}. If {prefix} marks Bedrock players here, the operator of this service has to \
             set --bedrock-prefix={prefix}"
        );
    }
    match instead(player) {
        Some(xuid) if xuid.starts_with('0') => {
            format!("{what}. For a Bedrock XUID, put 0000 in front: {xuid}")
        }
        Some(gamertag) => format!("{what}. For a Bedrock player, put a dot in front: {gamertag}"),
        None => format!("{what}."),
    }
}

/// Splits a name into a prefix that servers often give Bedrock players, and a gamertag.
fn split_prefix(name: &str) -> Option<(&str, &str)> {
    for prefix in WORD_PREFIXES {
        if let Some((start, tag)) = name.split_at_checked(prefix.len())
            && start.eq_ignore_ascii_case(prefix)
            && is_gamertag_in_game(tag)
        {
            return Some((start, tag));
        }
    }
    let mark = name.chars().next()?;
    let (prefix, tag) = name.split_at(mark.len_utf8());
    let is_prefix = mark.is_ascii_punctuation() && !NO_PREFIXES.contains(mark);
    (is_prefix && is_gamertag_in_game(tag)).then_some((prefix, tag))
}

/// Returns `true` for a gamertag as Java servers show it: with underscores in place of its spaces.
fn is_gamertag_in_game(text: &str) -> bool {
    is_gamertag(&text.replace(['_', '+'], " "))
}

/// Returns the Bedrock player that may have been meant by a Java name.
pub(crate) fn instead(player: &PlayerId) -> Option<String> {
    match player {
        PlayerId::JavaName(name) if let Some((_, tag)) = split_prefix(name) => {
            Some(format!(".{tag}"))
        }
        PlayerId::JavaName(name) if is_xuid(name) => Some(format!("0000{name}")),
        PlayerId::JavaName(name) if is_gamertag(name) => Some(format!(".{name}")),
        _ => None,
    }
}

/// Explains that no Java player has a name. Other services than Mojang, and the operator's folder, may have other names.
fn no_java_name(name: &str) -> String {
    match digits_of_uuid(name) {
        _ if is_java_name(name) || is_xuid(name) => format!("No Java player is named {name}"),
        Some(digits) => format!("A UUID has 32 hexadecimal digits; this one has {digits}"),
        None => format!(
            "No Java player is named {name}; names at {MOJANG} have at most {MAX_JAVA_NAME} letters, digits and \
             underscores"
        ),
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
    match digits.len() {
        0 => "No Bedrock player has the XUID 0".to_owned(),
        _ if is_xuid(digits) => format!("No Bedrock player has the XUID {digits}"),
        length if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("An XUID has 16 digits after 0000; this one has {length}")
        }
        _ => "An XUID has only digits after 0000".to_owned(),
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
    use effigy_render::Skin;
    use effigy_upstream::{ReceivedFile, Step, TransportError};

    use super::*;

    #[test]
    fn a_message_says_what_the_input_lacks() {
        let dot = "No Java player is named {}. For a Bedrock player, put a dot in front: .{}";
        let zeros = "No Java player is named {}. For a Bedrock XUID, put 0000 in front: 0000{}";
        let unlike = "No Java player is named {}; names at Mojang have at most 16 letters, digits \
                      and underscores.";
        let unlike_dot = format!("{unlike} For a Bedrock player, put a dot in front: .{{}}");
        let set = "If {} marks Bedrock players here, the operator of this service has to set \
                   --bedrock-prefix={}";
        let star = &format!("{unlike} {}", set.replace("{}", "*"));
        let plain = "No Java player is named {}.";
        let word = &format!("{plain} {}", set.replace("{}", "BE_"));
        let uuid = "No Java player has the UUID 069a79f4-44e9-4726-a5be-fca90e38aaf5.";
        let short_uuid = "A UUID has 32 hexadecimal digits; this one has 31.";
        let gamertag = "No Bedrock player has the gamertag Two Words.";
        let xuid = "No Bedrock player has the XUID 2535405317821216.";
        let short_xuid = "An XUID has 16 digits after 0000; this one has 8.";
        let rows = [
            ("Dinnerbone", dot, Some(".{}")),
            ("*gamer_tag", star, Some(".gamer_tag")),
            ("*Gamer+Tag", star, Some(".Gamer+Tag")),
            ("BE_Tag", word, Some(".Tag")),
            ("*", unlike, None),
            ("BE_", plain, None),
            ("*1", unlike, None),
            ("Two Words", &unlike_dot, Some(".{}")),
            ("Seventeen_Letters", unlike, None),
            ("<script>", unlike, None),
            ("\u{1f600}", unlike, None),
            ("2535405317821216", zeros, Some("0000{}")),
            ("25354053178212161", zeros, Some("0000{}")),
            ("069a79f4-44e9-4726-a5be-fca90e38aaf", short_uuid, None),
            ("069a79f444e94726a5befca90e38aaf5", uuid, None),
            (".", "A Bedrock gamertag follows the dot: .Gamertag", None),
            (".Two Words", gamertag, None),
            ("00002535405317821216", xuid, None),
            ("000025354053", short_xuid, None),
            ("0000 text", "An XUID has only digits after 0000.", None),
        ];
        for (input, message, instead) in rows {
            let player = PlayerId::detect(input).unwrap();
            let error = UpstreamError::PlayerNotFound {
                player: player.clone(),
            };
            let message = message.replace("{}", input);
            assert_eq!(reason(&error.into()), Some(message), "{input}");
            let instead = instead.map(|text| text.replace("{}", input));
            assert_eq!(super::instead(&player), instead, "{input}");
        }
    }

    #[test]
    fn an_outage_names_the_service() {
        use LimitReason::{Concurrency, NotAnswering, RateLimit, Refused, TooManyRequests};
        let (step, retry_after) = (Step::Texture, None);
        let limited = |reason| UpstreamError::Limited {
            step,
            reason,
            retry_after: Duration::ZERO,
        };
        let with_status = |status| UpstreamError::Status {
            step,
            status,
            retry_after,
        };
        let limit = "'s limit of calls is reached";
        let silent = " is not answering";
        for (provider, service) in [
            ("mojang", "Mojang"),
            ("textures", "Mojang"),
            ("geyser", "GeyserMC"),
            ("yggdrasil:ely.by", "yggdrasil:ely.by"),
        ] {
            let timed_out = UpstreamError::Transport {
                step,
                source: TransportError::Timeout,
                retry_after,
            };
            let rows = [
                (limited(RateLimit), limit),
                (limited(TooManyRequests), limit),
                (limited(Concurrency), limit),
                (limited(Refused), " refuses calls"),
                (limited(NotAnswering), silent),
                (timed_out, silent),
                (with_status(500), silent),
                (with_status(429), limit),
                (UpstreamError::Shape { step, field: "id" }, silent),
            ];
            for (failure, problem) in rows {
                let named = UpstreamError::Provider {
                    provider: provider.into(),
                    source: failure.into(),
                };
                let expected = format!("{service}{problem}; try again later");
                assert_eq!(reason(&named.into()), Some(expected));
            }
        }
    }

    #[test]
    fn a_bad_texture_names_what_was_received() {
        let failure = UpstreamError::Provider {
            provider: "textures".into(),
            source: UpstreamError::BadTexture {
                received: ReceivedFile::Jpeg,
            }
            .into(),
        };
        let message = reason(&failure.into());
        let expected = "Mojang sent a JPEG image in place of the texture";
        assert_eq!(message.as_deref(), Some(expected));
    }

    #[test]
    fn texture_at_a_forbidden_host_names_the_provider() {
        let failure = UpstreamError::Provider {
            provider: "yggdrasil:ely.by".into(),
            source: UpstreamError::TextureUrl { url: String::new() }.into(),
        };
        let message = reason(&failure.into());
        let expected = "yggdrasil:ely.by names a texture at a host that is not allowed";
        assert_eq!(message.as_deref(), Some(expected));
    }

    #[test]
    fn texture_that_is_not_a_skin_is_explained() {
        let bad_size = Skin::from_rgba(63, 64, &[], None).unwrap_err();
        let failure = UpstreamError::Decode {
            source: bad_size.into(),
        };
        let message = reason(&failure.into());
        let expected = "The texture of the player is no skin";
        assert_eq!(message.as_deref(), Some(expected));
    }

    #[test]
    fn the_uuid_of_a_server_in_offline_mode_is_explained() {
        let offline = UpstreamError::OfflineUuid {
            uuid: Uuid(3 << 76),
        };
        let message = reason(&offline.into()).unwrap();
        assert!(
            message.ends_with("ask for the player by name."),
            "{message}"
        );
        assert_eq!(reason(&ServiceError::Interrupted), None);
    }

    #[test]
    fn inputs_without_an_account_are_explained() {
        let rows = [
            (
                InputError::Placeholder.into(),
                "The player is a placeholder that was not filled in",
            ),
            (
                ServiceError::InputIsTexture,
                "This is the hash of a texture, which has a picture, but no account",
            ),
        ];
        for (error, message) in rows {
            assert_eq!(reason(&error).as_deref(), Some(message));
        }
    }
}
