//! The surroundings of a player.

use effigy_render::{Outline, Shape};

use super::looks::HEADING;
use crate::{Control, Parameter, Unit, Views};

pub(super) const PARAMETERS: &[Parameter] =
    &[BACKGROUND, PADDING, SHAPE, SHADOW, OUTLINE, OUTLINE_WIDTH];

const BACKGROUND: Parameter = Parameter::color("background", |picture, color| {
    picture.spec.decoration.background = color;
})
.default("transparent")
.help(
    "The color behind the picture",
    "A color is `rrggbb`, `rgb`, `rrggbbaa` with an opacity, or one of the 16 basic color names of \
     HTML, such as `white`.",
)
.example("202225")
.synonyms("bg bgcolor background-color color colour")
.heading(HEADING)
.common()
.control(Control::Choice {
    label: "Background",
    values: &[
        ("", "None"),
        ("ffffff", "White"),
        ("202225", "Dark"),
        ("8fd0ba", "Green"),
        ("7aa7e0", "Blue"),
    ],
});

const PADDING: Parameter = Parameter::whole_number(
    "padding",
    0,
    |limits| limits.padding.into(),
    Unit::Pixels,
    |picture, pixels| {
        // The largest padding fits into 16 bits.
        picture.spec.decoration.padding = u16::try_from(pixels).unwrap_or(u16::MAX);
    },
)
.by_default("0, or 4 on a sheet without a shape")
.help(
    "The distance from the edges in pixels, which adds to the size",
    "A portrait still reaches the lower edge.",
)
.example("8")
.synonyms("margin border")
.heading(HEADING)
.control(Control::Choice {
    label: "Padding",
    values: &[
        ("", "None"),
        ("8", "8 pixels"),
        ("16", "16 pixels"),
        ("32", "32 pixels"),
    ],
});

const SHAPE: Parameter = Parameter::word("shape", Shape::WORDS, |picture, word| {
    picture.spec.decoration.shape = Shape::ALL[word];
})
.default("square")
.help(
    "The shape of the picture",
    "The player is drawn smaller to fit into it, except for a face or a bust without padding, \
     which fills it. With `circle`, the picture is as wide as it is high.",
)
.example("circle")
.synonyms("round rounded circle radius corners")
.heading(HEADING)
.control(Control::Choice {
    label: "Shape",
    values: &[("", "Square"), ("rounded", "Rounded"), ("circle", "Circle")],
});

const SHADOW: Parameter = Parameter::switch("shadow", |picture, on| {
    picture.spec.decoration.shadow = on;
})
.views(Views::Grounded)
.default("false")
.help(
    "A soft shadow on the ground",
    "A GIF without a background has no shadow.",
)
.heading(HEADING)
.control(Control::Choice {
    label: "Shadow",
    values: &[("", "None"), ("true", "On the ground")],
});

const OUTLINE: Parameter = Parameter::color("outline", |picture, color| {
    picture.spec.outline = color.map(Outline::new);
})
.default("transparent")
.help(
    "The color of a line around the player, as on a sticker",
    "It takes the same values as `background`. The player is drawn smaller, so that the line fits \
     into the picture. A shadow has no outline.",
)
.example("ffffff")
.synonyms("stroke sticker")
.heading(HEADING)
.control(Control::Choice {
    label: "Outline",
    values: &[
        ("", "None"),
        ("ffffff", "White"),
        ("202225", "Dark"),
        ("ffd34e", "Yellow"),
        ("7aa7e0", "Blue"),
    ],
});

const OUTLINE_WIDTH: Parameter = Parameter::whole_number(
    "outline-width",
    1,
    |_| Outline::MAX_WIDTH.into(),
    Unit::Pixels,
    |picture, pixels| {
        if let Some(outline) = &mut picture.spec.outline {
            // The largest width fits into 8 bits.
            outline.width = Some(u8::try_from(pixels).unwrap_or(Outline::MAX_WIDTH));
        }
    },
)
.by_default("a 64th of the size, and at least 1")
.help(
    "The width of the outline in pixels, and at most a quarter of the size",
    "",
)
.example("4")
.synonyms("stroke-width")
.requires("outline")
.heading(HEADING)
.control(Control::Choice {
    label: "Outline width",
    values: &[
        ("", "Default"),
        ("1", "1 pixel"),
        ("2", "2 pixels"),
        ("4", "4 pixels"),
        ("8", "8 pixels"),
        ("16", "16 pixels"),
    ],
});
