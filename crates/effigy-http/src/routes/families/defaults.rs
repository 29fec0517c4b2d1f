//! The default skins and the limits of sizes.

use std::ops::RangeInclusive;

use effigy_render::Size;
use effigy_service::SizeParameter;

/// The players with the game's own default skins.
pub(super) const STEVE: &str = "MHF_Steve";
pub(super) const ALEX: &str = "MHF_Alex";

/// Returns a size within bounds.
pub(super) fn clamped(size: SizeParameter, default: Size, bounds: RangeInclusive<u32>) -> Size {
    let pixels = size.or(default).map_or(*bounds.end(), Size::get);
    let pixels = pixels.clamp(*bounds.start(), *bounds.end());
    Size::new(pixels).expect("the bounds are sizes")
}
