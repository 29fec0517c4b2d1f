//! Threads and their limits: blocking calls, drawing, and large pictures.

pub(crate) mod bounded_buffer;
pub(crate) mod chunk_writer;
pub(crate) mod drawing;
pub(crate) mod large;
pub(crate) mod limit;
pub(crate) mod picture_stream;
