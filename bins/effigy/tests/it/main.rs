//! What needs the program itself: its command line, its signals, its memory, its death.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// What a shell and a package see.
mod command_line {
    mod cli;
    mod commands;
    mod documented;
    mod documents;
    mod packaging;
    mod tools;
}

/// A running server as the system sees it.
mod process {
    mod connections;
    mod database_trouble;
    mod durability;
    mod long_pictures;
    mod metrics;
    mod replicas;
    mod soak;
}

mod layering;
mod support;
