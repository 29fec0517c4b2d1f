//! The parsers of the specified paths and of previews, whose paths are alike.

use effigy_player::Model;
use effigy_render::{Facing, Layers};
use effigy_service::{DIRECTION_ERROR, PictureParams, SizeParameter, parse_facing, parse_layers};

use super::{
    pattern::Captures,
    target::{Parsed, Rejection, Target},
    url::Query,
};

pub(super) const BAD_MODEL: &str = "Model must be \"classic\" or \"slim\"";

pub(super) fn head(path: &Captures<'_>) -> Parsed {
    path.picture(PictureParams::head(path.size(), path.layers()))
}

pub(super) fn player(path: &Captures<'_>) -> Parsed {
    path.picture(PictureParams::player(path.size(), path.layers()))
}

pub(super) fn avatar(path: &Captures<'_>) -> Parsed {
    path.required("input")?;
    path.picture(PictureParams::avatar(path.size(), path.direction()?))
}

pub(super) fn ioshead(path: &Captures<'_>) -> Parsed {
    path.required("input")?;
    path.picture(PictureParams::ioshead(path.size(), path.direction()?))
}

pub(super) fn iosbody(path: &Captures<'_>) -> Parsed {
    path.required("input")?;
    path.picture(PictureParams::iosbody(path.size(), path.direction()?))
}

pub(super) fn flat_preview(path: &Captures<'_>) -> Parsed {
    let params = match path.word("flat")?.as_str() {
        "head" => PictureParams::head,
        "player" => PictureParams::player,
        _ => return Err(Rejection::NOT_FOUND),
    };
    path.preview(params(path.size(), path.layers()))
}

pub(super) fn isometric_preview(path: &Captures<'_>) -> Parsed {
    let params = match path.word("isometric")?.as_str() {
        "avatar" => PictureParams::avatar,
        "ioshead" => PictureParams::ioshead,
        "iosbody" => PictureParams::iosbody,
        _ => return Err(Rejection::NOT_FOUND),
    };
    path.preview(params(path.size(), path.direction()?))
}

/// Reads the model that a query names; classic if it names none.
pub(super) fn model(query: Query<'_>) -> Result<Model, &'static str> {
    let word = query.get("model");
    word.map_or(Ok(Model::Classic), |word| {
        word.parse().map_err(|_| BAD_MODEL)
    })
}

impl Captures<'_> {
    fn size(&self) -> SizeParameter {
        SizeParameter::parse(self.get("size"))
    }

    fn layers(&self) -> Layers {
        parse_layers(self.get("option"))
    }

    fn direction(&self) -> Result<Facing, &'static str> {
        parse_facing(self.get("direction")).ok_or(DIRECTION_ERROR)
    }

    fn preview(&self, params: PictureParams) -> Parsed {
        let model = model(self.query)?;
        Ok(Target::Preview { params, model })
    }
}
