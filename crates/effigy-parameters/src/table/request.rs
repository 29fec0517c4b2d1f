//! The size, the version and the movement of a picture, and its players.

use effigy_render::{Crop, Size};

use super::pose::HEADING;
use crate::{Control, Form, Kind, Output, Parameter, Unit, Views};

pub(super) const SIZE: Parameter = Parameter::whole_number(
    "size",
    1,
    |limits| limits.size,
    Unit::Pixels,
    |picture, pixels| picture.spec.size = Size::px(pixels),
)
.outputs(&[
    Output::Picture,
    Output::Moving,
    Output::Texture,
    Output::Group,
    Output::Sheet,
    Output::Cape,
])
.default("128")
.help("The width in pixels, or the height of a combo", "")
.example("128")
.synonyms("width w height h s px pixels scale zoom resolution res")
.short('s')
.common()
.control(Control::Number {
    label: "Size in pixels",
});

pub(super) const CROP: Parameter = Parameter::word("crop", Crop::WORDS, |picture, word| {
    picture.spec.crop = Crop::ALL[word];
})
.views(Views::Figure)
.default("full")
.help(
    "The part of a figure that the picture shows",
    "With `full`, the picture is twice as high as `size`; `bust` and `head` are squares. With \
     `content`, the margins around the figure are cut off, and the longer side is `size`; groups \
     and sheets cannot be cropped to their content.",
)
.example("head")
.heading(HEADING)
.control(Control::Choice {
    label: "Crop",
    values: &[
        ("", "Whole figure"),
        ("bust", "Bust"),
        ("head", "Head"),
        ("content", "Without margins"),
    ],
});

pub(super) const V: Parameter = Parameter::new("v", Kind::Text)
    .outputs(&[
        Output::Picture,
        Output::Moving,
        Output::Texture,
        Output::Group,
        Output::Sheet,
        Output::Skin,
        Output::Cape,
    ])
    .help(
        "The version of the picture: a new text asks for a check of the player's skin",
        "Chat programs need it, because they keep the picture of a URL for longer than they are \
         told to. `version`, `t`, `ts`, `_`, `time`, `timestamp`, `cache`, `cb`, `rand`, `random`, \
         `randomuuid`, `nocache`, `no-cache` and a bare number mean the same.",
    )
    .example("2")
    .form(Form::Absent);

/// The largest number of players in one picture or list.
pub const MAX_PLAYERS: usize = 100;

/// The parameters of moving pictures.
pub(super) const MOTION: &[Parameter] = &[TURN, ANIMATE];

const TURN: Parameter = Parameter::switch("turn", |picture, on| picture.turn = Some(on))
    .views(Views::Free)
    .outputs(&[Output::Moving])
    .by_default("`true` unless the limbs move")
    .help(
        "A moving picture of a player who turns around",
        "A turn takes 3 s and has 36 frames. If the limbs move, too, it takes at least 8 s.",
    )
    .note("The moving picture is an APNG or a GIF.")
    .heading(HEADING);

const ANIMATE: Parameter = Parameter::switch("animate", |picture, on| picture.animate = Some(on))
    .views(Views::Free)
    .outputs(&[Output::Moving])
    .by_default(
        "`true` with the poses `idle`, `walk`, `run`, `march`, `wave`, `cheer`, `kick`, `fight`, \
         `zombie`, `dance` and `clap`",
    )
    .help(
        "A moving picture of a player who moves as the pose does",
        "In a pose without a movement of its own, the player breathes.",
    )
    .note("Without a pose, the player walks. The moving picture is an APNG or a GIF.")
    .heading(HEADING);

/// The parameters of pictures of several players, and the parameter for a missing player.
pub(super) const PLAYERS: &[Parameter] = &[PLAYER_LIST, VIEW, COLUMNS, NAMES, DEFAULT];

const PLAYER_LIST: Parameter = Parameter::new("players", Kind::List)
    .outputs(&[Output::Group, Output::Sheet, Output::Profiles])
    .required()
    .help(
        "One to 100 players",
        "Separate them with commas, or repeat the parameter.",
    )
    .example("Notch,MHF_Steve")
    .synonyms("player name user users username uuid")
    .form(Form::Absent);

const VIEW: Parameter = Parameter::new("view", Kind::View)
    .outputs(&[Output::Sheet])
    .default("face")
    .help("The view of each player on a sheet", "")
    .example("bust");

const COLUMNS: Parameter = Parameter::whole_number(
    "columns",
    1,
    |limits| limits.columns,
    Unit::None,
    |picture, columns| picture.columns = Some(columns),
)
.outputs(&[Output::Sheet])
.by_default("the number of rows, or one more")
.help("The number of columns of a sheet", "")
.example("3")
.common();

const NAMES: Parameter = Parameter::switch("names", |picture, on| picture.spec.names = on)
    .outputs(&[Output::Group, Output::Sheet])
    .default("false")
    .help(
        "The name of each player below the picture",
        "A long name is written smaller, and cut off if it still does not fit.",
    )
    .note("A skin file is labelled with the name of the file.");

const DEFAULT: Parameter = Parameter::new("default", Kind::Text)
    .outputs(&[
        Output::Picture,
        Output::Moving,
        Output::Group,
        Output::Sheet,
        Output::Skin,
    ])
    .help(
        "The player who is shown if the requested one does not exist, or during an outage",
        "It is `steve`, `alex` or any other player. `default-skin` is the default skin that the \
         game gives the requested player. `404` asks for an error, as without the parameter.",
    )
    .example("default-skin")
    .synonyms("fallback")
    .form(Form::Absent)
    .control(Control::Player {
        label: "If the player is missing",
        values: &[
            ("", "Nothing"),
            ("default-skin", "The player's default skin"),
            ("steve", "Steve"),
            ("alex", "Alex"),
        ],
    });
