//! The width of a player's arms.

/// The width of the arms. It belongs to the player, never to the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Model {
    /// Arms of 4 texels.
    #[default]
    Classic,
    /// Arms of 3 texels.
    Slim,
}
