//! Files of textures.

use std::time::{Duration, SystemTime};

use bytes::Bytes;
use effigy_store::{Store, TextureChange, TextureId};

use super::now;
use crate::{StoreExt, ages};

const DAY: Duration = Duration::from_secs(24 * 3600);
const MILLI: Duration = Duration::from_millis(1);

async fn put(store: &dyn Store, file: &Bytes, used_at: SystemTime) -> TextureId {
    let id = TextureId::of(file);
    let put = TextureChange::Put { id: &id, file };
    store.change_textures(&[put], used_at).await;
    id
}

async fn renew(store: &dyn Store, id: &TextureId, used_at: SystemTime) {
    let used = TextureChange::Used(id);
    store.change_textures(&[used], used_at).await;
}

async fn is_stored(store: &dyn Store, id: &TextureId) -> bool {
    store.texture(id).await.unwrap().is_some()
}

/// Deletes textures that nobody has used for a day.
async fn prune(store: &dyn Store, time: SystemTime) -> u64 {
    let pruned = store.prune(time, ages(DAY)).await;
    pruned.unwrap().textures
}

pub(super) async fn a_file_is_found_by_its_hash(store: &dyn Store) {
    let file = Bytes::from_static(b"\x89PNG\0'\xff");
    let id = TextureId::of(&file);
    assert_eq!(store.texture(&id).await.unwrap(), None);
    put(store, &file, now()).await;
    assert_eq!(store.texture(&id).await.unwrap(), Some(file));
    let other = TextureId::of(b"another file");
    assert_eq!(store.texture(&other).await.unwrap(), None);
}

pub(super) async fn files_of_any_size_are_kept(store: &dyn Store) {
    for size in [0, 1, 4096, 100_003, 2 << 20] {
        let bytes: Vec<u8> = (0..=250).cycle().take(size).collect();
        let file = Bytes::from(bytes);
        let id = put(store, &file, now()).await;
        let found = store.texture(&id).await.unwrap();
        assert!(found == Some(file), "{size} bytes do not come back");
    }
}

pub(super) async fn textures_are_pruned_by_their_last_use(store: &dyn Store) {
    // More than any batch in which a store may delete.
    const FORGOTTEN: u32 = 1_203;
    let mut files = Vec::new();
    for number in 0..FORGOTTEN {
        files.push(Bytes::copy_from_slice(&number.to_le_bytes()));
    }
    let ids: Vec<TextureId> = files.iter().map(|file| TextureId::of(file)).collect();
    let mut puts = Vec::new();
    for (id, file) in ids.iter().zip(&files) {
        puts.push(TextureChange::Put { id, file });
    }
    store.change_textures(&puts, now()).await;
    let again = Bytes::from_static(b"put again");
    put(store, &again, now()).await;
    let used = put(store, &Bytes::from_static(b"used"), now()).await;

    assert_eq!(prune(store, now() + DAY - MILLI).await, 0);
    let again = put(store, &again, now() + MILLI).await;
    renew(store, &used, now() + MILLI).await;
    assert_eq!(prune(store, now() + DAY).await, u64::from(FORGOTTEN));
    assert!(!is_stored(store, &ids[0]).await);
    assert!(is_stored(store, &again).await);
    assert!(is_stored(store, &used).await);
    assert_eq!(prune(store, now() + DAY + MILLI).await, 2);
}

/// A clock that is wrong stores textures that would not be old for years.
pub(super) async fn textures_from_the_far_future_are_pruned(store: &dyn Store) {
    let near = put(store, &Bytes::from_static(b"near"), now() + DAY).await;
    let far = put(store, &Bytes::from_static(b"far"), now() + DAY + MILLI).await;
    assert_eq!(prune(store, now()).await, 1);
    assert!(is_stored(store, &near).await);
    assert!(!is_stored(store, &far).await);
}

pub(super) async fn an_earlier_use_shortens_nothing(store: &dyn Store) {
    let file = Bytes::from_static(b"file");
    let id = put(store, &file, now()).await;
    renew(store, &id, now() - DAY).await;
    put(store, &file, now() - DAY).await;
    assert_eq!(prune(store, now() + DAY - MILLI).await, 0);
    assert!(is_stored(store, &id).await);
}

pub(super) async fn the_use_of_an_unknown_texture_stores_nothing(store: &dyn Store) {
    let id = TextureId::of(b"unknown");
    renew(store, &id, now()).await;
    assert!(!is_stored(store, &id).await);
    assert_eq!(prune(store, now() + DAY * 2).await, 0);
}
