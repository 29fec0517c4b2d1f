//! The landing page.

use std::{sync::Arc, time::Duration};

use effigy_player::PlayerId;
use effigy_service::{Failure, FileRequest, FileSpec, PictureParams, ServedFile};
use effigy_upstream::TextureHash;
use hyper::{StatusCode, header::HOST, http::request::Parts};
use serde_json::{Value, json};
use tokio::{join, time::timeout};

use super::{Call, Handled, Handlers};
use crate::{
    clients::is_proxy,
    respond::{error::status_and_message, missing_player::probably_meant, reason::NO_SKIN},
    routes::{INTERNAL, Query},
    site::{
        landing::{self, Address, PageParams},
        root_of,
    },
};

/// The time that the landing page waits for its player, and for the player to show instead.
const PATIENCE: Duration = Duration::from_secs(4);

/// The message if the time is not enough.
const SLOW: &str = "Looking up this player is taking too long; try again later";

impl Handlers {
    /// Responds with the landing page, which is made on a drawing thread after the look-up of its
    /// player.
    pub(super) async fn landing_page(&self, call: &Call) -> Handled {
        let query = Query::parse_lossy(call.head.uri.query());
        let mut params = PageParams::parse(&query, &self.config.players);
        let (subject, problem) = join!(
            self.subject(&params.player, call),
            self.problem_of_substitute(&params, call)
        );
        if let Some(problem) = problem {
            params.ignore_substitute(&problem);
        }
        let config = Arc::clone(&self.config);
        let address = self.address(call);
        let make = move |_: &_| landing::page(&params, &subject, &config, &address);
        let page = self.service.document(call.client, 0, make).await?;
        Ok(page.response(&call.head.headers))
    }

    /// Returns the outcome of looking up the player of the page, or the texture whose hash takes
    /// the player's place.
    async fn subject(&self, input: &str, call: &Call) -> Value {
        let hash = TextureHash::parse(input);
        let is_texture = hash.is_some();
        let file: FileRequest = match hash {
            Some(hash) => PictureParams::OWN_SKIN.of_texture(hash, None),
            None => FileSpec::Profile(input.to_owned()).into(),
        };
        match timeout(PATIENCE, self.file(file, call)).await {
            Ok(Ok(_texture)) if is_texture => json!({ "found": { "edition": "texture" } }),
            Ok(Ok(profile)) => subject_of(&profile),
            Ok(Err(failure)) => {
                self.refusals.log(call.client, &call.head, &failure);
                failed_subject(input, &failure)
            }
            Err(_elapsed) => json!({ "unknown": SLOW }),
        }
    }

    /// Looks up the substitute that the visitor has chosen, and returns the reason if the substitute
    /// is missing.
    async fn problem_of_substitute(&self, params: &PageParams, call: &Call) -> Option<String> {
        let subject = self.subject(params.substitute()?, call).await;
        let message = subject["missing"]["message"].as_str()?;
        Some(message.to_owned())
    }

    /// Returns the address by which the client knows the page, so that copied URLs work. It is
    /// shown only to that client.
    fn address(&self, call: &Call) -> Address {
        let mut origin = origin(&call.head);
        if is_proxy(call.connection.peer) {
            origin.push_str(prefix(&call.head).unwrap_or_default());
        }
        Address {
            origin,
            root: root_of(call.head.uri.path()),
        }
    }
}

/// Returns the subject of a profile in JSON. Another version of Effigy may have stored it in
/// another form.
fn subject_of(profile: &ServedFile) -> Value {
    let profile: Value = serde_json::from_slice(&profile.file.data).unwrap_or_default();
    let Some(edition) = profile["edition"].as_str() else {
        return json!({ "unknown": INTERNAL });
    };
    let Some(has_default_skin) = profile["default_skin"].as_bool() else {
        return json!({ "unknown": INTERNAL });
    };
    if edition == "bedrock" && has_default_skin {
        // Only Java players wear the game's default skins.
        return json!({ "missing": { "message": NO_SKIN, "instead": null } });
    }
    json!({ "found": profile })
}

/// Returns the subject for a failed look-up: a missing player, or an unknown one in an outage.
fn failed_subject(input: &str, failure: &Failure) -> Value {
    let (status, message) = status_and_message(failure);
    if status != StatusCode::NOT_FOUND && status != StatusCode::BAD_REQUEST {
        return json!({ "unknown": message });
    }
    let player = PlayerId::detect(input).ok();
    let instead = player.as_ref().and_then(probably_meant);
    json!({ "missing": { "message": message, "instead": instead } })
}

/// Returns the scheme and host as the client names them.
fn origin(head: &Parts) -> String {
    let scheme = match head.headers.get("x-forwarded-proto") {
        Some(value) if value == "https" => "https",
        _ => "http",
    };
    let host = match head.uri.authority() {
        Some(authority) => Some(authority.as_str()),
        None => head.headers.get(HOST).and_then(|value| value.to_str().ok()),
    };
    format!("{scheme}://{}", host.unwrap_or("localhost"))
}

/// Returns the path that a proxy has removed from the beginning of the URL, without a slash at its
/// end. Only a plain path is accepted.
fn prefix(head: &Parts) -> Option<&str> {
    let text = head.headers.get("x-forwarded-prefix")?.to_str().ok()?;
    let path = text.trim().trim_end_matches('/');
    for segment in path.strip_prefix('/')?.split('/') {
        if !is_plain(segment) {
            return None;
        }
    }
    Some(path)
}

/// Returns `true` for a segment that means the same in a path, in HTML and in the code of a page.
fn is_plain(segment: &str) -> bool {
    let is_dots = segment == "." || segment == "..";
    let has_plain_letters = segment
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte));
    !segment.is_empty() && !is_dots && has_plain_letters
}

#[cfg(test)]
mod tests {
    use hyper::{Request, header::HeaderValue};

    use super::*;

    #[test]
    fn only_plain_paths_are_prefixes() {
        let rows = [
            ("/skins", Some("/skins")),
            (" /a/b-c/ ", Some("/a/b-c")),
            ("/", None),
            ("", None),
            ("skins", None),
            ("//evil.example", None),
            ("/a/../b", None),
            ("/a\"b", None),
            ("/a, /b", None),
        ];
        for (text, expected) in rows {
            let (mut head, ()) = Request::new(()).into_parts();
            let value = HeaderValue::from_str(text).unwrap();
            head.headers.insert("x-forwarded-prefix", value);
            assert_eq!(prefix(&head), expected, "{text}");
        }
    }
}
