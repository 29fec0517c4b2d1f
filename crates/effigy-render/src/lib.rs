#![doc = include_str!("../README.md")]

mod encode;
mod error;
mod flat;
mod frame;
mod model;
mod picture;
mod pixmap;
mod rasterizer;
mod scene;
mod size;
mod skin;
mod view;

pub use effigy_player::{Model, ParseError};
pub use tiny_skia;

pub use error::{PngError, RenderError, SkinError};
pub use picture::{Picture, PictureSpec};
pub use size::{Size, SizeError};
pub use skin::Skin;
pub use view::{Facing, ImageFormat, Layers, View};
