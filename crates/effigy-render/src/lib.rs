#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod encode;
mod error;
mod flat;
mod model;
mod picture;
mod player;
mod png_reader;
mod rasterizer;
mod renderer;
mod scene;
mod scratch;
mod skin;
mod svg;
#[cfg(feature = "serde")]
mod words;

pub use effigy_player::{Model, ParseError};

/// The version of the drawing. It is raised whenever a picture of the same parameters and the same
/// skin changes by a byte, so that a cache of pictures can recognize old ones.
pub const DRAWING_VERSION: u32 = 3;

#[cfg(feature = "tiny-skia")]
pub use error::PixmapError;
pub use error::{PngError, RenderError, TextureError};
pub use model::Layers;
pub use picture::Picture;
pub use picture::animation::motion::{Motion, Phase};
pub use picture::animation::{Animation, Frame};
pub use picture::arrangement::{Arrangement, Place};
pub use picture::crop::Crop;
pub use picture::decoration::{Decoration, Shape};
pub use picture::layout::PixelLayout;
pub use picture::outline::Outline;
#[cfg(feature = "tiny-skia")]
pub use picture::pixmap::file::{decode_pixmap, encode_pixmap};
pub use picture::size::{Size, SizeError};
pub use picture::spec::PictureSpec;
pub use picture::view::{ImageFormat, View};
pub use player::Player;
pub use renderer::Renderer;
pub use scene::angle::Angle;
pub use scene::camera::{Camera, Facing};
pub use scene::filter::Filter;
pub use scene::framing::Framing;
pub use scene::light::Light;
pub use scene::pose::Pose;
pub use scene::pose::limb::{Joint, Limb};
pub use scene::pose::named::NamedPose;
pub use scene::pose::rotation::Rotation;
pub use skin::{Cape, Skin};
#[cfg(feature = "tiny-skia")]
pub use tiny_skia;
