//! What a query under `/v1/` asks for. Unlike the specified paths it is refused where it makes no sense.

use effigy_player::Model;
use effigy_render::{Facing, Layers, Size};
use effigy_service::{Drawing, Form, Picture, Sight};

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

/// What is seen, in the words of the specified paths where those have one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    /// The flat face.
    Head,
    /// The flat body.
    Player,
    /// The flat head and chest.
    Bust,
    /// The face beside the flat body.
    Combo,
    /// The isometric head.
    Ioshead,
    /// The isometric body.
    Avatar,
}

impl View {
    /// The view of this word, in any letter case.
    pub(crate) fn find(word: &str) -> Option<Self> {
        Some(match word.to_ascii_lowercase().as_str() {
            "head" => Self::Head,
            "player" => Self::Player,
            "bust" => Self::Bust,
            "combo" => Self::Combo,
            "ioshead" => Self::Ioshead,
            "avatar" => Self::Avatar,
            _ => return None,
        })
    }
}

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
            facing: match query.get("facing") {
                Some("left") => Facing::Left,
                None | Some("right") => Facing::Right,
                Some("back-left") => Facing::BackLeft,
                Some("back-right") => Facing::BackRight,
                Some(_) => return Err(NO_FACING),
            },
            layers: match query.get("overlay") {
                None | Some("true") => Layers::WithOverlay,
                Some("false") => Layers::Base,
                Some(_) => return Err(NO_OVERLAY),
            },
            model: match query.get("model") {
                None | Some("classic") => Model::Classic,
                Some("slim") => Model::Slim,
                Some(_) => return Err(NO_MODEL),
            },
        })
    }

    /// The picture of this view; only flat ones may be SVG.
    pub(crate) fn picture(self, view: View, form: Form) -> Result<Picture, &'static str> {
        let facing = self.facing;
        let sight = match view {
            View::Head => Sight::Head,
            View::Player => Sight::Body,
            View::Bust => Sight::Bust,
            View::Combo => Sight::Combo,
            View::Ioshead => Sight::IsometricHead(facing),
            View::Avatar => Sight::IsometricBody(facing),
        };
        if form == Form::Svg && !sight.is_flat() {
            return Err(NOT_FLAT);
        }
        Ok(Picture::Drawing(Drawing {
            form,
            ..Drawing::new(sight, self.layers, self.size)
        }))
    }
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
