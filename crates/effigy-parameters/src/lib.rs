#![doc = include_str!("../README.md")]

mod applicability;
mod command_line;
mod control;
mod description;
mod family;
mod parameter;
mod picture;
mod suggestion;
mod synonyms;
mod table;
pub mod value;

pub use applicability::{Output, Views};
pub use command_line::{CommandLine, Form};
pub use control::{Control, Labels};
pub use family::Family;
pub use parameter::{DefaultValue, Kind, Parameter, Setter, Setting, Unit};
pub use picture::{Limits, MAX_MOVING_SIZE, PictureSettings};
pub use suggestion::{find_meaning, hint};
pub use synonyms::{MOVING, Synonym, find_meant_view, find_synonym, find_view};
pub use table::{MAX_PLAYERS, find, parameters};
pub use value::ParameterError;
