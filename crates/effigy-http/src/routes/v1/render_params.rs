//! What a query under `/v1/` asks for. Unlike the specified paths it is refused where it makes no sense.

use std::str::FromStr;

use effigy_player::Model;
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;

use crate::routes::query::Query;

/// The widest picture: none takes longer than it is worth to keep it. Larger ones are to be had on the
/// specified paths, which set no limit.
pub(crate) const LARGEST: u32 = 2048;

/// The width where none is given.
const DEFAULT_SIZE: u32 = 128;

/// Why a request is refused.
pub(super) const NO_SIZE: &str = "Size must be a whole number from 1 to 2048";
pub(super) const NO_FACING: &str =
    "Facing must be \"left\", \"right\", \"back-left\" or \"back-right\"";
pub(super) const NO_OVERLAY: &str = "Overlay must be \"true\" or \"false\"";
pub(super) const NO_MODEL: &str = "Model must be \"classic\" or \"slim\"";
pub(super) const NOT_FLAT: &str = "Only flat views can be SVG";
pub(super) const NO_HASH: &str = "A texture is named by 56 to 64 hexadecimal digits";

/// What a query asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Wishes {
    size: Size,
    facing: Facing,
    layers: Layers,
    /// The model that a texture is drawn on.
    pub(crate) model: Model,
}

impl Wishes {
    /// Reads a query; what is left out has a default, what makes no sense is refused with the reason.
    pub(crate) fn of(query: &Query) -> Result<Self, &'static str> {
        Ok(Self {
            size: size(query.get("size"))?,
            facing: word(query, "facing", NO_FACING)?,
            layers: match query.get("overlay") {
                None | Some("true") => Layers::WithOverlay,
                Some("false") => Layers::Base,
                Some(_) => return Err(NO_OVERLAY),
            },
            model: word(query, "model", NO_MODEL)?,
        })
    }

    /// The picture of this view; only flat ones may be SVG.
    pub(crate) fn picture(
        self,
        view: View,
        format: ImageFormat,
    ) -> Result<PictureParams, &'static str> {
        if format == ImageFormat::Svg && !view.is_flat() {
            return Err(NOT_FLAT);
        }
        let spec = PictureSpec::new(view, self.size)
            .with_facing(self.facing)
            .with_layers(self.layers);
        Ok(PictureParams::extension(spec, format))
    }
}

/// The value that a parameter names, or the default.
fn word<T: FromStr + Default>(
    query: &Query,
    name: &str,
    refusal: &'static str,
) -> Result<T, &'static str> {
    let Some(word) = query.get(name) else {
        return Ok(T::default());
    };
    word.parse().map_err(|_| refusal)
}

fn size(text: Option<&str>) -> Result<Size, &'static str> {
    let pixels = match text {
        None => DEFAULT_SIZE,
        Some(text) => {
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            let pixels = text.parse().ok().filter(|_| is_number).ok_or(NO_SIZE)?;
            if pixels > LARGEST {
                return Err(NO_SIZE);
            }
            pixels
        }
    };
    Size::new(pixels).ok_or(NO_SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wishes(query: &str) -> Result<Wishes, &'static str> {
        Wishes::of(&Query::parse(Some(query)))
    }

    #[test]
    fn what_is_left_out_has_a_default() {
        let plain = Wishes {
            size: Size::new(128).unwrap(),
            facing: Facing::Right,
            layers: Layers::WithOverlay,
            model: Model::Classic,
        };
        let size = |pixels| Size::new(pixels).unwrap();
        let rows = [
            ("", plain),
            ("anything=else", plain),
            (
                "size=1",
                Wishes {
                    size: size(1),
                    ..plain
                },
            ),
            (
                "size=2048",
                Wishes {
                    size: size(2048),
                    ..plain
                },
            ),
            (
                "size=064",
                Wishes {
                    size: size(64),
                    ..plain
                },
            ),
            (
                "facing=left",
                Wishes {
                    facing: Facing::Left,
                    ..plain
                },
            ),
            (
                "facing=back-left",
                Wishes {
                    facing: Facing::BackLeft,
                    ..plain
                },
            ),
            (
                "facing=back-right",
                Wishes {
                    facing: Facing::BackRight,
                    ..plain
                },
            ),
            ("overlay=true", plain),
            (
                "overlay=false",
                Wishes {
                    layers: Layers::Base,
                    ..plain
                },
            ),
            (
                "model=slim",
                Wishes {
                    model: Model::Slim,
                    ..plain
                },
            ),
        ];
        for (query, expected) in rows {
            assert_eq!(wishes(query), Ok(expected), "{query}");
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let rows = [
            ("size=0", NO_SIZE),
            ("size=2049", NO_SIZE),
            ("size=99999999999", NO_SIZE),
            ("size=-1", NO_SIZE),
            ("size=%2B1", NO_SIZE),
            ("size=1.5", NO_SIZE),
            ("size=", NO_SIZE),
            ("facing=front", NO_FACING),
            ("facing=", NO_FACING),
            ("overlay=no", NO_OVERLAY),
            ("overlay", NO_OVERLAY),
            ("model=Slim", NO_MODEL),
        ];
        for (query, reason) in rows {
            assert_eq!(wishes(query), Err(reason), "{query}");
        }
        assert!(NO_SIZE.contains(&LARGEST.to_string()));
    }
}
