//! The methods with which the table defines parameters.

use std::ops::RangeInclusive;

use effigy_render::{Angle, Rotation};

use super::{DefaultValue, Kind, Parameter, Setter, Unit};
use crate::{CommandLine, Control, Form, Limits, Output, PictureSettings, Views};

/// False in the modules for scripts, which are smaller without the texts of the table. They keep
/// the synonyms, by which errors suggest parameters in Node.js.
const HAS_TEXTS: bool = !cfg!(target_arch = "wasm32");

impl Parameter {
    /// Begins the definition of a parameter of all views and pictures. Switches are options without
    /// a value, and all others are options with a value.
    pub(crate) const fn new(name: &'static str, kind: Kind) -> Parameter {
        let form = match kind {
            Kind::Switch(_) => Form::Switch(None),
            _ => Form::Value,
        };
        Parameter {
            name,
            kind,
            default: DefaultValue::None,
            views: Views::All,
            accepted_by: None,
            outputs: Output::PICTURES,
            required: false,
            help: "",
            details: "",
            example: "",
            synonyms: "",
            value_synonyms: &[],
            command_line: CommandLine::new(form),
            control: Control::Hidden,
        }
    }

    pub(crate) const fn switch(
        name: &'static str,
        set: fn(&mut PictureSettings, bool),
    ) -> Parameter {
        Parameter::new(name, Kind::Switch(Setter(set))).example("true")
    }

    pub(crate) const fn number(
        name: &'static str,
        range: RangeInclusive<i32>,
        unit: Unit,
        set: fn(&mut PictureSettings, f64),
    ) -> Parameter {
        let kind = Kind::Number {
            min: *range.start(),
            max: *range.end(),
            unit,
            set: Setter(set),
        };
        Parameter::new(name, kind)
    }

    pub(crate) const fn whole_number(
        name: &'static str,
        min: u32,
        max: fn(&Limits) -> u32,
        unit: Unit,
        set: fn(&mut PictureSettings, u32),
    ) -> Parameter {
        let kind = Kind::WholeNumber {
            min,
            max,
            unit,
            set: Setter(set),
        };
        Parameter::new(name, kind)
    }

    pub(crate) const fn word(
        name: &'static str,
        words: &'static [&'static str],
        set: fn(&mut PictureSettings, usize),
    ) -> Parameter {
        Parameter::new(name, Kind::Word(words, Setter(set)))
    }

    pub(crate) const fn angles(
        name: &'static str,
        set: fn(&mut PictureSettings, Rotation),
    ) -> Parameter {
        Parameter::new(name, Kind::Angles(Setter(set)))
    }

    pub(crate) const fn direction(
        name: &'static str,
        set: fn(&mut PictureSettings, [Angle; 2]),
    ) -> Parameter {
        Parameter::new(name, Kind::Direction(Setter(set)))
    }

    pub(crate) const fn color(
        name: &'static str,
        set: fn(&mut PictureSettings, Option<[u8; 4]>),
    ) -> Parameter {
        Parameter::new(name, Kind::Color(Setter(set)))
    }

    /// Limits the parameter to some views.
    pub(crate) const fn views(mut self, views: Views) -> Parameter {
        self.views = views;
        self
    }

    /// Lets URLs of further views have the parameter, although it doesn't change them.
    pub(crate) const fn accepted_by(mut self, views: Views) -> Parameter {
        self.accepted_by = Some(views);
        self
    }

    pub(crate) const fn outputs(mut self, outputs: &'static [Output]) -> Parameter {
        self.outputs = outputs;
        self
    }

    /// Refuses requests without the parameter.
    pub(crate) const fn required(mut self) -> Parameter {
        self.required = true;
        self
    }

    pub(crate) const fn default(mut self, value: &'static str) -> Parameter {
        self.default = DefaultValue::Value(value);
        self
    }

    pub(crate) const fn by_default(mut self, words: &'static str) -> Parameter {
        if HAS_TEXTS {
            self.default = DefaultValue::Described(words);
        }
        self
    }

    pub(crate) const fn help(mut self, help: &'static str, details: &'static str) -> Parameter {
        if HAS_TEXTS {
            self.help = help;
            self.details = details;
        }
        self
    }

    pub(crate) const fn example(mut self, example: &'static str) -> Parameter {
        if HAS_TEXTS {
            self.example = example;
        }
        self
    }

    pub(crate) const fn synonyms(mut self, synonyms: &'static str) -> Parameter {
        self.synonyms = synonyms;
        self
    }

    /// Accepts words that people type instead of values, also in scripts in browsers.
    pub(crate) const fn value_synonyms(
        mut self,
        synonyms: &'static [(&'static str, &'static str)],
    ) -> Parameter {
        self.value_synonyms = synonyms;
        self
    }

    pub(crate) const fn form(mut self, form: Form) -> Parameter {
        if HAS_TEXTS {
            self.command_line.form = form;
        }
        self
    }

    pub(crate) const fn heading(mut self, heading: &'static str) -> Parameter {
        if HAS_TEXTS {
            self.command_line.heading = Some(heading);
        }
        self
    }

    pub(crate) const fn short(mut self, letter: char) -> Parameter {
        self.command_line.short = Some(letter);
        self
    }

    pub(crate) const fn alias(mut self, alias: &'static str) -> Parameter {
        self.command_line.alias = Some(alias);
        self
    }

    /// Shows the option in the short help.
    pub(crate) const fn common(mut self) -> Parameter {
        self.command_line.common = true;
        self
    }

    pub(crate) const fn requires(mut self, name: &'static str) -> Parameter {
        self.command_line.requires = Some(name);
        self
    }

    pub(crate) const fn conflicts(mut self, option: &'static str) -> Parameter {
        self.command_line.conflicts = Some(option);
        self
    }

    /// Adds sentences to the long help that are true for the command line alone.
    pub(crate) const fn note(mut self, note: &'static str) -> Parameter {
        if HAS_TEXTS {
            self.command_line.note = note;
        }
        self
    }

    pub(crate) const fn control(mut self, control: Control) -> Parameter {
        if HAS_TEXTS {
            self.control = control;
        }
        self
    }
}
