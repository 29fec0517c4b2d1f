//! The responses that a picture may have while upstreams fail, told apart by every byte.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

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
    /// The own skin, which caches may keep for the rest of its hour.
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
    /// The outcome of an endpoint with this message for a player who wears `skin`; `None` if the specification has no such response.
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
        let content_type = reply.header("content-type")?;
        let (cache_control, x_cache) = (reply.header("cache-control")?, reply.header("x-cache"));
        if reply.status == 500 {
            let error = json!({ "error": message });
            let is_json = (content_type, cache_control) == ("application/json", "no-store");
            let is_error =
                serde_json::from_slice(&reply.body).is_ok_and(|body: Value| body == error);
            return (is_json && is_error && x_cache.is_none()).then_some(Outcome::Error);
        }
        let is_picture = reply.status == 200 && content_type == "image/png";
        if !is_picture || reply.header("etag").is_none() {
            return None;
        }
        let shows = |skin| reply.body == *self.drawn(picture, skin);
        let max_age = cache_control.strip_prefix("public, max-age=");
        if max_age.is_some_and(|age| age.parse().is_ok_and(|age: u64| age <= 3600)) {
            return (x_cache.is_some() && shows(skin)).then_some(Outcome::Own);
        }
        let is_not_kept = cache_control == "no-cache" && x_cache == Some("miss");
        (is_not_kept && shows(STEVE)).then_some(Outcome::Fallback)
    }

    fn drawn(&self, picture: Picture, skin: &str) -> Arc<Vec<u8>> {
        let key = format!("{skin} {picture:?}");
        if let Some(known) = self.drawn.lock().unwrap().get(&key) {
            return Arc::clone(known);
        }
        let file = Arc::new(drawn(picture, skin));
        let mut drawn = self.drawn.lock().unwrap();
        if drawn.len() >= REMEMBERED {
            drawn.clear();
        }
        drawn.insert(key, Arc::clone(&file));
        file
    }
}
