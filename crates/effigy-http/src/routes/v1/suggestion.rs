//! Suggestions for paths that no route has.

use effigy_parameters::{
    find_meant_view, find_view,
    value::{list, whole_number},
};
use effigy_player::Uuid;

use super::render_params::{LIMITS, VIEWS};
use crate::routes::{path::escaped, rejection::Rejection, unknown_parameter::cut};

/// Returns the rejection of an unknown path below `/v1/`, which suggests a path or lists the views.
pub(super) fn no_view(path: &[&str]) -> Rejection {
    if let Some(rejection) = did_you_mean(path) {
        return rejection;
    }
    let words = VIEWS.iter().map(|(view, _)| view.to_string());
    let views = list(words, " and ");
    Rejection::not_found(format!(
        "Not found. Pictures are at /v1/{{view}}/{{player}}; the views are {views}"
    ))
}

/// Returns the rejection of an unknown path that resembles one below `/v1/` or of a family.
pub(in crate::routes) fn did_you_mean(path: &[&str]) -> Option<Rejection> {
    let meant = meant_path(path)?;
    let message = format!("Not found. Did you mean \"/{meant}\"?");
    Some(Rejection::not_found(message))
}

/// Returns the path that an unknown one probably means, without the slash at its beginning.
fn meant_path(path: &[&str]) -> Option<String> {
    let [word, player, parameters @ ..] = path else {
        return None;
    };
    if player.trim().is_empty() {
        return None;
    }
    let word = word.to_ascii_lowercase();
    match (&*word, parameters) {
        ("renders", _) => Some(format!("crafatar/{}", joined(path, "/"))),
        // Crafatar has no paths for names.
        ("avatars" | "skins" | "capes", _) if Uuid::parse(player).is_some() => {
            Some(format!("crafatar/{}", joined(path, "/")))
        }
        ("skins", []) => Some(format!("v1/skin/{}", joined(&[player], ""))),
        ("capes", []) => Some(format!("v1/cape/{}", joined(&[player], ""))),
        ("armor", _) => Some(format!("minotar/{}", joined(path, "/"))),
        ("group" | "sheet" | "profiles", []) => {
            let players: Vec<&str> = player.split(',').collect();
            Some(format!("v1/{word}?players={}", joined(&players, ",")))
        }
        _ => meant_picture(&word, player, parameters),
    }
}

/// Returns the path of a picture whose size is in its path, as other services have it.
fn meant_picture(word: &str, player: &str, parameters: &[&str]) -> Option<String> {
    let view = find_view(word).or_else(|| find_meant_view(word))?;
    let mut player = player;
    let mut size = parameters.iter().copied().find(|text| is_size(text));
    if size.is_none()
        && is_size(player)
        && let [second, ..] = parameters
    {
        // Some services put the size first.
        size = Some(player);
        player = second;
    }
    let player = joined(&[player.trim()], "");
    match size {
        Some(size) => Some(format!("v1/{view}/{player}?size={size}")),
        None => Some(format!("v1/{view}/{player}")),
    }
}

fn is_size(text: &str) -> bool {
    whole_number(text, 1..=LIMITS.size).is_ok()
}

/// Joins parts of a URL, long ones cut.
fn joined(parts: &[&str], separator: &str) -> String {
    let parts: Vec<String> = parts.iter().map(|part| escaped(&cut(part))).collect();
    parts.join(separator)
}
