//! The kinds of requests, as metrics, logs and error messages name them.

use effigy_player::word_enum;

word_enum! {
    /// A kind of request that can fail, with the first word of its path and of its cache keys.
    ///
    /// A word that starts with `x-` begins no specified path, so that no input on such a path has
    /// the key of a file beyond the specification.
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
        /// The profile of a player.
        Profile = "x-profile",
        /// The cape of a player.
        Cape = "x-cape",
    }
}
