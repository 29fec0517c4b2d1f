//! The integration tests of the stores.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod damage;
mod max_size;
mod postgres;
mod postgres_tls;
mod sqlite;
mod suite;
mod support;

use std::error::Error;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use effigy_player::Edition;
use effigy_store::{
    CachedImage, HealthEntry, HealthStatus, LIFETIME, RenderCount, SqlStore, Store, StoreError,
    async_trait,
};

async fn open(url: &str) -> SqlStore {
    SqlStore::open(url).await.unwrap()
}

fn image(data: impl Into<Bytes>) -> CachedImage {
    image_of(data, UNIX_EPOCH)
}

fn image_of(data: impl Into<Bytes>, created_at: SystemTime) -> CachedImage {
    CachedImage {
        data: data.into(),
        content_type: "image/png".to_owned(),
        created_at,
    }
}

/// A health check of this outcome.
fn health_check(status: HealthStatus) -> HealthEntry {
    HealthEntry {
        status,
        message: "an answer".to_owned(),
        response_time: Duration::from_millis(12),
        timestamp: UNIX_EPOCH,
    }
}

/// Counts of a writer of their own.
fn renders(edition: Edition, total: u64) -> RenderCount {
    static WRITERS: AtomicI64 = AtomicI64::new(0);
    let writer = WRITERS.fetch_add(1, Ordering::Relaxed);
    RenderCount {
        edition,
        writer,
        total,
    }
}

/// Shorter calls, which must succeed.
#[async_trait]
trait StoreExt: Store {
    /// Looks an image up that is younger than an hour.
    async fn find(&self, key: &str, now: SystemTime) -> Option<CachedImage> {
        self.lookup(key, now, LIFETIME).await.unwrap()
    }

    /// Waits until a store is open whose database was not there at first.
    async fn opens(&self) {
        let opened = async {
            while let Err(error) = self.counts().await {
                assert!(matches!(error, StoreError::NotOpen), "{error:?}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let opened = tokio::time::timeout(Duration::from_secs(20), opened).await;
        opened.expect("nothing is in its way any more");
    }

    async fn put(&self, key: &str, image: &CachedImage) {
        self.write(&[(key, image)], &[]).await.unwrap();
    }

    async fn increment(&self, edition: Edition, by: u64) {
        self.write(&[], &[renders(edition, by)]).await.unwrap();
    }

    async fn count(&self, edition: Edition) -> u64 {
        let counts = self.counts().await.unwrap();
        counts
            .into_iter()
            .find(|(found, _)| *found == edition)
            .unwrap()
            .1
    }
}

impl<T: Store + ?Sized> StoreExt for T {}

/// Returns the error's message and those of its causes.
fn chain(error: &StoreError) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}

/// Asserts that an error or one of its causes says this.
#[track_caller]
fn assert_says(error: &StoreError, reason: &str) {
    let text = chain(error);
    assert!(text.contains(reason), "{text}");
}
