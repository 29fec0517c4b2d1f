//! The kinds of requests, as metrics, logs and error messages name them.

use effigy_player::word_enum;

word_enum! {
    /// A kind of request, as metrics, logs and error messages name it.
    ///
    /// The word of a specified route also begins its path and the keys of its pictures. A word
    /// that starts with `x-` belongs to no specified route. All other keys begin with the version
    /// of the drawing.
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
