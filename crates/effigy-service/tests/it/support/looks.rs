//! The skin that a picture shows.

use effigy_player::Model;
use effigy_render::{ImageFormat, PictureSpec, Player, Size, Skin, View};
use effigy_service::{FileRequest, ServedFile};

use super::{Bench, SKIN, face};

/// The UUID of the player Notch.
pub(crate) const NOTCH: &str = "069a79f444e94726a5befca90e38aaf5";

/// A size of faces.
const SEEN_SIZE: u32 = 8;

/// The skins that players wear in tests.
const WORN: [&str; 4] = [SKIN, "knight", "wizard", "robot"];

/// Returns a face as the renderer draws it.
pub(crate) fn drawn_face(skin: &str, size: u32) -> Vec<u8> {
    let skin = Skin::decode(fixtures::skin(skin).png, Model::Classic).unwrap();
    let spec = PictureSpec::new(View::Face, Size::px(size));
    let picture = spec.picture(Player::new(&skin)).unwrap();
    picture.encode(ImageFormat::Png).unwrap()
}

/// Returns the name of the skin whose face a picture shows.
#[track_caller]
pub(crate) fn skin_in(served: &ServedFile, size: u32) -> &'static str {
    let mut worn = WORN.into_iter();
    let shown = worn.find(|skin| drawn_face(skin, size) == *served.file.data);
    shown.expect("a known skin")
}

impl Bench {
    /// The skin that the face of a player shows now.
    pub(crate) async fn seen(&self, input: &str) -> &'static str {
        self.seen_on(face(SEEN_SIZE, input)).await
    }

    /// The skin that a face shows now.
    pub(crate) async fn seen_on(&self, request: FileRequest) -> &'static str {
        let size = request.spec.size().unwrap().get();
        skin_in(&self.served(request).await, size)
    }
}
