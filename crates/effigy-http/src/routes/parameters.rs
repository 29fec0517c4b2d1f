//! The parameters of the routes, as they are documented.

use super::{
    docs::{Parameter, Schema},
    families::crafatar,
    v1,
};

pub(super) const INPUT: Parameter = Parameter {
    name: "input",
    description: "The player: a Java name, a Java UUID with or without dashes, a Bedrock XUID that starts with \
        `0000`, a Floodgate UUID, a Bedrock gamertag after a dot, or the name of a preset head. At most 256 \
        bytes.",
    example: "Notch",
    schema: Schema::Text,
};

/// Any text, because no text is rejected.
pub(super) const SIZE: Parameter = Parameter {
    name: "size",
    description: "The width in pixels. Anything but a positive whole number means the default: 128, or 64 for \
        `ioshead` and `iosbody`.",
    example: "128",
    schema: Schema::Text,
};

pub(super) const OPTION: Parameter = Parameter {
    name: "option",
    description: "`hat` adds the overlay; any other text is ignored.",
    example: "hat",
    schema: Schema::Text,
};

pub(super) const DIRECTION: Parameter = Parameter {
    name: "direction",
    description: "The direction in which the player looks: `left` is the mirror image of `right`.",
    example: "right",
    schema: Schema::OneOf(&["left", "right"]),
};

pub(super) const FLAT: Parameter = Parameter {
    name: "flat",
    description: "The face or the flat body.",
    example: "head",
    schema: Schema::OneOf(&["head", "player"]),
};

pub(super) const ISOMETRIC: Parameter = Parameter {
    name: "isometric",
    description: "The body, the head, or the body with the smaller default size.",
    example: "avatar",
    schema: Schema::OneOf(&["avatar", "ioshead", "iosbody"]),
};

pub(super) const VIEW: Parameter = Parameter {
    name: "view",
    description: "`head`, `bust`, `player` and `combo` (the face beside the body) are flat; `ioshead` and \
        `avatar` are isometric.",
    example: "bust",
    schema: Schema::OneOf(&["head", "bust", "player", "combo", "ioshead", "avatar"]),
};

pub(super) const HASH: Parameter = Parameter {
    name: "hash",
    description: "The hash of the texture: the last part of its URL, 56 to 64 hexadecimal digits.",
    example: "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb",
    schema: Schema::Hash,
};

pub(super) const V1_SIZE: Parameter = Parameter {
    name: "size",
    description: "The width in pixels, of `combo` the height; 128 by default.",
    example: "128",
    schema: Schema::UpTo(v1::MAX_SIZE),
};

pub(super) const FACING: Parameter = Parameter {
    name: "facing",
    description: "The direction in which the player of an isometric view looks, towards the viewer or away; \
        `right` by default.",
    example: "back-left",
    schema: Schema::OneOf(&["left", "right", "back-left", "back-right"]),
};

pub(super) const OVERLAY: Parameter = Parameter {
    name: "overlay",
    description: "Selects the base layer alone or with the hat, jacket, sleeves and trousers; `true` by default.",
    example: "false",
    schema: Schema::OneOf(&["true", "false"]),
};

pub(super) const MODEL: Parameter = Parameter {
    name: "model",
    description: "The width of the arms: `classic` (four texels, the default) or `slim` (three).",
    example: "slim",
    schema: Schema::OneOf(&["classic", "slim"]),
};

pub(super) const CRAFATAR_UUID: Parameter = Parameter {
    name: "uuid",
    description: "The player's UUID with or without dashes. An extension such as `.png` is ignored.",
    example: "069a79f444e94726a5befca90e38aaf5",
    schema: Schema::Uuid,
};

pub(super) const CRAFATAR_RENDER: Parameter = Parameter {
    name: "render",
    description: "`head`: the isometric head, 20 x 18.5 pixels for each step of `scale`. `body`: the isometric \
        body, 20 x 45.1 pixels for each step.",
    example: "head",
    schema: Schema::OneOf(&["head", "body"]),
};

pub(super) const CRAFATAR_SIZE: Parameter = Parameter {
    name: "size",
    description: "The width in pixels; 160 by default.",
    example: "64",
    schema: Schema::UpTo(crafatar::MAX_SIZE),
};

pub(super) const CRAFATAR_SCALE: Parameter = Parameter {
    name: "scale",
    description: "The width in steps of 20 pixels; 6 by default.",
    example: "4",
    schema: Schema::UpTo(crafatar::MAX_SCALE),
};

pub(super) const CRAFATAR_OVERLAY: Parameter = Parameter {
    name: "overlay",
    description: "Adds the overlay if it is present, with any value or none.",
    example: "true",
    schema: Schema::Text,
};

pub(super) const CRAFATAR_DEFAULT: Parameter = Parameter {
    name: "default",
    description: "The player that is shown if no player has this UUID: `MHF_Steve`, `MHF_Alex` or a UUID. \
        Anything else means the default skin of old versions of the game. URLs are not followed.",
    example: "MHF_Alex",
    schema: Schema::Text,
};

pub(super) const MINOTAR_VIEW: Parameter = Parameter {
    name: "view",
    description: "`avatar`: the face. `helm`: the face with the hat. `cube`: the isometric head. `body`: the \
        flat body. `bust`: the flat head and chest. `skin`: the skin file. `download`: the skin file as an \
        attachment. With `.svg` at the end of the path, `avatar` and `helm` are SVG.",
    example: "helm",
    schema: Schema::OneOf(&["avatar", "helm", "cube", "body", "bust", "skin", "download"]),
};

pub(super) const MINOTAR_ARMOR: Parameter = Parameter {
    name: "view",
    description: "The flat body, or the flat head and chest.",
    example: "body",
    schema: Schema::OneOf(&["body", "bust"]),
};

pub(super) const MINOTAR_WIDTH: Parameter = Parameter {
    name: "width",
    description: "The width in pixels, limited to the range from 8 to 300; 180 if it is no number. `skin` and \
        `download` have none.",
    example: "100",
    schema: Schema::Text,
};

pub(super) const MC_HEADS_VIEW: Parameter = Parameter {
    name: "view",
    description: "`avatar`: the face. `head`: the isometric head. `body`: the isometric body. `player`: the flat \
        body. `combo`: the face beside the flat body. `skin`: the skin file. `download`: the skin file as an \
        attachment.",
    example: "avatar",
    schema: Schema::OneOf(&[
        "avatar", "head", "body", "player", "combo", "skin", "download",
    ]),
};

pub(super) const MC_HEADS_SIZE: Parameter = Parameter {
    name: "pixels",
    description: "The width in pixels, of `combo` the height, limited to the range from 32 (8 for `avatar`) to \
        600; 180 if it is no number.",
    example: "100",
    schema: Schema::Text,
};

pub(super) const MC_HEADS_FACING: Parameter = Parameter {
    name: "facing",
    description: "`left` or `right`; anything else means `right`.",
    example: "left",
    schema: Schema::Text,
};

pub(super) const MC_HEADS_NOHELM: Parameter = Parameter {
    name: "nohelm",
    description: "`nohelm` leaves out the overlay.",
    example: "nohelm",
    schema: Schema::Text,
};
