//! The endpoints: their words in paths and keys, and their public error messages.

/// The message for a missing or unknown direction. Spec, "Errors".
pub const DIRECTION_ERROR: &str = "Direction must be \"left\" or \"right\"";

/// A kind of request that can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Endpoint {
    /// The flat face.
    Head,
    /// The flat body.
    Player,
    /// The isometric body.
    Avatar,
    /// The isometric head.
    Ioshead,
    /// The isometric body with the other parameter layout.
    Iosbody,
    /// The unmodified texture.
    Skin,
    /// The unmodified texture as a download.
    Download,
    /// The count of Java renders.
    AllStats,
    /// The count of Bedrock renders.
    AllStatsBedrock,
    /// Every count, descending.
    AllStatsSorted,
    /// The health report.
    Health,
    /// The profile of a player.
    Profile,
    /// The cape of a player.
    Cape,
    /// The file of a cape, by the hash of its URL.
    CapeFile,
}

/// One row per endpoint: its word in paths and cache keys, and its public error message. Spec, "Errors".
///
/// A word that starts with `x-` begins no specified path, so that no input on such a path has the key of
/// a file beyond the specification.
const TABLE: [(Endpoint, &str, &str); 14] = [
    (Endpoint::Head, "head", "Failed to render head"),
    (Endpoint::Player, "player", "Failed to render player"),
    (Endpoint::Avatar, "avatar", "Failed to render avatar"),
    (Endpoint::Ioshead, "ioshead", "Failed to render iOS head"),
    (Endpoint::Iosbody, "iosbody", "Failed to render iOS body"),
    (Endpoint::Skin, "skin", "Failed to get skin"),
    (Endpoint::Download, "download", "Failed to download skin"),
    (Endpoint::AllStats, "allstats", "Failed to get stats"),
    (
        Endpoint::AllStatsBedrock,
        "allstatsbedrock",
        "Failed to get bedrock stats",
    ),
    (
        Endpoint::AllStatsSorted,
        "allstatsSorted",
        "Failed to get sorted stats",
    ),
    (Endpoint::Health, "health", "Health check failed"),
    (Endpoint::Profile, "x-profile", "Failed to get profile"),
    (Endpoint::Cape, "x-cape", "Failed to get cape"),
    (Endpoint::CapeFile, "x-cape-file", "Failed to get cape"),
];

impl Endpoint {
    /// The first word of its path and of its cache keys.
    #[must_use]
    pub const fn word(self) -> &'static str {
        self.row().1
    }

    /// The message for clients when it fails, whatever the reason.
    #[must_use]
    pub const fn error_message(self) -> &'static str {
        self.row().2
    }

    /// All of them.
    pub const ALL: [Self; TABLE.len()] = {
        let mut all = [Self::Head; TABLE.len()];
        let mut index = 0;
        while index < TABLE.len() {
            all[index] = TABLE[index].0;
            index += 1;
        }
        all
    };

    const fn row(self) -> &'static (Self, &'static str, &'static str) {
        // A test checks that the table lists the variants in their order.
        &TABLE[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_endpoint_has_the_message_of_the_specification() {
        let rows = [
            (Endpoint::Head, "Failed to render head"),
            (Endpoint::Player, "Failed to render player"),
            (Endpoint::Avatar, "Failed to render avatar"),
            (Endpoint::Ioshead, "Failed to render iOS head"),
            (Endpoint::Iosbody, "Failed to render iOS body"),
            (Endpoint::Skin, "Failed to get skin"),
            (Endpoint::Download, "Failed to download skin"),
            (Endpoint::AllStats, "Failed to get stats"),
            (Endpoint::AllStatsBedrock, "Failed to get bedrock stats"),
            (Endpoint::AllStatsSorted, "Failed to get sorted stats"),
            (Endpoint::Health, "Health check failed"),
            // Beyond the specification.
            (Endpoint::Profile, "Failed to get profile"),
            (Endpoint::Cape, "Failed to get cape"),
            (Endpoint::CapeFile, "Failed to get cape"),
        ];
        for (endpoint, message) in rows {
            assert_eq!(endpoint.error_message(), message, "{endpoint:?}");
        }
    }

    #[test]
    fn the_table_is_in_the_order_of_the_variants() {
        for (index, row) in TABLE.iter().enumerate() {
            assert_eq!(row.0 as usize, index, "{:?}", row.0);
        }
    }
}
