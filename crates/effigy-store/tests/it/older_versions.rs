//! Databases of older versions, and older versions on newer databases.

use std::time::{Duration, UNIX_EPOCH};

use bytes::Bytes;
use effigy_player::Edition::{Bedrock, Java};
use effigy_store::{
    Counts as _, HealthLog as _, LIFETIME, Maintenance as _, PlayerChange, Players as _, SqlStore,
    StoreOptions, TextureChange, TextureId, Textures as _,
};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{SqlSafeStr, SqlitePool};

use crate::sqlite::new_file;
use crate::support::{Database, copy_of, databases, databases_of};
use crate::{StoreExt, ages, image, image_of, open, player};

/// The time of the rows in the fixtures.
const STORED_AT: Duration = Duration::from_millis(1_760_000_000_123);

/// Checks that the store has the rows of the fixtures.
async fn check_rows(store: &SqlStore, version: &str) {
    let head_time = UNIX_EPOCH + STORED_AT;
    let body_time = head_time - Duration::from_secs(60);
    let head = store.find("head_Notch_64_hat", head_time).await;
    let body = store.find("iso_body_jeb__right_300", head_time).await;
    let expected_head = image_of(&b"\x89PNG the head of Notch"[..], head_time);
    let expected_body = image_of(&b"\x89PNG the body of Jeb"[..], body_time);
    assert_eq!(head, Some(expected_head), "{version}");
    assert_eq!(body, Some(expected_body), "{version}");

    let counts = store.counts().await.unwrap();
    assert_eq!(counts, [(Java, 12), (Bedrock, 3)], "{version}");
    let checks = store.recent(9).await.unwrap();
    let messages: Vec<&str> = checks.iter().map(|check| &*check.message).collect();
    let expected = ["all providers answer", "an answer took 2 s"];
    assert_eq!(messages, expected, "{version}");
}

/// Checks that the tables of this version can be written.
async fn check_new_tables(store: &SqlStore) {
    let file = Bytes::from_static(b"a texture");
    let id = TextureId::of(&file);
    let put_texture = TextureChange::Put {
        id: &id,
        file: &file,
    };
    store.change_textures(&[put_texture], UNIX_EPOCH).await;
    assert_eq!(store.texture(&id).await.unwrap(), Some(file));
    let row = player("zed", "a record", UNIX_EPOCH);
    let put_player = PlayerChange::Put(&row);
    store.change_players(&[put_player], UNIX_EPOCH).await;
    assert_eq!(store.player("zed").await.unwrap(), Some(row));
    store.increment(Java, 1).await;
    assert_eq!(store.count(Java).await, 13);
}

#[tokio::test(flavor = "multi_thread")]
async fn databases_of_older_versions_are_migrated() {
    for version in ["0.1", "0.2"] {
        for database in databases_of(version).await {
            let store = open(&database.url).await;
            check_rows(&store, version).await;
            check_new_tables(&store).await;
        }
    }
}

/// The other databases were written by libraries of older versions. This one was written by a
/// program that served pictures.
#[tokio::test]
async fn database_of_the_0_2_program_is_read_and_written() {
    let database = copy_of("effigy-0.2-program.db").await;
    let store = open(&database.url).await;
    assert_eq!(store.counts().await.unwrap(), [(Java, 4), (Bedrock, 0)]);
    let now = UNIX_EPOCH + Duration::from_millis(1_795_906_025_000);
    for (start, end, length) in [
        (
            "x-d0ce7fa4e1f77fc6cfac732a86d05469",
            "x-head_knight_128_d972f458b89e51b6846b90772d191837",
            276,
        ),
        (
            "x-6c54f39a0e1d9cbf162f984d2b0bd37f",
            "head_fox_64_default",
            206,
        ),
        (
            "x-ff1ebb875a225c2a7a3e1e9a357dc377",
            "x-figure_wizard_128_7381b3fe3bbdf37eeac6b9d328a46a1e",
            9996,
        ),
        (
            "x-9d80d90810d4227a70357798eed10084",
            "player_robot_default_default",
            665,
        ),
    ] {
        let key = &format!("{start}-{end}");
        let picture = store.find(key, now).await.expect(key);
        assert_eq!(picture.content_type, "image/png", "{key}");
        assert!(picture.data.starts_with(b"\x89PNG"), "{key}");
        assert_eq!(picture.data.len(), length, "{key}");
    }
    store.put("new", &image("new")).await;
    assert_eq!(store.find("new", UNIX_EPOCH).await, Some(image("new")));
    store.increment(Java, 1).await;
    assert_eq!(store.count(Java).await, 5);
}

