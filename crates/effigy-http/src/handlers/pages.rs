//! The landing page.

use std::{sync::Arc, time::Duration};

use effigy_player::PlayerId;
use effigy_service::{FileRequest, FileSpec, PictureParams, ServedFile};
use effigy_upstream::TextureHash;
use hyper::{
    StatusCode,
    header::HOST,
    http::{request::Parts, uri::Authority},
};
use serde_json::{Value, json};
use tokio::time::timeout;

use super::{Call, Handled, Handlers};
use crate::{
    respond::{
        error::status_and_message,
        reason::{NO_SKIN, instead},
    },
    routes::{INTERNAL, Query, version},
    site::{
        landing::{self, Address, PageParams},
        root_of,
    },
};

/// The longest time that the landing page waits for its player.
const PATIENCE: Duration = Duration::from_secs(4);

/// The message if that is not enough.
const SLOW: &str = "Looking up this player is taking too long; try again later";

impl Handlers {
    /// Responds with the landing page, which is made on a drawing thread after its player was looked up.
    pub(super) async fn landing_page(&self, call: &Call) -> Handled {
        let query = Query::parse_lossy(call.head.uri.query());
        let params = PageParams::parse(&query, &self.config.players);
        let subject = self.subject(&params.player, call).await;
        let config = Arc::clone(&self.config);
        let mut address = Address {
            origin: origin(&call.head),
            root: root_of(call.head.uri.path()),
        };
        if self.clients.is_proxy(call.connection.peer) {
            address
                .origin
                .push_str(prefix(&call.head).unwrap_or_default());
        }
        let make = move |_: &_| landing::page(&params, &subject, &config, &address);
        let page = self.service.document(call.client, 0, make).await?;
        Ok(page.response(&call.head.headers))
    }

    /// Looks the player of the page up, or the texture in place of one.
    async fn subject(&self, input: &str, call: &Call) -> Value {
        let hash = TextureHash::parse(input);
        let is_texture = hash.is_some();
        let request = match hash {
            Some(hash) => PictureParams::OWN_SKIN.of_texture(hash, None),
            None => FileSpec::Profile(input.to_owned()).into(),
        };
        let request: FileRequest = request
            .from_client(call.client)
            .with_version(version(call.head.uri.query()));
        let file = self.service.get(&request);
        let failure = match timeout(PATIENCE, file).await {
            Ok(Ok(_)) if is_texture => return json!({ "found": { "edition": "texture" } }),
            Ok(Ok(found)) => return subject_of(&found),
            Ok(Err(failure)) => failure,
            Err(_) => return json!({ "unknown": SLOW }),
        };
        self.refusals.log(call.client, &call.head, &failure);
        let (status, message) = status_and_message(&failure);
        match status {
            StatusCode::NOT_FOUND | StatusCode::BAD_REQUEST => {
                let instead = PlayerId::detect(input).ok().as_ref().and_then(instead);
                json!({ "missing": { "message": message, "instead": instead } })
            }
            _ => json!({ "unknown": message }),
        }
    }
}

/// Returns the subject of a profile in JSON. Another version may have stored it in another form.
fn subject_of(profile: &ServedFile) -> Value {
    let profile: Value = serde_json::from_slice(&profile.file.data).unwrap_or_default();
    let (edition, is_default) = (&profile["edition"], &profile["default_skin"]);
    match (edition.as_str(), is_default.as_bool()) {
        // The game's default skins are those of Java players.
        (Some("bedrock"), Some(true)) => {
            json!({ "missing": { "message": NO_SKIN, "instead": null } })
        }
        (Some(_), Some(_)) => json!({ "found": profile }),
        _ => json!({ "unknown": INTERNAL }),
    }
}

/// Returns scheme and host as the client names them, so that a copied URL leads here. It is shown only to
/// the client itself.
fn origin(head: &Parts) -> String {
    let scheme = match head.headers.get("x-forwarded-proto") {
        Some(scheme) if scheme == "https" => "https",
        _ => "http",
    };
    let of_header = || head.headers.get(HOST)?.to_str().ok();
    let host = head.uri.authority().map(Authority::as_str);
    let host = host.or_else(of_header).unwrap_or("localhost");
    format!("{scheme}://{host}")
}

/// Returns the path that a proxy has removed from the beginning of the URL, without a slash at its
/// end. Anything else than a plain path is ignored.
fn prefix(head: &Parts) -> Option<&str> {
    let text = head.headers.get("x-forwarded-prefix")?.to_str().ok()?;
    let path = text.trim().trim_end_matches('/');
    let mut segments = path.strip_prefix('/')?.split('/');
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let is_sound = |segment: &str| {
        let is_dots = segment == "." || segment == "..";
        !segment.is_empty() && !is_dots && segment.bytes().all(is_plain)
    };
    segments.all(is_sound).then_some(path)
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
