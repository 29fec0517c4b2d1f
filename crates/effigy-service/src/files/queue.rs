//! The writes that wait for the store.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use effigy_store::{CachedImage, PlayerRow, TextureId};

/// The bytes of pictures and textures that may wait to be written, or are being written.
pub(super) const MAX_BYTES: usize = 32 << 20;

/// The bytes that a smaller file counts as, because many small ones take memory and time, too.
pub(super) const MIN_BYTES: usize = 32 << 10;

/// The most pictures that are written together.
const MAX_PICTURES: usize = 64;

/// The most textures, and the most players, that are written together.
const MAX_ROWS: usize = 256;

/// The time after which a check that has changed nothing is written.
const UNCHANGED_INTERVAL: Duration = Duration::from_secs(600);

/// The number of waiting players from which on a check that has changed nothing is written at once.
const MAX_UNCHANGED: usize = 50_000;

/// The players that may wait to be written. It is reached only while the store fails. A record
/// takes about a kilobyte.
const MAX_PLAYERS: usize = 64 << 10;

/// The textures that may wait to be written or marked as used. It is reached only while the store
/// fails.
const MAX_TEXTURES: usize = 64 << 10;

/// The writes that wait or are being made.
///
/// All of them are bounded, so that an outage of the store doesn't fill the memory.
#[derive(Debug, Default)]
pub(super) struct WriteQueue {
    pictures: VecDeque<(String, Arc<CachedImage>)>,
    textures: BTreeMap<TextureId, TextureWrite>,
    players: BTreeMap<Arc<str>, QueuedPlayer>,
    /// The keys of the players in the order in which they must be written.
    players_by_due: BTreeSet<(SystemTime, Arc<str>)>,
    bytes: usize,
}

/// A write of a texture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TextureWrite {
    Put(Bytes),
    Used,
}

/// A write of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PlayerWrite {
    Put(PlayerRow),
    Used(SystemTime),
    Delete(SystemTime),
}

#[derive(Debug, Clone)]
struct QueuedPlayer {
    write: PlayerWrite,
    /// The time at which it must be written.
    due: SystemTime,
}

/// The writes of players that a batch takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// All that wait.
    All,
    /// Those that must be written by now.
    At(SystemTime),
}

/// Writes that go to the store together.
#[derive(Debug, Default)]
pub(super) struct QueuedBatch {
    pub(super) pictures: Vec<(String, Arc<CachedImage>)>,
    pub(super) textures: Vec<(TextureId, TextureWrite)>,
    pub(super) players: Vec<(Arc<str>, PlayerWrite)>,
}

impl WriteQueue {
    /// Adds a picture. Returns `false` if there is no room for it.
    pub(super) fn put_picture(&mut self, key: String, file: &Arc<CachedImage>) -> bool {
        let bytes = counted_bytes(file.data.len());
        if self.bytes + bytes > MAX_BYTES {
            return false;
        }
        self.bytes += bytes;
        self.pictures.push_back((key, Arc::clone(file)));
        true
    }

    /// Returns a picture that waits to be written, or is being written.
    pub(super) fn picture(&self, key: &str) -> Option<Arc<CachedImage>> {
        let mut newest_first = self.pictures.iter().rev();
        let (_, file) = newest_first.find(|(queued, _)| queued == key)?;
        Some(Arc::clone(file))
    }

    /// Adds a texture. Returns `false` if there is no room for it.
    pub(super) fn put_texture(&mut self, id: TextureId, file: Bytes) -> bool {
        if matches!(self.textures.get(&id), Some(TextureWrite::Put(_))) {
            return true;
        }
        let bytes = counted_bytes(file.len());
        if self.bytes + bytes > MAX_BYTES || !self.has_room_for_texture(&id) {
            return false;
        }
        self.bytes += bytes;
        self.textures.insert(id, TextureWrite::Put(file));
        true
    }

    /// Records that a texture is in use. Without room for it, the next use is recorded.
    pub(super) fn use_texture(&mut self, id: TextureId) {
        if self.has_room_for_texture(&id) {
            self.textures.entry(id).or_insert(TextureWrite::Used);
        }
    }

    fn has_room_for_texture(&self, id: &TextureId) -> bool {
        self.textures.len() < MAX_TEXTURES || self.textures.contains_key(id)
    }

    /// Adds a player's record. One that a check has not changed may wait for some minutes. Returns
    /// `false` if there is no room for it.
    pub(super) fn put_player(&mut self, row: PlayerRow, is_urgent: bool, now: SystemTime) -> bool {
        if !self.has_room_for_player(&row.key) {
            return false;
        }
        let earlier = self.players.get(row.key.as_str());
        let earlier_due = earlier.map(|queued| queued.due);
        let due = if is_urgent || self.players.len() >= MAX_UNCHANGED {
            now
        } else {
            earlier_due.unwrap_or(now + UNCHANGED_INTERVAL)
        };
        let key = Arc::from(row.key.as_str());
        self.queue_player(key, PlayerWrite::Put(row), due);
        true
    }

