//! Picture requests: everything that a caller can ask for, and what follows from it.

pub(crate) mod arrangement;
pub(crate) mod endpoint;
pub(crate) mod parameter;

use std::{fmt::Write as _, io, ops::Range};

use effigy_player::Model;
use effigy_render::{
    Decoration, Facing, ImageFormat, Layers, Light, PictureSpec, Player, Pose, RenderError, Shape,
    Size, View,
};
use effigy_upstream::TextureHash;

use crate::{Endpoint, SizeParameter, pool::bounded_buffer::BoundedBuffer};

/// The default size of /head, /player and /avatar. Spec, "Limits".
const DEFAULT_SIZE: Size = Size::new(128).expect("a size from 1 to the maximum");

/// The default size of /ioshead and /iosbody. Spec, "Limits".
const DEFAULT_IOS_SIZE: Size = Size::new(64).expect("a size from 1 to the maximum");

/// The number of pixels above which an isometric picture is large: a body 2,900 pixels wide, a head
/// 4,100. Drawing that many takes some tenths of a second.
const LARGE_ISOMETRIC_PIXELS: u64 = 1 << 24;

/// The number of pixels above which a flat picture is large. Its rows repeat, so it is drawn faster: a
/// face 65,536 pixels wide.
const LARGE_FLAT_PIXELS: u64 = 1 << 32;

/// Room in a key for what follows the input, in nearly all cases.
const KEY_END_BYTES: usize = 32;

/// Every parameter of a picture request except the player or the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureParams {
    endpoint: Endpoint,
    content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Content {
    /// The unmodified texture.
    Texture,
    /// A picture of the specification.
    Specified {
        /// The picture in the endpoint's default size.
        default: PictureSpec,
        size: SizeParameter,
    },
    /// A picture beyond the specification.
    Extension {
        spec: PictureSpec,
        format: ImageFormat,
    },
}

impl PictureParams {
    /// The unmodified texture, of `/skin`.
    pub const SKIN: Self = Self {
        endpoint: Endpoint::Skin,
        content: Content::Texture,
    };

    /// The unmodified texture to be saved as a file, of `/download`.
    pub const DOWNLOAD: Self = Self {
        endpoint: Endpoint::Download,
        content: Content::Texture,
    };

    /// The flat face of `/head`.
    #[must_use]
    pub const fn head(size: SizeParameter, layers: Layers) -> Self {
        let default = PictureSpec::new(View::Head, DEFAULT_SIZE).with_layers(layers);
        Self::specified(Endpoint::Head, default, size)
    }

    /// The flat body of `/player`.
    #[must_use]
    pub const fn player(size: SizeParameter, layers: Layers) -> Self {
        let default = PictureSpec::new(View::Body, DEFAULT_SIZE).with_layers(layers);
        Self::specified(Endpoint::Player, default, size)
    }

    /// The isometric body of `/avatar`.
    #[must_use]
    pub const fn avatar(size: SizeParameter, facing: Facing) -> Self {
        let default = PictureSpec::new(View::IsometricBody, DEFAULT_SIZE).with_facing(facing);
        Self::specified(Endpoint::Avatar, default, size)
    }

    /// The isometric head of `/ioshead`.
    #[must_use]
    pub const fn ioshead(size: SizeParameter, facing: Facing) -> Self {
        let default = PictureSpec::new(View::IsometricHead, DEFAULT_IOS_SIZE).with_facing(facing);
        Self::specified(Endpoint::Ioshead, default, size)
    }

    /// The isometric body of `/iosbody`, which has another default size than `/avatar`.
    #[must_use]
    pub const fn iosbody(size: SizeParameter, facing: Facing) -> Self {
        let default = PictureSpec::new(View::IsometricBody, DEFAULT_IOS_SIZE).with_facing(facing);
        Self::specified(Endpoint::Iosbody, default, size)
    }

    const fn specified(endpoint: Endpoint, default: PictureSpec, size: SizeParameter) -> Self {
        let content = Content::Specified { default, size };
        Self { endpoint, content }
    }

    /// A picture beyond the specification. It never shows a fallback skin: if only that is available,
    /// the request fails.
    #[must_use]
    pub const fn extension(spec: PictureSpec, format: ImageFormat) -> Self {
        // A cape that is out of sight is no parameter, and takes no look-up. Nor is a shadow without feet.
        let spec = spec.with_cape(spec.has_cape && shows_cape(spec.view));
        let decoration = Decoration {
            has_shadow: spec.decoration.has_shadow && shows_feet(spec.view),
            ..spec.decoration
        };
        let spec = spec.with_decoration(decoration);
        let endpoint = match spec.view {
            View::Head => Endpoint::Head,
            View::Bust | View::Body | View::Combo => Endpoint::Player,
            View::IsometricHead | View::HeadCube => Endpoint::Ioshead,
            View::IsometricBody | View::Figure | View::Portrait => Endpoint::Avatar,
        };
        let content = Content::Extension { spec, format };
        Self { endpoint, content }
    }

