//! Animations, SVG files, and pixels in memory.

mod animation;
mod pixmap;
mod pixmap_files;
mod svg;
