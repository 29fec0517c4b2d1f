//! The parsers of pictures of several players.

use effigy_parameters::{MAX_PLAYERS, PictureSettings, find_view, value::quoted};
use effigy_render::{Crop, View};
use effigy_service::{FileSpec, GroupRequest};

use super::{
    alternatives::is_unfilled,
    render_params::{VIEWS, picture, substitute},
};
use crate::routes::{
    query::Query,
    request::{Operation, Parsed, Rejection, TOO_LARGE},
};

const CUT_PLACES: &str = "Crop can be \"content\" only in a picture of one player";
const BAD_PLAYERS: &str = "Players must be 1 to 100 players with commas between them";

/// Reads a group. `file` ends with `.json` if not the picture but the places in it are requested.
pub(super) fn group(file: &str, query: &Query<'_>) -> Parsed {
    let spec = picture_of_several(View::Figure, query)?.spec;
    let request = GroupRequest::new(spec, None, players_or_default(query)?);
    arrangement(request, file, query)
}

/// Reads a sheet, likewise.
pub(super) fn sheet(file: &str, query: &Query<'_>) -> Parsed {
    let names = VIEWS.map(|(view, _)| view.as_str());
    let find = |word: &str| find_view(word).ok_or_else(|| quoted(&names).into());
    let view = query.read("view", find)?.unwrap_or(View::Face);
    let parameters = picture_of_several(view, query)?;
    let players = players_or_default(query)?;
    let columns = parameters.sheet_columns(players.len());
    let request = GroupRequest::new(parameters.spec, Some(columns), players);
    arrangement(request, file, query)
}

/// Reads the picture of each player. All places have one size, so none can be cut to its content.
fn picture_of_several(view: View, query: &Query<'_>) -> Parsed<PictureSettings> {
    let parameters = picture(view, query)?;
    if parameters.spec.crop == Crop::Content {
        return Err(Rejection::bad_request(CUT_PLACES));
    }
    Ok(parameters)
}

fn arrangement(request: Option<GroupRequest>, file: &str, query: &Query<'_>) -> Parsed {
    let mut request = request.ok_or_else(|| Rejection::bad_request(TOO_LARGE))?;
    request.substitute = substitute(query)?.map(|other| other.player.into_owned());
    request.is_places = file.ends_with(".json");
    Ok(Operation::file(FileSpec::Group(request)))
}

/// Reads the players, in one list or several. Whitespace around a comma is ignored, and so are
/// empty places and placeholders that nobody has filled in.
pub(super) fn players(query: &Query<'_>) -> Parsed<Vec<String>> {
    let players = filled_in(query);
    if players.is_empty() || players.len() > MAX_PLAYERS {
        return Err(Rejection::bad_request(BAD_PLAYERS));
    }
    Ok(players)
}

/// Reads the players of a picture. If none is filled in, it is the default.
fn players_or_default(query: &Query<'_>) -> Parsed<Vec<String>> {
    let is_empty = query.get("players").is_some() && filled_in(query).is_empty();
    match substitute(query)? {
        Some(other) if is_empty => Ok(vec![other.player.into_owned()]),
        _ => players(query),
    }
}

fn filled_in(query: &Query<'_>) -> Vec<String> {
    let mut players = Vec::new();
    for text in query.all("players") {
        let names = text.split(',').filter(|name| !is_unfilled(name));
        players.extend(names.map(|name| name.trim().to_owned()));
    }
    players
}

#[cfg(test)]
mod tests {
    use effigy_render::{PictureSpec, Size};

    use super::*;
    use crate::routes::tests::{check, rejected};

    fn of_view(view: View, pixels: u32) -> PictureSpec {
        PictureSpec::new(view, Size::new(pixels).unwrap())
    }

    fn request(spec: PictureSpec, columns: Option<u32>, players: &[&str]) -> GroupRequest {
        let players = players.iter().map(|&name| name.to_owned()).collect();
        GroupRequest::new(spec, columns, players).unwrap()
    }

    fn places(mut request: GroupRequest) -> GroupRequest {
        request.is_places = true;
        request
    }

    fn or(mut request: GroupRequest, substitute: &str) -> GroupRequest {
        request.substitute = Some(substitute.to_owned());
        request
    }

