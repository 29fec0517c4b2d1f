//! The light, and the clothes of a player.

use effigy_render::{Angle, Layers, Light, Model, View};

use crate::parameter::Setter;
use crate::{Control, Form, Kind, Parameter, Views};

/// The heading of options for a player's looks.
pub(super) const HEADING: &str = "Looks";

pub(super) const PARAMETERS: &[Parameter] = &[LIGHT, LIGHT_FROM, CAPE, ELYTRA, OVERLAY, MODEL];

const LIGHT: Parameter = Parameter::word("light", Light::WORDS, |picture, word| {
    picture.spec.light = Light::ALL[word];
})
.views(Views::Lit)
.default("soft")
.help(
    "The light of a view that is not flat",
    "With `none`, all sides are as bright as the skin; `game` is the light on blocks in the game.",
)
.example("game")
.synonyms("shading shade")
.note("The views avatar, ioshead and iosbody have no light by default.")
.heading(HEADING)
.control(Control::Tiles {
    label: "Light",
    view: View::Cube,
    values: &[("", "Soft"), ("none", "None"), ("game", "Game")],
});

const LIGHT_FROM: Parameter = Parameter::direction("light-from", |picture, direction| {
    picture.spec.light_from = Some(direction);
})
.views(Views::Lit)
.by_default("the light follows the viewer")
.help(
    "The direction of the soft light, relative to the player, in degrees",
    "The light comes from where a viewer with that `yaw` and `pitch` would be. It cannot be \
     combined with another `light`.",
)
.example("-60,40")
.heading(HEADING)
.control(Control::Choice {
    label: "Light from",
    values: &[
        ("", "The viewer"),
        ("-60,40", "The left"),
        ("60,40", "The right"),
        ("0,80", "Above"),
        ("180,30", "Behind"),
    ],
});

const CAPE: Parameter = Parameter::new(
    "cape",
    Kind::SwitchOrAngle(
        Setter(|picture, on| picture.spec.cape = on),
        Setter(|picture, degrees| {
            picture.spec.cape = true;
            picture.spec.pose.cape = Angle::degrees(degrees);
        }),
    ),
)
.views(Views::Caped)
.by_default("`false` for `isobody` and `true` for the others")
.help(
    "The player's cape, if there is one, or the angle between it and the back in degrees",
    "Textures and skin files have no cape.",
)
.example("false")
.form(Form::File {
    on: "The file of a cape, for a figure, a portrait or an isometric body",
    off: "Leave out the player's cape",
})
.note("A figure or portrait of a player shows the player's own cape by default.")
.heading(HEADING)
.control(Control::Choice {
    label: "Cape",
    values: &[("", "Default"), ("true", "Shown"), ("false", "Hidden")],
});

const ELYTRA: Parameter = Parameter::switch("elytra", |picture, on| {
    picture.spec.elytra = on;
    picture.spec.cape |= on;
})
.views(Views::Caped)
.default("false")
.help(
    "The elytra of the cape's file instead of the cape",
    "If the file has no elytra, the cape is shown.",
)
.conflicts("no-cape")
.heading(HEADING);

const OVERLAY: Parameter = Parameter::switch("overlay", |picture, on| {
    picture.spec.layers = if on {
        Layers::WithOverlay
    } else {
        Layers::Base
    };
})
.default("true")
.help("The overlay: hat, jacket, sleeves and trousers", "")
.example("false")
.synonyms("hat helm helmet layer layers nohat nohelm")
.form(Form::Switch(Some("Leave out the overlay")))
.alias("hat")
.note(
    "It is shown by default, except for the views head and player, which are named as in paths \
     without /v1/.",
)
.heading(HEADING)
.common()
.control(Control::Choice {
    label: "Overlay",
    values: &[("", "Shown"), ("false", "Hidden")],
});

const MODEL: Parameter = Parameter::word("model", Model::WORDS, |picture, word| {
    picture.spec.model = Some(Model::ALL[word]);
})
.views(Views::Armed)
.accepted_by(Views::All)
.by_default("the model of the account; guessed for textures and skin files")
.help(
    "The player's model, which determines the width of the arms",
    "Arms are four texels wide on the `classic` model, and three on the `slim` one.",
)
.example("slim")
.synonyms("slim alex type")
.form(Form::Words(&[
    "Draw the classic model, whose arms are four texels wide",
    "Draw the slim model, whose arms are three texels wide",
]))
.note(
    "By default, a player has the model of the account, and a skin file has the slim model if the \
     fourth column of the arms is empty.",
)
.heading(HEADING);