/// Runs migrations of an older version, which it enters in `table`.
async fn migrate(database: &Database, table: &'static str, files: &[(&'static str, &'static str)]) {
    let migrator = || {
        let mut migrations = Vec::new();
        for (version, &(name, sql)) in (1..).zip(files) {
            let kind = MigrationType::Simple;
            let sql = sql.into_sql_str();
            migrations.push(Migration::new(version, name.into(), kind, sql, false));
        }
        let mut migrator = Migrator::with_migrations(migrations);
        migrator.dangerous_set_table_name(table);
        migrator
    };
    database.migrate(migrator(), migrator()).await;
}

/// Versions after 0.2.0 refuse additions that they do not know.
#[tokio::test(flavor = "multi_thread")]
async fn versions_with_two_additions_start_again() {
    let additions = [
        (
            "totals",
            include_str!("../../src/sql/migrations/additions_0001_totals.sql"),
        ),
        (
            "server",
            include_str!("../../src/sql/migrations/additions_0002_server.sql"),
        ),
    ];
    for database in databases("two_additions").await {
        open(&database.url).await.close().await;
        migrate(&database, "_effigy_additions", &additions).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn later_additions_of_newer_versions_are_ignored() {
    for database in databases("later_additions").await {
        open(&database.url).await.close().await;
        let enter = "INSERT INTO _effigy_later_additions
            (version, description, success, checksum, execution_time)
            VALUES (999, 'x', TRUE, CAST('x' AS BYTES), 0)";
        database.execute(enter).await;
        let store = open(&database.url).await;
        store.increment(Java, 1).await;
        assert_eq!(store.count(Java).await, 1);
    }
}

/// The statements of version 0.2.0 that keep images in a SQLite file.
struct Version02 {
    pool: SqlitePool,
    max_bytes: i64,
}

impl Version02 {
    const LOOKUP: &str = "
        SELECT created_at, content_type, data, checksum FROM images
        WHERE key = $1 AND created_at > $2 AND created_at <= $3";

    const INSERT: &str = "
        INSERT INTO images (key, created_at, content_type, data, checksum)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (key) DO UPDATE SET created_at = excluded.created_at, data = excluded.data,
            content_type = excluded.content_type, checksum = excluded.checksum";

    const SIZE: &str = "
        SELECT (page_count - freelist_count) * page_size
        FROM pragma_page_count, pragma_freelist_count, pragma_page_size";

    const EVICT: &str = "
        DELETE FROM images WHERE key IN (
            SELECT key FROM (
                SELECT key, sum(bytes) OVER (ORDER BY created_at, key) - bytes AS older_bytes
                FROM (
                    SELECT key, created_at, length(key) + length(data) + 100 AS bytes
                    FROM images ORDER BY created_at LIMIT 50000
                ) AS oldest
            ) AS summed
            WHERE older_bytes < $1)";

    async fn size(&self) -> i64 {
        let size = sqlx::query_scalar(Self::SIZE).fetch_one(&self.pool);
        size.await.unwrap()
    }

    /// Stores an image, and deletes the oldest ones beyond the maximum.
    async fn write(&self, key: &str, created_at: i64, data: &[u8]) {
        let insert = sqlx::query(Self::INSERT)
            .bind(key.as_bytes())
            .bind(created_at);
        let insert = insert.bind("image/png").bind(data).bind(7_i64);
        insert.execute(&self.pool).await.unwrap();
        let enough = self.max_bytes - self.max_bytes / 64 * 2;
        loop {
            let excess = self.size().await - enough;
            if excess <= 0 {
                return;
            }
            let evict = sqlx::query(Self::EVICT).bind(excess.min(64 << 20));
            let done = evict.execute(&self.pool).await.unwrap();
            if done.rows_affected() == 0 {
                return;
            }
        }
    }

    async fn finds(&self, key: &str, created_at: i64) -> bool {
        let lookup = sqlx::query(Self::LOOKUP).bind(key.as_bytes());
        let lookup = lookup.bind(created_at - 3_600_000).bind(created_at);
        lookup.fetch_optional(&self.pool).await.unwrap().is_some()
    }
}

/// Writes textures with `max_bytes` together, and the same amount of players. Half of the textures
/// of each batch stay in use, so that pages are partly filled.
async fn fill(store: &SqlStore, max_bytes: usize, length: usize) {
    const BATCH: usize = 64;
    let total = max_bytes / length;
    let mut files = Vec::new();
    let mut rows = Vec::new();
    for number in 0..total {
        files.push(Bytes::from(format!("{number:0length$}")));
        let used_at = UNIX_EPOCH + Duration::from_millis(number as u64);
        rows.push(player(&number.to_string(), &"x".repeat(length), used_at));
    }
    let ids: Vec<TextureId> = files.iter().map(|file| TextureId::of(file)).collect();
    for start in (0..total).step_by(BATCH) {
        let end = total.min(start + BATCH);
        let now = UNIX_EPOCH + Duration::from_millis(end as u64);
        let mut textures = Vec::new();
        let mut players = Vec::new();
        for number in start..end {
            let id = &ids[number];
            let file = &files[number];
            textures.push(TextureChange::Put { id, file });
            players.push(PlayerChange::Put(&rows[number]));
        }
        for number in (start.saturating_sub(2 * BATCH)..start).step_by(2) {
            textures.push(TextureChange::Used(&ids[number]));
        }
        store.change_textures(&textures, now).await;
        store.change_players(&players, now).await;
    }
}

/// The rule of version 0.2 for the size counts the whole file, and would delete every image if the
/// new tables were too large.
#[tokio::test]
async fn version_0_2_keeps_pictures_after_a_rollback() {
    const MAX_BYTES: u32 = 4 << 20;
    // At 4,200 bytes, half of each page stays unused.
    for length in [1_000, 4_200, 9_000] {
        let (_folder, url) = new_file();
        let options = StoreOptions {
            max_bytes: Some(MAX_BYTES.into()),
            ..StoreOptions::default()
        };
        let store = SqlStore::open_with(&url, options).await.unwrap();
        fill(&store, MAX_BYTES as usize, length).await;
        let pruned = store.prune(UNIX_EPOCH, ages(LIFETIME)).await;
        pruned.unwrap();
        store.close().await;

        let old = Version02 {
            pool: SqlitePool::connect(&url).await.unwrap(),
            max_bytes: MAX_BYTES.into(),
        };
        let size = old.size().await;
        assert!(size < i64::from(MAX_BYTES) / 2, "{length}: {size}");
        assert!(size > i64::from(MAX_BYTES) / 8, "{length}: {size}");
        for number in 0..200 {
            let key = format!("picture {number}");
            old.write(&key, number, &[7; 20_000]).await;
            assert!(old.finds(&key, number).await, "{length}: {key}");
        }
        // The newest pictures that fit into the other half of the file are kept.
        assert!(old.finds("picture 130", 199).await, "{length}");
        assert!(!old.finds("picture 0", 199).await, "{length}");
    }
}
