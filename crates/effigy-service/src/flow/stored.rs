//! Files that need not be made.

use crate::{ArrangementRequest, Endpoint, Image, PictureRequest, Service, request::key::Entry};

impl Service {
    /// Returns the picture if it is fresh in memory or in the store.
    pub async fn stored_picture(&self, request: &PictureRequest) -> Option<Image> {
        self.stored(&request.entry).await
    }

    /// Returns the picture of several players, or their places, if it is fresh in memory or in the store.
    pub async fn stored_arrangement(&self, request: &ArrangementRequest) -> Option<Image> {
        self.stored(&request.entry).await
    }

    /// Returns the file of an endpoint without parameters if it is fresh in memory or in the store.
    pub async fn stored_file(&self, endpoint: Endpoint, input: &str) -> Option<Image> {
        self.stored(&Entry::new(endpoint, input)).await
    }

    async fn stored(&self, entry: &Entry) -> Option<Image> {
        // It reads from the database as a miss does.
        let _permit = self.inner.misses.acquire().ok()?;
        let entry = self.inner.current(entry);
        self.inner.find_cached(&entry).await.ok()
    }
}
