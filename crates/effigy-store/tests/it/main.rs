//! The integration tests of the stores.

mod damage;
mod max_size;
mod postgres;
mod postgres_tls;
mod sqlite;
mod suite;
mod support;

use std::error::Error;
use std::time::{SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use effigy_player::Edition;
use effigy_store::{CachedImage, LIFETIME, SqlStore, Store, StoreError, async_trait};

async fn open(url: &str) -> SqlStore {
    SqlStore::open(url).await.expect("the store opens")
}

fn image(data: impl Into<Bytes>) -> CachedImage {
    CachedImage {
        data: data.into(),
        content_type: "image/png".to_owned(),
        created_at: UNIX_EPOCH,
    }
}

/// Shorter calls for the tests.
#[async_trait]
trait StoreExt: Store {
    /// Looks an image up that is younger than an hour.
    async fn find(&self, key: &str, now: SystemTime) -> Result<Option<CachedImage>, StoreError> {
        self.lookup(key, now, LIFETIME).await
    }

    async fn put(&self, key: &str, image: &CachedImage) -> Result<(), StoreError> {
        self.write(&[(key, image)], &[]).await
    }

    async fn increment(&self, edition: Edition, by: u64) -> Result<(), StoreError> {
        self.write(&[], &[(edition, by)]).await
    }

    async fn count(&self, edition: Edition) -> Result<u64, StoreError> {
        let counts = self.counts().await?;
        let (_, count) = counts
            .into_iter()
            .find(|(found, _)| *found == edition)
            .expect("all are listed");
        Ok(count)
    }
}

impl<T: Store + ?Sized> StoreExt for T {}

/// Returns the error's message and those of its causes.
fn chain(error: &StoreError) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
