//! The parsers of the paths under `/v1/`. Unlike the specified paths they reject invalid parameters.

pub(super) mod arrangement;
pub(super) mod render_params;
pub(super) mod unknown;

use effigy_player::Model;
use effigy_render::{ImageFormat, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;

use self::render_params::RenderParams;
use super::{
    pattern::Captures,
    specified,
    target::{Parsed, Rejection, Target},
    url::{Query, without_extension},
};

const BAD_HASH: &str = "A texture hash has 56 to 64 hexadecimal digits";

pub(super) fn picture(path: &Captures<'_>) -> Parsed {
    let (input, format) = split_format(path.required("input")?);
    let view = find_view(path.required("view")?)?;
    if input.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    let (params, _) = params_of_view(view, format, path.query)?;
    Ok(params.of_player(input).into())
}

pub(super) fn texture(path: &Captures<'_>) -> Parsed {
    let hash = path.required("hash")?;
    let model = specified::model(path.query)?;
    picture_of_texture(hash, PictureParams::SKIN, model)
}

pub(super) fn texture_picture(path: &Captures<'_>) -> Parsed {
    let hash = path.required("hash")?;
    let (params, model) = params_of_path(path)?;
    picture_of_texture(hash, params, model)
}

pub(super) fn preview(path: &Captures<'_>) -> Parsed {
    let (params, model) = params_of_path(path)?;
    Ok(Target::Preview { params, model })
}

/// Reads the view, which an extension may follow, and the query.
fn params_of_path(path: &Captures<'_>) -> Result<(PictureParams, Model), Rejection> {
    let (view, format) = split_format(path.required("view")?);
    params_of_view(find_view(view)?, format, path.query)
}

fn params_of_view(
    view: View,
    format: ImageFormat,
    query: Query<'_>,
) -> Result<(PictureParams, Model), Rejection> {
    let params = RenderParams::parse(view, query)?;
    let picture = PictureParams::extension(params.spec(view), format);
    Ok((picture, params.model.unwrap_or_default()))
}

fn picture_of_texture(hash: &str, params: PictureParams, model: Model) -> Parsed {
    let hash = TextureHash::parse(hash).ok_or(BAD_HASH)?;
    Ok(params.of_texture(hash, model).into())
}

/// Finds the view of a word in any letter case.
fn find_view(word: &str) -> Result<View, Rejection> {
    let mut views = View::ALL.into_iter();
    let view = views.find(|view| view.as_str().eq_ignore_ascii_case(word));
    view.ok_or(Rejection::NOT_FOUND)
}

/// Splits the extension `.svg` from a segment, which selects the format.
pub(super) fn split_format(segment: &str) -> (&str, ImageFormat) {
    match without_extension(segment, ".svg") {
        Some(stem) => (stem, ImageFormat::Svg),
        None => (segment, ImageFormat::Png),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extensions() {
        let (png, svg) = (ImageFormat::Png, ImageFormat::Svg);
        let rows = [
            ("Notch", ("Notch", png)),
            ("Notch.svg", ("Notch", svg)),
            ("Notch.SVG", ("Notch", svg)),
            (".Tag.svg", (".Tag", svg)),
            ("Notch.svg.svg", ("Notch.svg", svg)),
            ("Notch.jpg", ("Notch.jpg", png)),
            (".svg", ("", svg)),
            ("svg", ("svg", png)),
            ("aé名", ("aé名", png)),
            ("", ("", png)),
        ];
        for (segment, expected) in rows {
            assert_eq!(split_format(segment), expected, "{segment}");
        }
    }
}
