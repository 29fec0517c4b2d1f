//! The definition of a parameter, and the parser of its values.

mod definition;

use std::fmt;

use effigy_render::{Angle, Rotation, View};

use crate::synonyms::has;
use crate::value::{self, ParameterError, Parsed};
use crate::{CommandLine, Control, Limits, Output, PictureSettings, Views};

const SWITCH_OR_ANGLE: &str = "\"true\", \"false\" or degrees from 0 to 180";

/// A parameter: its values, where it applies, and its documentation.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Parameter {
    /// The name in URLs, and of the attribute of the element.
    pub name: &'static str,
    /// The values, and what they change.
    pub kind: Kind,
    /// The value of a picture without the parameter.
    pub default: DefaultValue,
    /// The views that the parameter changes.
    pub views: Views,
    /// The views whose URLs may have the parameter, if these are more than the views that it
    /// changes. The others ignore it.
    pub accepted_by: Option<Views>,
    /// The outputs that have the parameter.
    pub outputs: &'static [Output],
    /// Refuses requests without the parameter.
    pub required: bool,
    /// The meaning in one sentence, without the full stop.
    pub help: &'static str,
    /// Further sentences. Backticks are around words of parameters.
    pub details: &'static str,
    /// A value.
    pub example: &'static str,
    /// Words that people type instead of the name, separated by spaces.
    pub synonyms: &'static str,
    /// Words that people type instead of a value, separated by spaces, and the value.
    pub value_synonyms: &'static [(&'static str, &'static str)],
    /// The form on the command line.
    pub command_line: CommandLine,
    /// The field on the page.
    pub control: Control,
}

/// The kind of values that a parameter takes, with the function that applies one to a picture.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A switch, as [`value::switch`] reads it.
    Switch(Setter<bool>),
    /// A switch, or degrees from 0 to 180 in place of `true`.
    SwitchOrAngle(Setter<bool>, Setter<f64>),
    /// A whole number.
    WholeNumber {
        /// The smallest number.
        min: u32,
        /// The largest number.
        max: fn(&Limits) -> u32,
        /// The unit of the number.
        unit: Unit,
        /// Applies a number to a picture.
        set: Setter<u32>,
    },
    /// A number.
    Number {
        /// The smallest number.
        min: i32,
        /// The largest number.
        max: i32,
        /// The unit of the number.
        unit: Unit,
        /// Applies a number to a picture.
        set: Setter<f64>,
    },
    /// One of these words. The setter takes the position of the word.
    Word(&'static [&'static str], Setter<usize>),
    /// The word of a view, as [`find_view`](crate::find_view) reads it.
    View,
    /// Three angles.
    Angles(Setter<Rotation>),
    /// The yaw and the pitch of a direction, as [`value::direction`] reads it.
    Direction(Setter<[Angle; 2]>),
    /// A color, as [`value::color`] reads it.
    Color(Setter<Option<[u8; 4]>>),
    /// Any text. It does not change a picture by itself.
    Text,
    /// Texts separated by commas. It does not change a picture by itself.
    List,
}

/// The unit of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Pixels.
    Pixels,
    /// Degrees.
    Degrees,
    /// A number without a unit.
    None,
}

/// The value that a picture has without the parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DefaultValue {
    /// Always this value.
    Value(&'static str),
    /// A value that depends on something, described in words.
    Described(&'static str),
    /// No value.
    None,
}

/// A function that changes a picture.
pub struct Setter<T>(pub(crate) fn(&mut PictureSettings, T));

/// A parameter with a parsed value.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    parameter: &'static Parameter,
    assignment: Assignment,
}

/// A parsed value with the function that applies it to a picture.
#[derive(Debug, Clone, Copy)]
enum Assignment {
    Switch(Setter<bool>, bool),
    WholeNumber(Setter<u32>, u32),
    Number(Setter<f64>, f64),
    Word(Setter<usize>, usize),
    Angles(Setter<Rotation>, Rotation),
    Direction(Setter<[Angle; 2]>, [Angle; 2]),
    Color(Setter<Option<[u8; 4]>>, Option<[u8; 4]>),
    None,
}

impl Parameter {
    /// Returns `true` if URLs of pictures of the view may have the parameter.
    #[must_use]
    pub const fn accepts(&self, view: View) -> bool {
        match self.accepted_by {
            Some(views) => views.contains(view),
            None => self.views.contains(view),
        }
    }

    /// Returns `true` if the parameter changes pictures of the view.
    #[must_use]
    pub const fn affects(&self, view: View) -> bool {
        self.views.contains(view)
    }

