//! The parsers of pictures of several players.

use effigy_parameters::{
    MAX_PLAYERS, PictureSettings, find_view,
    value::{self, quoted},
};
use effigy_render::{Crop, View};
use effigy_service::{FileSpec, GroupRequest, SubstitutePlayer};

use super::{
    alternatives::is_unfilled,
    render_params::{VIEWS, picture, substitute},
};
use crate::routes::{
    query::Query,
    rejection::{Parsed, Rejection, TOO_LARGE},
    request::Operation,
};

const CUT_PLACES: &str = "Crop can be \"content\" only in a picture of one player";
const BAD_PLAYERS: &str = "Players must be 1 to 100 players with commas between them";

/// Reads a group. `file` ends with `.json` in a request for the places of the players.
pub(super) fn group(file: &str, query: &Query<'_>) -> Parsed<Operation> {
    let spec = picture_of_several(View::Figure, query)?.spec;
    let substitute = substitute_player(query)?;
    let players = players_or(substitute.as_ref(), query)?;
    let request = GroupRequest::new(spec, None, players);
    arrangement(request, substitute, file)
}

/// Reads a sheet. `file` ends with `.json` in a request for the places of the players.
pub(super) fn sheet(file: &str, query: &Query<'_>) -> Parsed<Operation> {
    let view = query.read("view", parse_view)?.unwrap_or(View::Face);
    let mut parameters = picture_of_several(view, query)?;
    if query.get("padding").is_none() {
        parameters.set_sheet_gap();
    }
    let substitute = substitute_player(query)?;
    let players = players_or(substitute.as_ref(), query)?;
    let columns = parameters.sheet_columns(players.len());
    let request = GroupRequest::new(parameters.spec, Some(columns), players);
    arrangement(request, substitute, file)
}

fn parse_view(word: &str) -> value::Parsed<View> {
    match find_view(word) {
        Some(view) => Ok(view),
        None => {
            let views = VIEWS.map(|(view, _)| view.as_str());
            Err(quoted(&views).into())
        }
    }
}

/// Reads the picture of each player. All of them have one size, so they can't be cut to their
/// content.
fn picture_of_several(view: View, query: &Query<'_>) -> Parsed<PictureSettings> {
    let parameters = picture(view, query)?;
    if parameters.spec.crop == Crop::Content {
        return Err(Rejection::bad_request(CUT_PLACES));
    }
    Ok(parameters)
}

/// Reads the player who takes the place of each missing one.
fn substitute_player(query: &Query<'_>) -> Parsed<Option<SubstitutePlayer>> {
    Ok(substitute(query)?.map(|other| other.player))
}

/// Reads the players of a picture. If they are all unfilled placeholders, the picture shows the
/// substitute.
fn players_or(substitute: Option<&SubstitutePlayer>, query: &Query<'_>) -> Parsed<Vec<String>> {
    let players = filled_in(query);
    let are_unfilled = players.is_empty() && query.get("players").is_some();
    match substitute {
        Some(substitute) if are_unfilled => Ok(vec![input_of(substitute)]),
        _ => checked(players),
    }
}

/// Returns the text that asks for a substitute in a list of players.
fn input_of(substitute: &SubstitutePlayer) -> String {
    match substitute {
        SubstitutePlayer::Named(name) => name.to_string(),
        // An empty player does not exist, so the default is shown.
        SubstitutePlayer::DefaultSkin => String::new(),
    }
}

/// Completes a request, which is `None` if its picture would be too large.
fn arrangement(
    request: Option<GroupRequest>,
    substitute: Option<SubstitutePlayer>,
    file: &str,
) -> Parsed<Operation> {
    let mut request = request.ok_or_else(|| Rejection::bad_request(TOO_LARGE))?;
    request.substitute = substitute;
    request.positions_only = file.ends_with(".json");
    Ok(Operation::file(FileSpec::Group(request)))
}

/// Reads the players, in one list or several.
pub(super) fn players(query: &Query<'_>) -> Parsed<Vec<String>> {
    checked(filled_in(query))
}

/// Returns the players after a check of their number.
fn checked(players: Vec<String>) -> Parsed<Vec<String>> {
    if players.is_empty() || players.len() > MAX_PLAYERS {
        return Err(Rejection::bad_request(BAD_PLAYERS));
    }
    Ok(players)
}

/// Returns the players of all lists, without empty places and unfilled placeholders.
fn filled_in(query: &Query<'_>) -> Vec<String> {
    let mut players = Vec::new();
    for list in query.all("players") {
        for name in list.split(',') {
            if !is_unfilled(name) {
                players.push(name.trim().to_owned());
            }
        }
    }
    players
}

#[cfg(test)]
mod tests;
