//! The program as a child process, its expected output, and the documents of the repository.

use effigy_render::{Cape, PictureSpec, Player, Skin};

pub(crate) mod documents;
mod outcome;
mod output;
#[expect(dead_code, reason = "passwords and sockets are tested elsewhere")]
#[path = "../../../../../crates/effigy-store/tests/it/support/postgres.rs"]
mod postgres;
mod programs;
mod server;
mod skins;

pub(crate) use effigy_testing::{
    ERRORS, Picture, assert_picture, avatar, head, ioshead, of_view, pictures, player, svg,
};
pub(crate) use outcome::{Judge, Outcome};
pub(crate) use output::{assert_refused, text};
pub(crate) use postgres::PostgresServer;
pub(crate) use programs::find_program;
pub(crate) use server::{LOG_TO_FILE, Server, effigy, read_line, run, services};
pub(crate) use skins::SkinFolder;

/// Returns the file that the renderer makes of a skin of the fixtures.
pub(crate) fn drawn(picture: impl Into<Picture>, skin: &str) -> Vec<u8> {
    picture.into().of(fixtures::skin(skin))
}

/// Returns the PNG of a player who wears the cape of the fixtures.
pub(crate) fn drawn_with_cape(spec: PictureSpec, skin: &str) -> Vec<u8> {
    let skin = Skin::decode(fixtures::skin(skin).png, None).unwrap();
    let cape = Cape::decode(fixtures::cape()).unwrap();
    let picture = spec.picture(Player::new(&skin).with_cape(&cape));
    picture.unwrap().encode_png().unwrap()
}
