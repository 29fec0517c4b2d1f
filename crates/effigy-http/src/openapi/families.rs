//! The operations of the services whose users move here.

use super::{
    bodies::Reply,
    operations::{Operation, get},
    parameters::{CRAFATAR_DEFAULT, CRAFATAR_OVERLAY, CRAFATAR_SCALE, CRAFATAR_SIZE, Parameter},
};

const CRAFATAR: &str = "Crafatar's URLs";
const MINOTAR: &str = "Minotar's URLs";
const MC_HEADS: &str = "MCHeads' URLs";

const HEAD: &str = "Failed to render head";
const PLAYER: &str = "Failed to render player";
const AVATAR: &str = "Failed to render avatar";
const IOSHEAD: &str = "Failed to render iOS head";
const SKIN: &str = "Failed to get skin";
const DOWNLOAD: &str = "Failed to download skin";
const CAPE: &str = "Failed to get cape";

const NO_UUID: Reply = Reply::Invalid(&["Invalid UUID"]);
const NO_SIZE: Reply = Reply::Invalid(&["Invalid UUID", "Invalid Size"]);
const NO_SCALE: Reply = Reply::Invalid(&["Invalid UUID", "Invalid Scale"]);

const RENDER_QUERY: &[Parameter] = &[CRAFATAR_SCALE, CRAFATAR_OVERLAY, CRAFATAR_DEFAULT];

