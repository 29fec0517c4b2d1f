#![doc = include_str!("../README.md")]

mod encode;
mod error;
mod flat;
mod model;
mod picture;
mod player;
mod rasterizer;
mod renderer;
mod scene;
mod skin;
mod svg;

pub use effigy_player::{Model, ParseError};
pub use tiny_skia;

pub use error::{PngError, RenderError, SkinError};
pub use picture::Picture;
pub use picture::arrangement::{Arrangement, Place};
pub use picture::decoration::{Decoration, Shape, parse_color};
pub use picture::size::{Size, SizeError};
pub use picture::spec::PictureSpec;
pub use picture::view::{Facing, ImageFormat, Layers, View};
pub use player::Player;
pub use rasterizer::kernel::Filter;
pub use renderer::Renderer;
pub use scene::angle::Angle;
pub use scene::camera::Camera;
pub use scene::framing::Framing;
pub use scene::light::Light;
pub use scene::pose::{NamedPose, Pose, Rotation};
pub use skin::{Cape, Skin};
