//! Tests that need the program itself: its command line, its signals, its memory, its death.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// The program in a shell and in a package.
mod command_line {
    mod cli;
    mod commands;
    mod documented;
    pub(crate) mod documents;
    mod figures;
    mod honesty;
    mod packaging;
    mod parameters;
    mod render;
}

/// A running server as a process of the system.
mod process {
    mod connections;
    mod database_trouble;
    mod doors;
    mod durability;
    mod metrics;
    mod moves;
    mod providers;
    mod proxies;
    mod replicas;
    mod skins;
    mod soak;
}

mod layering;
mod support;
