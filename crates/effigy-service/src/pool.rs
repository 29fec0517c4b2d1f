//! Threads and their limits: blocking calls, drawing, and large pictures.

pub(crate) mod blocking;
pub(crate) mod bounded_file;
pub(crate) mod drawing;
pub(crate) mod large_pictures;
pub(crate) mod picture_stream;
