//! The file of `--onto`.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, Result};
use effigy_cli::RenderArgs;
use effigy_render::tiny_skia::{Pixmap, Transform};
use effigy_render::{Picture, RenderError, decode_pixmap, encode_pixmap};

/// The greatest number of pixels of a file: 64 MiB of four bytes each. The help names it, too.
const MAX_PIXELS: u32 = 1 << 24;

/// A picture onto which others are drawn.
pub(super) struct Backdrop {
    pixmap: Pixmap,
}

impl Backdrop {
    /// Reads a PNG file.
    pub(super) fn read(path: &Path) -> Result<Self> {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("cannot read {name}"))?;
        let pixmap = decode_pixmap(BufReader::new(file), MAX_PIXELS);
        let pixmap = pixmap.with_context(|| format!("cannot draw onto {name}"))?;
        Ok(Self { pixmap })
    }

    /// Draws a picture onto a copy, and returns it as a PNG file.
    pub(super) fn with_picture(
        &self,
        picture: &Picture<'_>,
        args: &RenderArgs,
    ) -> Result<Vec<u8>, RenderError> {
        let mut copy = self.pixmap.clone();
        let copy_size = [copy.width(), copy.height()];
        let picture_size = [picture.width(), picture.height()];
        let [x, y] = args.corner_on(copy_size, picture_size);
        let shift = Transform::from_translate(x as f32, y as f32);
        picture.draw_into(&mut copy.as_mut(), shift)?;
        encode_pixmap(copy)
    }
}
