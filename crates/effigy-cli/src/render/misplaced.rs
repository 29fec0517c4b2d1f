//! Options that would change nothing about the picture.

use clap::parser::ValueSource;
use clap::{ArgMatches, Id};
use effigy_parameters::{Output, Parameter, Views, parameters};
use effigy_render::{Crop, View};

use super::RenderArgs;
use super::options::options_of;
use super::views::possible_output_of;

const MOVING: &str = "figure, portrait and cube";

impl RenderArgs {
    /// Checks that every option changes something about the picture, and that no option contradicts
    /// another one. The error is the message.
    pub(crate) fn check_options(&self, matches: &ArgMatches) -> Result<(), String> {
        for id in matches.ids().map(Id::as_str) {
            if matches.value_source(id) == Some(ValueSource::CommandLine) {
                self.check_placement(id)?;
            }
        }
        self.check_backdrop()?;
        let Some(settings) = self.picture_settings() else {
            return Ok(());
        };
        if self.combines_players() && settings.spec.crop == Crop::Content {
            return Err("--crop content is only for pictures of one player".to_owned());
        }
        settings
            .check()
            .map_err(|contradiction| format!("--{contradiction}"))
    }

    /// Checks that an option changes something about the picture.
    fn check_placement(&self, id: &str) -> Result<(), String> {
        let checked = match find_parameter(id) {
            Some(parameter) => self.check_parameter(parameter),
            None => self.check_other_option(id),
        };
        checked.map_err(|pictures| format!("--{id} is only for {pictures}"))
    }

    /// Checks that a parameter changes something about the picture. The error names the pictures
    /// that the parameter is for.
    fn check_parameter(&self, parameter: &Parameter) -> Result<(), &'static str> {
        let output = possible_output_of(&self.picture);
        if output == Output::Cape {
            if parameter.belongs_to(Output::Cape) {
                return Ok(());
            }
            return Err("views of players");
        }
        // A parameter of a still picture of one player works in all pictures of players, if their
        // view has it.
        if !parameter.belongs_to(Output::Picture) && !parameter.belongs_to(output) {
            return Err(outputs_in_words(parameter));
        }
        match self.view() {
            Some(view) if parameter.affects(view) => Ok(()),
            _ => Err(views_in_words(parameter.views)),
        }
    }

    /// Checks that an option without a parameter changes something about the picture. The error
    /// names the pictures that the option is for.
    fn check_other_option(&self, id: &str) -> Result<(), &'static str> {
        let can_move = possible_output_of(&self.picture) == Output::Moving;
        match id {
            "svg" if self.view().is_none() => {
                Err("views that are drawn; skin and cape are PNG files")
            }
            "gif" if !can_move => Err(MOVING),
            "onto" if self.picture == "skin" => {
                Err("pictures that are drawn; skin is the unchanged file")
            }
            "poses" if self.picture != "sheet" => Err("sheet"),
            "poses" if !self.view().is_some_and(View::is_free) => {
                Err("sheets of figures, portraits and cubes")
            }
            "frames" | "rate" if !can_move => Err(MOVING),
            "frames" | "rate" if self.motion().is_none() => {
                Err("moving pictures: add --animate or --turn")
            }
            _ => Ok(()),
        }
    }

    /// Checks that no option asks for another format than the one of pictures on a backdrop. The
    /// error is the message.
    fn check_backdrop(&self) -> Result<(), &'static str> {
        if self.backdrop().is_none() {
            return Ok(());
        }
        if self.svg {
            return Err("--onto makes PNG files: leave out --svg");
        }
        if self.gif {
            return Err("--onto makes PNG files: leave out --gif");
        }
        let Some(settings) = self.picture_settings() else {
            return Ok(());
        };
        if settings.turn == Some(true) || settings.animate == Some(true) {
            return Err("--onto makes pictures that don't move: leave out --turn and --animate");
        }
        Ok(())
    }
}

/// Finds the parameter that an option sets.
fn find_parameter(id: &str) -> Option<&'static Parameter> {
    let mut options = parameters().flat_map(options_of);
    let option = options.find(|option| option.name == id)?;
    Some(option.parameter)
}

fn outputs_in_words(parameter: &Parameter) -> &'static str {
    if parameter.belongs_to(Output::Moving) {
        MOVING
    } else if parameter.belongs_to(Output::Group) {
        "group and sheet"
    } else {
        "sheet"
    }
}

fn views_in_words(views: Views) -> &'static str {
    match views {
        Views::All => "views that are drawn; skin is the unchanged file",
        Views::Isometric => "isometric views",
        Views::Fixed => "flat and isometric views",
        Views::Free => "figure, portrait, cube and group",
        Views::Figure => "figure and group",
        Views::Lit => "views that are not flat",
        Views::Caped => "figure, portrait, isobody and group",
        Views::Grounded => "figure, isobody and group",
        Views::Armed => "views with arms",
    }
}
