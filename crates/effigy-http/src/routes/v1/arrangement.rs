//! The parsers of pictures of several players.

use effigy_render::{PictureSpec, View};
use effigy_service::{GroupLayout, GroupRequest};

use super::{
    find_view,
    render_params::{RenderParams, must_be_one_of},
    substitute::substitute,
};
use crate::routes::{
    target::Rejection,
    url::{Query, whole_number},
};

/// The most players in one picture or list.
const MAX_PLAYERS: u32 = 100;

const BAD_PLAYERS: &str = "Players must be 1 to 100 players with commas between them";
const BAD_COLUMNS: &str = "Columns must be a whole number from 1 to 100";
const TOO_LARGE: &str = "The picture would be too large";

pub(super) fn group(query: Query<'_>) -> Result<GroupRequest, Rejection> {
    let spec = RenderParams::parse(View::Figure, query)?.spec(View::Figure);
    arrangement(spec, GroupLayout::Line, players(query)?, query)
}

pub(super) fn sheet(query: Query<'_>) -> Result<GroupRequest, Rejection> {
    let view = match query.get("view") {
        Some(word) => {
            find_view(&word).ok_or_else(|| must_be_one_of("view", &View::ALL.map(View::as_str)))?
        }
        None => View::Head,
    };
    let spec = RenderParams::parse(view, query)?.spec(view);
    let players = players(query)?;
    let columns = match query.get("columns") {
        Some(text) => whole_number(text.trim(), MAX_PLAYERS).ok_or(BAD_COLUMNS)?,
        None => square_root(players.len()),
    };
    arrangement(spec, GroupLayout::Sheet { columns }, players, query)
}

fn arrangement(
    spec: PictureSpec,
    layout: GroupLayout,
    players: Vec<String>,
    query: Query<'_>,
) -> Result<GroupRequest, Rejection> {
    let request = GroupRequest::new(spec, layout, players).ok_or(TOO_LARGE)?;
    Ok(match substitute(query)? {
        Some(substitute) => request.with_substitute(&substitute.player),
        None => request,
    })
}

/// Reads the players. Blanks around a comma do not count.
pub(super) fn players(query: Query<'_>) -> Result<Vec<String>, &'static str> {
    let text = query.get("players").ok_or(BAD_PLAYERS)?;
    let players: Vec<String> = text.split(',').map(|name| name.trim().to_owned()).collect();
    let is_list =
        players.len() <= MAX_PLAYERS as usize && players.iter().all(|name| !name.is_empty());
    is_list.then_some(players).ok_or(BAD_PLAYERS)
}

/// Returns the least number whose square is at least this one, up to [`MAX_PLAYERS`].
fn square_root(players: usize) -> u32 {
    let enough = |columns: &u32| columns.pow(2) as usize >= players;
    (1..=MAX_PLAYERS).find(enough).unwrap_or(MAX_PLAYERS)
}

#[cfg(test)]
mod tests {
    use effigy_render::Size;

    use super::*;
    use crate::routes::{target::Parsed, tests::check};

    fn of_view(view: View, pixels: u32) -> PictureSpec {
        PictureSpec::new(view, Size::new(pixels).unwrap())
    }

    fn request(spec: PictureSpec, layout: GroupLayout, players: &[&str]) -> GroupRequest {
        let players = players.iter().map(|&name| name.to_owned()).collect();
        GroupRequest::new(spec, layout, players).unwrap()
    }

    fn found(request: GroupRequest) -> Parsed {
        Ok(request.into())
    }

    #[test]
    fn groups_and_sheets() {
        let (figure, head) = (of_view(View::Figure, 128), of_view(View::Head, 128));
        let three = ["a", ".Two Words", "0000123"];
        let sheet = |columns| GroupLayout::Sheet { columns };
        let cubes = request(of_view(View::HeadCube, 32), sheet(1), &three[..1]);
        check(&[
            (
                "/v1/group?players=a,.Two%20Words,+0000123",
                found(request(figure, GroupLayout::Line, &three)),
            ),
            (
                "/v1/group.json?players=a",
                found(request(figure, GroupLayout::Line, &three[..1]).places()),
            ),
            (
                "/v1/sheet.png?players=a,.Two%20Words,0000123",
                found(request(head, sheet(2), &three)),
            ),
            (
                "/v1/sheet.json?players=a,.Two%20Words,0000123&columns=3",
                found(request(head, sheet(3), &three).places()),
            ),
            (
                "/v1/group?players=a&default=steve",
                found(request(figure, GroupLayout::Line, &three[..1]).with_substitute("MHF_Steve")),
            ),
            (
                "/v1/sheet.json?players=a&default=.b",
                found(
                    request(head, sheet(1), &three[..1])
                        .with_substitute(".b")
                        .places(),
                ),
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
        let rejected = |reason: &str| Err(Rejection::from(reason.to_owned()));
        check(&[
            ("/v1/group", rejected(BAD_PLAYERS)),
            ("/v1/group?players=", rejected(BAD_PLAYERS)),
            ("/v1/group?players=a,,b", rejected(BAD_PLAYERS)),
            (&format!("/v1/sheet?players={many}"), rejected(BAD_PLAYERS)),
            (
                "/v1/group?players=a&default=",
                rejected("Default must be a player, \"steve\", \"alex\" or \"404\""),
            ),
            ("/v1/sheet?players=a&columns=0", rejected(BAD_COLUMNS)),
            (
                "/v1/sheet?players=a&view=back",
                rejected(
                    "View must be \"head\", \"bust\", \"player\", \"combo\", \"ioshead\", \"avatar\", \"figure\", \
                     \"portrait\" or \"cube\"",
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
