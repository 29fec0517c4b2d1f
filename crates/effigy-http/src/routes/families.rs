//! The URLs of other avatar services, each under a prefix of its own, for sites that move here.

pub(super) mod crafatar;
pub(super) mod mc_heads;
pub(super) mod minotar;

use std::{borrow::Cow, ops::RangeInclusive};

use effigy_render::Size;
use effigy_service::{PictureParams, SizeParameter, Substitute};

use super::request::{Operation, STEVE};

/// Returns the operation of a picture of a player, or of Steve if there is no such player.
fn of_player_or_steve(params: PictureParams, player: &str) -> Operation {
    let request = params.of_player(player);
    Operation::Picture(request.with_substitute(instead(STEVE)))
}

/// Returns the player who is shown instead of one who does not exist.
fn instead(player: impl Into<Cow<'static, str>>) -> Substitute {
    Substitute {
        player: player.into(),
        in_outage: false,
    }
}

/// Returns a size within bounds.
fn clamped(size: SizeParameter, default: Size, bounds: RangeInclusive<u32>) -> Size {
    let pixels = size.or(default).map_or(*bounds.end(), Size::get);
    let pixels = pixels.clamp(*bounds.start(), *bounds.end());
    Size::new(pixels).expect("the bounds are sizes")
}
