//! The URLs of Starlight's SkinAPI: `/render/<type>/<player>/<crop>`, with the position of the
//! camera and much more in the query, and `/info/user/<player>`.

mod camera;
mod types;

use effigy_parameters::value;
use effigy_player::{Model, XUID_PREFIX};
use effigy_render::{Camera, Crop, Layers, Light, Outline, PictureSpec, Pose, Size, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;
use hyper::StatusCode;

use self::{
    camera::Eye,
    types::{Kind, Type},
};
use super::grammar::{flag, number, pixels, png};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{Operation, ProfileForm},
};

/// The longer sides of pictures without a width and a height: of figures, and of flat types.
const DEFAULT_SIDE: f64 = 1159.0;
const DEFAULT_FLAT_SIDE: Size = Size::px(800);

/// The longest side.
const MAX_SIDE: f64 = 2048.0;

/// The usual width of an outline.
const OUTLINE: f64 = 3.0;

const WHITE: [u8; 4] = [255; 4];

const NOT_DRAWN: Rejection = Rejection::new(
    StatusCode::NOT_FOUND,
    "Custom models, wallpapers, ornaments and bitzel icons are not drawn here",
);

/// The beginning of the URLs of the game's textures, behind the scheme.
const TEXTURES: &str = "textures.minecraft.net/texture/";

/// The part of a player that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Bust,
    /// The head and what is around it.
    Face,
    Head,
}

impl Part {
    fn find(word: &str) -> Option<Self> {
        match &*word.to_ascii_lowercase() {
            "full" => Some(Self::Whole),
            "bust" => Some(Self::Bust),
            "face" => Some(Self::Face),
            "head" => Some(Self::Head),
            _ => None,
        }
    }

    /// Returns the crop of a figure that shows the part.
    const fn crop(self) -> Crop {
        match self {
            Self::Whole => Crop::Content,
            Self::Bust => Crop::Bust,
            Self::Face | Self::Head => Crop::Head,
        }
    }
}

/// Reads a path behind the prefix.
pub(super) fn parse(path: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let is = |word: &str, known: &str| word.eq_ignore_ascii_case(known);
    match *path {
        [info, user, player] if is(info, "info") && is(user, "user") => {
            let player = player_of(player);
            Ok(Operation::profile(ProfileForm::Starlight, &player))
        }
        [word, kind, ref rest @ ..] if is(word, "render") || is(word, "skin-render") => {
            render(&kind.to_ascii_lowercase(), rest, query)
        }
        _ => Err(Rejection::NOT_FOUND),
    }
}

/// Reads the rest of a path behind the type: a player or the URL of a skin, and a crop.
fn render(kind: &str, rest: &[&str], query: &Query<'_>) -> Parsed<Operation> {
    let found = Type::find(kind).ok_or(Rejection::NOT_FOUND)?;
    if found.kind == Kind::NotDrawn {
        return Err(NOT_DRAWN);
    }
    let mut url = query.word(&["skinUrl"]).filter(|url| !url.is_empty());
    let (player, crop) = match *rest {
        [word, named, ref rest @ ..] if word.eq_ignore_ascii_case("url") && is_url(named) => {
            url = Some(named);
            (named, rest)
        }
        [player, ref rest @ ..] => (player, rest),
        [] => return Err(Rejection::NOT_FOUND),
    };
    let crop = match *crop {
        [] => None,
        [word] => Some(word),
        _ => return Err(Rejection::NOT_FOUND),
    };
    let params = params(found, crop, query)?;
    match url {
        Some(url) => Ok(of_url(params, url, model(query))),
        // The service has no picture of an unknown player.
        None => Ok(Operation::picture(params, &player_of(player), None)),
    }
}

fn params(found: &Type, crop: Option<&str>, query: &Query<'_>) -> Parsed<PictureParams> {
    if found.kind == Kind::Skin {
        return skin(crop);
    }
    let part = match crop {
        Some(word) => Part::find(word).ok_or(Rejection::NOT_FOUND)?,
        None => found.part,
    };
    let spec = if found.kind == Kind::Flat {
        flat(part, query)
    } else {
        figure(found, part, query)
    };
    Ok(png(spec.with_outline(outline(query))))
}

/// Returns the picture of a skin by URL. The game's textures are known by their hashes.
fn of_url(params: PictureParams, url: &str, model: Model) -> Operation {
    let request = match hash_of(url) {
        Some(hash) => params.of_texture(hash, model),
        None => params.of_texture_at(url, model),
    };
    Operation::File(request)
}

/// Returns the skin file, or the texture as the game wears it, with the overlay or without.
fn skin(word: Option<&str>) -> Parsed<PictureParams> {
    let layout = PictureSpec::new(View::Layout, Size::px(64));
    match &*word.unwrap_or("default").to_ascii_lowercase() {
        "default" => Ok(PictureParams::OWN_SKIN),
        "processed" => Ok(png(layout)),
        "barebones" => Ok(png(layout.with_layers(Layers::Base))),
        _ => Err(Rejection::NOT_FOUND),
    }
}

