//! The file onto which pictures are drawn, and the place of a picture on it.

use std::path::{Path, PathBuf};

use clap::Args;
use effigy_render::View;

use super::{Drawing, RenderArgs};

/// The largest distance of a picture from the upper left corner of the file, in pixels. All pixels
/// at this distance have exact places, because drawings have coordinates of 24 bits.
const MAX_DISTANCE: i32 = 1_000_000;

/// The options about the file onto which pictures are drawn.
#[derive(Debug, Args)]
pub(super) struct BackdropArgs {
    /// Draw onto a copy of this PNG file, for example a banner.
    ///
    /// The output is a PNG file of the same size. The file may have up to 16,777,216 pixels. Each
    /// skin of a folder is drawn onto a copy of its own.
    #[arg(long, value_name = "FILE")]
    pub(super) onto: Option<PathBuf>,
    /// The pixel of the --onto file for the upper left corner of the picture.
    ///
    /// Either number may be negative. By default, heads, capes and sheets are in the middle of the
    /// file. All other pictures stand in the middle of its bottom edge.
    #[arg(
        long,
        value_name = "X,Y",
        requires = "onto",
        allow_hyphen_values = true
    )]
    #[arg(value_parser = corner)]
    at: Option<Corner>,
}

/// The place of the upper left corner of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Corner {
    x: i32,
    y: i32,
}

impl RenderArgs {
    /// Returns the PNG file onto which pictures are drawn.
    #[must_use]
    pub fn backdrop(&self) -> Option<&Path> {
        self.backdrop.onto.as_deref()
    }

    /// Returns the place of the upper left corner of a picture on the file of
    /// [`RenderArgs::backdrop`]: the distance from the left and from the top, in pixels. The sizes
    /// are widths and heights.
    #[must_use]
    pub fn corner_on(&self, backdrop: [u32; 2], picture: [u32; 2]) -> [i64; 2] {
        if let Some(corner) = self.backdrop.at {
            return [corner.x.into(), corner.y.into()];
        }
        let free_width = i64::from(backdrop[0]) - i64::from(picture[0]);
        let free_height = i64::from(backdrop[1]) - i64::from(picture[1]);
        let left = free_width.div_euclid(2);
        let top = if self.stands_on_the_ground() {
            free_height
        } else {
            free_height.div_euclid(2)
        };
        [left, top]
    }

    /// Returns `true` for pictures that end at the feet, or where a player is cut off.
    fn stands_on_the_ground(&self) -> bool {
        match self.drawing() {
            Drawing::Player(spec) | Drawing::MovingPlayer(spec, _) => {
                !matches!(spec.view, View::Face | View::IsometricHead | View::Cube)
            }
            Drawing::Group(_) => true,
            Drawing::Sheet(_) | Drawing::SheetOfPoses(_) => false,
            Drawing::SkinFile | Drawing::Cape(_) => false,
        }
    }
}

/// Parses two whole numbers with a comma between them.
fn corner(text: &str) -> Result<Corner, &'static str> {
    const HINT: &str = "write two whole numbers from -1000000 to 1000000, for example 40,-12";
    let (x, y) = text.split_once(',').ok_or(HINT)?;
    let x = distance(x).ok_or(HINT)?;
    let y = distance(y).ok_or(HINT)?;
    Ok(Corner { x, y })
}

fn distance(text: &str) -> Option<i32> {
    let distance: i32 = text.trim().parse().ok()?;
    if distance.unsigned_abs() > MAX_DISTANCE.unsigned_abs() {
        return None;
    }
    Some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::tests::parse;

    #[test]
    fn given_corner_is_the_place() {
        for (at, expected) in [
            ("0,0", [0, 0]),
            ("40,-12", [40, -12]),
            ("-40,12", [-40, 12]),
            ("1000000,-1000000", [1_000_000, -1_000_000]),
        ] {
            let args = parse(&format!("face --onto b.png --at {at}"));
            assert_eq!(args.corner_on([300, 100], [64, 64]), expected, "{at}");
        }
    }

    #[test]
    fn texts_that_are_no_corners_are_refused() {
        for text in [
            "",
            "5",
            "5,",
            ",5",
            "5,5,5",
            "5 5",
            "1.5,0",
            "x,y",
            "1000001,0",
        ] {
            assert!(corner(text).is_err(), "{text}");
        }
    }

    #[test]
    fn figures_stand_on_the_bottom_edge() {
        for view in [
            "body", "bust", "combo", "isobody", "figure", "portrait", "group",
        ] {
            let args = parse(&format!("{view} --onto b.png"));
            assert_eq!(args.corner_on([300, 100], [40, 80]), [130, 20], "{view}");
        }
    }

    #[test]
    fn heads_capes_and_sheets_are_in_the_middle() {
        for view in ["face", "isohead", "cube", "cape", "sheet", "sheet --poses"] {
            let args = parse(&format!("{view} --onto b.png"));
            assert_eq!(args.corner_on([300, 100], [40, 80]), [130, 10], "{view}");
        }
    }

    #[test]
    fn larger_pictures_exceed_the_left_and_the_upper_edge() {
        let args = parse("figure --onto b.png");
        assert_eq!(args.corner_on([30, 100], [41, 120]), [-6, -20]);
    }
}
