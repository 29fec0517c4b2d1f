//! The two editions of the game.

crate::word_enum! {
    /// The edition of the game that a player plays. Each has a counter of renders.
    ///
    /// The order is the one in which the two are listed: Java first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Edition {
        /// Java Edition.
        Java = "java",
        /// Bedrock Edition.
        Bedrock = "bedrock",
    }
}
