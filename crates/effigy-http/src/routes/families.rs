//! The URLs of other avatar services, each under a prefix of its own, for sites that move here.

pub(super) mod crafatar;
pub(super) mod mc_heads;
pub(super) mod minotar;

use std::borrow::Cow;

use effigy_player::{Edition, PlayerId};
use effigy_service::{PictureParams, Substitute};

use super::request::Operation;

/// Returns a picture of a player. Without such a player, it shows the one who is `named`, else the
/// `default` one. One who is named also stands for a player who has set no skin.
fn of_player_or(
    params: PictureParams,
    player: &str,
    named: Option<Cow<'static, str>>,
    default: &'static str,
) -> Operation {
    let is_bedrock = PlayerId::edition_of(player) == Edition::Bedrock;
    let replaces_default_skin = is_bedrock || named.is_some();
    let params = if replaces_default_skin {
        params.of_own_skin()
    } else {
        params
    };
    let other = Substitute {
        player: named.unwrap_or(default.into()),
        otherwise: Some(default),
        in_outage: replaces_default_skin,
    };
    Operation::picture(params, player, Some(other))
}
