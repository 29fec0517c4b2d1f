#![doc = include_str!("../README.md")]

mod canvas;
mod decode;
mod deflate;
mod encode;
mod error;
mod falls;
mod figure;
mod flat;
mod framed;
mod grid;
mod isometric;
mod kernel;
mod ladder;
mod palette;
mod parts;
mod projection;
mod render;
mod resample;
mod scene;
mod sheet;
mod sight;
mod size;
mod skin;
mod strand;
mod strips;
mod svg;
mod view;

pub use error::{PngError, RenderError, SkinError};
pub use flat::{Body, Bust, Combo, Head};
pub use framed::Framed;
pub use isometric::{IsometricBody, IsometricHead};
pub use parts::Model;
pub use render::Render;
pub use size::Size;
pub use skin::Skin;
pub use view::{Facing, Layers, View};
