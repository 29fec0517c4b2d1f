//! Tests of the service's flows over a fake source of skins and a store in memory.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

/// The files that are kept for later requests, and for how long.
mod cache {
    mod specified;
    mod write_behind;
}

mod appearance;
mod doors;
mod extensions;
mod fallback;
mod flow;
mod health;
mod several;
mod support;
