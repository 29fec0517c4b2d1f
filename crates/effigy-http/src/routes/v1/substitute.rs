//! The player who is shown instead of one who is not available.

use effigy_player::PlayerId;
use effigy_service::Substitute;

use crate::routes::{
    request::{ALEX, Rejection, STEVE},
    url::Query,
};

/// Reads the player whom a query names as the default, if it names one.
pub(super) fn substitute(query: &Query<'_>) -> Result<Option<Substitute>, Rejection> {
    let expected = "a player, \"steve\", \"alex\" or \"404\"";
    let player = query.read("default", expected, |text| {
        Some(match text.to_ascii_lowercase().as_str() {
            "404" => None,
            "steve" => Some(STEVE.into()),
            "alex" => Some(ALEX.into()),
            _ => Some(
                PlayerId::detect(text)
                    .ok()
                    .map(|_| text.to_owned().into())?,
            ),
        })
    })?;
    Ok(player.flatten().map(|player| Substitute {
        player,
        in_outage: true,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::{
        request::Operation,
        tests::{parse, rejected},
    };

    #[test]
    fn a_query_names_the_default() {
        let rows = [
            ("?", None),
            ("?default=404", None),
            ("?default=steve", Some(STEVE)),
            ("?default=+Steve+", Some(STEVE)),
            ("?default=ALEX", Some(ALEX)),
            ("?default=Notch", Some("Notch")),
            ("?default=.Two+Words", Some(".Two Words")),
        ];
        for (query, expected) in rows {
            for path in ["/v1/head/a", "/v1/figure/a.svg", "/v1/skin/a"] {
                let url = format!("{path}{query}");
                let Ok(Operation::Picture(request)) = parse(&url).operation else {
                    panic!("{url} is no picture");
                };
                let expected = expected.map(|player| Substitute {
                    player: player.into(),
                    in_outage: true,
                });
                assert_eq!(request.substitute.as_ref(), expected.as_ref(), "{url}");
            }
        }
    }

    #[test]
    fn a_default_must_name_somebody() {
        let bad_default = "Default must be a player, \"steve\", \"alex\" or \"404\"";
        let long = format!("/v1/head/a?default={}", "x".repeat(257));
        for url in ["/v1/head/a?default=", "/v1/skin/a?default=+", &long] {
            assert_eq!(rejected(url), Rejection::from(bad_default), "{url}");
        }
    }
}
