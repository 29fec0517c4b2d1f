#![doc = include_str!("../README.md")]

mod encode;
mod error;
mod flat;
mod frame;
mod isometric;
mod model;
mod picture;
mod size;
mod skin;
mod view;

pub use error::{PngError, RenderError, SkinError};
pub use flat::{Body, Bust, Combo, Head};
pub use frame::Framed;
pub use isometric::{IsometricBody, IsometricHead};
pub use model::Model;
pub use picture::Render;
pub use size::Size;
pub use skin::Skin;
pub use view::{Facing, Layers, View};
