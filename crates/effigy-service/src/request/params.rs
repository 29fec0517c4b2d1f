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
    /// The endpoint that names the picture in metrics, logs and error messages.
    pub endpoint: Endpoint,
    /// The parameters for the renderer. The unmodified texture has none.
    pub spec: Option<PictureSpec>,
    /// The format of the file.
    pub format: ImageFormat,
    /// `true` if a fallback skin may be shown. Spec, "Profile resolution" 3.
    pub(crate) allows_fallback: bool,
    /// The size as the request has it.
    pub(super) size: SizeParameter,
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
        Self {
            endpoint,
            spec: None,
            format: ImageFormat::Png,
            allows_fallback,
            size: SizeParameter::Default,
        }
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

    const fn specified(endpoint: Endpoint, mut spec: PictureSpec, size: SizeParameter) -> Self {
        if let SizeParameter::Given(size) = size {
            spec.size = size;
        }
        Self {
            spec: Some(spec),
            size,
            ..Self::texture(endpoint, true)
        }
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
        Self {
            spec: Some(spec),
            format,
            ..Self::texture(endpoint, false)
        }
    }

    /// Returns `true` if the picture shows the player's cape.
    pub(crate) fn shows_cape(&self) -> bool {
        self.spec.is_some_and(|spec| spec.has_cape)
    }

    /// Returns `true` if a PNG can have this size and its file can be short enough, whatever the skin.
    #[must_use]
    pub fn can_exist(&self) -> bool {
        let fits = |spec: PictureSpec| {
            let (width, height) = (spec.width(), spec.height());
            let max_side = u64::from(Size::MAX);
            width.max(height) <= max_side && BoundedBuffer::may_hold(width * height)
        };
        self.size != SizeParameter::TooLarge && self.spec.is_none_or(fits)
    }
}
