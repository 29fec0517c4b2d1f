//! Files that callers can ask for, and the keys under which they are kept.

mod cost;
pub(crate) mod key;

use std::{borrow::Cow, sync::Arc};

use effigy_player::{Model, word_enum};
use effigy_render::{ImageFormat, Motion, PictureSpec, Size, View};
use effigy_upstream::TextureHash;

use crate::{Client, doors::MAX_JOB_MEMORY};

pub(crate) use cost::DOCUMENT;

/// A request for one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRequest {
    /// The sender.
    pub client: Client,
    /// The file.
    pub spec: Arc<FileSpec>,
    /// Other files that show the same player, in their order: the first one that exists is returned
    /// if [`spec`](Self::spec) does not exist.
    pub alternatives: Vec<FileSpec>,
    /// The version that the request names (`v=`), as a hash. One that the player's record doesn't
    /// know asks for a check.
    pub version: Option<u64>,
    /// The player whose picture is returned if the requested one is not available. In an outage of
    /// both it is the built-in player's.
    pub substitute: Option<Substitute>,
}

/// A file: everything that decides its bytes, apart from what its players wear.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FileSpec {
    /// A picture of the player that the input names, or the unmodified texture. Beyond the
    /// specification, the input may be the hash of a texture.
    Picture(PictureParams, String),
    /// A picture of a texture, or the unmodified texture. Without a model, the texture tells it.
    Texture(PictureParams, TextureHash, Option<Model>),
    /// A picture of the texture at a URL, or the unmodified texture, on a host that a player's
    /// texture may have. It is fetched for each request.
    TextureAt(PictureParams, String, Option<Model>),
    /// A picture of several players, or their places.
    Group(GroupRequest),
    /// The profile of the player that the input names, in JSON.
    Profile(String),
    /// The record of the Java player that the input names, in JSON as the session service signs it.
    SignedProfile(String),
    /// The cape of the player that the input names: a picture of it of this size, or the file as
    /// it was uploaded.
    Cape(String, Option<CapeSize>),
}

/// The size of a picture of a cape.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CapeSize {
    /// The width. The height is 1.6 times as much.
    Width(Size),
    /// The width and the height.
    Box([Size; 2]),
}

impl CapeSize {
    /// Returns the width in pixels.
    #[must_use]
    pub const fn width(self) -> Size {
        match self {
            Self::Width(width) | Self::Box([width, _]) => width,
        }
    }
}

/// The player who is shown instead of a requested one who does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Substitute {
    /// The player's name or identifier.
    pub player: Cow<'static, str>,
    /// The player to show if there is no such substitute either.
    pub otherwise: Option<&'static str>,
    /// `true` if the substitute is shown during an outage too.
    pub in_outage: bool,
}

impl FileRequest {
    /// Returns the same request of another sender.
    #[must_use]
    pub fn from_client(mut self, client: Client) -> Self {
        self.client = client;
        self
    }

    /// Returns the same request, which names a version.
    #[must_use]
    pub fn with_version(mut self, version: Option<u64>) -> Self {
        self.version = version;
        self
    }
}

impl From<FileSpec> for FileRequest {
    fn from(spec: FileSpec) -> Self {
        Self {
            client: Client::SERVICE,
            spec: Arc::new(spec),
            alternatives: Vec::new(),
            version: None,
            substitute: None,
        }
    }
}

impl FileSpec {
    /// Returns the endpoint that names the file in metrics, logs and error messages.
    #[must_use]
    pub fn endpoint(&self) -> Endpoint {
        match self {
            Self::Picture(params, _) | Self::Texture(params, ..) => params.endpoint,
            Self::TextureAt(params, ..) => params.endpoint,
            Self::Group(group) => group.params().endpoint,
            Self::Profile(_) | Self::SignedProfile(_) => Endpoint::Profile,
            Self::Cape(..) => Endpoint::Cape,
        }
    }

