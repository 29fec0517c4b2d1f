//! The endpoints: their words in paths and keys, and their public error messages.

use effigy_player::word_enum;

/// The message for a missing or unknown direction. Spec, "Errors".
pub const DIRECTION_ERROR: &str = "Direction must be \"left\" or \"right\"";

word_enum! {
    /// A kind of request that can fail, with the first word of its path and of its cache keys.
    ///
    /// A word that starts with `x-` begins no specified path, so that no input on such a path has the key of
    /// a file beyond the specification.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Endpoint {
        /// The flat face.
        Head = "head",
        /// The flat body.
        Player = "player",
        /// The isometric body.
        Avatar = "avatar",
        /// The isometric head.
        Ioshead = "ioshead",
        /// The isometric body with the other parameter layout.
        Iosbody = "iosbody",
        /// The unmodified texture.
        Skin = "skin",
        /// The unmodified texture as a download.
        Download = "download",
        /// The count of Java renders.
        AllStats = "allstats",
        /// The count of Bedrock renders.
        AllStatsBedrock = "allstatsbedrock",
        /// Every count, descending.
        AllStatsSorted = "allstatsSorted",
        /// The health report.
        Health = "health",
        /// The profile of a player.
        Profile = "x-profile",
        /// The cape of a player.
        Cape = "x-cape",
        /// The file of a cape, by the hash of its URL.
        CapeFile = "x-cape-file",
    }
}

impl Endpoint {
    /// The message for clients when it fails, whatever the reason. Spec, "Errors".
    #[must_use]
    pub const fn error_message(self) -> &'static str {
        match self {
            Self::Head => "Failed to render head",
            Self::Player => "Failed to render player",
            Self::Avatar => "Failed to render avatar",
            Self::Ioshead => "Failed to render iOS head",
            Self::Iosbody => "Failed to render iOS body",
            Self::Skin => "Failed to get skin",
            Self::Download => "Failed to download skin",
            Self::AllStats => "Failed to get stats",
            Self::AllStatsBedrock => "Failed to get bedrock stats",
            Self::AllStatsSorted => "Failed to get sorted stats",
            Self::Health => "Health check failed",
            Self::Profile => "Failed to get profile",
            Self::Cape | Self::CapeFile => "Failed to get cape",
        }
    }
}
