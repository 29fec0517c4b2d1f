//! The memory that pictures take while they are drawn, as the drawing queue counts it.

use effigy_render::{ImageFormat, Motion, PictureSpec, Renderer};

use super::{group_request::GroupRequest, picture_params::PictureParams};

/// The memory of a file, with the skin.
const FILE: u64 = 1 << 20;

/// The memory of an SVG, most of which are shorter. It makes each of them a long job, because one
/// of a skin with many texels takes seconds.
const SVG: u64 = 9 << 20;

/// The memory of a GIF, with the colors that are counted for its palette.
const GIF: u64 = 5 << 20;

/// Compression, and the divided boxes of a pose.
const ONCE: u64 = 3 << 20;

/// The faces of a player on the picture.
const PLAYER: u64 = 192 << 10;

/// The borders of a column that are filtered, and its part of rows before and after compression.
const COLUMN: u64 = 160;

/// The filtered columns under the kernel of a pixel, for each row of a strip. Skins with many
/// texels have more.
const ROW: u64 = 4 << 10;

/// The pixels of a picture, of one player's and of the player's view, in each strip.
const PIXEL: u64 = 3 * 4;

/// The pixels of a player without the outline, and their distances from the player.
const OUTLINED_PIXEL: u64 = 2 * 4 + 1;

/// The columns that may be nearest to the pixels of an outlined row.
const OUTLINED_COLUMN: u64 = 24;

/// The pixels of two frames of a movement, and of what is compressed of them.
const FRAMES_PIXEL: u64 = 4 * 4;

impl PictureParams {
    /// Returns the memory that the picture takes while it is drawn.
    pub(crate) fn drawing_bytes(&self) -> u64 {
        let Some(spec) = self.spec else {
            return 0;
        };
        let file = match self.format {
            ImageFormat::Svg => SVG,
            ImageFormat::Gif => GIF,
            _ => FILE,
        };
        let drawn = match self.motion {
            None => memory_of_picture(&spec, 1),
            Some(motion) => memory_of_motion(&spec, motion),
        };
        drawn.saturating_add(file)
    }
}

impl GroupRequest {
    /// Returns the memory that the picture takes while it is drawn.
    pub(crate) fn drawing_bytes(&self) -> u64 {
        let columns = match self.columns {
            Some(columns) => u64::from(columns),
            None => self.players.len() as u64,
        };
        memory_of_picture(&self.spec, columns).saturating_add(FILE)
    }
}

/// Returns an upper estimate of the memory that it takes to draw players side by side, without
/// skins, the finished file, and the poses that all renderers keep.
pub(crate) fn memory_of_picture(spec: &PictureSpec, columns: u64) -> u64 {
    let width = (spec.width() + spec.sheet_gap()).saturating_mul(columns);
    let height = spec.height();
    let rows = Renderer::strip_rows(width);
    let strip = rows.min(height);
    ONCE.saturating_add(columns.saturating_mul(PLAYER))
        .saturating_add(width.saturating_mul(COLUMN))
        .saturating_add(strip * ROW)
        .saturating_add(width.saturating_mul(outlined_column(spec, rows)))
        .saturating_add(strip.saturating_mul(width).saturating_mul(PIXEL))
}

/// Returns the memory of a picture that moves: the players of all frames before they are drawn, and
/// two frames that are drawn.
fn memory_of_motion(spec: &PictureSpec, motion: Motion) -> u64 {
    let pixels = spec.width().saturating_mul(spec.height());
    let players = memory_of_picture(spec, motion.frames().into());
    pixels.saturating_mul(FRAMES_PIXEL).saturating_add(players)
}

/// Returns the memory of a column of an outlined strip: its rows, and the rows around it from which
/// its line comes. It is zero without an outline.
fn outlined_column(spec: &PictureSpec, rows: u64) -> u64 {
    if spec.outline_width() == 0 {
        return 0;
    }
    let around = 2 * (u64::from(spec.outline_width()) + 2);
    let window = spec.height().min(rows + around);
    window.saturating_mul(OUTLINED_PIXEL) + OUTLINED_COLUMN
}

#[cfg(test)]
mod tests;