    /// Returns the player as the caller named it, several with commas between them, or the name of
    /// the texture.
    #[must_use]
    pub fn input(&self) -> Cow<'_, str> {
        match self {
            Self::Picture(_, input) | Self::Cape(input, _) => input.into(),
            Self::Profile(input) | Self::SignedProfile(input) => input.into(),
            Self::Texture(_, hash, _) => hash.as_str().into(),
            Self::TextureAt(_, url, _) => url.into(),
            Self::Group(group) => group.players.join(",").into(),
        }
    }

    /// Returns the size of the picture, if the file is one.
    #[must_use]
    pub fn size(&self) -> Option<Size> {
        match self {
            Self::Picture(params, _) | Self::Texture(params, ..) => Some(params.spec?.size),
            Self::TextureAt(params, ..) => Some(params.spec?.size),
            Self::Group(group) => Some(group.spec.size),
            Self::Cape(_, size) => size.map(CapeSize::width),
            Self::Profile(_) | Self::SignedProfile(_) => None,
        }
    }
}

word_enum! {
    /// A kind of request that can fail, with the first word of its path and of its cache keys.
    ///
    /// A word that starts with `x-` begins no specified path, so that no input on such a path has
    /// the key of a file beyond the specification.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Endpoint {
        /// The flat face.
        Head = "head",
        /// The flat body.
        Player = "player",
        /// The isometric body.
        Avatar = "avatar",
        /// The isometric head.
        Ioshead = "ioshead",
        /// The isometric body with the other parameter layout.
        Iosbody = "iosbody",
        /// The unmodified texture.
        Skin = "skin",
        /// The unmodified texture as a download.
        Download = "download",
        /// The profile of a player.
        Profile = "x-profile",
        /// The cape of a player.
        Cape = "x-cape",
    }
}

/// The memory of a file, with the skin.
const FILE_BYTES: u64 = 1 << 20;

/// The memory of an SVG, most of which are shorter. It makes each of them a long job, because one
/// of a skin with many texels takes seconds.
const SVG_BYTES: u64 = 9 << 20;

/// The memory of a GIF, with the colors that are counted for its palette.
const GIF_BYTES: u64 = 5 << 20;

/// A skin that a picture may show. It may show those of the variants before it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum AllowedSkin {
    /// The one that the player has set.
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
    /// The parameters for the renderer. The unmodified texture has none.
    pub spec: Option<PictureSpec>,
    /// The format of the file.
    pub format: ImageFormat,
    /// The movement of a picture that moves.
    pub motion: Option<Motion>,
    /// The last resort: without such a skin, the request fails.
    pub(crate) skin: AllowedSkin,
    /// The size in pixels as the request has it, or `None` for the endpoint's default.
    size: Option<u32>,
}

impl PictureParams {
    /// The unmodified texture, of `/skin`.
    pub const SKIN: Self = Self::texture(Endpoint::Skin, AllowedSkin::Fallback);

    /// The unmodified texture beyond the specification. Like [`extension`](Self::extension), it is
    /// never that of a fallback skin.
    pub const OWN_SKIN: Self = Self::texture(Endpoint::Skin, AllowedSkin::Default);

    /// The unmodified texture to be saved as a file, of `/download`.
    pub const DOWNLOAD: Self = Self::texture(Endpoint::Download, AllowedSkin::Fallback);

    /// The unmodified texture to be saved as a file, of a player who may wear the game's default skin, and never shows the fallback.
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

