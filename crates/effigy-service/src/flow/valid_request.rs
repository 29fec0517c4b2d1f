//! Requests that passed validation, and the cache entries that they ask for.

use crate::{Endpoint, PictureParams, skin::SkinId};

/// A request that can succeed: the picture can exist, and the input can name a player.
#[derive(Debug)]
pub(crate) struct ValidRequest {
    pub(crate) params: PictureParams,
    pub(crate) skin: SkinId,
    pub(crate) entry: Entry,
}

/// A file that is cached under a key.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    pub(crate) endpoint: Endpoint,
    /// The input of the request, for the log.
    pub(crate) input: String,
    pub(crate) key: String,
}
