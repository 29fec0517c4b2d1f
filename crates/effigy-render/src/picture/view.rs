//! The views, and the formats in which they are written.

use effigy_player::word_enum;

word_enum! {
    #[non_exhaustive]
    /// A way of looking at a player.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum View {
        /// The face from the front: `size` x `size` pixels.
        Face = "face",
        /// The upper half of the figure from the front: `size` x `size` pixels.
        Bust = "bust",
        /// The whole figure from the front: `size` pixels wide and twice as high.
        Body = "body",
        /// The whole figure from behind: `size` pixels wide and twice as high.
        BodyBack = "body-back",
        /// The player's left side in the middle of a picture as large as [`View::Body`].
        BodyLeft = "body-left",
        /// The player's right side, in a picture like the one of [`View::BodyLeft`].
        BodyRight = "body-right",
        /// The face and, one texel to its right, the whole figure from the front, both `size`
        /// pixels high. The picture is 49/32 as wide as it is high, rounded down.
        Combo = "combo",
        /// The head seen from an upper corner: `size` x `size` pixels. There is always room for the
        /// overlay.
        IsometricHead = "isohead",
        /// The whole figure seen from an upper corner: `size` pixels wide and `round(size * 2.04)`
        /// high. There is always room for the overlay.
        IsometricBody = "isobody",
        /// The whole figure, from any side and in any pose: `size` pixels wide and twice as high.
        Figure = "figure",
        /// The upper part of the figure, from any side and in any pose: `size` x `size` pixels. A
        /// cape or elytra may be cut off at the sides as well.
        Portrait = "portrait",
        /// The head, from any side: `size` x `size` pixels.
        Cube = "cube",
        /// The texture as the game wears it, in the modern layout and with an opaque base: `size` x
        /// `size` pixels.
        Layout = "layout",
    }
}

word_enum! {
    #[non_exhaustive]
    /// The format of a picture's file. Its word is the extension of a file's name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum ImageFormat {
        /// Pixels. A moving picture is an APNG file.
        #[default]
        Png = "png",
        /// Shapes, which look sharp at any size. An SVG doesn't move.
        Svg = "svg",
        /// Pixels of at most 255 colors, each opaque or transparent, for programs that can't play
        /// APNG.
        Gif = "gif",
    }
}

impl View {
    /// Returns `true` for the grids of texels. They have no camera, pose, light, cape or shadow.
    #[must_use]
    pub const fn is_flat(self) -> bool {
        matches!(
            self,
            View::Face
                | View::Bust
                | View::Body
                | View::BodyBack
                | View::BodyLeft
                | View::BodyRight
                | View::Combo
                | View::Layout
        )
    }

    /// Returns `true` for the views in the isometric projection, in which a player looks one of
    /// four ways.
    #[must_use]
    pub const fn is_isometric(self) -> bool {
        matches!(self, View::IsometricHead | View::IsometricBody)
    }

    /// Returns `true` for the views from any side, in any pose.
    #[must_use]
    pub const fn is_free(self) -> bool {
        matches!(self, View::Figure | View::Portrait | View::Cube)
    }

    /// Returns `true` for the views that can show a cape.
    #[must_use]
    pub const fn shows_cape(self) -> bool {
        matches!(self, View::IsometricBody | View::Figure | View::Portrait)
    }

    /// Returns `true` for the views that show a ground, on which a shadow can fall.
    #[must_use]
    pub const fn shows_ground(self) -> bool {
        matches!(self, View::IsometricBody | View::Figure)
    }

    /// Returns `true` for the flat views with empty columns next to slim arms, which
    /// [`Crop::Content`](crate::Crop::Content) cuts off.
    pub(crate) const fn narrows(self) -> bool {
        matches!(self, View::Body | View::Bust)
    }

    /// Returns `true` for the views that show arms, which differ between the models.
    #[must_use]
    pub const fn shows_arms(self) -> bool {
        !matches!(
            self,
            View::Face | View::IsometricHead | View::Cube | View::Layout
        )
    }
}

impl ImageFormat {
    /// The media type.
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            ImageFormat::Png => "image/png",
            ImageFormat::Svg => "image/svg+xml",
            ImageFormat::Gif => "image/gif",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Facing;

    #[test]
    fn every_view_has_its_word() {
        let views = [
            "face",
            "bust",
            "body",
            "body-back",
            "body-left",
            "body-right",
            "combo",
            "isohead",
            "isobody",
            "figure",
            "portrait",
            "cube",
            "layout",
        ];
        assert_eq!(View::WORDS, views);
        for view in View::ALL {
            assert_eq!(view.to_string().parse(), Ok(*view));
        }
    }

    #[test]
    fn words_are_case_sensitive() {
        let refused = "Left".parse::<Facing>().expect_err("upper case matters");
        let message = "expected one of: left, right, back-left, back-right";
        assert_eq!(refused.to_string(), message);
    }
}
