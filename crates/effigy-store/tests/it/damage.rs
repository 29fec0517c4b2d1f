//! Images that are not as they were stored: changed rows, flipped bits, and rows of older versions.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use effigy_store::SqlStore;
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::{AssertSqlSafe, SqlSafeStr, SqlitePool};

use crate::support::{create_database, shared_server};
use crate::{StoreExt, image, open};

/// A change of each column of a row, in SQL that both databases have.
const CHANGES: [&str; 5] = [
    "data = data || data",
    "data = content_type_bytes",
    "content_type = 'text/html'",
    "created_at = created_at - 1",
    "checksum = checksum + 1",
];

async fn is_found(store: &SqlStore, key: &str) -> bool {
    let found = store.find(key, UNIX_EPOCH).await;
    found.expect("lookup").is_some()
}

/// Changes the row by each of the statements; each must be a miss, and be overwritten.
async fn check(store: &SqlStore, execute: impl AsyncFn(String), bytes_of_type: &str) {
    for change in CHANGES {
        store.put("key", &image("intact")).await.expect("put");
        let change = change.replace("content_type_bytes", bytes_of_type);
        // The row must stay younger than its lifetime and no older than the epoch.
        execute(format!("UPDATE images SET {change}")).await;
        assert!(!is_found(store, "key").await, "{change}");
    }
    // One under the key of another one.
    store.put("key", &image("intact")).await.expect("put");
    execute(format!(
        "UPDATE images SET key = {}",
        bytes_of_type.replace("content_type", "'kez'")
    ))
    .await;
    assert!(!is_found(store, "kez").await);
    // A later image takes its place.
    store.put("kez", &image("intact")).await.expect("put");
    assert!(is_found(store, "kez").await);
}

#[tokio::test]
async fn a_changed_row_of_sqlite_is_found_out() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let url = format!("sqlite:{}", directory.path().join("effigy.db").display());
    let store = open(&url).await;
    let pool = SqlitePool::connect(&url).await.expect("connect");
    let execute = async |statement: String| {
        let statement = sqlx::query(AssertSqlSafe(statement)).execute(&pool);
        statement.await.expect("update");
    };
    check(&store, execute, "CAST(content_type AS BLOB)").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_changed_row_of_postgres_is_found_out() {
    let Some(server) = shared_server() else {
        return;
    };
    let url = create_database(&server, "damage").await;
    let store = open(&url).await;
    let pool = sqlx::PgPool::connect(&url).await.expect("connect");
    let execute = async |statement: String| {
        let statement = sqlx::query(AssertSqlSafe(statement)).execute(&pool);
        statement.await.expect("update");
    };
    check(&store, execute, "convert_to(content_type, 'UTF8')").await;
}

/// Flips this many bits of the file, always the same ones, behind its first pages.
fn flip_bits(file: &Path, number: usize) {
    let mut bytes = fs::read(file).expect("the file is there");
    let (first, mut random) = (64 << 10, 7_u64);
    for _ in 0..number {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let place = usize::try_from(random >> 33).expect("31 bits") % (bytes.len() - first);
        bytes[first + place] ^= 1 << (random >> 20 & 7);
    }
    fs::write(file, bytes).expect("the file can be written");
}

#[tokio::test]
async fn flipped_bits_are_never_served() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("effigy.db");
    let url = format!("sqlite:{}", file.display());
    let store = open(&url).await;
    let length = |number: usize| 100 + number * 37 % 20_000;
    let images: Vec<_> = (0..300)
        .map(|number: usize| image(vec![number.to_le_bytes()[0]; length(number)]))
        .collect();
    for (number, image) in images.iter().enumerate() {
        store
            .put(&format!("key {number}"), image)
            .await
            .expect("put");
    }
    store.close().await;
    flip_bits(&file, 300);

    let store = open(&url).await;
    let (mut intact, mut damaged) = (0, 0);
    for (number, image) in images.iter().enumerate() {
        let key = format!("key {number}");
        match store.find(&key, UNIX_EPOCH).await {
            Ok(Some(found)) => {
                assert!(found == *image, "{key} is not as it was stored");
                intact += 1;
            }
            Ok(None) => damaged += 1,
            Err(error) => panic!("{key}: {error:?}"),
        }
    }
    assert!(intact > 50 && damaged > 50, "{intact} {damaged}");
}

/// The migrations of version 0.1.0.
fn first_migration(sql: &'static str) -> Migrator {
    let kind = MigrationType::Simple;
    let migration = Migration::new(1, "initial".into(), kind, sql.into_sql_str(), false);
    Migrator::with_migrations(vec![migration])
}

const OLD_ROW: &str = "INSERT INTO images (key, created_at, content_type, data) VALUES ";

#[tokio::test]
async fn rows_of_an_older_version_of_sqlite_are_served_until_they_expire() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let url = format!("sqlite:{}", directory.path().join("effigy.db").display());
    let old = SqlitePool::connect(&format!("{url}?mode=rwc")).await;
    let old = old.expect("connect");
    let sql = include_str!("../../src/sql/sqlite/migrations/0001_initial.sql");
    first_migration(sql).run(&old).await.expect("migrate");
    let row = format!("{OLD_ROW} (CAST('key' AS BLOB), 0, 'image/png', CAST('old' AS BLOB))");
    let inserted = sqlx::query(AssertSqlSafe(row)).execute(&old).await;
    inserted.expect("insert");
    old.close().await;

    check_old_row(&open(&url).await).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_of_an_older_version_of_postgres_are_served_until_they_expire() {
    let Some(server) = shared_server() else {
        return;
    };
    let url = create_database(&server, "older").await;
    let old = sqlx::PgPool::connect(&url).await.expect("connect");
    let sql = include_str!("../../src/sql/postgres/migrations/0001_initial.sql");
    first_migration(sql).run(&old).await.expect("migrate");
    let row = format!("{OLD_ROW} ('key'::bytea, 0, 'image/png', 'old'::bytea)");
    let inserted = sqlx::query(AssertSqlSafe(row)).execute(&old).await;
    inserted.expect("insert");
    old.close().await;

    check_old_row(&open(&url).await).await;
}

async fn check_old_row(store: &SqlStore) {
    let found = store.find("key", UNIX_EPOCH).await.expect("lookup");
    assert_eq!(found, Some(image("old")));
    store.put("key", &image("new")).await.expect("put");
    let found = store.find("key", UNIX_EPOCH).await.expect("lookup");
    assert_eq!(found, Some(image("new")));
}
