//! A server to test, and what its responses should be.

mod expected;
mod outcome;
mod pictures;
mod server;

pub(crate) use expected::{assert_error, assert_picture, picture_of, unzipped};
pub(crate) use outcome::{Judge, Outcome, pictures};
pub(crate) use pictures::{
    DOWNLOAD, Picture, SKIN, area, avatar, bust, combo, head, iosbody, ioshead, player, svg,
    without_overlay,
};
pub(crate) use server::Server;
