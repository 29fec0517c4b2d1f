//! Integration tests of the renderer, in one executable.

mod animation;
mod compose;
mod decode;
mod exactness;
mod framed;
mod goldens;
mod oracle;
mod pixmap;
mod poses;
mod quality;
mod sizes;
mod support;
mod svg;