    /// The request for this picture of the player that `input` names.
    #[must_use]
    pub fn of_player(self, input: &str) -> PictureRequest {
        PictureRequest::new(self, None, "", input)
    }

    /// The request for this picture of a texture, drawn on `model`.
    #[must_use]
    pub fn of_texture(self, hash: TextureHash, model: Model) -> PictureRequest {
        let prefix = match model {
            Model::Classic => "x-classic-",
            Model::Slim => "x-slim-",
        };
        PictureRequest::new(self, Some((hash.clone(), model)), prefix, hash.as_str())
    }

    /// The cache entry of this picture of an input.
    fn entry_of(&self, prefix: &str, input: &str) -> Entry {
        let mut entry = Entry::begin(self.endpoint, prefix, self.key_word(), input);
        self.write_key_end(&mut entry.key)
            .expect("writing to a string does not fail");
        entry
    }

    /// The endpoint that names the picture in metrics, logs and error messages.
    #[must_use]
    pub const fn endpoint(&self) -> Endpoint {
        self.endpoint
    }

    /// The format of the file.
    #[must_use]
    pub const fn format(&self) -> ImageFormat {
        match self.content {
            Content::Extension { format, .. } => format,
            _ => ImageFormat::Png,
        }
    }

    /// The parameters for the renderer. The unmodified texture has none, nor has a picture whose size
    /// is too large.
    #[must_use]
    pub fn spec(&self) -> Option<PictureSpec> {
        match self.content {
            Content::Texture => None,
            Content::Specified { mut default, size } => {
                default.size = size.or(default.size)?;
                Some(default)
            }
            Content::Extension { spec, .. } => Some(spec),
        }
    }

    /// Returns `true` if a fallback skin may be shown. Spec, "Profile resolution" 3.
    pub(crate) const fn allows_fallback(&self) -> bool {
        !matches!(self.content, Content::Extension { .. })
    }

    /// Returns `true` if the picture shows the player's cape.
    pub(crate) fn shows_cape(&self) -> bool {
        self.spec().is_some_and(|spec| spec.has_cape)
    }

    /// Returns `true` if a PNG can have this size and its file can be short enough, whatever the skin.
    #[must_use]
    pub fn can_exist(&self) -> bool {
        if self.content == Content::Texture {
            return true;
        }
        self.spec().is_some_and(|spec| {
            let (width, height) = (spec.width(), spec.height());
            let max_side = u64::from(Size::MAX);
            width.max(height) <= max_side && BoundedBuffer::may_hold(width * height)
        })
    }

    /// Returns `true` if drawing takes so long that the picture is sent while it is drawn.
    #[must_use]
    pub fn is_large(&self) -> bool {
        // The length of an SVG file does not depend on the size.
        if self.format() == ImageFormat::Svg {
            return false;
        }
        self.spec().is_some_and(|spec| {
            let max_pixels = if spec.view.is_flat() {
                LARGE_FLAT_PIXELS
            } else {
                LARGE_ISOMETRIC_PIXELS
            };
            spec.width().saturating_mul(spec.height()) > max_pixels
        })
    }

    /// Draws the picture of a player. Returns `None` for the unmodified texture.
    ///
    /// # Errors
    /// If the picture cannot exist, does not fit into memory, or takes too long.
    pub fn draw<'a>(&self, player: impl Into<Player<'a>>) -> Result<Option<Vec<u8>>, RenderError> {
        let mut file = BoundedBuffer::new();
        let is_drawn = self.draw_to(player.into(), &mut file)?;
        Ok(is_drawn.then(|| file.into_bytes()))
    }

    /// Draws the picture to a writer, row by row. Returns `false` for the unmodified texture.
    pub(crate) fn draw_to(
        &self,
        player: Player<'_>,
        to: &mut dyn io::Write,
    ) -> Result<bool, RenderError> {
        let Some(spec) = self.spec() else {
            return Ok(false);
        };
        spec.picture(player)?.write(self.format(), to)?;
        Ok(true)
    }

    /// The first part of the cache key.
    const fn key_word(&self) -> &'static str {
        let Content::Extension { spec, .. } = self.content else {
            return self.endpoint.word();
        };
        // No specified path begins with such a word.
        match spec.view {
            View::Head => "x-head",
            View::Bust => "x-bust",
            View::Body => "x-body",
            View::Combo => "x-combo",
            View::IsometricHead => "x-isometric-head",
            View::IsometricBody => "x-isometric-body",
            View::Figure => "x-figure",
            View::Portrait => "x-portrait",
            View::HeadCube => "x-cube",
        }
    }

    /// Writes the last two parts of the cache key. They contain no underscore, so two requests have
    /// the same key only if they mean the same picture, whatever characters the input has.
    fn write_key_end(&self, key: &mut String) -> std::fmt::Result {
        match self.content {
            Content::Texture => key.write_str("default_default"),
            Content::Specified { default, size } => match default.layers {
                _ if !default.view.is_flat() => write!(key, "{}_{size}", default.camera),
                Layers::Base => write!(key, "{size}_default"),
                Layers::WithOverlay => write!(key, "{size}_hat"),
            },
            Content::Extension { spec, format } => {
                write!(key, "{}_", spec.size.get())?;
                if !spec.view.is_flat() {
                    write_scene(&spec, key)?;
                }
                write!(key, "{}", spec.layers)?;
                if let Some([width, height]) = spec.frame {
                    write!(key, "-in-{}x{}", width.get(), height.get())?;
                }
                write_decoration(spec.decoration, key)?;
                match format {
                    ImageFormat::Png => Ok(()),
                    ImageFormat::Svg => key.write_str("-svg"),
                }
            }
        }
    }
}

