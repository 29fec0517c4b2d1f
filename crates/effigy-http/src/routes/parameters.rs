//! The parameters of the routes, as they are documented.

use effigy_render::View;

use super::{
    docs::{Parameter, Schema},
    families::crafatar,
    v1::{
        arrangement::MAX_PLAYERS,
        render_params::{MAX_PADDING, MAX_SIZE},
    },
};

pub(super) const INPUT: Parameter = Parameter::text("input", "Notch")
    .description("The player: a Java name, a Java UUID with or without dashes, a Bedrock XUID that starts with \
        `0000`, a Floodgate UUID, a Bedrock gamertag after a dot, or the name of a preset head. At most 256 \
        bytes.");

/// Any text, because no text is rejected.
pub(super) const SIZE: Parameter = Parameter::text("size", "128").description(
    "The width in pixels. Anything but a positive whole number means the default: 128, or 64 for \
        `ioshead` and `iosbody`.",
);

pub(super) const OPTION: Parameter = Parameter::text("option", "hat")
    .description("`hat` adds the overlay; any other text is ignored.");

pub(super) const DIRECTION: Parameter = Parameter::one_of("direction", "right", &["left", "right"])
    .description("The direction in which the player looks: `left` is the mirror image of `right`.");

pub(super) const FLAT: Parameter = Parameter::one_of("flat", "head", &["head", "player"])
    .description("The face or the flat body.");

pub(super) const ISOMETRIC: Parameter =
    Parameter::one_of("isometric", "avatar", &["avatar", "ioshead", "iosbody"])
        .description("The body, the head, or the body with the smaller default size.");

pub(super) const VIEW: Parameter = Parameter::one_of(
    "view",
    "bust",
    &[
        "head", "bust", "player", "combo", "ioshead", "avatar", "figure", "portrait", "cube", "face",
        "body",
    ],
)
.description(
    "`head` (or `face`), `bust`, `player` (or `body`) and `combo` (the face next to the body) are flat; `ioshead` and \
        `avatar` are isometric; `figure`, `portrait` (head and chest) and `cube` (the head) can be turned.",
);

pub(super) const HASH: Parameter = Parameter::new(
    "hash",
    "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb",
    Schema::Hash,
)
.description("The hash of the texture: the last part of its URL, 56 to 64 hexadecimal digits.");

pub(super) const V1_SIZE: Parameter = Parameter::up_to("size", "128", MAX_SIZE)
    .description("The width in pixels, of `combo` the height; 128 by default.");

pub(super) const FACING: Parameter = Parameter::one_of(
    "facing",
    "back-left",
    &["left", "right", "back-left", "back-right"],
)
.description(
    "The direction in which the player of an isometric view looks, towards the viewer or away; \
        `right` by default.",
)
.only_for(|view| !view.is_free());

pub(super) const YAW: Parameter = Parameter::degrees("yaw", "-30", 180)
    .description("The direction in which the player looks, in degrees, to a tenth: 0 towards the viewer, 90 to \
        the right of the picture, -90 to the left, 180 away; 25 by default.")
    .only_for(View::is_free);

pub(super) const PITCH: Parameter = Parameter::degrees("pitch", "20", 90)
    .description("The height of the viewer in degrees, to a tenth: 0 level with the player, 90 above; 10 by default.")
    .only_for(View::is_free);

pub(super) const POSE: Parameter = Parameter::one_of(
    "pose",
    "walk",
    &[
        "stand", "walk", "run", "wave", "sit", "crouch", "point", "cheer",
    ],
)
.description("The position of the limbs; `stand` by default.")
.only_for(View::is_free);

pub(super) const LIGHT: Parameter = Parameter::one_of("light", "game", &["none", "soft", "game"])
    .description("The shading of the sides: `none`, `soft`, or that of blocks in the `game`. By default `none` \
        for isometric views and `soft` for the others.")
    .only_for(|view| !view.is_flat());

/// The words of a switch. A name without a value turns it on.
const SWITCH: &[&str] = &["true", "false", "1", "0", ""];

pub(super) const CAPE: Parameter = Parameter::one_of("cape", "false", SWITCH)
    .description("Selects whether the player wears the cape, if there is one. By default `false` for `avatar` and \
        `true` for the others. Textures and skin files have no cape.")
    .only_for(View::shows_cape);

pub(super) const OVERLAY: Parameter = Parameter::one_of("overlay", "false", SWITCH)
    .description("Selects the base layer alone or with the hat, jacket, sleeves and trousers; `true` by default.");

pub(super) const BACKGROUND: Parameter = Parameter::new("background", "202225", Schema::Color)
    .description(
        "The color behind the picture: `rrggbb`, or `rrggbbaa` with an opacity; none by default.",
    );

pub(super) const PADDING: Parameter = Parameter::new("padding", "8", Schema::ZeroTo(MAX_PADDING))
    .description(
        "The distance of the view from the edges in pixels, which adds to the size; 0 by default.",
    );

