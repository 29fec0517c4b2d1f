//! The kernel of a drawing.

use effigy_player::word_enum;

word_enum! {
    #[non_exhaustive]
    /// The way in which a drawing of boxes becomes pixels. Flat views have no use for one.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Filter {
        /// Lanczos3: the sharpest borders, with a faint halo. Nearly every pixel has a color of its
        /// own, so files are long. Without the feature `lanczos3`, [`Filter::Area`] takes its place.
        Lanczos3 = "lanczos3",
        /// The share of a pixel that each color covers: texels stay flat, their borders are one
        /// pixel wide, and files are a third as long.
        Area = "area",
    }
}
