//! Integration tests of the renderer, in one executable.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod figures;
mod formats;
mod pictures;
mod quality;
mod skins;
mod support;