    #[test]
    fn groups_and_sheets() {
        let (figure, head) = (of_view(View::Figure, 128), of_view(View::Face, 128));
        let (named, cube) = (figure.with_names(true), of_view(View::Cube, 32));
        let three = ["a", ".Two Words", "0000123"];
        let one = &three[..1];
        let group = |spec, players| request(spec, None, players);
        let sheet = |spec, columns, players| request(spec, Some(columns), players);
        let list = "players=a,.Two%20Words,0000123";
        let rows = [
            (
                "group?players=a,.Two%20Words,+0000123",
                group(figure, &three),
            ),
            (
                "group?players=a&size=128&players=.Two%20Words,0000123",
                group(figure, &three),
            ),
            ("group?players=a&names", group(named, one)),
            ("group.json?players=a", places(group(figure, one))),
            (&format!("sheet.png?{list}"), sheet(head, 2, &three)),
            (
                &format!("sheet.json?{list}&columns=3"),
                places(sheet(head, 3, &three)),
            ),
            (
                "group?players=a&default=steve",
                or(group(figure, one), "MHF_Steve"),
            ),
            (
                "sheet.json?players=a&default=.b",
                places(or(sheet(head, 1, one), ".b")),
            ),
            (
                "sheet?players=a&view=+Cube&size=32&columns=+1",
                sheet(cube, 1, one),
            ),
        ];
        for (url, request) in rows {
            let found = Ok(Operation::File(FileSpec::Group(request).into()));
            check(&[(&format!("/v1/{url}"), found)]);
        }
    }

    #[test]
    fn lists_skip_what_is_not_filled_in() {
        let (figure, head) = (of_view(View::Figure, 128), of_view(View::Face, 128));
        let one = ["a"];
        let two = ["a", "b"];
        let steve = ["MHF_Steve"];
        let rows = [
            ("group?players=a,,b", request(figure, None, &two)),
            ("group?players=a&players=", request(figure, None, &one)),
            (
                "group?players={name},a,%uuid%,+,b,",
                request(figure, None, &two),
            ),
            ("sheet?players=,a", request(head, Some(1), &one)),
            (
                "sheet?players=,%25name%25&default=steve",
                or(request(head, Some(1), &steve), "MHF_Steve"),
            ),
        ];
        for (url, expected) in rows {
            let found = Ok(Operation::File(FileSpec::Group(expected).into()));
            check(&[(&format!("/v1/{url}"), found)]);
        }
        let profiles = Ok(Operation::Profiles(two.map(str::to_owned).to_vec()));
        check(&[("/v1/profiles?players=a,{name},,b", profiles)]);
    }

    #[test]
    fn invalid_requests_are_errors() {
        let many = vec!["a"; 101].join(",");
        let views = "View must be \"figure\", \"portrait\", \"cube\", \"isobody\", \"isohead\", \"face\", \"bust\", \
                     \"body\", \"combo\", \"body-back\", \"body-left\", \"body-right\" or \"layout\"";
        let bad_default = "Default must be a player, \"steve\", \"alex\" or \"404\"";
        let bad_columns = "Columns must be a whole number from 1 to 100";
        let bad_yaw = "Yaw applies only to figure, portrait and cube";
        let rows = [
            ("/v1/group", BAD_PLAYERS),
            ("/v1/group?players=", BAD_PLAYERS),
            ("/v1/group?players=,{name},%25uuid%25", BAD_PLAYERS),
            ("/v1/group?default=steve", BAD_PLAYERS),
            (
                &format!("/v1/sheet?{}", "players=a&".repeat(101)),
                BAD_PLAYERS,
            ),
            ("/v1/profiles?players=,", BAD_PLAYERS),
            ("/v1/profiles?players={name}", BAD_PLAYERS),
            (&format!("/v1/sheet?players={many}"), BAD_PLAYERS),
            ("/v1/group?players=a&default=", bad_default),
            ("/v1/sheet?players=a&columns=0", bad_columns),
            ("/v1/sheet?players=a&view=back", views),
            ("/v1/sheet?players=a&yaw=1", bad_yaw),
            (
                &format!("/v1/sheet?size=2048&players={}", &many[..39]),
                TOO_LARGE,
            ),
        ];
        for (url, reason) in rows {
            assert_eq!(rejected(url), Rejection::bad_request(reason), "{url}");
        }
    }
}
