//! What a picture request gives.

use std::sync::Arc;

use effigy_store::CachedImage;
use effigy_upstream::SkinOrigin;

use crate::Fingerprint;

/// The content type of every picture. Spec, "Endpoints".
pub(crate) const PNG: &str = "image/png";

/// A picture, finished. Clones share its bytes.
#[derive(Debug, Clone)]
pub struct Image {
    /// The file, its media type and when it was drawn.
    pub file: Arc<CachedImage>,
    /// What tells its bytes from others.
    pub fingerprint: Fingerprint,
    /// Where it is from, which says how long it may be kept.
    pub origin: Origin,
}

impl Image {
    /// The picture in this file.
    #[must_use]
    pub fn new(file: CachedImage, origin: Origin) -> Self {
        Self::of(Arc::new(file), origin)
    }

    /// The picture in a file that others hold too.
    pub(crate) fn of(file: Arc<CachedImage>, origin: Origin) -> Self {
        Self {
            fingerprint: Fingerprint::of(&file.data),
            file,
            origin,
        }
    }
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
    /// The cache, where its hour was over: an outage keeps a newer one from us.
    Stale,
}

impl Origin {
    /// The origin of a picture that is drawn of such a skin.
    pub(crate) fn of(skin: SkinOrigin) -> Self {
        if skin.is_storable() {
            Self::Render
        } else {
            Self::OutageStandIn
        }
    }
}
