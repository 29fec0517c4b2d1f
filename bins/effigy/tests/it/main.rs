//! Tests that need the program itself: its commands, and its server as a process of the system.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// The commands except `serve` and `render`.
mod commands {
    mod completions;
    mod demo;
    mod health;
    mod providers;
    mod prune;
}

/// `effigy render`: its inputs, its pictures and its files.
mod render {
    mod errors;
    mod folders;
    mod onto;
    mod output;
    mod pictures;
    mod players;
    mod streams;
}

/// `effigy serve`: its start and end, its settings, and what an operator sees of it.
mod server {
    mod access_log;
    mod bad_settings;
    mod clients;
    mod connections;
    mod environment;
    mod log;
    mod metrics;
    mod providers;
    mod skin_folder;
    mod start_and_stop;
}

/// A server while the world around it fails.
mod resilience {
    mod database_trouble;
    mod kill;
    mod replicas;
    mod soak;
}

/// The documents and the files for packages and proxies, which must fit the program.
mod documents {
    mod commands;
    mod operations;
    mod packaging;
    mod parameters;
    mod proxies;
    mod references;
}

mod layering;
mod support;