    /// Returns `true` if a value changes the picture by itself, which views, texts and lists don't.
    #[must_use]
    pub const fn changes_pictures(&self) -> bool {
        !matches!(self.kind, Kind::View | Kind::Text | Kind::List)
    }

    /// Returns `true` if the output has the parameter.
    #[must_use]
    pub fn belongs_to(&self, output: Output) -> bool {
        self.outputs.contains(&output)
    }

    /// Returns `true` if the parameter changes a picture of one player, which stands still or moves.
    #[must_use]
    pub fn changes_one_player(&self) -> bool {
        let is_of_one_player = self.belongs_to(Output::Texture) || self.belongs_to(Output::Moving);
        is_of_one_player && self.changes_pictures()
    }

    /// Returns `true` if the output has the parameter and shows a view that accepts it.
    #[must_use]
    pub fn is_useful_in(&self, output: Output) -> bool {
        let mut views = View::ALL.iter();
        self.belongs_to(output) && views.any(|view| output.shows(*view) && self.accepts(*view))
    }

    /// Returns the message for a picture whose view doesn't have the parameter.
    #[must_use]
    pub fn misplaced_message(&self) -> String {
        let views = View::ALL.iter().filter(|view| self.accepts(**view));
        let words = value::list(views.map(View::to_string), " and ");
        format!("{} applies only to {words}", self.name)
    }

    /// Parses a value.
    ///
    /// # Errors
    ///
    /// If the text is not a value of the parameter.
    pub fn parse(&'static self, text: &str, limits: &Limits) -> Result<Setting, ParameterError> {
        match self.parse_value(text, limits) {
            Ok(assignment) => Ok(Setting {
                parameter: self,
                assignment,
            }),
            Err(expected) => Err(ParameterError {
                name: self.name,
                expected,
            }),
        }
    }

    /// Returns the value that people mean by a word in any letter case, or the word itself.
    #[must_use]
    pub fn meant_value<'a>(&self, word: &'a str) -> &'a str {
        for (synonyms, value) in self.value_synonyms {
            if has(synonyms, word) {
                return value;
            }
        }
        word
    }

    fn parse_value(&self, text: &str, limits: &Limits) -> Parsed<Assignment> {
        Ok(match self.kind {
            Kind::Switch(set) => Assignment::Switch(set, value::switch(text)?),
            Kind::SwitchOrAngle(set, set_angle) => {
                if let Ok(on) = value::switch(text) {
                    Assignment::Switch(set, on)
                } else {
                    let angle = value::decimal(text, 0..=180).map_err(|_| SWITCH_OR_ANGLE)?;
                    Assignment::Number(set_angle, angle)
                }
            }
            Kind::WholeNumber { min, max, set, .. } => {
                let number = value::whole_number(text, min..=max(limits))?;
                Assignment::WholeNumber(set, number)
            }
            Kind::Number { min, max, set, .. } => {
                Assignment::Number(set, value::decimal(text, min..=max)?)
            }
            Kind::Word(words, set) => {
                let word = self.meant_value(text);
                Assignment::Word(set, value::position(word, words)?)
            }
            Kind::Angles(set) => Assignment::Angles(set, value::rotation(text)?),
            Kind::Direction(set) => Assignment::Direction(set, value::direction(text)?),
            Kind::Color(set) => Assignment::Color(set, value::color(text)?),
            Kind::View | Kind::Text | Kind::List => Assignment::None,
        })
    }
}

impl Setting {
    /// Returns the parameter.
    #[must_use]
    pub const fn parameter(&self) -> &'static Parameter {
        self.parameter
    }

    /// Changes a picture.
    pub(crate) fn apply(self, picture: &mut PictureSettings) {
        match self.assignment {
            Assignment::Switch(Setter(set), on) => set(picture, on),
            Assignment::WholeNumber(Setter(set), number) => set(picture, number),
            Assignment::Number(Setter(set), number) => set(picture, number),
            Assignment::Word(Setter(set), position) => set(picture, position),
            Assignment::Angles(Setter(set), rotation) => set(picture, rotation),
            Assignment::Direction(Setter(set), direction) => set(picture, direction),
            Assignment::Color(Setter(set), color) => set(picture, color),
            Assignment::None => {}
        }
    }
}

// Derived implementations would require them of `T`.
impl<T> Clone for Setter<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Setter<T> {}

impl<T> fmt::Debug for Setter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Setter")
    }
}

#[cfg(test)]
mod tests;
