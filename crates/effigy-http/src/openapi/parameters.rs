//! The parameters of the operations.

use serde_json::{Value, json};

use crate::routes::v1::LARGEST;

/// A part of a path or of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Parameter {
    /// Its name.
    pub(super) name: &'static str,
    /// What it means.
    pub(super) description: &'static str,
    /// One value that makes sense.
    pub(super) example: &'static str,
    /// What can be given.
    pub(super) schema: Schema,
}

/// What a parameter can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Schema {
    /// Any text.
    Text,
    /// One of these.
    OneOf(&'static [&'static str]),
    /// A whole number from 1 to this.
    UpTo(u32),
    /// A UUID, with dashes or without.
    Uuid,
    /// The hash of a texture.
    Hash,
}

impl Schema {
    /// The schema in JSON; in a path it has at least a character.
    pub(super) fn json(self, in_path: bool) -> Value {
        match self {
            Self::Text if in_path => json!({ "type": "string", "minLength": 1 }),
            Self::Text => json!({ "type": "string" }),
            Self::OneOf(values) => json!({ "type": "string", "enum": values }),
            Self::UpTo(most) => json!({ "type": "integer", "minimum": 1, "maximum": most }),
            Self::Uuid => json!({ "type": "string", "pattern": UUID }),
            Self::Hash => json!({ "type": "string", "pattern": "^[0-9a-fA-F]{56,64}$" }),
        }
    }
}

/// The shapes of a UUID.
const UUID: &str = "^([0-9a-fA-F]{32}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$";

pub(super) const INPUT: Parameter = Parameter {
    name: "input",
    description: "The player: a Java name or UUID (with dashes or without), a Bedrock XUID that begins with \
        `0000`, a Floodgate UUID, a Bedrock gamertag after a dot, or the name of a preset head. At most 256 \
        bytes.",
    example: "Notch",
    schema: Schema::Text,
};

/// It is a text, since no text is refused.
pub(super) const SIZE: Parameter = Parameter {
    name: "size",
    description: "The width in pixels. What is no positive whole number means the default: 128, or 64 for \
        `ioshead` and `iosbody`.",
    example: "128",
    schema: Schema::Text,
};

pub(super) const HAT: Parameter = Parameter {
    name: "option",
    description: "`hat` adds the overlay; anything else means nothing.",
    example: "hat",
    schema: Schema::Text,
};

pub(super) const DIRECTION: Parameter = Parameter {
    name: "direction",
    description: "The side to which the player looks: `left` is the mirror image of `right`.",
    example: "right",
    schema: Schema::OneOf(&["left", "right"]),
};

pub(super) const VIEW_FLAT: Parameter = Parameter {
    name: "flat",
    description: "The face or the body.",
    example: "head",
    schema: Schema::OneOf(&["head", "player"]),
};

pub(super) const VIEW_ISOMETRIC: Parameter = Parameter {
    name: "isometric",
    description: "The body, the head, or the body with the smaller default size.",
    example: "avatar",
    schema: Schema::OneOf(&["avatar", "ioshead", "iosbody"]),
};

pub(super) const MODEL: Parameter = Parameter {
    name: "model",
    description: "The width of the arms: four texels or three. `classic` where it is left out.",
    example: "slim",
    schema: Schema::OneOf(&["classic", "slim"]),
};

pub(super) const WISH_VIEW: Parameter = Parameter {
    name: "view",
    description: "`head`, `bust`, `player` and `combo` (the face beside the body) are flat, `ioshead` and \
        `avatar` isometric.",
    example: "bust",
    schema: Schema::OneOf(&["head", "bust", "player", "combo", "ioshead", "avatar"]),
};

pub(super) const WISH_SIZE: Parameter = Parameter {
    name: "size",
    description: "The width in pixels; 128 where it is left out.",
    example: "128",
    schema: Schema::UpTo(LARGEST),
};

pub(super) const WISH_FACING: Parameter = Parameter {
    name: "facing",
    description: "To which side the player looks, towards the viewer or away; `right` where it is left out.",
    example: "back-left",
    schema: Schema::OneOf(&["left", "right", "back-left", "back-right"]),
};

pub(super) const WISH_OVERLAY: Parameter = Parameter {
    name: "overlay",
    description: "Whether the hat, jacket, sleeves and trousers are worn; `true` where it is left out.",
    example: "false",
    schema: Schema::OneOf(&["true", "false"]),
};

pub(super) const TEXTURE_HASH: Parameter = Parameter {
    name: "hash",
    description: "What names the texture: the last part of its URL, 56 to 64 hexadecimal digits.",
    example: "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb",
    schema: Schema::Hash,
};

pub(super) const CRAFATAR_UUID: Parameter = Parameter {
    name: "uuid",
    description: "The player's UUID, with dashes or without. An extension such as `.png` is ignored.",
    example: "069a79f444e94726a5befca90e38aaf5",
    schema: Schema::Uuid,
};

pub(super) const CRAFATAR_SIZE: Parameter = Parameter {
    name: "size",
    description: "The width in pixels; 160 where it is left out.",
    example: "64",
    schema: Schema::UpTo(512),
};

pub(super) const CRAFATAR_SCALE: Parameter = Parameter {
    name: "scale",
    description: "The width in steps of 20 pixels; 6 where it is left out.",
    example: "4",
    schema: Schema::UpTo(10),
};

pub(super) const CRAFATAR_OVERLAY: Parameter = Parameter {
    name: "overlay",
    description: "The hat, where this is there with any value or none.",
    example: "true",
    schema: Schema::Text,
};

pub(super) const CRAFATAR_DEFAULT: Parameter = Parameter {
    name: "default",
    description: "Who is shown where there is no such player: `MHF_Steve`, `MHF_Alex` or a UUID. Anything \
        else means the one of the two whom old versions of the game would show. No URL is followed.",
    example: "MHF_Alex",
    schema: Schema::Text,
};

pub(super) const MINOTAR_WIDTH: Parameter = Parameter {
    name: "width",
    description: "The width in pixels, brought between 8 and 300; 180 where it is no number.",
    example: "100",
    schema: Schema::Text,
};

pub(super) const MC_HEADS_SIZE: Parameter = Parameter {
    name: "pixels",
    description: "The width in pixels, brought between 8 (32 but for the face) and 600; 180 where it is no \
        number.",
    example: "100",
    schema: Schema::Text,
};

pub(super) const MC_HEADS_NOHELM: Parameter = Parameter {
    name: "nohelm",
    description: "`nohelm` leaves the overlay out.",
    example: "nohelm",
    schema: Schema::Text,
};

pub(super) const MC_HEADS_FACING: Parameter = Parameter {
    name: "facing",
    description: "`left` or `right`; anything else means `right`.",
    example: "left",
    schema: Schema::Text,
};
