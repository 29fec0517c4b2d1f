//! The width of a player's arms.

crate::word_enum! {
    /// The width of a player's arms. A skin file does not state it: the same file can be worn either
    /// way.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Model {
        /// Arms of 4 texels.
        #[default]
        Classic = "classic",
        /// Arms of 3 texels.
        Slim = "slim",
    }
}