/// Returns `true` for the views that show a player's back.
const fn shows_cape(view: View) -> bool {
    matches!(view, View::IsometricBody | View::Figure | View::Portrait)
}

/// Returns `true` for the views whose players stand on the ground.
const fn shows_feet(view: View) -> bool {
    matches!(view, View::IsometricBody | View::Figure)
}

/// Writes camera, pose, light and cape, leaving out what isometric views have by default.
fn write_scene(spec: &PictureSpec, key: &mut String) -> std::fmt::Result {
    write!(key, "{}-", spec.camera)?;
    if spec.pose != Pose::STAND {
        write!(key, "{}-", spec.pose)?;
    }
    if spec.light != Light::None {
        write!(key, "{}-", spec.light)?;
    }
    if spec.has_cape {
        key.write_str("cape-")?;
    }
    Ok(())
}

/// Writes what is around and behind the picture, if there is anything.
fn write_decoration(decoration: Decoration, key: &mut String) -> std::fmt::Result {
    if let Some(color) = decoration.background {
        write!(key, "-on-{:08x}", u32::from_be_bytes(color))?;
    }
    if decoration.padding > 0 {
        write!(key, "-padding{}", decoration.padding)?;
    }
    if decoration.shape != Shape::Square {
        write!(key, "-{}", decoration.shape)?;
    }
    if decoration.has_shadow {
        key.write_str("-shadow")?;
    }
    Ok(())
}

/// A request for one picture of one player or texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureRequest {
    pub(crate) params: PictureParams,
    /// The texture and its model; otherwise the picture is of the player that the input names.
    pub(crate) texture: Option<(TextureHash, Model)>,
    pub(crate) reuses_player: bool,
    pub(crate) entry: Entry,
}

/// A file that is cached under a key.
///
/// It owns one string, the key, which contains the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) endpoint: Endpoint,
    pub(crate) key: String,
    input: Range<usize>,
}

impl Entry {
    /// The entry of a file that has no parameters beside the input.
    pub(crate) fn new(endpoint: Endpoint, input: &str) -> Self {
        let mut entry = Self::begin(endpoint, "", endpoint.word(), input);
        entry.key.push_str("default_default");
        entry
    }

    /// An entry whose key lacks its last two parts.
    fn begin(endpoint: Endpoint, prefix: &str, word: &str, input: &str) -> Self {
        let start = prefix.len() + word.len() + 1;
        let mut key = String::with_capacity(start + input.len() + 1 + KEY_END_BYTES);
        key.extend([prefix, word, "_", input, "_"]);
        Self {
            endpoint,
            key,
            input: start..start + input.len(),
        }
    }

    pub(crate) fn input(&self) -> &str {
        &self.key[self.input.clone()]
    }
}

impl PictureRequest {
    fn new(
        params: PictureParams,
        texture: Option<(TextureHash, Model)>,
        prefix: &str,
        input: &str,
    ) -> Self {
        Self {
            params,
            texture,
            reuses_player: false,
            entry: params.entry_of(prefix, input),
        }
    }

    /// The same request, which does not look its player up again within
    /// [`ServiceConfig::player_ttl`](crate::ServiceConfig::player_ttl).
    #[must_use]
    pub fn reusing_player(self) -> Self {
        Self {
            reuses_player: true,
            ..self
        }
    }

    /// The key of the picture in caches. Spec, "Common rules" 5.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.entry.key
    }

    /// The player's name or identifier as the caller gave it, or the hash of the texture.
    #[must_use]
    pub fn input(&self) -> &str {
        self.entry.input()
    }

    /// The parameters of the picture.
    #[must_use]
    pub const fn params(&self) -> PictureParams {
        self.params
    }

    /// The endpoint that names the picture in metrics, logs and error messages.
    #[must_use]
    pub const fn endpoint(&self) -> Endpoint {
        self.params.endpoint
    }
}
