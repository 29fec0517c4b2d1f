//! The origins of files and of skins.

/// The origin of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// A cache.
    Cache,
    /// Made for this request, and cached from now on.
    Render,
    /// Made for this request from a fallback skin, from that of a player who may be another one, or without the
    /// cape, because of an outage. It is not cached, because it may not show the player's own look.
    OutageFallback,
    /// A cache, after its lifetime: an outage prevents a newer one.
    Stale,
}

/// The origin of a skin: the player's own, or the reason for another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SkinOrigin {
    /// The player's own skin.
    Own,
    /// The player exists and has set no skin.
    DefaultSkin,
    /// There is no such player.
    PlayerNotFound,
    /// An upstream failed, so the skin is the wrong one.
    Outage,
    /// A provider failed, and a later one knows a player of this name, who may be another one.
    Uncertain,
}

impl SkinOrigin {
    /// Returns `true` if a picture of the skin may be stored. One drawn because of an outage would
    /// show a wrong face after the outage is over.
    #[must_use]
    pub const fn is_storable(self) -> bool {
        !matches!(self, Self::Outage | Self::Uncertain)
    }
}
