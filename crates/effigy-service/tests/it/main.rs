//! Tests of the service's flows over a fake source of skins and a store in memory.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod appearance;
mod extensions;
mod flow;
mod health;
mod keys;
mod large_pictures;
mod player_reuse;
mod regressions;
mod sharing;
mod stale;
mod support;
mod write_behind;
