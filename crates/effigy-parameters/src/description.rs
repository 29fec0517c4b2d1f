//! The documentation of parameters as text, with backticks around words.

use effigy_render::View;

use crate::value::list;
use crate::{DefaultValue, Kind, Parameter};

impl Parameter {
    /// Returns the documentation of the parameter in URLs: its meaning, default, values and views.
    #[must_use]
    pub fn description(&self) -> String {
        let mut text = self.help.to_owned();
        match self.default {
            DefaultValue::Value(value) if value.bytes().all(|byte| byte.is_ascii_digit()) => {
                text += &format!("; {value} by default");
            }
            DefaultValue::Value(value) => text += &format!("; `{value}` by default"),
            DefaultValue::Described(words) => text += &format!("; by default {words}"),
            DefaultValue::None => {}
        }
        text += ".";
        for sentence in [self.values(), self.details.to_owned(), self.applicability()] {
            if !sentence.is_empty() {
                text += " ";
                text += &sentence;
            }
        }
        text
    }

    /// Returns a sentence about the range or the words of the values, or an empty text.
    #[must_use]
    pub fn values(&self) -> String {
        match self.kind {
            Kind::Number { min, max, .. } => format!("From {min} to {max}."),
            Kind::Angles(_) => {
                "Three numbers from -180 to 180 with commas between them.".to_owned()
            }
            Kind::Direction(_) => {
                "A yaw from -360 to 360 and a pitch from -90 to 90 with a comma between them."
                    .to_owned()
            }
            Kind::Word(words, _) => {
                let words = words.iter().map(|word| format!("`{word}`"));
                format!("It is {}.", list(words, " or "))
            }
            _ => String::new(),
        }
    }

    /// Returns a sentence about the views that have the parameter, or an empty text if all do.
    fn applicability(&self) -> String {
        let mut accepting = Vec::new();
        let mut ignoring = Vec::new();
        for view in View::ALL {
            if self.accepts(*view) {
                accepting.push(format!("`{view}`"));
            }
            if self.accepts(*view) && !self.affects(*view) {
                ignoring.push(format!("`{view}`"));
            }
        }
        let is_for_all = accepting.len() == View::ALL.len();
        let verb = if ignoring.len() == 1 {
            "ignores"
        } else {
            "ignore"
        };
        let is_ignored = !ignoring.is_empty();
        let accepted = list(accepting.into_iter(), " and ");
        let ignored = list(ignoring.into_iter(), " and ");
        match (is_for_all, is_ignored) {
            (true, false) => String::new(),
            (true, true) => format!("Of the views, {ignored} {verb} it."),
            (false, false) => format!("Only for {accepted}."),
            (false, true) => format!("Only for {accepted}; {ignored} {verb} it."),
        }
    }
}
