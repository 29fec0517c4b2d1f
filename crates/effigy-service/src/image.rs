//! What a picture request gives.

use effigy_store::CachedImage;

/// The content type of every picture. Spec, "Endpoints".
pub(crate) const PNG: &str = "image/png";

/// A picture, finished.
#[derive(Debug, Clone)]
pub struct Image {
    /// The file, its media type and when it was drawn.
    pub file: CachedImage,
    /// Where it is from, which says how long it may be kept.
    pub origin: Origin,
}

/// Where a picture is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The cache.
    Cache,
    /// Drawn for this request, and cached from now on.
    Render,
    /// Drawn for this request in place of a picture that an outage keeps from us. It is cached
    /// nowhere, for it shows the wrong player.
    OutageStandIn,
}
