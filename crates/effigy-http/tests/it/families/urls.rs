//! The URLs of other services, as their clients write them: the status, the size and the kind of
//! each answer.

mod crafthead;
mod cravatar;
mod discordsrv;
mod headers;
mod mc_heads;
mod mineatar;
mod minotar;
mod nmsr;
mod profiles;
mod starlight;
mod visage;

use effigy_player::Uuid;
use effigy_render::Layers;
use fixtures::{Image, client::Reply};

use crate::support::{Picture, Server, assert_picture, picture_of, skin_of, uuid_of};

const BASE: Layers = Layers::Base;
const WORN: Layers = Layers::WithOverlay;

/// The UUID of nobody. Its hash code is even, so Steve is shown for it.
const NOBODYS_UUID: &str = "10000000111122223333444455556666";

/// An answer to a URL.
#[derive(Clone, Copy)]
enum Answer {
    /// A picture of this width and height.
    Size(u32, u32),
    /// A picture with this longer side that is cut to the figure.
    Cut(u32),
    /// The skin file.
    Skin,
    /// JSON, with this status.
    Json(u16),
    /// Any body, with this status.
    Status(u16),
}

use Answer::{Cut, Json, Size, Skin, Status};

/// A server, and the names of Notch that stand for placeholders in paths.
struct Names {
    server: Server,
    dashed: String,
    hash: String,
}

impl Names {
    fn new() -> Self {
        let server = Server::start();
        let hash = server.hash_of("Notch");
        let notch = Uuid::parse(uuid()).unwrap();
        Self {
            server,
            dashed: notch.hyphenated(),
            hash,
        }
    }

    /// Asks for a path, in which `{U}` is a UUID, `{D}` one with dashes, and `{T}` a texture.
    fn get(&self, path: &str) -> Reply {
        let path = path.replace("{U}", uuid()).replace("{D}", &self.dashed);
        self.server.get(&path.replace("{T}", &self.hash))
    }

    /// Asserts that each path of a family has its answer.
    #[track_caller]
    fn check(&self, family: &str, rows: &[(&str, Answer)]) {
        for (path, answer) in rows {
            let path = format!("/{family}{path}");
            let reply = self.get(&path);
            let origin = reply.header("access-control-allow-origin");
            assert_eq!(origin, Some("*"), "{path}");
            answer.check(&reply, &path);
        }
    }
}

impl Answer {
    #[track_caller]
    fn check(self, reply: &Reply, path: &str) {
        let status = match self {
            Json(status) | Status(status) => status,
            Size(..) | Cut(_) | Skin => 200,
        };
        assert_eq!(reply.status, status, "{path}");
        match self {
            Size(width, height) => {
                let image = picture_of(reply);
                assert_eq!((image.width, image.height), (width, height), "{path}");
                let blank = image.rgba.chunks(4).all(|pixel| pixel[3] == 0);
                assert!(!blank, "{path}");
            }
            Cut(side) => assert_cut(&picture_of(reply), side, path),
            Skin => assert_picture(reply, Picture::Skin, skin_of("Notch")),
            Json(_) => {
                let media_type = reply.header("content-type");
                assert_eq!(media_type, Some("application/json"), "{path}");
            }
            Status(_) => {}
        }
    }
}

/// Asserts that a picture has this longer side, and that its edges are not transparent.
#[track_caller]
fn assert_cut(image: &Image, side: u32, path: &str) {
    assert_eq!(image.width.max(image.height), side, "{path}");
    let is_seen = |x: u32, y: u32| image.rgba[((y * image.width + x) * 4 + 3) as usize] > 0;
    let right = image.width - 1;
    let bottom = image.height - 1;
    for y in [0, bottom] {
        assert!((0..=right).any(|x| is_seen(x, y)), "{path}: row {y}");
    }
    for x in [0, right] {
        assert!((0..=bottom).any(|y| is_seen(x, y)), "{path}: column {x}");
    }
}

fn uuid() -> &'static str {
    uuid_of("Notch")
}
