//! The parameters of a picture of one player.

use effigy_render::{ImageFormat, Motion, PictureSpec, Size, View};

use super::endpoint::Endpoint;
use crate::doors::MAX_JOB_MEMORY;

/// The skins that a picture may show. Each variant allows the skins of those before it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum AllowedSkin {
    /// A skin that the player has set.
    Own,
    /// The default skin of a Java player who has set none.
    Default,
    /// The fallback skin. Spec, "Profile resolution" 3.
    Fallback,
}

/// Every parameter of a picture request except the player or the texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PictureParams {
    /// The endpoint that names the picture in metrics, logs and error messages.
    pub endpoint: Endpoint,
    /// The parameters for the renderer, or `None` for the unmodified texture.
    pub spec: Option<PictureSpec>,
    /// The format of the file.
    pub format: ImageFormat,
    /// The movement, if the picture moves.
    pub motion: Option<Motion>,
    /// The skins that the picture may show. If none of them is available, the request fails.
    pub(crate) skin: AllowedSkin,
    /// On a specified path, the size in pixels as the request has it, or `None` for the endpoint's
    /// default. Beyond the specification it is always `None`, because the size is in `spec`.
    size: Option<u32>,
}

impl PictureParams {
    /// The unmodified texture, of `/skin`.
    pub const SKIN: Self = Self::texture(Endpoint::Skin, AllowedSkin::Fallback);

    /// The unmodified texture beyond the specification. Like a picture
    /// [`beyond_specification`](Self::beyond_specification), it is never a fallback skin.
    pub const OWN_SKIN: Self = Self::texture(Endpoint::Skin, AllowedSkin::Default);

    /// The unmodified texture as a download, of `/download`.
    pub const DOWNLOAD: Self = Self::texture(Endpoint::Download, AllowedSkin::Fallback);

    /// The unmodified texture as a download beyond the specification. Like
    /// [`OWN_SKIN`](Self::OWN_SKIN), it is never a fallback skin.
    pub const OWN_DOWNLOAD: Self = Self::texture(Endpoint::Download, AllowedSkin::Default);

    const fn texture(endpoint: Endpoint, skin: AllowedSkin) -> Self {
        Self {
            endpoint,
            spec: None,
            format: ImageFormat::Png,
            motion: None,
            skin,
            size: None,
        }
    }

    /// A picture of a specified path. A `size` that the request has takes precedence over the size
    /// in `spec`. All texels of the overlay are shown, as the specification says.
    #[must_use]
    pub const fn specified(endpoint: Endpoint, mut spec: PictureSpec, size: Option<u32>) -> Self {
        if let Some(pixels) = size
            && let Some(requested) = Size::new(pixels)
        {
            spec.size = requested;
        }
        spec.faint_texels = true;
        Self {
            spec: Some(visible(spec)),
            size,
            ..Self::texture(endpoint, AllowedSkin::Fallback)
        }
    }

    /// A picture beyond the specification. It never shows a fallback skin: if only that is
    /// available, the request fails.
    #[must_use]
    pub const fn beyond_specification(spec: PictureSpec, format: ImageFormat) -> Self {
        let endpoint = match spec.view {
            View::Face => Endpoint::Head,
            View::Bust | View::Body | View::Combo => Endpoint::Player,
            View::BodyBack | View::BodyLeft | View::BodyRight | View::Layout => Endpoint::Player,
            View::IsometricHead | View::Cube => Endpoint::Ioshead,
            _ => Endpoint::Avatar,
        };
        Self {
            spec: Some(visible(spec)),
            format,
            ..Self::texture(endpoint, AllowedSkin::Default)
        }
    }

    /// A picture beyond the specification that moves: a PNG or GIF with frames.
    #[must_use]
    pub const fn moving(spec: PictureSpec, motion: Motion, format: ImageFormat) -> Self {
        Self {
            motion: Some(motion),
            ..Self::beyond_specification(spec, format)
        }
    }

    /// Returns the parameters of a picture beyond the specification that shows only a skin that the
    /// player has set. For a player without one, the request fails.
    #[must_use]
    pub const fn of_own_skin(self) -> Self {
        let skin = AllowedSkin::Own;
        Self { skin, ..self }
    }

    /// Returns the parameters of the same file as a download.
    #[must_use]
    pub const fn as_download(self) -> Self {
        let endpoint = Endpoint::Download;
        Self { endpoint, ..self }
    }

    /// Returns the parameters of a substitute's picture, which may show a default skin.
    pub(crate) fn of_substitute(self) -> Self {
        let skin = self.skin.max(AllowedSkin::Default);
        Self { skin, ..self }
    }

    /// Returns `true` if a PNG can have this size, and there is memory to draw it.
    #[must_use]
    pub fn can_exist(&self) -> bool {
        if let Some(pixels) = self.size
            && Size::new(pixels).is_none()
        {
            return false;
        }
        let Some(spec) = self.spec else {
            return true;
        };
        let longest = u64::from(Size::MAX);
        spec.width() <= longest
            && spec.height() <= longest
            && self.drawing_bytes() <= MAX_JOB_MEMORY
    }

    /// Returns `true` if the picture shows a cape, if the player has one.
    pub(crate) fn shows_cape(&self) -> bool {
        self.spec.is_some_and(|spec| spec.cape)
    }

    /// Returns `true` for a picture of a specified route, which begins with a fresh look-up.
    #[must_use]
    pub fn is_specified(&self) -> bool {
        self.skin == AllowedSkin::Fallback
    }

    /// Returns the size in the key of a specified route.
    pub(crate) fn size_text(&self) -> String {
        match self.size {
            Some(pixels) => pixels.to_string(),
            None => "default".to_owned(),
        }
    }
}

/// Resets the parameters that have no effect on the picture. Pictures that look the same have one
/// key then, and nothing is looked up for details out of sight.
const fn visible(spec: PictureSpec) -> PictureSpec {
    let mut spec = spec.normalized();
    if spec.view.is_flat() {
        let flat = PictureSpec::new(spec.view, spec.size);
        spec.camera = flat.camera;
        spec.pose = flat.pose;
        spec.light = flat.light;
        spec.filter = flat.filter;
        spec.framing = flat.framing;
    }
    if !spec.view.shows_arms() {
        spec.model = None;
    }
    spec.cape = spec.cape && spec.view.shows_cape();
    spec.elytra = spec.elytra && spec.cape;
    spec.decoration.shadow = spec.decoration.shadow && spec.shows_ground();
    spec
}
