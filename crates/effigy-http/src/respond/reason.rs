//! Messages that say why a look-up or a picture failed, and what to do.

use effigy_player::{InputError, MAX_INPUT_BYTES};
use effigy_render::{RenderError, TextureError};
use effigy_service::{Fault, Refused, ServiceError, SharedResource};
use effigy_upstream::{LimitReason, UpstreamError};

use super::missing_player::missing;
use crate::routes::TOO_LARGE;

const MOJANG: &str = "Mojang";
const GEYSER: &str = "GeyserMC";

const TOO_LONG_FOR_SVG: &str =
    "This skin has too many texels for an SVG: end the path with \".png\" instead";
const NOTHING_MOVES: &str = "Nothing in this picture would move: other parameters hold the parts that it shows in \
    place. Leave them out, or add \"turn=true\"";
pub(crate) const NO_SKIN: &str = "No skin of the player is known.";

/// Returns the message of a failure, if its error tells more than its status.
pub(crate) fn reason(failure: &ServiceError) -> Option<String> {
    match failure {
        ServiceError::Input(error) => Some(bad_input(error)),
        ServiceError::NotACape(error) => Some(bad_cape(error)),
        ServiceError::NotASkin(error) => Some(format!("Not a skin: {error}")),
        ServiceError::Refused(refused) if refused.fault == Fault::Limited => {
            Some(limit_reached(refused))
        }
        ServiceError::Upstream(error) => upstream_reason(error),
        _ => constant_reason(failure).map(str::to_owned),
    }
}

/// Returns the message of a failure that has the same message for all players.
const fn constant_reason(failure: &ServiceError) -> Option<&'static str> {
    match failure {
        ServiceError::InputIsTexture => {
            Some("This is the hash of a texture, which has pictures, but no profile or cape")
        }
        ServiceError::TooLarge => Some(TOO_LARGE),
        ServiceError::TextureUrl(_) => Some(
            "Textures are not fetched from the host of this URL; the operator of this service can \
             allow it with --texture-host",
        ),
        ServiceError::NoTextureAt(_) => Some("There is no skin at this URL"),
        ServiceError::NoSkin => Some(NO_SKIN),
        ServiceError::NoCape => Some("The player has no cape"),
        ServiceError::Render(RenderError::SvgTooLong) => Some(TOO_LONG_FOR_SVG),
        ServiceError::Render(RenderError::NothingMoves) => Some(NOTHING_MOVES),
        _ => None,
    }
}

fn bad_input(error: &InputError) -> String {
    match error {
        InputError::TooLong { len } => {
            format!("A player may be at most {MAX_INPUT_BYTES} bytes long; this one has {len}.")
        }
        InputError::Placeholder => "The player is a placeholder that was not filled in".to_owned(),
        _ => "The player is missing.".to_owned(),
    }
}

fn bad_cape(error: &TextureError) -> String {
    if let TextureError::Dimensions { width, height, .. } = error {
        return format!(
            "The cape of this player is {width} x {height} pixels, which can't be drawn"
        );
    }
    "The cape of this player is not a PNG file, or it is damaged".to_owned()
}

/// Returns the message for a client that has reached one of its limits.
fn limit_reached(refused: &Refused) -> String {
    let resource = match refused.resource {
        SharedResource::Drawing => "drawing",
        SharedResource::Calls => "calls to other services",
        SharedResource::Queue | SharedResource::Memory => "waiting requests",
    };
    format!("Too many requests: your limit for {resource} is reached; try again later")
}

fn upstream_reason(error: &UpstreamError) -> Option<String> {
    match error {
        UpstreamError::PlayerNotFound { player } => Some(missing(player)),
        UpstreamError::OfflineUuid { uuid } => Some(format!(
            "No player with the UUID {} is known. A server in offline mode has made it from a \
             name: ask for the player by name.",
            uuid.hyphenated()
        )),
        UpstreamError::Provider { provider, source } => Some(match &**provider {
            // `textures` is the host of the game's textures.
            "mojang" | "textures" => not_available(MOJANG, source),
            "geyser" => not_available(GEYSER, source),
            other => not_available(other, source),
        }),
        UpstreamError::TextureNotFound { .. } => Some("No such texture".to_owned()),
        UpstreamError::Decode { .. } => Some("The player's texture is not a skin".to_owned()),
        _ => None,
    }
}

