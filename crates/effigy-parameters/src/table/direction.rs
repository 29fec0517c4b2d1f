//! The direction from which a player is seen.

use effigy_render::{Camera, Facing};

use super::pose::HEADING;
use crate::{Control, Parameter, Unit, Views};

pub(super) const PARAMETERS: &[Parameter] = &[FACING, YAW, PITCH, FOV];

const FACING: Parameter = Parameter::word("facing", Facing::WORDS, |picture, word| {
    if picture.spec.view.is_isometric() {
        picture.spec.camera = Camera::Isometric(Facing::ALL[word]);
    }
})
.views(Views::Isometric)
.accepted_by(Views::Fixed)
.default("right")
.help(
    "The direction in which an isometric player looks",
    "With `left` and `right`, the player faces the viewer; with `back-left` and `back-right`, the \
     player faces away.",
)
.example("back-left")
.synonyms("direction side")
.heading(HEADING)
.common()
.control(Control::Choice {
    label: "Direction",
    values: &[
        ("", "Right"),
        ("left", "Left"),
        ("back-right", "Back, right"),
        ("back-left", "Back, left"),
    ],
});

const YAW: Parameter = Parameter::number("yaw", -360..=360, Unit::Degrees, |picture, degrees| {
    picture.set_yaw(degrees);
})
.views(Views::Free)
.default("25")
.help(
    "The direction in which a figure, portrait or cube looks, in degrees",
    "0 is toward the viewer, 90 to the right of the picture, -90 to the left, 180 away. \
     A tenth is the smallest step. Poses that look better from another side, such as `lie`, have \
     a default of their own.",
)
.example("-30")
.synonyms("rotate rotation rot angle theta")
.heading(HEADING)
.common()
.control(Control::Slider {
    label: "Turn",
    limit: 180,
});

const PITCH: Parameter = Parameter::number("pitch", -90..=90, Unit::Degrees, |picture, degrees| {
    picture.set_pitch(degrees);
})
.views(Views::Free)
.default("16")
.help(
    "The height of the viewer of a figure, portrait or cube, in degrees",
    "0 is level with the player, 90 above. A tenth is the smallest step. As with `yaw`, some poses \
     have a default of their own.",
)
.example("20")
.synonyms("tilt elevation")
.heading(HEADING)
.control(Control::Slider {
    label: "Tilt",
    limit: 90,
});

const FOV: Parameter = Parameter::number("fov", 0..=90, Unit::Degrees, |picture, degrees| {
    picture.set_fov(degrees);
})
.views(Views::Free)
.default("30")
.help(
    "The field of view of a figure, portrait or cube, in degrees",
    "It is the vertical angle that a standing player fills: 30 is a calm lens, and 0 has no \
     perspective. A tenth is the smallest step.",
)
.example("0")
.heading(HEADING)
.control(Control::Choice {
    label: "Perspective",
    values: &[("", "Slight"), ("0", "None"), ("60", "Strong")],
});
