//! Filters, which turn drawings into pixels.

use effigy_player::word_enum;

word_enum! {
    #[non_exhaustive]
    /// The way in which a drawing of boxes becomes pixels. Flat views don't need a filter.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Filter {
        /// Lanczos3: the sharpest borders, with a faint halo. Nearly every pixel has its own color,
        /// so files are long. Without the feature `lanczos3`, [`Filter::Area`] replaces it.
        Lanczos3 = "lanczos3",
        /// Area coverage: each color counts by the share of a pixel that it covers. Texels stay
        /// flat, their borders are one pixel wide, and files are a third as long.
        Area = "area",
    }
}
