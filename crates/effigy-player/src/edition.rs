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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_order() {
        assert_eq!(Edition::WORDS, ["java", "bedrock"]);
        assert!(Edition::ALL.is_sorted());
        assert_eq!("bedrock".parse(), Ok(Edition::Bedrock));
        assert!("Java".parse::<Edition>().is_err());
    }
}
