//! The integration tests of the stores.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod batches;
mod damage;
mod max_size;
mod older_versions;
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
    Ages, CachedImage, HealthEntry, HealthStatus, LIFETIME, PlayerChange, PlayerRow, RenderCount,
    SqlStore, Store, StoreError, TextureChange, WriteBatch, async_trait,
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

/// A batch of images.
fn pictures<'a>(pictures: &'a [(&'a str, &'a CachedImage)]) -> WriteBatch<'a> {
    WriteBatch {
        pictures,
        ..WriteBatch::new(UNIX_EPOCH)
    }
}

/// A batch of counts.
fn counts(counts: &[RenderCount]) -> WriteBatch<'_> {
    WriteBatch {
        counts,
        ..WriteBatch::new(UNIX_EPOCH)
    }
}

/// Returns one age for all rows.
fn ages(age: Duration) -> Ages {
    Ages {
        pictures: age,
        textures: age,
        players: age,
    }
}

/// A player who was checked and used at this time.
fn player(key: &str, value: &str, time: SystemTime) -> PlayerRow {
    PlayerRow {
        key: key.to_owned(),
        value: Bytes::copy_from_slice(value.as_bytes()),
        checked_at: time,
        used_at: time,
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
        self.write(&pictures(&[(key, image)])).await.unwrap();
    }

    async fn change_textures(&self, changes: &[TextureChange<'_>], now: SystemTime) {
        let batch = WriteBatch {
            textures: changes,
            ..WriteBatch::new(now)
        };
        self.write(&batch).await.unwrap();
    }

    async fn change_players(&self, changes: &[PlayerChange<'_>], now: SystemTime) {
        let batch = WriteBatch {
            players: changes,
            ..WriteBatch::new(now)
        };
        self.write(&batch).await.unwrap();
    }

    async fn increment(&self, edition: Edition, by: u64) {
        self.write(&counts(&[renders(edition, by)])).await.unwrap();
    }

    async fn count(&self, edition: Edition) -> u64 {
        let counts = self.counts().await.unwrap();
        let count = counts.iter().find(|(found, _)| *found == edition);
        count.unwrap().1
    }
}

impl<T: Store + ?Sized> StoreExt for T {}

/// Returns the messages of an error and its causes.
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
