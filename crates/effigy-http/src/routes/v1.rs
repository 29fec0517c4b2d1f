//! The parsers of the paths under `/v1/`. Unlike the specified paths they reject invalid parameters.

pub(super) mod arrangement;
pub(super) mod format;
pub(super) mod render_params;
mod substitute;
pub(super) mod unknown;

use effigy_player::Model;
use effigy_render::{ImageFormat, PictureSpec, View};
use effigy_service::PictureParams;
use effigy_upstream::TextureHash;

use self::{
    arrangement::players,
    format::{reject_other_formats, split_format},
    render_params::RenderParams,
    substitute::substitute,
};
use super::{
    pattern::Captures,
    target::{Parsed, Rejection, Target},
    url::Query,
};

/// Words that people try first.
const OTHER_WORDS: [(&str, View); 2] = [("face", View::Head), ("body", View::Body)];

const BAD_HASH: &str = "A texture hash has 56 to 64 hexadecimal digits";

pub(super) fn picture(path: &Captures<'_>) -> Parsed {
    let view = find_view(path.required("view")?)?;
    let (input, format) = split_format(path.file("input")?);
    if input.is_empty() {
        return Err(Rejection::NOT_FOUND);
    }
    let (params, _) = params_of_view(view, format, path.query)?;
    picture_of_player(params, input, path.query)
}

pub(super) fn profile(path: &Captures<'_>) -> Parsed {
    Ok(Target::Profile(path.trimmed("input")?.to_owned()))
}

pub(super) fn profiles(path: &Captures<'_>) -> Parsed {
    Ok(Target::Profiles(players(path.query)?))
}

pub(super) fn skin(path: &Captures<'_>) -> Parsed {
    picture_of_player(PictureParams::OWN_SKIN, path.file("input")?, path.query)
}

pub(super) fn cape(path: &Captures<'_>) -> Parsed {
    Ok(Target::Cape(path.file("input")?.to_owned()))
}

pub(super) fn texture(path: &Captures<'_>) -> Parsed {
    let hash = path.file("hash")?;
    picture_of_texture(hash, PictureParams::SKIN, Model::default())
}

pub(super) fn texture_picture(path: &Captures<'_>) -> Parsed {
    let hash = path.trimmed("hash")?;
    let (params, model) = params_of_path(path)?;
    picture_of_texture(hash, params, model)
}

pub(super) fn preview(path: &Captures<'_>) -> Parsed {
    let (params, model) = params_of_path(path)?;
    Ok(Target::Preview { params, model })
}

/// Reads the picture of a view that a query describes.
pub(crate) fn picture_spec(view: View, query: Query<'_>) -> Result<PictureSpec, Rejection> {
    Ok(RenderParams::parse(view, query)?.spec(view))
}

/// Reads the view, which an extension may follow, and the query.
fn params_of_path(path: &Captures<'_>) -> Result<(PictureParams, Model), Rejection> {
    let (view, format) = split_format(path.file("view")?);
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

fn picture_of_player(params: PictureParams, input: &str, query: Query<'_>) -> Parsed {
    Ok(Target::Picture {
        request: params.of_player(input),
        substitute: substitute(query)?,
    })
}

fn picture_of_texture(hash: &str, params: PictureParams, model: Model) -> Parsed {
    let hash = TextureHash::parse(hash).ok_or(BAD_HASH)?;
    Ok(params.of_texture(hash, model).into())
}

/// Finds the view of a word in any letter case.
fn find_view(word: &str) -> Result<View, Rejection> {
    let words = View::ALL.map(|view| (view.as_str(), view));
    let mut words = words.into_iter().chain(OTHER_WORDS);
    let found = words.find(|(known, _)| known.eq_ignore_ascii_case(word.trim()));
    found.map(|(_, view)| view).ok_or(Rejection::NOT_FOUND)
}

impl Captures<'_> {
    /// Returns a required parameter without blanks around it, which come along when text is copied.
    fn trimmed(&self, name: &str) -> Result<&str, Rejection> {
        let text = self.required(name)?.trim();
        let is_there = !text.is_empty();
        is_there.then_some(text).ok_or(Rejection::NOT_FOUND)
    }

    /// Returns a required parameter that a format may follow.
    fn file(&self, name: &str) -> Result<&str, Rejection> {
        reject_other_formats(self.trimmed(name)?)
    }
}