    /// Records that a player is in use. Without room for it, the next use is recorded.
    pub(super) fn use_player(&mut self, key: String, now: SystemTime) {
        let is_queued = self.players.contains_key(key.as_str());
        if !is_queued && self.has_room_for_player(&key) {
            self.queue_player(key.into(), PlayerWrite::Used(now), now);
        }
    }

    /// Deletes a player's record. Returns `false` if there is no room for it. The record is deleted
    /// after a later check then.
    pub(super) fn delete_player(&mut self, key: String, now: SystemTime) -> bool {
        if !self.has_room_for_player(&key) {
            return false;
        }
        self.queue_player(key.into(), PlayerWrite::Delete(now), now);
        true
    }

    /// Returns `true` if a write of a player may be queued. There is always room if one is queued
    /// already, because the new one takes its place.
    fn has_room_for_player(&self, key: &str) -> bool {
        self.players.len() < MAX_PLAYERS || self.players.contains_key(key)
    }

    /// Queues a write of a player, and drops the one that waits.
    fn queue_player(&mut self, key: Arc<str>, write: PlayerWrite, due: SystemTime) {
        self.remove_player(&key);
        self.players_by_due.insert((due, Arc::clone(&key)));
        self.players.insert(key, QueuedPlayer { write, due });
    }

    fn remove_player(&mut self, key: &Arc<str>) {
        if let Some(removed) = self.players.remove(key) {
            self.players_by_due.remove(&(removed.due, Arc::clone(key)));
        }
    }

    /// Returns the file of a texture that waits.
    pub(super) fn texture(&self, id: &TextureId) -> Option<Bytes> {
        match self.textures.get(id)? {
            TextureWrite::Put(file) => Some(file.clone()),
            TextureWrite::Used => None,
        }
    }

    /// Returns the write of a player that waits.
    pub(super) fn player(&self, key: &str) -> Option<PlayerWrite> {
        let queued = self.players.get(key)?;
        Some(queued.write.clone())
    }

    /// The number of pictures that wait.
    pub(super) fn pictures(&self) -> usize {
        self.pictures.len()
    }

    /// The bytes that wait.
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns the next writes, which stay in the queue until they are [`done`](Self::done).
    pub(super) fn next_batch(&self, due: Due) -> QueuedBatch {
        let textures = self.textures.iter().take(MAX_ROWS);
        QueuedBatch {
            pictures: self.pictures.iter().take(MAX_PICTURES).cloned().collect(),
            textures: textures.map(|(id, write)| (*id, write.clone())).collect(),
            players: self.next_players(due),
        }
    }

    /// Returns the next writes of players. Most of the players that wait are not due, so they are
    /// found by their order: other tasks wait for the queue in the meantime.
    fn next_players(&self, due: Due) -> Vec<(Arc<str>, PlayerWrite)> {
        let mut players = Vec::new();
        for (due_at, key) in self.players_by_due.iter().take(MAX_ROWS) {
            if let Due::At(now) = due
                && now < *due_at
            {
                break;
            }
            let queued = &self.players[key];
            players.push((Arc::clone(key), queued.write.clone()));
        }
        players
    }

    /// Removes writes that were made, unless others have taken their places.
    ///
    /// Only one batch may be under way at a time. Its pictures are still the first ones of the
    /// queue then, because others are only added behind them.
    pub(super) fn done(&mut self, batch: &QueuedBatch) {
        for (_, file) in self.pictures.drain(..batch.pictures.len()) {
            self.bytes -= counted_bytes(file.data.len());
        }
        for (id, write) in &batch.textures {
            if self.textures.get(id) != Some(write) {
                continue;
            }
            self.textures.remove(id);
            if let TextureWrite::Put(file) = write {
                self.bytes -= counted_bytes(file.len());
            }
        }
        for (key, write) in &batch.players {
            let waiting = self.players.get(key);
            if waiting.is_some_and(|queued| queued.write == *write) {
                self.remove_player(key);
            }
        }
    }
}

impl QueuedBatch {
    /// Returns `true` if there is nothing to write.
    pub(super) fn is_empty(&self) -> bool {
        self.pictures.is_empty() && self.textures.is_empty() && self.players.is_empty()
    }

    /// Returns `true` if more may wait.
    pub(super) fn is_full(&self) -> bool {
        self.pictures.len() == MAX_PICTURES
            || self.textures.len() == MAX_ROWS
            || self.players.len() == MAX_ROWS
    }
}

fn counted_bytes(length: usize) -> usize {
    length.max(MIN_BYTES)
}

#[cfg(test)]
mod tests;
