//! The responses to a request for a picture while upstream services fail, told apart by every byte.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use fixtures::client::Reply;
use serde_json::{Value, json};

use super::{Picture, drawn};

/// The number of expected files that a judge keeps.
const REMEMBERED: usize = 1000;

/// The skin of the Java player Steve, the fallback.
const STEVE: &str = "neutral";

/// The kinds of response to a request for a player's picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Outcome {
    /// The player's own skin, which caches may keep for the rest of its hour.
    Own,
    /// Steve's skin during an outage, which caches must not keep.
    Fallback,
    /// The endpoint's error.
    Error,
}

/// Tells outcomes apart, and remembers the expected files.
#[derive(Default)]
pub(crate) struct Judge {
    drawn: Mutex<HashMap<String, Arc<Vec<u8>>>>,
}

impl Judge {
    /// Returns the outcome of a request for a player who wears `skin`, from an endpoint with this
    /// error message. Returns `None` if the specification has no such response.
    pub(crate) fn outcome(
        &self,
        reply: &Reply,
        picture: Picture,
        message: &str,
        skin: &str,
    ) -> Option<Outcome> {
        if reply.header("access-control-allow-origin") != Some("*") {
            return None;
        }
        if reply.status == 500 {
            if is_error(reply, message) {
                return Some(Outcome::Error);
            }
            return None;
        }
        let content_type = reply.header("content-type")?;
        if reply.status != 200 || content_type != "image/png" || reply.header("etag").is_none() {
            return None;
        }
        let cache_control = reply.header("cache-control")?;
        let x_cache = reply.header("x-cache")?;
        if cache_control == "no-cache" && x_cache == "miss" {
            if reply.body == *self.drawn(picture, STEVE) {
                return Some(Outcome::Fallback);
            }
            return None;
        }
        let age: u64 = cache_control
            .strip_prefix("public, max-age=")?
            .parse()
            .ok()?;
        if age <= 3600 && reply.body == *self.drawn(picture, skin) {
            return Some(Outcome::Own);
        }
        None
    }

    fn drawn(&self, picture: Picture, skin: &str) -> Arc<Vec<u8>> {
        let key = format!("{skin} {picture:?}");
        if let Some(known) = self.drawn.lock().unwrap().get(&key) {
            return Arc::clone(known);
        }
        let file = Arc::new(drawn(picture, skin));
        let mut remembered = self.drawn.lock().unwrap();
        if remembered.len() >= REMEMBERED {
            remembered.clear();
        }
        remembered.insert(key, Arc::clone(&file));
        file
    }
}

/// Returns `true` for the error of an endpoint with this message.
fn is_error(reply: &Reply, message: &str) -> bool {
    let body: Value = serde_json::from_slice(&reply.body).unwrap_or_default();
    reply.header("content-type") == Some("application/json")
        && reply.header("cache-control") == Some("no-store")
        && reply.header("x-cache").is_none()
        && body == json!({ "error": message })
}
