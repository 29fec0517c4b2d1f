//! What a picture may be answered with while upstreams fail, told apart by every byte.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use effigy_render::{Facing, Layers};
use effigy_service::{Picture, SizeParameter};
use serde_json::{Value, json};

use super::{client::Reply, expected::drawn};

/// How many pictures a judge remembers.
const REMEMBERED: usize = 1000;

/// The skin of the Java player who stands in.
const STEVE: &str = "neutral";

/// Every kind of picture, with its path for an input and a size.
pub fn pictures(input: &str, size: u32) -> [(Picture, String); 7] {
    let pixels = SizeParameter::pixels(size);
    let (facing, layers) = (Facing::Right, Layers::WithOverlay);
    let head = Picture::Head {
        layers: Layers::Base,
        size: pixels,
    };
    let player = Picture::Player {
        layers,
        size: pixels,
    };
    let avatar = Picture::Avatar {
        facing,
        size: pixels,
    };
    let ioshead = Picture::Ioshead {
        facing,
        size: pixels,
    };
    let iosbody = Picture::Iosbody {
        facing,
        size: pixels,
    };
    [
        (head, format!("/head/{input}/{size}")),
        (player, format!("/player/{input}/{size}/hat")),
        (avatar, format!("/avatar/{input}/right/{size}")),
        (ioshead, format!("/ioshead/{input}/right/{size}")),
        (iosbody, format!("/iosbody/{input}/right/{size}")),
        (Picture::Skin, format!("/skin/{input}")),
        (Picture::Download, format!("/download/{input}")),
    ]
}

/// What a player gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The own skin, to be kept by everybody for what is left of its hour.
    Own,
    /// Steve's in an outage, to be kept by nobody.
    StandIn,
    /// The endpoint's error.
    Error,
}

/// Tells outcomes apart, and remembers what some pictures should look like.
#[derive(Default)]
pub struct Judge {
    drawn: Mutex<HashMap<String, Arc<Vec<u8>>>>,
}

impl Judge {
    /// What the answer is for a player who wears `skin`; `None` where it is nothing that the
    /// specification knows.
    pub fn outcome(&self, reply: &Reply, picture: Picture, skin: &str) -> Option<Outcome> {
        if reply.header("access-control-allow-origin") != Some("*") {
            return None;
        }
        let content_type = reply.header("content-type")?;
        let (cache_control, x_cache) = (reply.header("cache-control")?, reply.header("x-cache"));
        if reply.status == 500 {
            let error = json!({ "error": picture.endpoint().error_message() });
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
        let is_kept_by_nobody = cache_control == "no-cache" && x_cache == Some("miss");
        (is_kept_by_nobody && shows(STEVE)).then_some(Outcome::StandIn)
    }

    fn drawn(&self, picture: Picture, skin: &str) -> Arc<Vec<u8>> {
        let key = picture.cache_key(skin);
        if let Some(known) = self.drawn.lock().unwrap().get(&key) {
            return Arc::clone(known);
        }
        let file = Arc::new(drawn(picture, fixtures::skin(skin)));
        let mut drawn = self.drawn.lock().unwrap();
        if drawn.len() >= REMEMBERED {
            drawn.clear();
        }
        drawn.insert(key, Arc::clone(&file));
        file
    }
}
