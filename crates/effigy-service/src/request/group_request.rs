//! A request for several players in one picture.

use effigy_render::{ImageFormat, PictureSpec};

use super::{PictureParams, SubstitutePlayer};

/// The most pixels of a picture of several players, which is drawn in memory.
const MAX_PIXELS: u64 = 1 << 24;

/// A request for several players in one picture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroupRequest {
    pub(crate) spec: PictureSpec,
    /// The columns of a sheet, or `None` if all players stand on one line.
    pub(crate) columns: Option<u32>,
    /// `true` for a document with the position of each player, instead of the picture.
    pub positions_only: bool,
    pub(crate) players: Vec<String>,
    /// The player who is shown instead of those who are not available.
    pub substitute: Option<SubstitutePlayer>,
}

impl GroupRequest {
    /// A request for a picture of these players: on a sheet of `columns`, or side by side on one
    /// line. Returns `None` without players, for zero columns, and for a picture with too many
    /// pixels.
    #[must_use]
    pub fn new(spec: PictureSpec, columns: Option<u32>, players: Vec<String>) -> Option<Self> {
        let count = players.len() as u64;
        let [width, height] = match columns {
            None => spec.group_size(count),
            Some(columns) => spec.sheet_size(count, columns),
        };
        let pixels = width.saturating_mul(height);
        if count == 0 || pixels == 0 || pixels > MAX_PIXELS {
            return None;
        }
        Some(Self {
            spec: spec.normalized(),
            columns,
            positions_only: false,
            players,
            substitute: None,
        })
    }

    /// The parameters of each player's picture.
    #[must_use]
    pub const fn params(&self) -> PictureParams {
        PictureParams::beyond_specification(self.spec, ImageFormat::Png)
    }
}
