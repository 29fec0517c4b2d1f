//! The parsers of the paths under `/v1/`. Unlike the specified paths they reject invalid parameters.

use effigy_player::Model;
use effigy_render::{Facing, ImageFormat, Layers, PictureSpec, Size, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;

use super::{
    pattern::Captures,
    specified,
    target::{Parsed, Rejection, Target},
    url::Query,
    url::without_extension,
};

/// The largest size, which keeps every picture small enough for the cache. The specified paths have
/// no limit.
pub(super) const MAX_SIZE: u32 = 2048;

/// The size if the query has none.
const DEFAULT_SIZE: u32 = 128;

const BAD_SIZE: &str = "Size must be a whole number from 1 to 2048";
const BAD_FACING: &str = "Facing must be \"left\", \"right\", \"back-left\" or \"back-right\"";
const BAD_OVERLAY: &str = "Overlay must be \"true\" or \"false\"";
const NOT_FLAT: &str = "Only flat views can be SVG";
const BAD_HASH: &str = "A texture hash has 56 to 64 hexadecimal digits";

pub(super) fn picture(path: &Captures<'_>) -> Parsed {
    let (input, format) = split_format(path.required("input")?);
    let view = find_view(path.required("view")?)?;
    if input.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    let params = RenderParams::parse(path.query)?.picture(view, format)?;
    Ok(params.of_player(input).into())
}

pub(super) fn texture(path: &Captures<'_>) -> Parsed {
    let hash = path.required("hash")?;
    let model = RenderParams::parse(path.query)?.model;
    picture_of_texture(hash, PictureParams::SKIN, model)
}

pub(super) fn texture_picture(path: &Captures<'_>) -> Parsed {
    let hash = path.required("hash")?;
    let (params, model) = params_of_view(path)?;
    picture_of_texture(hash, params, model)
}

pub(super) fn preview(path: &Captures<'_>) -> Parsed {
    let (params, model) = params_of_view(path)?;
    Ok(Target::Preview { params, model })
}

/// Reads the view, which an extension may follow, and the query.
fn params_of_view(path: &Captures<'_>) -> Result<(PictureParams, Model), Rejection> {
    let (view, format) = split_format(path.required("view")?);
    let view = find_view(view)?;
    let params = RenderParams::parse(path.query)?;
    Ok((params.picture(view, format)?, params.model))
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

/// The parameters in a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RenderParams {
    size: Size,
    facing: Facing,
    layers: Layers,
    /// The model that a texture is drawn on.
    model: Model,
}

impl RenderParams {
    /// Parses a query. Missing parameters have defaults; invalid ones are errors.
    fn parse(query: Query<'_>) -> Result<Self, &'static str> {
        Ok(Self {
            size: query
                .number("size", DEFAULT_SIZE, MAX_SIZE)
                .and_then(Size::new)
                .ok_or(BAD_SIZE)?,
            facing: match query.get("facing") {
                None => Facing::default(),
                Some(word) => word.parse().map_err(|_| BAD_FACING)?,
            },
            layers: match query.get("overlay").as_deref() {
                None | Some("true") => Layers::WithOverlay,
                Some("false") => Layers::Base,
                Some(_) => return Err(BAD_OVERLAY),
            },
            model: specified::model(query)?,
        })
    }

    fn picture(self, view: View, format: ImageFormat) -> Result<PictureParams, &'static str> {
        if format == ImageFormat::Svg && !view.is_flat() {
            return Err(NOT_FLAT);
        }
        let spec = PictureSpec::new(view, self.size)
            .with_facing(self.facing)
            .with_layers(self.layers);
        Ok(PictureParams::extension(spec, format))
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

    fn params(query: &str) -> Result<RenderParams, &'static str> {
        RenderParams::parse(Query::new(Some(query)))
    }

    #[test]
    fn missing_parameters_have_defaults() {
        let plain = RenderParams {
            size: Size::new(DEFAULT_SIZE).unwrap(),
            facing: Facing::Right,
            layers: Layers::WithOverlay,
            model: Model::Classic,
        };
        let of_size = |pixels| RenderParams {
            size: Size::new(pixels).unwrap(),
            ..plain
        };
        let facing = |facing| RenderParams { facing, ..plain };
        let base = RenderParams {
            layers: Layers::Base,
            ..plain
        };
        let slim = RenderParams {
            model: Model::Slim,
            ..plain
        };
        let rows = [
            ("", plain),
            ("anything=else", plain),
            ("size=1", of_size(1)),
            ("size=2048", of_size(2048)),
            ("size=064", of_size(64)),
            ("facing=left", facing(Facing::Left)),
            ("facing=back-left", facing(Facing::BackLeft)),
            ("facing=back-right", facing(Facing::BackRight)),
            ("overlay=true", plain),
            ("overlay=false", base),
            ("model=slim", slim),
        ];
        for (query, expected) in rows {
            assert_eq!(params(query), Ok(expected), "{query}");
        }
    }

    #[test]
    fn invalid_parameters_are_errors() {
        let rows = [
            ("size=0", BAD_SIZE),
            ("size=2049", BAD_SIZE),
            ("size=99999999999", BAD_SIZE),
            ("size=-1", BAD_SIZE),
            ("size=%2B1", BAD_SIZE),
            ("size=1.5", BAD_SIZE),
            ("size=", BAD_SIZE),
            ("facing=front", BAD_FACING),
            ("facing=", BAD_FACING),
            ("overlay=no", BAD_OVERLAY),
            ("overlay", BAD_OVERLAY),
            ("model=Slim", specified::BAD_MODEL),
        ];
        for (query, reason) in rows {
            assert_eq!(params(query), Err(reason), "{query}");
        }
        assert!(BAD_SIZE.contains(&MAX_SIZE.to_string()));
    }
}
