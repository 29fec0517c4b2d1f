//! Pictures beyond those of the specification: any view, with any layers, from any side.

use std::fmt;

use effigy_render::{ImageFormat, PictureSpec, View};

use crate::Endpoint;

/// A picture beyond those of the specification. It never shows a fallback skin: if only that is
/// available, the request fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Drawing {
    /// The picture.
    pub spec: PictureSpec,
    /// The format of its file.
    pub format: ImageFormat,
}

impl Drawing {
    /// A PNG.
    #[must_use]
    pub const fn new(spec: PictureSpec) -> Self {
        Self {
            spec,
            format: ImageFormat::Png,
        }
    }

    /// The endpoint whose picture it is most like.
    pub(crate) const fn endpoint(self) -> Endpoint {
        match self.spec.view {
            View::Head => Endpoint::Head,
            View::Bust | View::Body | View::Combo => Endpoint::Player,
            View::IsometricHead => Endpoint::Ioshead,
            View::IsometricBody => Endpoint::Avatar,
        }
    }

    /// The word that its cache keys begin with. No specified path begins with such a word.
    pub(crate) const fn word(self) -> &'static str {
        match self.spec.view {
            View::Head => "x-head",
            View::Bust => "x-bust",
            View::Body => "x-body",
            View::Combo => "x-combo",
            View::IsometricHead => "x-isometric-head",
            View::IsometricBody => "x-isometric-body",
        }
    }
}

impl fmt::Display for Drawing {
    /// The last two parts of a cache key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PictureSpec {
            view,
            size,
            facing,
            layers,
            frame,
            ..
        } = self.spec;
        write!(f, "{}_", size.get())?;
        if !view.is_flat() {
            write!(f, "{facing}-")?;
        }
        write!(f, "{layers}")?;
        if let Some([width, height]) = frame {
            write!(f, "-in-{}x{}", width.get(), height.get())?;
        }
        match self.format {
            ImageFormat::Png => Ok(()),
            ImageFormat::Svg => f.write_str("-svg"),
        }
    }
}
