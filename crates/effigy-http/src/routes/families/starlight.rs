//! The URLs of Starlight's SkinAPI: `/render/<type>/<player>/<crop>`, with the camera, the light
//! and decorations in the query, and `/info/user/<player>`.

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
    types::{Kind, Part, Type},
};
use super::grammar::{flag, number, pixels, png};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection},
    request::{Operation, ProfileForm},
};

/// The longer side of a figure's picture, unless the query has a width or a height.
const DEFAULT_SIDE: f64 = 1159.0;

/// The longer side of a flat picture, unless the query has a width or a height.
const DEFAULT_FLAT_SIDE: Size = Size::px(800);

/// The longest side.
const MAX_SIDE: f64 = 2048.0;

/// The default width of an outline.
const OUTLINE: f64 = 3.0;

const WHITE: [u8; 4] = [255; 4];

const NOT_DRAWN: Rejection = Rejection::new(
    StatusCode::NOT_FOUND,
    "Custom models, wallpapers, ornaments and bitzel icons are not drawn here",
);

/// The URLs of the game's textures begin with this, after the scheme.
const TEXTURES: &str = "textures.minecraft.net/texture/";

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
    let path = RenderPath::read(rest, query)?;
    let params = params(found, path.crop, query)?;
    match path.subject {
        Subject::Url(url) => Ok(of_url(params, url, model(query))),
        // Starlight has no picture of an unknown player either.
        Subject::Player(player) => Ok(Operation::picture(params, &player_of(player), None)),
    }
}

/// The skin that a picture shows.
enum Subject<'a> {
    Player(&'a str),
    Url(&'a str),
}

/// The segments behind a type.
struct RenderPath<'a> {
    subject: Subject<'a>,
    crop: Option<&'a str>,
}

impl<'a> RenderPath<'a> {
    /// Reads the segments. The URL of a skin may also be in the query.
    fn read(segments: &[&'a str], query: &'a Query<'_>) -> Parsed<Self> {
        match *segments {
            [word, url, ref crop @ ..] if word.eq_ignore_ascii_case("url") && is_url(url) => {
                Ok(Self {
                    subject: Subject::Url(url),
                    crop: single(crop)?,
                })
            }
            [player, ref crop @ ..] => {
                let subject = match query.word(&["skinUrl"]) {
                    None | Some("") => Subject::Player(player),
                    Some(url) => Subject::Url(url),
                };
                let crop = single(crop)?;
                Ok(Self { subject, crop })
            }
            [] => Err(Rejection::NOT_FOUND),
        }
    }
}

/// Returns the only segment, if there is one.
///
/// # Errors
/// If there are several.
fn single<'a>(segments: &[&'a str]) -> Parsed<Option<&'a str>> {
    match *segments {
        [] => Ok(None),
        [word] => Ok(Some(word)),
        _ => Err(Rejection::NOT_FOUND),
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
    // The height that fits into the width: a body is twice as high as wide.
    let full_height = if view == View::Body { 2 * width } else { width };
    PictureSpec::new(view, Size::px(full_height.min(height)))
        .with_crop(Crop::Content)
        .with_frame([width, height].map(Size::px))
}

/// Returns the picture of a figure in the pose of a type.
fn figure(found: &Type, part: Part, query: &Query<'_>) -> PictureSpec {
    let is_isometric_type = found.kind == Kind::Isometric;
    let is_head = found.kind == Kind::Head || is_isometric_type && part == Part::Head;
    let view = if is_head { View::Cube } else { View::Figure };
    let eye = Eye::of_query(found, query);
    let is_parallel = flag(query, &["isometric"]).unwrap_or(is_isometric_type);
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

/// Returns a view in the size that a query names: in a picture of a width and a height, or cut.
fn sized(view: View, crop: Crop, query: &Query<'_>) -> PictureSpec {
    let Some([width, height]) = frame(query) else {
        return PictureSpec::new(view, Size::px(side(query))).with_crop(crop);
    };
    // An enlarged figure would not fit into the picture.
    let zoom = camera::zoom(query).min(1.0);
    let frame = [width, height].map(Size::px);
    let is_upright_figure = view == View::Figure && crop == Crop::Content && width < height;
    if is_upright_figure {
        // A standing figure is twice as high as wide.
        let side = f64::from(width.min(height / 2)) * zoom;
        return PictureSpec::new(view, Size::px(pixels(side))).with_frame(frame);
    }
    let side = f64::from(width.min(height)) * zoom;
    PictureSpec::new(view, Size::px(pixels(side)))
        .with_crop(crop)
        .with_frame(frame)
}

fn outline(query: &Query<'_>) -> Option<Outline> {
    if flag(query, &["borderHighlight"]) != Some(true) {
        return None;
    }
    let text = query.word(&["borderHighlightColor"]).unwrap_or_default();
    let color = value::color(text.trim_start_matches('#')).ok().flatten();
    let width = match number(query, &["borderHighlightRadius"]) {
        Some(width) if width >= 1.0 => width,
        _ => OUTLINE,
    };
    let width = pixels(width).min(Outline::MAX_WIDTH.into());
    Some(Outline {
        color: color.unwrap_or(WHITE),
        width: u8::try_from(width).ok(),
    })
}

/// Returns the longer side of a picture that is cut to its content.
fn side(query: &Query<'_>) -> u32 {
    let scale = match number(query, &["renderScale"]) {
        Some(scale) if scale > 0.0 => scale,
        _ => 1.0,
    };
    let side = DEFAULT_SIDE * scale * camera::zoom(query);
    pixels(side.min(MAX_SIDE))
}

/// Returns the width and height that a query names. If one of them is missing, they are equal.
fn frame(query: &Query<'_>) -> Option<[u32; 2]> {
    let width = side_of_frame(query, "cameraWidth");
    let height = side_of_frame(query, "cameraHeight");
    Some([width.or(height)?, height.or(width)?])
}

fn side_of_frame(query: &Query<'_>, name: &str) -> Option<u32> {
    match number(query, &[name]) {
        Some(side) if side >= 1.0 => Some(pixels(side.min(MAX_SIDE))),
        _ => None,
    }
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

/// Returns the hash of a texture, if its URL is one of the game's.
fn hash_of(url: &str) -> Option<TextureHash> {
    let (scheme, rest) = url.split_once("://")?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let (place, hash) = rest.split_at_checked(TEXTURES.len())?;
    if !is_web || !place.eq_ignore_ascii_case(TEXTURES) {
        return None;
    }
    TextureHash::parse(hash)
}

/// Returns a player in our notation. For Starlight, a dot and 16 digits are an XUID.
fn player_of(text: &str) -> String {
    if let Some(digits) = text.strip_prefix('.')
        && digits.len() == 16
        && digits.bytes().all(|byte| byte.is_ascii_digit())
    {
        return format!("{XUID_PREFIX}{digits}");
    }
    text.to_owned()
}
