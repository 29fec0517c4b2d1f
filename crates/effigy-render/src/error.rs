//! What can go wrong, and whose fault it is.

/// Why bytes are not a skin. The fault lies with the bytes.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// The bytes are no PNG, or a damaged one.
    #[error("the texture is not a readable png")]
    NotPng {
        /// What the PNG decoder found.
        #[source]
        source: PngError,
    },
    /// The picture is a PNG, but no skin is of this size.
    #[error("a skin cannot be {width} x {height} texels")]
    Dimensions {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
    },
    /// The number of bytes is not four for each pixel.
    #[error("{bytes} bytes are not the {expected} of a skin")]
    WrongLength {
        /// Number of bytes given.
        bytes: usize,
        /// Number of bytes for the width and height.
        expected: usize,
    },
    /// The file is longer than any skin.
    #[error("a texture of {bytes} bytes is longer than {max}")]
    TooLong {
        /// Length of the file.
        bytes: usize,
        /// The longest accepted.
        max: usize,
    },
}

/// What the PNG decoder found wrong with a texture.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct PngError(pub(crate) png::DecodingError);

/// Why a picture was not drawn or written. The fault lies with the caller, or with the writer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// No PNG can be this large; nothing has been drawn. The caller asked for too much.
    #[error("no png can be {width} x {height} pixels")]
    TooLarge {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
    },
    /// The framed picture is larger than its frame; nothing has been drawn. The caller asked for it.
    #[error("{width} x {height} pixels do not fit into a frame of {} x {}", frame[0], frame[1])]
    FrameTooSmall {
        /// Width of the picture in pixels.
        width: u32,
        /// Height of the picture in pixels.
        height: u32,
        /// Width and height of the frame in pixels.
        frame: [u32; 2],
    },
    /// The picture does not fit this machine's memory. The caller asked for too much.
    #[error("no memory for {width} x {height} pixels")]
    OutOfMemory {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
    },
    /// The picture is isometric, and only flat ones can be written as SVG. The caller asked for it.
    #[error("only flat pictures can be svg files")]
    NotFlat,
    /// The writer refused the picture; drawing stopped there. The fault lies with the writer.
    #[error("the picture could not be written")]
    Write {
        /// What the writer said.
        #[source]
        source: std::io::Error,
    },
}

impl RenderError {
    /// The encoder's error is the writer's; its other kinds are misuses, which still name their
    /// cause.
    pub(crate) fn from_encoder(error: png::EncodingError) -> RenderError {
        let source = match error {
            png::EncodingError::IoError(source) => source,
            other => std::io::Error::other(other),
        };
        RenderError::Write { source }
    }
}