/// Returns the message about a failure of a provider.
fn not_available(provider: &str, failure: &UpstreamError) -> String {
    if let Some(received) = failure.bad_texture() {
        return format!("{provider} sent {received} in place of the texture");
    }
    if matches!(failure, UpstreamError::TextureUrl { .. }) {
        return format!("{provider} named a texture at a host that is not allowed");
    }
    // The first refusal of calls has a status. Later calls are not made, and have a reason.
    match failure.limit() {
        Some(LimitReason::Refused) => format!("{provider} refuses calls; try again later"),
        Some(LimitReason::RateLimit | LimitReason::TooManyRequests | LimitReason::Concurrency) => {
            format!("{provider}'s rate limit is reached; try again later")
        }
        None if failure.status() == Some(429) => {
            format!("{provider}'s rate limit is reached; try again later")
        }
        _ => format!("{provider} is not answering; try again later"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use effigy_player::Uuid;
    use effigy_render::Skin;
    use effigy_upstream::{ReceivedFile, Step, TransportError};

    use super::*;

    /// Returns the message about a failure of a provider.
    fn reason_of(provider: &str, failure: UpstreamError) -> String {
        let named = UpstreamError::Provider {
            provider: provider.into(),
            source: failure.into(),
        };
        reason(&named.into()).unwrap()
    }

    fn limited(reason: LimitReason) -> UpstreamError {
        UpstreamError::Limited {
            step: Step::Texture,
            reason,
            retry_after: Duration::ZERO,
        }
    }

    fn with_status(status: u16) -> UpstreamError {
        UpstreamError::Status {
            step: Step::Texture,
            status,
            retry_after: None,
        }
    }

    #[test]
    fn outage_names_the_provider() {
        let rows = [
            ("mojang", "Mojang is not answering; try again later"),
            ("textures", "Mojang is not answering; try again later"),
            ("geyser", "GeyserMC is not answering; try again later"),
            (
                "yggdrasil:ely.by",
                "yggdrasil:ely.by is not answering; try again later",
            ),
        ];
        for (provider, message) in rows {
            assert_eq!(reason_of(provider, with_status(500)), message);
        }
    }

    #[test]
    fn provider_without_a_valid_answer_is_not_answering() {
        let timed_out = UpstreamError::Transport {
            step: Step::Texture,
            source: TransportError::Timeout,
            retry_after: None,
        };
        let malformed = UpstreamError::Shape {
            step: Step::Texture,
            field: "id",
        };
        for failure in [timed_out, malformed, limited(LimitReason::NotAnswering)] {
            let message = reason_of("mojang", failure);
            assert_eq!(message, "Mojang is not answering; try again later");
        }
    }

    #[test]
    fn every_rate_limit_has_one_message() {
        let failures = [
            limited(LimitReason::RateLimit),
            limited(LimitReason::TooManyRequests),
            limited(LimitReason::Concurrency),
            with_status(429),
        ];
        for failure in failures {
            let message = reason_of("mojang", failure);
            assert_eq!(message, "Mojang's rate limit is reached; try again later");
        }
    }

    #[test]
    fn refusal_of_calls_is_told() {
        let message = reason_of("mojang", limited(LimitReason::Refused));
        assert_eq!(message, "Mojang refuses calls; try again later");
    }

    #[test]
    fn bad_texture_is_told_by_what_was_received() {
        let received = ReceivedFile::Jpeg;
        let message = reason_of("textures", UpstreamError::BadTexture { received });
        assert_eq!(message, "Mojang sent a JPEG image in place of the texture");
    }

    #[test]
    fn texture_at_a_forbidden_host_names_the_provider() {
        let url = "https://example.org/skin.png".to_owned();
        let message = reason_of("yggdrasil:ely.by", UpstreamError::TextureUrl { url });
        let expected = "yggdrasil:ely.by named a texture at a host that is not allowed";
        assert_eq!(message, expected);
    }

    #[test]
    fn texture_that_is_not_a_skin_is_explained() {
        let bad_size = Skin::from_rgba(63, 64, &[], None).unwrap_err();
        let failure = UpstreamError::Decode {
            source: bad_size.into(),
        };
        let message = reason(&failure.into());
        let expected = "The player's texture is not a skin";
        assert_eq!(message.as_deref(), Some(expected));
    }

    #[test]
    fn uuid_of_a_server_in_offline_mode_is_explained() {
        // A UUID of version 3.
        let uuid = Uuid(3 << 76);
        let message = reason(&UpstreamError::OfflineUuid { uuid }.into()).unwrap();
        assert!(
            message.ends_with("ask for the player by name."),
            "{message}"
        );
    }

    #[test]
    fn failure_of_our_own_has_no_reason() {
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
                "This is the hash of a texture, which has pictures, but no profile or cape",
            ),
        ];
        for (error, message) in rows {
            assert_eq!(reason(&error).as_deref(), Some(message));
        }
    }
}
