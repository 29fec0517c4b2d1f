//! The URLs of other avatar services, each under a prefix of its own, for sites that move here.

pub(super) mod crafatar;
pub(super) mod mc_heads;
pub(super) mod minotar;

use std::borrow::Cow;

use effigy_player::{Edition, PlayerId};
use effigy_service::{PictureParams, Substitute};

use super::request::Operation;

/// Returns the operation of a picture of a player, or of another one if there is no such player: the one who is named for
/// that and for a player who has set no skin, else the default one.
fn of_player_or(
    params: PictureParams,
    player: &str,
    named: Option<Cow<'static, str>>,
    default: &'static str,
) -> Operation {
    let is_bedrock = PlayerId::edition_of(player) == Edition::Bedrock;
    // The other one stands for whatever is not the player's own skin.
    let is_preferred = is_bedrock || named.is_some();
    let params = if is_preferred {
        params.of_own_skin()
    } else {
        params
    };
    let other = Substitute {
        player: named.unwrap_or(default.into()),
        otherwise: Some(default),
        in_outage: is_preferred,
    };
    Operation::picture(params, player, Some(other))
}
