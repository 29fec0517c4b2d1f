//! The operations beyond the specification.

use super::{
    bodies::Reply,
    operations::{Operation, get},
    parameters::{MODEL, Parameter, WISH_FACING, WISH_OVERLAY, WISH_SIZE},
};

const BEYOND: &str = "Under /v1/";

const VIEW_QUERY: &[Parameter] = &[WISH_SIZE, WISH_FACING, WISH_OVERLAY];
const TEXTURE_QUERY: &[Parameter] = &[WISH_SIZE, WISH_FACING, WISH_OVERLAY, MODEL];

/// All of them.
pub(super) const V1: [Operation; 6] = [
    Operation {
        description: "`size` is the width, of `combo` the height. `facing` counts for the isometric views \
            alone. With `.svg` after the player a flat view is SVG. Nobody stands in for anybody: where there \
            is no such player the status is 404, in an outage 502.",
        query: VIEW_QUERY,
        replies: &[Reply::Drawing, Reply::Honest],
        ..get(BEYOND, "/v1/{view}/{input}", "Any view, from any side")
    },
    Operation {
        description: "`uuid` is a Java player's and `xuid` a Bedrock player's; the other one is null, as is \
            what nobody knows. A Java player who has set no skin has the game's, with `default_skin`.",
        replies: &[Reply::Document("Profile"), Reply::Honest],
        ..get(BEYOND, "/v1/profile/{input}", "What is known of a player")
    },
    Operation {
        description: "The file as it was uploaded; 404 for a player who wears none.",
        replies: &[Reply::Picture, Reply::Honest],
        ..get(BEYOND, "/v1/cape/{input}", "The cape")
    },
    Operation {
        description: "The file as it was uploaded.",
        replies: &[Reply::Picture, Reply::Honest],
        ..get(BEYOND, "/v1/texture/{hash}", "A texture by its hash")
    },
    Operation {
        description: "As of a player. A texture does not tell on which model it is worn: `model` does.",
        query: TEXTURE_QUERY,
        replies: &[Reply::Drawing, Reply::Honest],
        ..get(BEYOND, "/v1/texture/{hash}/{view}", "Any view of a texture")
    },
    Operation {
        takes_skin: true,
        description: "As of a player, of the skin file that the request brings. Nothing is kept.",
        query: TEXTURE_QUERY,
        replies: &[Reply::DrawnPreview, Reply::Refused],
        ..get(BEYOND, "/v1/preview/{view}", "Any view of a skin file")
    },
];
