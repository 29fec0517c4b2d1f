//! Integration tests of the renderer, in one executable.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod animation;
mod bends;
mod compose;
mod crops;
mod decode;
mod exactness;
mod framed;
mod goldens;
mod names;
mod oracle;
mod outlines;
mod pixmap;
mod poses;
mod seams;
mod sizes;
mod support;
mod svg;
