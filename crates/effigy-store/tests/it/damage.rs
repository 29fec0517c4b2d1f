//! Rows that are not as the store has left them: changed ones, flipped bits, and rows of older
//! versions.

use std::fs;
use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use effigy_player::Edition;
use effigy_store::{
    CachedImage, HEALTH_LOG_LENGTH, HealthEntry, HealthLog as _, HealthStatus, LIFETIME,
    Maintenance as _, PlayerChange, Players as _, TextureChange, TextureId, Textures as _,
    Writes as _,
};
use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use crate::sqlite::new_file;
use crate::support::{Database, databases};
use crate::{StoreExt, ages, health_check, image, open, pictures, player};

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_image_is_not_served() {
    for database in databases("damage").await {
        let store = open(&database.url).await;
        // The row must stay younger than its lifetime and no older than the epoch.
        for change in [
            "data = data || data",
            "data = key",
            "content_type = 'text/html'",
            "created_at = created_at - 1",
            "checksum = checksum + 1",
        ] {
            store.put("key", &image("kez")).await;
            let update = format!("UPDATE images SET {change}");
            database.execute(&update).await;
            assert_eq!(store.find("key", UNIX_EPOCH).await, None, "{change}");
        }
        // An image under the key of another one.
        store.put("key", &image("kez")).await;
        database.execute("UPDATE images SET key = data").await;
        assert_eq!(store.find("kez", UNIX_EPOCH).await, None);
        // A later image takes its place.
        store.put("kez", &image("intact")).await;
        assert!(store.find("kez", UNIX_EPOCH).await.is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_player_is_not_served() {
    for database in databases("damaged_player").await {
        let store = open(&database.url).await;
        for change in [
            "value = value || value",
            "checked_at = checked_at + 1",
            "checksum = checksum + 1",
            "key = value",
        ] {
            let row = player("zed", "zee", UNIX_EPOCH);
            let put = PlayerChange::Put(&row);
            store.change_players(&[put], UNIX_EPOCH).await;
            let update = format!("UPDATE players SET {change}");
            database.execute(&update).await;
            for key in ["zed", "zee"] {
                assert_eq!(store.player(key).await.unwrap(), None, "{change}");
            }
            database
                .execute("DELETE FROM players WHERE key = value")
                .await;
        }
        // A later check takes its place.
        let row = player("zed", "intact", UNIX_EPOCH + Duration::from_secs(1));
        let put = PlayerChange::Put(&row);
        store.change_players(&[put], UNIX_EPOCH).await;
        assert_eq!(store.player("zed").await.unwrap(), Some(row));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_texture_is_not_served() {
    for database in databases("damaged_texture").await {
        let store = open(&database.url).await;
        let file = Bytes::from_static(b"file");
        let id = TextureId::of(&file);
        let put = TextureChange::Put {
            id: &id,
            file: &file,
        };
        store.change_textures(&[put], UNIX_EPOCH).await;
        database
            .execute("UPDATE textures SET data = data || data")
            .await;
        assert_eq!(store.texture(&id).await.unwrap(), None);
        // Using it does not repair it, but storing it again does.
        store
            .change_textures(&[TextureChange::Used(&id)], UNIX_EPOCH)
            .await;
        assert_eq!(store.texture(&id).await.unwrap(), None);
        store.change_textures(&[put], UNIX_EPOCH).await;
        assert_eq!(store.texture(&id).await.unwrap(), Some(file));
        // The file under another hash.
        let other = "x".repeat(32);
        let update = format!("UPDATE textures SET hash = CAST('{other}' AS BYTES)");
        database.execute(&update).await;
        let other_id = TextureId::from([b'x'; 32]);
        assert_eq!(store.texture(&other_id).await.unwrap(), None);
    }
}

/// Flips this many bits of the file behind its first pages. They are the same ones in each run.
fn flip_bits(file: &Path, number: usize) {
    const FIRST: usize = 64 << 10;
    let mut bytes = fs::read(file).unwrap();
    let mut random = 7_u64;
    for _ in 0..number {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let place = usize::try_from(random >> 33).unwrap() % (bytes.len() - FIRST);
        bytes[FIRST + place] ^= 1 << (random >> 20 & 7);
    }
    fs::write(file, bytes).unwrap();
}

/// Returns images of many sizes with their keys.
fn images_of_many_sizes() -> Vec<(String, CachedImage)> {
    let mut images = Vec::new();
    for number in 0..300_usize {
        let length = 100 + number * 37 % 20_000;
        let data = vec![number.to_le_bytes()[0]; length];
        images.push((format!("key {number}"), image(data)));
    }
    images
}

#[tokio::test]
async fn flipped_bits_are_never_served() {
    let (folder, url) = new_file();
    let store = open(&url).await;
    let images = images_of_many_sizes();
    let borrowed: Vec<_> = images.iter().map(|(key, image)| (&**key, image)).collect();
    store.write(&pictures(&borrowed)).await.unwrap();
    store.close().await;
    flip_bits(&folder.path().join("effigy.db"), 300);

    let reopened = open(&url).await;
    let mut intact = 0;
    for (key, image) in &images {
        if let Some(found) = reopened.find(key, UNIX_EPOCH).await {
            assert!(found == *image, "{key} is not as it was stored");
            intact += 1;
        }
    }
    assert!((50..250).contains(&intact), "{intact}");
}

/// Runs the first migrations only, as an older version does.
async fn migrate(database: &Database, number: usize) {
    let sqlite = include_str!("../../src/sql/sqlite/migrations/0001_initial.sql");
    let postgres = include_str!("../../src/sql/postgres/migrations/0001_initial.sql");
    let sqlite_migrator = first_migrations(sqlite, number);
    let postgres_migrator = first_migrations(postgres, number);
    database.migrate(sqlite_migrator, postgres_migrator).await;
}

fn first_migrations(initial: &'static str, number: usize) -> Migrator {
    let checksum = include_str!("../../src/sql/migrations/0002_checksum.sql");
    let files = [("initial", initial), ("checksum", checksum)];
    let mut migrations = Vec::new();
    for (version, (name, sql)) in (1..).zip(files).take(number) {
        let kind = MigrationType::Simple;
        let sql = sql.into_sql_str();
        migrations.push(Migration::new(version, name.into(), kind, sql, false));
    }
    Migrator::with_migrations(migrations)
}

/// Replicas are updated one by one: a version that runs goes on writing after a newer one has
/// migrated the tables.
#[tokio::test(flavor = "multi_thread")]
async fn an_older_version_goes_on_next_to_a_newer_one() {
    for database in databases("older").await {
        let insert = async |key: &str| {
            let row = format!("(CAST('{key}' AS BYTES), 0, 'image/png', CAST('old' AS BYTES))");
            let columns = "images (key, created_at, content_type, data)";
            let insert = format!("INSERT INTO {columns} VALUES {row}");
            database.execute(&insert).await;
            let count = "INSERT INTO counts (edition, count) VALUES ('java', 2)
                ON CONFLICT (edition) DO UPDATE SET count = counts.count + excluded.count";
            database.execute(count).await;
        };
        migrate(&database, 1).await;
        insert("before").await;
        let store = open(&database.url).await;
        store.increment(Edition::Java, 1).await;
        insert("after").await;
        store.increment(Edition::Java, 1).await;
        assert_eq!(store.count(Edition::Java).await, 6);
        // Version 0.2 also starts on it again.
        migrate(&database, 2).await;
        for key in ["before", "after"] {
            assert_eq!(store.find(key, UNIX_EPOCH).await, Some(image("old")));
            store.put(key, &image("new")).await;
            assert_eq!(store.find(key, UNIX_EPOCH).await, Some(image("new")));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pruning_keeps_the_newest_of_a_log_of_any_length() {
    for database in databases("prunes").await {
        let store = open(&database.url).await;
        let fill = "WITH RECURSIVE numbers (n) AS
            (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 33000)
            INSERT INTO health_log (recorded_at, status, message, response_time)
            SELECT n, 'green', 'goes', 1 FROM numbers";
        database.execute(fill).await;
        // Entries that are recorded last but are old. Of the two that are equally old, the one
        // recorded later stays.
        for (message, millis) in [("stays", 23_001), ("goes", 23_000), ("goes", 1)] {
            let entry = HealthEntry {
                message: message.to_owned(),
                timestamp: UNIX_EPOCH + Duration::from_millis(millis),
                ..health_check(HealthStatus::Green)
            };
            store.record(&entry).await.unwrap();
        }
        store.prune(UNIX_EPOCH, ages(LIFETIME)).await.unwrap();
        let kept = store.recent(u32::MAX).await.unwrap();
        assert_eq!(kept.len(), HEALTH_LOG_LENGTH as usize);
        assert_eq!(kept[0].timestamp, UNIX_EPOCH + Duration::from_secs(33));
        assert_eq!(kept[kept.len() - 1].message, "stays");
    }
}
