//! The parsers of pictures of several players.

use effigy_parameters::{
    find_view,
    value::{quoted, whole_number},
};
use effigy_render::View;
use effigy_service::{FileSpec, GroupRequest};

use super::render_params::{VIEWS, picture, substitute};
use crate::routes::{
    query::Query,
    request::{Operation, Parsed, Rejection, TOO_LARGE},
};

/// The most players in one picture or list.
const MAX_PLAYERS: u32 = 100;

const BAD_PLAYERS: &str = "Players must be 1 to 100 players with commas between them";

/// Reads a group. `file` ends with `.json` if not the picture but the places in it are requested.
pub(super) fn group(file: &str, query: &Query<'_>) -> Parsed {
    let spec = picture(View::Figure, query)?.spec;
    let request = GroupRequest::new(spec, None, players(query)?);
    arrangement(request, file, query)
}

/// Reads a sheet, likewise.
pub(super) fn sheet(file: &str, query: &Query<'_>) -> Parsed {
    let names = VIEWS.map(|(view, _)| view.as_str());
    let find = |word: &str| find_view(word).ok_or_else(|| quoted(&names).into());
    let view = query.read("view", find)?.unwrap_or(View::Face);
    let spec = picture(view, query)?.spec;
    let players = players(query)?;
    let columns = query.read("columns", |text| whole_number(text, 1..=MAX_PLAYERS))?;
    let columns = columns.unwrap_or_else(|| square_root(players.len()));
    let request = GroupRequest::new(spec, Some(columns), players);
    arrangement(request, file, query)
}

fn arrangement(request: Option<GroupRequest>, file: &str, query: &Query<'_>) -> Parsed {
    let mut request = request.ok_or_else(|| Rejection::bad_request(TOO_LARGE))?;
    request.substitute = substitute(query)?.map(|other| other.player.into_owned());
    request.is_places = file.ends_with(".json");
    Ok(Operation::file(FileSpec::Group(request)))
}

/// Reads the players. Whitespace around a comma is ignored.
pub(super) fn players(query: &Query<'_>) -> Parsed<Vec<String>> {
    let text = query.get("players").unwrap_or_default();
    let players: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    match players.len() > MAX_PLAYERS as usize || players.iter().any(String::is_empty) {
        true => Err(Rejection::bad_request(BAD_PLAYERS)),
        false => Ok(players),
    }
}

/// Returns the least number whose square is at least this one.
fn square_root(players: usize) -> u32 {
    let enough = |columns: &u32| columns.pow(2) as usize >= players;
    (1..).find(enough).expect("players are few")
}

#[cfg(test)]
mod tests {
    use effigy_render::{PictureSpec, Size};

    use super::*;
    use crate::routes::tests::check;

    fn of_view(view: View, pixels: u32) -> PictureSpec {
        PictureSpec::new(view, Size::new(pixels).unwrap())
    }

    fn request(spec: PictureSpec, columns: Option<u32>, players: &[&str]) -> GroupRequest {
        let players = players.iter().map(|&name| name.to_owned()).collect();
        GroupRequest::new(spec, columns, players).unwrap()
    }

    fn found(request: GroupRequest) -> Parsed {
        Ok(Operation::File(FileSpec::Group(request).into()))
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
        let three = ["a", ".Two Words", "0000123"];
        let sheet = Some;
        let cubes = request(of_view(View::Cube, 32), sheet(1), &three[..1]);
        check(&[
            (
                "/v1/group?players=a,.Two%20Words,+0000123",
                found(request(figure, None, &three)),
            ),
            (
                "/v1/group?players=a&names",
                found(request(figure.with_names(true), None, &three[..1])),
            ),
            (
                "/v1/group.json?players=a",
                found(places(request(figure, None, &three[..1]))),
            ),
            (
                "/v1/sheet.png?players=a,.Two%20Words,0000123",
                found(request(head, sheet(2), &three)),
            ),
            (
                "/v1/sheet.json?players=a,.Two%20Words,0000123&columns=3",
                found(places(request(head, sheet(3), &three))),
            ),
            (
                "/v1/group?players=a&default=steve",
                found(or(request(figure, None, &three[..1]), "MHF_Steve")),
            ),
            (
                "/v1/sheet.json?players=a&default=.b",
                found(places(or(request(head, sheet(1), &three[..1]), ".b"))),
            ),
            (
                "/v1/sheet?players=a&view=+Cube&size=32&columns=+1",
                found(cubes),
            ),
        ]);
    }

    #[test]
    fn invalid_requests_are_errors() {
        let many = vec!["a"; 101].join(",");
        let rejected = |reason: &str| Err(Rejection::bad_request(reason.to_owned()));
        check(&[
            ("/v1/group", rejected(BAD_PLAYERS)),
            ("/v1/group?players=", rejected(BAD_PLAYERS)),
            ("/v1/group?players=a,,b", rejected(BAD_PLAYERS)),
            ("/v1/profiles?players=a,,b", rejected(BAD_PLAYERS)),
            (&format!("/v1/sheet?players={many}"), rejected(BAD_PLAYERS)),
            (
                "/v1/group?players=a&default=",
                rejected("Default must be a player, \"steve\", \"alex\" or \"404\""),
            ),
            (
                "/v1/sheet?players=a&columns=0",
                rejected("Columns must be a whole number from 1 to 100"),
            ),
            (
                "/v1/sheet?players=a&view=back",
                rejected(
                    "View must be \"figure\", \"portrait\", \"cube\", \"isobody\", \"isohead\", \"face\", \"bust\", \
                     \"body\" or \"combo\"",
                ),
            ),
            (
                "/v1/sheet?players=a&yaw=1",
                rejected("Yaw applies only to figure, portrait and cube"),
            ),
            (
                &format!("/v1/sheet?size=2048&players={}", &many[..39]),
                rejected(TOO_LARGE),
            ),
        ]);
    }

    #[test]
    fn sheets_are_square_by_default() {
        for (players, columns) in [(1, 1), (2, 2), (4, 2), (5, 3), (99, 10), (100, 10)] {
            assert_eq!(square_root(players), columns, "{players}");
        }
    }
}
