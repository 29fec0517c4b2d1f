//! The layers of a skin.

use effigy_player::word_enum;

word_enum! {
    /// The layers of a skin that are drawn.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Layers {
        /// The body alone.
        Base = "base",
        /// The body with the hat, jacket, sleeves and trousers over it.
        #[default]
        WithOverlay = "overlay",
    }
}
