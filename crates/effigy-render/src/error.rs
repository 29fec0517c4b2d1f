//! Errors, each with the party at fault.

/// The reason why bytes are not a skin, or not a cape. The bytes are at fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// The bytes are not a PNG file, or a damaged one.
    #[error("the file is not a PNG, or it is damaged")]
    NotPng {
        /// The error of the PNG decoder.
        source: PngError,
    },
    /// The image is a PNG, but no skin, or no cape, has this size.
    #[error("this picture is {width} x {height} pixels; {expected}")]
    Dimensions {
        /// Width in texels.
        width: u32,
        /// Height in texels.
        height: u32,
        /// A clause in English that names the sizes of skins, or of capes: "a skin is 64 x 64 …".
        expected: &'static str,
    },
    /// There are not four bytes for each pixel.
    #[error("{bytes} bytes are not the {expected} of the texture")]
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
        /// The greatest accepted length.
        max: usize,
    },
}

/// An error of the PNG decoder.
#[derive(Debug, thiserror::Error)]
#[error("{}", problem(.0))]
pub struct PngError(pub(crate) png::DecodingError);

/// Describes the problem of a file. The decoder's own texts have parts that only programmers
/// understand, such as `ChunkType { type: IHDR, critical: true, … }`.
fn problem(error: &png::DecodingError) -> String {
    /// The beginnings of the decoder's texts, and their meanings.
    const PROBLEMS: [(&str, &str); 5] = [
        ("Invalid PNG signature", "it doesn't begin like a PNG"),
        ("Corrupt deflate stream", "its pixels can't be decompressed"),
        (
            "IDAT or fDAT chunk does not have enough data",
            "some of its pixels are missing",
        ),
        (
            "Invalid color/depth combination",
            "no PNG has this color type and bit depth",
        ),
        (
            "Transparency chunk found for",
            "its color type has no transparency chunk",
        ),
    ];
    let text = error.to_string();
    if let png::DecodingError::IoError(error) = error {
        return match error.kind() {
            std::io::ErrorKind::UnexpectedEof => "it ends too early".to_owned(),
            _ => text,
        };
    }
    if let Some((_, rest)) = text.split_once("ChunkType { type: ") {
        let chunk = rest.split(',').next().unwrap_or_default();
        if text.starts_with("CRC error") {
            return format!("the checksum of its {chunk} chunk is wrong");
        }
        return format!("its {chunk} chunk can't be read");
    }
    for (beginning, meaning) in PROBLEMS {
        if text.starts_with(beginning) {
            return meaning.to_owned();
        }
    }
    text
}

/// The reason why a file is not decoded to a pixmap. The file is at fault.
#[cfg(feature = "tiny-skia")]
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PixmapError {
    /// The bytes are not a PNG file, or a damaged one, or they can't be read.
    #[error("the file is not a PNG, or it is damaged")]
    NotPng {
        /// The error of the PNG decoder.
        source: PngError,
    },
    /// The picture has more pixels than the caller allows.
    #[error("{width} x {height} pixels are too large; a picture may have {max_pixels} pixels")]
    TooLarge {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// The greatest accepted number of pixels.
        max_pixels: u32,
    },
}

/// The reason why a picture was not drawn or written. The caller or the writer is at fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The file format doesn't allow pictures of this size. The caller is at fault, and nothing has
    /// been drawn.
    #[error("no picture can be {width} x {height} pixels")]
    TooLarge {
        /// Width in pixels.
        width: u64,
        /// Height in pixels.
        height: u64,
    },
    /// The view is larger than its frame. The caller is at fault, and nothing has been drawn.
    #[error("{width} x {height} pixels do not fit into a frame of {} x {}", frame[0], frame[1])]
    FrameTooSmall {
        /// Width of the picture in pixels.
        width: u32,
        /// Height of the picture in pixels.
        height: u32,
        /// Width and height of the frame in pixels.
        frame: [u32; 2],
    },
    /// The picture does not fit into memory. The caller is at fault.
    #[error("no memory for the pixels of this picture")]
    OutOfMemory,
    /// The picture's SVG file would be longer than
    /// [`Picture::MAX_SVG_BYTES`](crate::Picture::MAX_SVG_BYTES): a skin with many texels has a
    /// shape for each of them. The caller is at fault; a PNG of the same picture can be drawn.
    #[error("the svg of this picture is too long; a png can be drawn")]
    SvgTooLong,
    /// The memory for pixels, or the distance of its rows, is too short. The caller is at fault,
    /// and nothing has been drawn.
    #[error("{bytes} bytes have no room for the {needed} of the picture or of a row")]
    ShortBuffer {
        /// The number of bytes given.
        bytes: usize,
        /// The least number of bytes.
        needed: usize,
    },
    /// A player can't turn in a flat or an isometric picture. The caller is at fault.
    #[error("only figures, portraits and cubes can turn, seen by a camera with a yaw")]
    CannotTurn,
    /// All frames of a motion would be the same picture: the view is flat, or the specification's
    /// pose changes every part that the view shows, so that all of them rest. A cape counts only
    /// if the player has one and the picture shows it. The caller is at fault.
    #[error("nothing moves: flat views stand still, and so do limbs that the pose changes")]
    NothingMoves,
    /// A picture of several players has no players, or no columns. The caller is at fault.
    #[error("a picture of several players needs players and columns")]
    NoPlayers,
    /// Pictures of several players can't be cut to their content, because all places have one size.
    /// The caller is at fault.
    #[error("a picture of several players cannot be cut to its content")]
    ContentOfSeveral,
    /// An animation has no frame. The caller is at fault.
    #[error("an animation needs a frame")]
    NoFrames,
    /// A frame differs in size from the first one. The caller is at fault.
    #[error("all frames of an animation have one size")]
    UnequalFrames,
    /// A frame lasts longer than 65,535 seconds, or 655 of a GIF. The caller is at fault.
    #[error("a frame of an animation cannot last so long")]
    LongFrame,
    /// The format can't store animations. The caller is at fault.
    #[error("only png and gif have frames")]
    StillFormat,
    /// The writer failed, and drawing stopped. The writer is at fault.
    #[error("the picture could not be written")]
    Write {
        /// The error of the writer.
        source: std::io::Error,
    },
}

impl RenderError {
    /// Converts an error of the writer.
    pub(crate) fn write(source: std::io::Error) -> RenderError {
        RenderError::Write { source }
    }
}