/// All of them.
pub(super) const FAMILIES: [Operation; 21] = [
    Operation {
        query: &[CRAFATAR_SIZE, CRAFATAR_OVERLAY, CRAFATAR_DEFAULT],
        replies: &[Reply::Picture, NO_SIZE, Reply::Unavailable(HEAD)],
        ..get(CRAFATAR, "/crafatar/avatars/{uuid}", "Crafatar: the face")
    },
    Operation {
        description: "18.5 pixels high for each step of `scale`.",
        query: RENDER_QUERY,
        replies: &[Reply::Picture, NO_SCALE, Reply::Unavailable(IOSHEAD)],
        ..get(
            CRAFATAR,
            "/crafatar/renders/head/{uuid}",
            "Crafatar: the isometric head",
        )
    },
    Operation {
        description: "45.1 pixels high for each step of `scale`.",
        query: RENDER_QUERY,
        replies: &[Reply::Picture, NO_SCALE, Reply::Unavailable(AVATAR)],
        ..get(
            CRAFATAR,
            "/crafatar/renders/body/{uuid}",
            "Crafatar: the isometric body",
        )
    },
    Operation {
        query: &[CRAFATAR_DEFAULT],
        replies: &[Reply::Picture, NO_UUID, Reply::Unavailable(SKIN)],
        ..get(CRAFATAR, "/crafatar/skins/{uuid}", "Crafatar: the skin")
    },
    Operation {
        description: "404 for a player who wears none.",
        replies: &[
            Reply::Picture,
            NO_UUID,
            Reply::Missing(CAPE),
            Reply::Unavailable(CAPE),
        ],
        ..get(CRAFATAR, "/crafatar/capes/{uuid}", "Crafatar: the cape")
    },
    minotar(
        "/minotar/avatar/{input}/{width}",
        "Minotar: the face without the hat",
        FACE_REPLIES,
    ),
    minotar(
        "/minotar/helm/{input}/{width}",
        "Minotar: the face with the hat",
        FACE_REPLIES,
    ),
    minotar(
        "/minotar/cube/{input}/{width}",
        "Minotar: the isometric head",
        CUBE_REPLIES,
    ),
    minotar(
        "/minotar/body/{input}/{width}",
        "Minotar: the flat body",
        BODY_REPLIES,
    ),
    minotar(
        "/minotar/armor/body/{input}/{width}",
        "Minotar: the flat body with the overlay",
        BODY_REPLIES,
    ),
    minotar(
        "/minotar/bust/{input}/{width}",
        "Minotar: the flat head and chest",
        BODY_REPLIES,
    ),
    minotar(
        "/minotar/armor/bust/{input}/{width}",
        "Minotar: the flat head and chest with the overlay",
        BODY_REPLIES,
    ),
    Operation {
        replies: &[
            Reply::Picture,
            Reply::Moved,
            Reply::NotFound,
            Reply::Unavailable(SKIN),
        ],
        ..get(MINOTAR, "/minotar/skin/{input}", "Minotar: the skin")
    },
    Operation {
        replies: &[
            Reply::Picture,
            Reply::Moved,
            Reply::NotFound,
            Reply::Unavailable(DOWNLOAD),
        ],
        ..get(
            MINOTAR,
            "/minotar/download/{input}",
            "Minotar: the skin, to be saved",
        )
    },
    mc_heads(
        "/mc-heads/avatar/{input}/{pixels}/{nohelm}",
        "MCHeads: the face",
        &[
            Reply::Picture,
            Reply::Missing(HEAD),
            Reply::Unavailable(HEAD),
        ],
    ),
    mc_heads(
        "/mc-heads/head/{input}/{pixels}/{facing}",
        "MCHeads: the isometric head",
        &[
            Reply::Picture,
            Reply::Missing(IOSHEAD),
            Reply::Unavailable(IOSHEAD),
        ],
    ),
    mc_heads(
        "/mc-heads/body/{input}/{pixels}/{facing}",
        "MCHeads: the isometric body",
        &[
            Reply::Picture,
            Reply::Missing(AVATAR),
            Reply::Unavailable(AVATAR),
        ],
    ),
    mc_heads(
        "/mc-heads/player/{input}/{pixels}/{nohelm}",
        "MCHeads: the flat body",
        &[
            Reply::Picture,
            Reply::Missing(PLAYER),
            Reply::Unavailable(PLAYER),
        ],
    ),
    mc_heads(
        "/mc-heads/combo/{input}/{pixels}/{nohelm}",
        "MCHeads: the face beside the flat body",
        &[
            Reply::Picture,
            Reply::Missing(PLAYER),
            Reply::Unavailable(PLAYER),
        ],
    ),
    Operation {
        replies: &[
            Reply::Picture,
            Reply::Missing(SKIN),
            Reply::Unavailable(SKIN),
        ],
        ..get(MC_HEADS, "/mc-heads/skin/{input}", "MCHeads: the skin")
    },
    Operation {
        replies: &[
            Reply::Picture,
            Reply::Missing(DOWNLOAD),
            Reply::Unavailable(DOWNLOAD),
        ],
        ..get(
            MC_HEADS,
            "/mc-heads/download/{input}",
            "MCHeads: the skin, to be saved",
        )
    },
];

const FACE_REPLIES: &[Reply] = &[
    Reply::Drawing,
    Reply::Moved,
    Reply::NotFound,
    Reply::Unavailable(HEAD),
];
const CUBE_REPLIES: &[Reply] = &[
    Reply::Picture,
    Reply::Moved,
    Reply::NotFound,
    Reply::Unavailable(IOSHEAD),
];
const BODY_REPLIES: &[Reply] = &[
    Reply::Picture,
    Reply::Moved,
    Reply::NotFound,
    Reply::Unavailable(PLAYER),
];

/// One of Minotar's, with a width that may be left out.
const fn minotar(
    path: &'static str,
    summary: &'static str,
    replies: &'static [Reply],
) -> Operation {
    Operation {
        optional: 1,
        description: "A player whom nobody knows is Steve.",
        replies,
        ..get(MINOTAR, path, summary)
    }
}

/// One of MCHeads', with a size and an option that may be left out.
const fn mc_heads(
    path: &'static str,
    summary: &'static str,
    replies: &'static [Reply],
) -> Operation {
    Operation {
        optional: 2,
        description: "A player whom nobody knows is Steve; a texture may stand for one by its hash. What follows \
            the player may have any order, and `nohelm` leaves the overlay out of any view.",
        replies,
        ..get(MC_HEADS, path, summary)
    }
}
