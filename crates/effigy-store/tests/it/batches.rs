//! Batches of writes: everything or nothing, also of several processes at once.

use std::time::UNIX_EPOCH;

use bytes::Bytes;
use effigy_player::Edition::Java;
use effigy_store::{
    PlayerChange, PlayerRow, Players as _, SqlStore, StoreError, TextureChange, TextureId,
    Textures as _, WriteBatch, Writes as _,
};

use crate::support::databases;
use crate::{StoreExt, image, open, player, renders};

/// The parts of a batch, all of the same number.
struct Parts {
    key: String,
    file: Bytes,
    id: TextureId,
    row: PlayerRow,
}

impl Parts {
    fn new(number: usize) -> Self {
        let key = number.to_string();
        let file = Bytes::from(format!("file {number}"));
        Self {
            id: TextureId::of(&file),
            row: player(&key, "value", UNIX_EPOCH),
            file,
            key,
        }
    }
}

/// Writes a picture, a texture and a player for each of these parts, and a count.
async fn write(store: &SqlStore, parts: &[Parts]) -> Result<(), StoreError> {
    let image = image("x");
    let pictures: Vec<_> = parts.iter().map(|part| (&*part.key, &image)).collect();
    let mut textures = Vec::new();
    let mut players = Vec::new();
    for part in parts {
        textures.push(TextureChange::Put {
            id: &part.id,
            file: &part.file,
        });
        players.push(PlayerChange::Put(&part.row));
    }
    let batch = WriteBatch {
        pictures: &pictures,
        textures: &textures,
        players: &players,
        counts: &[renders(Java, 1)],
        now: UNIX_EPOCH,
    };
    store.write(&batch).await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_batch_is_written_as_a_whole_or_not_at_all() {
    for database in databases("atomic").await {
        let store = open(&database.url).await;
        let parts = [Parts::new(1)];
        // Counters come last, so everything else is written before it fails.
        database
            .execute("ALTER TABLE counts RENAME TO others")
            .await;
        let written = write(&store, &parts).await;
        written.expect_err("a table is missing");
        database
            .execute("ALTER TABLE others RENAME TO counts")
            .await;
        assert_eq!(store.find("1", UNIX_EPOCH).await, None);
        assert_eq!(store.texture(&parts[0].id).await.unwrap(), None);
        assert_eq!(store.player("1").await.unwrap(), None);
        assert_eq!(store.count(Java).await, 0);

        write(&store, &parts).await.unwrap();
        assert!(store.find("1", UNIX_EPOCH).await.is_some());
        assert!(store.texture(&parts[0].id).await.unwrap().is_some());
        assert!(store.player("1").await.unwrap().is_some());
        assert_eq!(store.count(Java).await, 1);
    }
}

async fn write_textures(store: &SqlStore, parts: &[Parts]) {
    let mut changes = Vec::new();
    for part in parts {
        changes.push(TextureChange::Put {
            id: &part.id,
            file: &part.file,
        });
    }
    store.change_textures(&changes, UNIX_EPOCH).await;
}

async fn write_players(store: &SqlStore, parts: &[Parts]) {
    let mut changes = Vec::new();
    for part in parts {
        changes.push(PlayerChange::Put(&part.row));
    }
    store.change_players(&changes, UNIX_EPOCH).await;
}

/// Several processes write the same rows, each in another order. A batch has rows of one kind,
/// because the writers would only meet at its first kind.
#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_batches_never_deadlock() {
    const ROUNDS: usize = 20;
    const ROWS: usize = 50;
    for database in databases("deadlock").await {
        let mut writers = Vec::new();
        for writer in 0..4 {
            let store = open(&database.url).await;
            writers.push(tokio::spawn(async move {
                let mut parts: Vec<Parts> = (0..ROWS).map(Parts::new).collect();
                for _ in 0..ROUNDS {
                    parts.rotate_left(writer * 7);
                    parts.reverse();
                    write_textures(&store, &parts).await;
                    write_players(&store, &parts).await;
                }
            }));
        }
        for writer in writers {
            writer.await.unwrap();
        }
    }
}