    /// A picture of a specified path. Its size is that in `spec` unless the request has one. The
    /// specification shows all texels of the overlay.
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
    pub const fn extension(spec: PictureSpec, format: ImageFormat) -> Self {
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
            ..Self::extension(spec, format)
        }
    }

    /// The request for this picture of the player that `input` names.
    #[must_use]
    pub fn of_player(self, input: impl Into<String>) -> FileRequest {
        FileSpec::Picture(self, input.into()).into()
    }

    /// The request for this picture of a texture, drawn on `model`. Without one, it is guessed.
    #[must_use]
    pub fn of_texture(self, hash: TextureHash, model: impl Into<Option<Model>>) -> FileRequest {
        FileSpec::Texture(self, hash, model.into()).into()
    }

    /// The request for this picture of the texture at a URL, drawn on `model`. Without one, it is
    /// guessed.
    #[must_use]
    pub fn of_texture_at(self, url: &str, model: impl Into<Option<Model>>) -> FileRequest {
        FileSpec::TextureAt(self, url.to_owned(), model.into()).into()
    }

    /// Returns this picture of a player who has set a skin. If there is none, the request fails. The
    /// picture is then beyond the specification.
    #[must_use]
    pub const fn of_own_skin(self) -> Self {
        let skin = AllowedSkin::Own;
        Self { skin, ..self }
    }

    /// Returns this file to be saved under a name.
    #[must_use]
    pub const fn as_download(self) -> Self {
        let endpoint = Endpoint::Download;
        Self { endpoint, ..self }
    }

    /// Returns this picture of a substitute, who need not have set a skin.
    pub(crate) fn of_substitute(self) -> Self {
        let skin = self.skin.max(AllowedSkin::Default);
        Self { skin, ..self }
    }

    /// Returns `true` if a PNG can have this size, and there is memory to draw it.
    #[must_use]
    pub fn can_exist(&self) -> bool {
        let is_side = |side: u64| side <= Size::MAX.into();
        let is_size = |pixels| Size::new(pixels).is_some();
        self.size.is_none_or(is_size)
            && (self.spec).is_none_or(|spec| is_side(spec.width()) && is_side(spec.height()))
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

    /// Returns the memory that the picture takes while it is drawn.
    pub(crate) fn drawing_bytes(&self) -> u64 {
        let Some(spec) = self.spec else {
            return 0;
        };
        let file = match self.format {
            ImageFormat::Svg => SVG_BYTES,
            ImageFormat::Gif => GIF_BYTES,
            _ => FILE_BYTES,
        };
        let drawn = match self.motion {
            None => spec.drawing_bytes(1),
            // The players of all frames before they are drawn, and two frames that are, with what
            // is compressed.
            Some(motion) => {
                let pixels = spec.width().saturating_mul(spec.height());
                let players = spec.drawing_bytes(motion.frames().into());
                pixels.saturating_mul(4 * 4).saturating_add(players)
            }
        };
        drawn.saturating_add(file)
    }
}

/// The most pixels of a picture of several players, which is drawn in memory.
const MAX_PIXELS: u64 = 1 << 24;

/// A request for several players in one picture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroupRequest {
    pub(crate) spec: PictureSpec,
    /// The columns of a sheet. In a group, all players stand on one line.
    pub(crate) columns: Option<u32>,
    /// `true` if the file is not the picture, but the place of each player.
    pub is_places: bool,
    pub(crate) players: Vec<String>,
    /// The player in the places of those who are not available.
    pub substitute: Option<String>,
}

impl GroupRequest {
    /// A request for a picture of these players: in rows of so many columns, or side by side on one
    /// line. Returns `None` without players, for no columns, and for a picture with too many
    /// pixels.
    #[must_use]
    pub fn new(spec: PictureSpec, columns: Option<u32>, players: Vec<String>) -> Option<Self> {
        let count = players.len() as u64;
        let [width, height] = match columns {
            None => spec.group_size(count),
            Some(columns) => spec.sheet_size(count, columns),
        };
        let is_drawn = (1..=MAX_PIXELS).contains(&width.saturating_mul(height));
        (count > 0 && is_drawn).then_some(Self {
            spec: spec.normalized(),
            columns,
            is_places: false,
            players,
            substitute: None,
        })
    }

    /// The parameters of each player's picture.
    #[must_use]
    pub const fn params(&self) -> PictureParams {
        PictureParams::extension(self.spec, ImageFormat::Png)
    }

    /// Returns the memory that the picture takes while it is drawn.
    pub(crate) fn drawing_bytes(&self) -> u64 {
        let columns = (self.columns).map_or(self.players.len() as u64, u64::from);
        self.spec.drawing_bytes(columns).saturating_add(FILE_BYTES)
    }
}

/// Returns the parameters without those of what is out of sight, which neither make another picture
/// nor take a look-up.
const fn visible(spec: PictureSpec) -> PictureSpec {
    let mut spec = spec.normalized();
    if spec.view.is_flat() {
        let flat = PictureSpec::new(spec.view, spec.size);
        (spec.camera, spec.pose, spec.light) = (flat.camera, flat.pose, flat.light);
        (spec.filter, spec.framing) = (flat.filter, flat.framing);
    }
    if !spec.view.shows_arms() {
        spec.model = None;
    }
    spec.cape = spec.cape && spec.view.shows_cape();
    spec.elytra = spec.elytra && spec.cape;
    spec.decoration.shadow = spec.decoration.shadow && spec.shows_ground();
    spec
}
