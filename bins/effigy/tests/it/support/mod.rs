//! The program as a child process, and its expected output.

/// Shared with the tests of the HTTP surface, which serve in their own process.
#[expect(dead_code, reason = "the tests of the HTTP surface need more of it")]
#[path = "../../../../../crates/effigy-http/tests/it/support"]
mod http {
    pub(crate) mod expected;
    pub(crate) mod outcome;
    pub(crate) mod pictures;

    use pictures::{DOWNLOAD, Picture, SKIN, avatar, head, iosbody, ioshead, player};
}
mod output;
#[expect(dead_code, reason = "passwords and sockets are tested elsewhere")]
#[path = "../../../../../crates/effigy-store/tests/it/support/postgres.rs"]
mod postgres;
mod server;

pub(crate) use http::{
    expected::assert_picture,
    outcome::{Judge, Outcome, pictures},
    pictures::{Picture, avatar, head, ioshead, player, svg},
};
pub(crate) use output::{assert_refused, text};
pub(crate) use postgres::PostgresServer;
pub(crate) use server::{LOG_TO_FILE, Server, effigy, read_line, run, services};
