use std::time::UNIX_EPOCH;

use super::*;

fn row(value: &'static [u8]) -> PlayerRow {
    PlayerRow {
        key: "key".to_owned(),
        value: Bytes::from_static(value),
        checked_at: UNIX_EPOCH,
        used_at: UNIX_EPOCH,
    }
}

#[test]
fn the_newest_picture_of_a_key_is_found_before_it_is_written() {
    let mut queue = WriteQueue::default();
    assert_eq!(queue.picture("key"), None);
    for data in [&b"old"[..], b"new"] {
        let file = Arc::new(CachedImage {
            data: Bytes::from_static(data),
            content_type: "image/png".to_owned(),
            created_at: UNIX_EPOCH,
        });
        assert!(queue.put_picture("key".to_owned(), &file));
    }
    let found = queue.picture("key").unwrap();
    assert_eq!(found.data, b"new"[..]);
    assert_eq!(queue.picture("other"), None);
}

#[test]
fn a_check_that_has_changed_nothing_is_written_after_minutes() {
    let mut queue = WriteQueue::default();
    assert!(queue.put_player(row(b"same"), false, UNIX_EPOCH));
    assert!(queue.next_batch(Due::At(UNIX_EPOCH)).is_empty());
    // A further check does not defer it.
    let later = UNIX_EPOCH + UNCHANGED_INTERVAL / 2;
    assert!(queue.put_player(row(b"same"), false, later));
    let due = UNIX_EPOCH + UNCHANGED_INTERVAL;
    assert_eq!(queue.next_batch(Due::At(due)).players.len(), 1);
}

#[test]
fn players_that_are_not_due_do_not_fill_a_batch() {
    let mut queue = WriteQueue::default();
    for number in 0..2 * MAX_ROWS {
        let key = format!("a{number}");
        let unchanged = PlayerRow {
            key,
            ..row(b"same")
        };
        assert!(queue.put_player(unchanged, false, UNIX_EPOCH));
    }
    assert!(queue.put_player(row(b"new"), true, UNIX_EPOCH));
    let batch = queue.next_batch(Due::At(UNIX_EPOCH));
    let written = [(Arc::from("key"), PlayerWrite::Put(row(b"new")))];
    assert_eq!(batch.players, written);
}

#[test]
fn a_change_is_written_at_once_and_everything_at_the_end() {
    let mut queue = WriteQueue::default();
    assert!(queue.put_player(row(b"new"), true, UNIX_EPOCH));
    assert_eq!(queue.next_batch(Due::At(UNIX_EPOCH)).players.len(), 1);
    let mut unchanged = WriteQueue::default();
    assert!(unchanged.put_player(row(b"same"), false, UNIX_EPOCH));
    assert_eq!(unchanged.next_batch(Due::All).players.len(), 1);
}

#[test]
fn a_write_that_has_changed_meanwhile_stays() {
    let mut queue = WriteQueue::default();
    assert!(queue.put_player(row(b"old"), true, UNIX_EPOCH));
    let batch = queue.next_batch(Due::All);
    assert!(queue.put_player(row(b"new"), true, UNIX_EPOCH));
    queue.done(&batch);
    let left = queue.next_batch(Due::All);
    assert_eq!(left.players[0].1, PlayerWrite::Put(row(b"new")));
    queue.done(&left);
    assert!(queue.next_batch(Due::All).is_empty());
}

/// A store that fails for days must not fill the memory with players.
#[test]
fn players_beyond_the_queue_are_dropped() {
    let mut queue = WriteQueue::default();
    for number in 0..MAX_PLAYERS {
        queue.use_player(format!("a{number}"), UNIX_EPOCH);
    }
    assert!(!queue.put_player(row(b"new"), true, UNIX_EPOCH));
    assert!(!queue.delete_player("key".to_owned(), UNIX_EPOCH));
    queue.use_player("key".to_owned(), UNIX_EPOCH);
    assert_eq!(queue.players.len(), MAX_PLAYERS);
}

#[test]
fn full_queue_takes_newer_writes_of_its_players() {
    let mut queue = WriteQueue::default();
    assert!(queue.put_player(row(b"old"), true, UNIX_EPOCH));
    for number in 1..MAX_PLAYERS {
        queue.use_player(format!("a{number}"), UNIX_EPOCH);
    }
    assert!(queue.put_player(row(b"new"), true, UNIX_EPOCH));
    assert_eq!(queue.player("key"), Some(PlayerWrite::Put(row(b"new"))));
    assert!(queue.delete_player("key".to_owned(), UNIX_EPOCH));
    assert_eq!(queue.player("key"), Some(PlayerWrite::Delete(UNIX_EPOCH)));
}

#[test]
fn textures_beyond_the_queue_are_dropped() {
    let mut queue = WriteQueue::default();
    for number in 0..MAX_TEXTURES {
        queue.use_texture(TextureId::of(&number.to_le_bytes()));
    }
    let excess = TextureId::of(b"file");
    queue.use_texture(excess);
    assert!(!queue.put_texture(excess, Bytes::from_static(b"file")));
    assert_eq!(queue.textures.len(), MAX_TEXTURES);
    assert_eq!(queue.bytes(), 0);
}

#[test]
fn the_bytes_of_textures_come_back() {
    let mut queue = WriteQueue::default();
    let id = TextureId::of(b"file");
    queue.use_texture(id);
    assert!(queue.put_texture(id, Bytes::from_static(b"file")));
    assert!(
        queue.put_texture(id, Bytes::from_static(b"file")),
        "it waits already"
    );
    assert_eq!(queue.bytes(), MIN_BYTES);
    let batch = queue.next_batch(Due::All);
    queue.done(&batch);
    assert_eq!(queue.bytes(), 0);
}
