//! Parameters in a query that a route does not have, or has once.

use effigy_render::{Synonym, find_synonym};

use super::Parameters;
use crate::routes::{
    query::Query,
    request::{Parsed, Rejection},
};

/// The least similarity of a name that is suggested, from 0 to 1. clap suggests options by the same.
const SIMILAR: f64 = 0.7;

/// The characters of an unknown name that are compared and repeated. Anybody may send a longer one.
const MAX_CHARS: usize = 40;

/// Checks that a query has no other parameters than the known ones, and each once.
///
/// # Errors
/// If it has, with the known name that is meant, or else all of them.
pub(super) fn reject_unknown(query: &Query<'_>, known: Parameters) -> Parsed<()> {
    for name in query.names() {
        if query.names().filter(|other| *other == name).count() > 1 {
            let message = format!("The parameter \"{}\" is there twice", cut(name));
            return Err(Rejection::bad_request(message));
        }
        if known.iter().any(|names| names.contains(&name)) {
            continue;
        }
        let (name, known) = (cut(name), known.concat());
        let similar = || most_similar(&name, &known).map(Synonym::Parameter);
        let hint = match find_synonym(&name, |name| known.contains(&name)).or_else(similar) {
            _ if known.is_empty() => "This path has no parameters".to_owned(),
            Some(Synonym::Parameter(meant)) => format!("Did you mean \"{meant}\"?"),
            Some(Synonym::Explained(sentence)) => sentence.to_owned(),
            None => format!("The parameters are: {}", known.join(", ")),
        };
        let message = format!("Unknown parameter \"{name}\". {hint}");
        return Err(Rejection::bad_request(message));
    }
    Ok(())
}

pub(super) fn cut(name: &str) -> String {
    name.chars().take(MAX_CHARS).collect()
}

fn most_similar(name: &str, known: &[&'static str]) -> Option<&'static str> {
    let name = name.to_lowercase();
    let scored = known
        .iter()
        .map(|known| (strsim::jaro(&name, known), *known));
    let similar = scored.filter(|(similarity, _)| *similarity > SIMILAR);
    let most = similar.max_by(|one, other| one.0.total_cmp(&other.0));
    most.map(|(_, known)| known)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes::tests::rejected;

    #[test]
    fn unknown_parameters_are_errors_with_a_suggestion() {
        let pictures = "The parameters are: size, facing, yaw, pitch, fov, pose, phase, head, torso, \
            right-arm, left-arm, right-leg, left-leg, body, upside-down, fit, light, cape, elytra, overlay, model, \
            background, padding, shape, shadow, v, default";
        let rows = [
            ("/v1/head/Notch?sise=1", "sise", "Did you mean \"size\"?"),
            ("/v1/head/Notch?Size=1", "Size", "Did you mean \"size\"?"),
            ("/v1/head/a?bg=202225", "bg", "Did you mean \"background\"?"),
            ("/v1/figure/a?size=0&yav=1", "yav", "Did you mean \"yaw\"?"),
            ("/v1/head/Notch?q=1", "q", pictures),
            ("/v1/head/Notch?size=1&=2", "", pictures),
            ("/v1/group?player=a", "player", "Did you mean \"players\"?"),
            ("/v1/sheet.json?cols=2", "cols", "Did you mean \"columns\"?"),
            (
                "/v1/preview/head?modle=slim",
                "modle",
                "Did you mean \"model\"?",
            ),
            (
                "/v1/profile/Notch?size=1",
                "size",
                "This path has no parameters",
            ),
            ("/v1/profile/Notch?_=1", "_", "This path has no parameters"),
        ];
        for (url, name, hint) in rows {
            let message = format!("Unknown parameter \"{name}\". {hint}");
            assert_eq!(rejected(url), Rejection::bad_request(message), "{url}");
        }
    }

    #[test]
    fn long_names_are_cut() {
        let url = format!("/v1/profile/Notch?{}", "x".repeat(50_000));
        assert!(rejected(&url).message.len() < 100);
    }

    #[test]
    fn other_paths_come_first_and_the_specified_ones_ignore_queries() {
        assert_eq!(rejected("/v1/back/Notch?sise=1").status, 404);
        let twice = "The parameter \"size\" is there twice";
        let expected = Rejection::bad_request(twice);
        assert_eq!(rejected("/v1/head/a?size=1&v&size=1"), expected);
        for url in [
            "/v1/head/Notch?v=2",
            "/head/Notch?sise=1",
            "/minotar/avatar/Notch?t=1",
        ] {
            assert!(crate::routes::tests::parse(url).operation.is_ok(), "{url}");
        }
    }
}
