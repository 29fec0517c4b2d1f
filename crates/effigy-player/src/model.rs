//! The width of a player's arms.

crate::word_enum! {
    /// The width of a player's arms. It is a setting of the player and not a part of the skin file,
    /// which can be worn either way.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Model {
        /// Arms of 4 texels.
        #[default]
        Classic = "classic",
        /// Arms of 3 texels.
        Slim = "slim",
    }
}