pub(super) const SHAPE: Parameter =
    Parameter::one_of("shape", "circle", &["square", "rounded", "circle"]).description(
        "The shape to which the picture is cut; `square`, the whole picture, by default.",
    );

pub(super) const SHADOW: Parameter = Parameter::one_of("shadow", "true", SWITCH)
    .description("Selects whether the player casts a shadow on the ground; `false` by default.")
    .only_for(View::shows_ground);

pub(super) const VERSION: Parameter = Parameter::text("v", "2").description(
    "Any text, which changes nothing but the URL. Chat programs keep a picture by its URL for longer \
        than they are told to.",
);

/// The parameters that every picture under `/v1/` has, unless its view lacks some.
pub(crate) const PICTURE: [Parameter; 13] = [
    V1_SIZE, FACING, YAW, PITCH, POSE, LIGHT, CAPE, OVERLAY, BACKGROUND, PADDING, SHAPE, SHADOW,
    VERSION,
];

/// Any text, because nearly any text may name a player.
pub(super) const DEFAULT: Parameter = Parameter::text("default", "steve").description(
    "The player who is shown if the requested one does not exist, or is not available because of an \
        outage: `steve`, `alex`, or any form of `input`. `404` means an error instead, as without it.",
);

pub(super) const PLAYERS: Parameter = Parameter::text("players", "Notch,MHF_Steve")
    .description("One to 100 players with commas between them, each in any form of `input`.")
    .required();

pub(super) const COLUMNS: Parameter = Parameter::up_to("columns", "3", MAX_PLAYERS)
    .description("The number of columns; by default as many as there are rows, or one more.");

pub(super) const MODEL: Parameter = Parameter::one_of("model", "slim", &["classic", "slim"])
    .description("The width of the arms: `classic` (four texels, the default) or `slim` (three).");

pub(super) const CRAFATAR_UUID: Parameter =
    Parameter::new("uuid", "069a79f444e94726a5befca90e38aaf5", Schema::Uuid).description(
        "The player's UUID with or without dashes. An extension such as `.png` is ignored.",
    );

pub(super) const CRAFATAR_RENDER: Parameter = Parameter::one_of(
    "render",
    "head",
    &["head", "body"],
)
.description(
    "`head`: the isometric head, 20 x 18.5 pixels for each step of `scale`. `body`: the isometric \
        body, 20 x 45.1 pixels for each step.",
);

pub(super) const CRAFATAR_SIZE: Parameter = Parameter::up_to("size", "64", crafatar::MAX_SIZE)
    .description("The width in pixels; 160 by default.");

pub(super) const CRAFATAR_SCALE: Parameter = Parameter::up_to("scale", "4", crafatar::MAX_SCALE)
    .description("The width in steps of 20 pixels; 6 by default.");

pub(super) const CRAFATAR_OVERLAY: Parameter = Parameter::text("overlay", "true")
    .description("Adds the overlay if it is present, with any value or none.");

pub(super) const CRAFATAR_DEFAULT: Parameter = Parameter::text("default", "MHF_Alex").description(
    "The player who is shown if no player has this UUID: `MHF_Steve`, `MHF_Alex` or a UUID. \
        Anything else means the default skin of old versions of the game. URLs are not followed.",
);

pub(super) const MINOTAR_VIEW: Parameter = Parameter::one_of("view", "helm", &["avatar", "helm", "cube", "body", "bust", "skin", "download"])
    .description("`avatar`: the face. `helm`: the face with the hat. `cube`: the isometric head. `body`: the \
        flat body. `bust`: the flat head and chest. `skin`: the skin file. `download`: the skin file as an \
        attachment. With `.svg` at the end of the path, `avatar` and `helm` are SVG.");

pub(super) const MINOTAR_ARMOR: Parameter = Parameter::one_of("view", "body", &["body", "bust"])
    .description("The flat body, or the flat head and chest.");

pub(super) const MINOTAR_WIDTH: Parameter = Parameter::text("width", "100").description(
    "The width in pixels, limited to the range from 8 to 300; 180 if it is not a number. `skin` and \
        `download` have none.",
);

pub(super) const MC_HEADS_VIEW: Parameter = Parameter::one_of("view", "avatar", &["avatar", "head", "body", "player", "combo", "skin", "download"])
    .description("`avatar`: the face. `head`: the isometric head. `body`: the isometric body. `player`: the flat \
        body. `combo`: the face next to the flat body. `skin`: the skin file. `download`: the skin file as an \
        attachment.");

pub(super) const MC_HEADS_SIZE: Parameter = Parameter::text("pixels", "100").description(
    "The width in pixels, of `combo` the height, limited to the range from 32 (8 for `avatar`) to \
        600; 180 if it is not a number.",
);

pub(super) const MC_HEADS_FACING: Parameter = Parameter::text("facing", "left")
    .description("`left` or `right`; anything else means `right`.");

pub(super) const MC_HEADS_NOHELM: Parameter =
    Parameter::text("nohelm", "nohelm").description("`nohelm` leaves out the overlay.");
