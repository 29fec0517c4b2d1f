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

    /// Returns a sentence about the values: their range or words. For other kinds, it is empty.
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

    /// Returns a sentence about the views that have the parameter, or nothing if it is for all.
    fn applicability(&self) -> String {
        let accepting = View::ALL.iter().filter(|view| self.accepts(**view));
        let ignoring = accepting.clone().filter(|view| !self.affects(**view));
        let accepted = list(accepting.map(|view| format!("`{view}`")), " and ");
        let ignored: Vec<String> = ignoring.map(|view| format!("`{view}`")).collect();
        let is_for_all = View::ALL.iter().all(|view| self.accepts(*view));
        if ignored.is_empty() {
            if is_for_all {
                return String::new();
            }
            return format!("Only for {accepted}.");
        }
        let verb = if ignored.len() == 1 {
            "ignores"
        } else {
            "ignore"
        };
        let ignored = list(ignored.into_iter(), " and ");
        if is_for_all {
            return format!("Of the views, {ignored} {verb} it.");
        }
        format!("Only for {accepted}; {ignored} {verb} it.")
    }
}
