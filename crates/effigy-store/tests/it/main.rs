//! The integration tests of the stores.

mod damage;
mod lost_file;
#[cfg(target_os = "linux")]
mod low_priority;
mod max_size;
mod postgres;
mod postgres_tls;
mod sqlite;
mod suite;
mod support;

use std::error::Error;
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use effigy_store::{CachedImage, SqlStore, StoreError};

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

/// Returns the error's message and those of its causes.
fn chain(error: &StoreError) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    causes.fold(error.to_string(), |text, cause| format!("{text}: {cause}"))
}
