//! The parameters of pictures.

use effigy_render::{Decoration, Facing, ImageFormat, Layers, PictureSpec, Size, View};

use super::{endpoint::Endpoint, parameter::SizeParameter};
use crate::gate::BoundedBuffer;

/// The default size of /head, /player and /avatar. Spec, "Limits".
const DEFAULT_SIZE: Size = Size::new(128).expect("a size from 1 to the maximum");

/// The default size of /ioshead and /iosbody. Spec, "Limits".
const DEFAULT_IOS_SIZE: Size = Size::new(64).expect("a size from 1 to the maximum");

/// Every parameter of a picture request except the player or the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureParams {
    pub(super) endpoint: Endpoint,
    pub(super) content: Content,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Content {
    /// The unmodified texture.
    Texture {
        /// `true` if another player's texture may take its place. Spec, "Profile resolution" 3.
        allows_fallback: bool,
    },
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
    pub const SKIN: Self = Self::texture(Endpoint::Skin, true);

    /// The unmodified texture beyond the specification. Like [`extension`](Self::extension), it is never
    /// that of a fallback skin.
    pub const OWN_SKIN: Self = Self::texture(Endpoint::Skin, false);

    /// The unmodified texture to be saved as a file, of `/download`.
    pub const DOWNLOAD: Self = Self::texture(Endpoint::Download, true);

    const fn texture(endpoint: Endpoint, allows_fallback: bool) -> Self {
        let content = Content::Texture { allows_fallback };
        Self { endpoint, content }
    }

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
        // A cape that is out of sight is no parameter, and takes no look-up. Nor is a shadow without ground.
        let spec = spec.with_cape(spec.has_cape && spec.view.shows_cape());
        let decoration = Decoration {
            has_shadow: spec.decoration.has_shadow && spec.view.shows_ground(),
            ..spec.decoration
        };
        let spec = spec.with_decoration(decoration);
        let endpoint = match spec.view {
            View::Head => Endpoint::Head,
            View::Bust | View::Body | View::Combo => Endpoint::Player,
            View::IsometricHead | View::HeadCube => Endpoint::Ioshead,
            _ => Endpoint::Avatar,
        };
        let content = Content::Extension { spec, format };
        Self { endpoint, content }
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
            Content::Texture { .. } => None,
            Content::Specified { mut default, size } => {
                default.size = size.or(default.size)?;
                Some(default)
            }
            Content::Extension { spec, .. } => Some(spec),
        }
    }

    /// Returns `true` if a fallback skin may be shown. Spec, "Profile resolution" 3.
    pub(crate) const fn allows_fallback(&self) -> bool {
        match self.content {
            Content::Texture { allows_fallback } => allows_fallback,
            Content::Specified { .. } => true,
            Content::Extension { .. } => false,
        }
    }

    /// Returns `true` if the picture shows the player's cape.
    pub(crate) fn shows_cape(&self) -> bool {
        self.spec().is_some_and(|spec| spec.has_cape)
    }

    /// Returns `true` if a PNG can have this size and its file can be short enough, whatever the skin.
    #[must_use]
    pub fn can_exist(&self) -> bool {
        if matches!(self.content, Content::Texture { .. }) {
            return true;
        }
        self.spec().is_some_and(|spec| {
            let (width, height) = (spec.width(), spec.height());
            let max_side = u64::from(Size::MAX);
            width.max(height) <= max_side && BoundedBuffer::may_hold(width * height)
        })
    }
}
