#![doc = include_str!("../README.md")]

mod picture;
mod synonyms;
pub mod value;

pub use picture::{Limits, PARAMETERS, PictureParameters, applies_to, check};
pub use synonyms::{Synonym, find_meant_view, find_synonym, find_view};
pub use value::ParameterError;
