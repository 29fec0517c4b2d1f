//! The two editions of the game.

crate::word_enum! {
    /// The edition of the game that a player plays. Renders are counted by edition.
    ///
    /// Lists have Java first, and so does `Ord`.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Edition {
        /// Java Edition.
        Java = "java",
        /// Bedrock Edition.
        Bedrock = "bedrock",
    }
}
