//! The player who is shown instead of one who is not available.

use effigy_player::PlayerId;
use effigy_service::Substitute;

use crate::routes::{
    families::{ALEX, STEVE},
    url::Query,
};

const BAD_DEFAULT: &str = "Default must be a player, \"steve\", \"alex\" or \"404\"";

/// Reads the player whom a query names as the default, if it names one.
pub(super) fn substitute(query: Query<'_>) -> Result<Option<Substitute>, &'static str> {
    let Some(text) = query.get("default") else {
        return Ok(None);
    };
    let text = text.trim();
    let player = match text.to_ascii_lowercase().as_str() {
        "404" => return Ok(None),
        "steve" => STEVE.into(),
        "alex" => ALEX.into(),
        _ if PlayerId::detect(text).is_ok() => text.to_owned().into(),
        _ => return Err(BAD_DEFAULT),
    };
    let in_outage = true;
    Ok(Some(Substitute { player, in_outage }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::{
        target::{Rejection, Target},
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
            ("?default=Notch&default=alex", Some("Notch")),
            ("?default=.Two+Words", Some(".Two Words")),
        ];
        for (query, expected) in rows {
            for path in ["/v1/head/a", "/v1/figure/a.svg", "/v1/skin/a"] {
                let url = format!("{path}{query}");
                let Ok(Target::Picture(request)) = parse(&url).target else {
                    panic!("{url} is no picture");
                };
                let expected = expected.map(|player| Substitute {
                    player: player.into(),
                    in_outage: true,
                });
                assert_eq!(request.substitute(), expected.as_ref(), "{url}");
            }
        }
    }

    #[test]
    fn a_default_must_name_somebody() {
        let long = format!("/v1/head/a?default={}", "x".repeat(257));
        for url in ["/v1/head/a?default=", "/v1/skin/a?default=+", &long] {
            assert_eq!(rejected(url), Rejection::from(BAD_DEFAULT), "{url}");
        }
    }
}
