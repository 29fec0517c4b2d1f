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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for (model, word) in [(Model::Classic, "classic"), (Model::Slim, "slim")] {
            assert_eq!(model.to_string(), word);
            assert_eq!(word.parse(), Ok(model));
        }
        for wrong in ["", "Slim", "slim ", "alex"] {
            let error = wrong.parse::<Model>().expect_err(wrong);
            assert_eq!(error.to_string(), "expected one of: classic, slim");
        }
    }
}
