//! The service inside a test's own process, and the pictures that it should answer with. The tests
//! of `effigy-http`, of the browser and of the program share it. No published crate depends on it.

mod expected;
mod pictures;
mod server;
mod settings;

pub use expected::{assert_picture, picture_of};
pub use pictures::{
    ERRORS, Picture, as_under_v1, avatar, bust, combo, head, ioshead, of_view, pictures, player,
    skin_of, svg,
};
pub use server::Server;
pub use settings::Settings;