fn flat(part: Part, query: &Query<'_>) -> PictureSpec {
    let view = match part {
        Part::Whole => View::Body,
        Part::Bust => View::Bust,
        Part::Face | Part::Head => View::Face,
    };
    let Some([width, height]) = frame(query) else {
        return PictureSpec::new(view, DEFAULT_FLAT_SIDE).with_crop(Crop::Content);
    };
    // A body is twice as high as wide.
    let most = if view == View::Body { 2 * width } else { width };
    PictureSpec::new(view, Size::px(most.min(height)))
        .with_crop(Crop::Content)
        .with_frame([width, height].map(Size::px))
}

/// Returns the picture of a figure in the pose of a type.
fn figure(found: &Type, part: Part, query: &Query<'_>) -> PictureSpec {
    let is_isometric = found.kind == Kind::Isometric;
    let is_head = found.kind == Kind::Head || is_isometric && part == Part::Head;
    let view = if is_head { View::Cube } else { View::Figure };
    let eye = Eye::of_query(found, query);
    let is_parallel = flag(query, &["isometric"]).unwrap_or(is_isometric);
    let fov = if is_parallel { 0.0 } else { eye.fov() };
    let mut spec = sized(view, part.crop(), query)
        .with_pose(Pose::from(found.pose()))
        .with_camera(Camera::perspective(eye.yaw, eye.pitch, fov))
        .with_cape(flag(query, &["capeEnabled"]) != Some(false))
        .with_light_from(camera::light(query));
    spec.decoration.shadow = flag(query, &["dropShadow"]) == Some(true);
    if flag(query, &["playerModelShading"]) == Some(false) {
        spec = spec.with_light(Light::None);
    }
    spec
}

/// Returns a view as large as a query has it: in a picture of a width and a height, or cut.
fn sized(view: View, crop: Crop, query: &Query<'_>) -> PictureSpec {
    let Some([width, height]) = frame(query) else {
        return PictureSpec::new(view, Size::px(side(query))).with_crop(crop);
    };
    // Nothing is larger than the picture.
    let zoom = camera::zoom(query).min(1.0);
    let zoomed = |side: u32| Size::px(pixels(f64::from(side) * zoom));
    let spec = if view == View::Figure && crop == Crop::Content && width < height {
        // Most figures are higher than wide.
        PictureSpec::new(view, zoomed(width.min(height / 2)))
    } else {
        PictureSpec::new(view, zoomed(width.min(height))).with_crop(crop)
    };
    spec.with_frame([width, height].map(Size::px))
}

fn outline(query: &Query<'_>) -> Option<Outline> {
    if flag(query, &["borderHighlight"]) != Some(true) {
        return None;
    }
    let text = query.word(&["borderHighlightColor"]).unwrap_or_default();
    let color = value::color(text.trim_start_matches('#')).ok().flatten();
    let width = number(query, &["borderHighlightRadius"]).filter(|width| *width >= 1.0);
    let width = pixels(width.unwrap_or(OUTLINE)).min(Outline::MAX_WIDTH.into());
    Some(Outline {
        color: color.unwrap_or(WHITE),
        width: u8::try_from(width).ok(),
    })
}

/// Returns the longer side of a picture that is cut to what it shows.
fn side(query: &Query<'_>) -> u32 {
    let scale = number(query, &["renderScale"]).filter(|scale| *scale > 0.0);
    let side = DEFAULT_SIDE * scale.unwrap_or(1.0) * camera::zoom(query);
    pixels(side.min(MAX_SIDE))
}

/// Returns the width and height that a query names. A missing one is the other one.
fn frame(query: &Query<'_>) -> Option<[u32; 2]> {
    let is_side = |number: &f64| *number >= 1.0;
    let width = number(query, &["cameraWidth"]).filter(is_side);
    let height = number(query, &["cameraHeight"]).filter(is_side);
    let sides = [width.or(height)?, height.or(width)?];
    Some(sides.map(|side| pixels(side.min(MAX_SIDE))))
}

/// Returns the model of a skin by URL.
fn model(query: &Query<'_>) -> Model {
    let word = query.word(&["skinType"]).unwrap_or_default();
    if word.eq_ignore_ascii_case("slim") {
        Model::Slim
    } else {
        Model::Classic
    }
}

fn is_url(text: &str) -> bool {
    text.contains("://")
}

/// Returns the texture at a URL, if it is one of the game's.
fn hash_of(url: &str) -> Option<TextureHash> {
    let (scheme, rest) = url.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let (host, hash) = rest.split_at_checked(TEXTURES.len())?;
    if !is_web || !host.eq_ignore_ascii_case(TEXTURES) {
        return None;
    }
    TextureHash::parse(hash)
}

/// Returns a player as Effigy writes it: a dot and 16 digits are an XUID.
fn player_of(text: &str) -> String {
    match text.strip_prefix('.') {
        Some(digits) if digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{XUID_PREFIX}{digits}")
        }
        _ => text.to_owned(),
    }
}
