//! Matches at a few known distances.

use wide::u8x16;

/// The greatest distance of a match. RFC 1951, 2.
pub(super) const WINDOW_BYTES: usize = 32 << 10;

/// Shorter matches mostly cost more bits than their literals.
pub(super) const MIN_MATCH: usize = 5;

/// RFC 1951, 3.2.5.
pub(super) const MAX_MATCH: usize = 258;

/// The number of bytes that are compared at once, for one bit each.
const CHUNK: usize = 64;

/// Bytes that equal those `distance` before them.
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) distance: usize,
}

/// An iterator over matches that do not overlap.
pub(super) struct Matches<'a> {
    bytes: &'a [u8],
    distances: [usize; 4],
    /// The start of the current chunk.
    chunk: usize,
    /// For each distance, the bytes of the chunk that equal the earlier ones. The first byte is the
    /// lowest bit.
    masks: [u64; 4],
    /// The positions in the chunk at which a match may start.
    candidates: u64,
}

impl<'a> Matches<'a> {
    /// Finds matches of the bytes from `start` on. They may refer to the bytes before.
    pub(super) fn new(bytes: &'a [u8], start: usize, distances: [usize; 4]) -> Matches<'a> {
        let mut matches = Matches {
            bytes,
            distances,
            chunk: start,
            masks: [0; 4],
            candidates: 0,
        };
        matches.compare_chunk();
        matches
    }

    fn compare_chunk(&mut self) {
        self.candidates = 0;
        for (mask, distance) in self.masks.iter_mut().zip(self.distances) {
            *mask = equal_bytes(self.bytes, self.chunk, distance);
            self.candidates |= run_starts(*mask);
        }
    }

    /// Returns the longest match at a position in the chunk.
    fn longest_match(&self, position: usize) -> Match {
        let start = self.chunk + position;
        let mut longest = Match {
            start,
            length: 0,
            distance: 0,
        };
        for (mask, distance) in self.masks.iter().zip(self.distances) {
            let mut length = (mask >> position).trailing_ones() as usize;
            let mut compared = CHUNK - position;
            while length == compared && length < MAX_MATCH {
                let mask = equal_bytes(self.bytes, start + length, distance);
                length += mask.trailing_ones() as usize;
                compared += CHUNK;
            }
            if length > longest.length {
                longest.length = length.min(MAX_MATCH);
                longest.distance = distance;
            }
            if length >= MAX_MATCH {
                break;
            }
        }
        longest
    }
}

impl Iterator for Matches<'_> {
    type Item = Match;

    #[inline]
    fn next(&mut self) -> Option<Match> {
        loop {
            while self.candidates == 0 {
                self.chunk += CHUNK;
                if self.chunk >= self.bytes.len() {
                    return None;
                }
                self.compare_chunk();
            }
            let position = self.candidates.trailing_zeros() as usize;
            let found = self.longest_match(position);
            let end = position + found.length;
            if found.length < MIN_MATCH {
                self.candidates &= self.candidates - 1;
            } else if end < CHUNK {
                self.candidates &= u64::MAX << end;
                return Some(found);
            } else {
                self.chunk += end;
                self.compare_chunk();
                return Some(found);
            }
        }
    }
}

/// Returns where at least [`MIN_MATCH`] ones in a row start. Bits beyond the mask count as ones.
fn run_starts(mask: u64) -> u64 {
    let beyond = |n: usize| !(u64::MAX >> n);
    (1..MIN_MATCH).fold(mask, |starts, n| starts & (mask >> n | beyond(n)))
}

/// Compares a chunk with the bytes at a distance before it. The first byte is the lowest bit. No byte is found at a distance
/// that the format does not allow.
#[inline]
fn equal_bytes(bytes: &[u8], chunk: usize, distance: usize) -> u64 {
    if !(1..=chunk.min(WINDOW_BYTES)).contains(&distance) {
        return 0;
    }
    let here = bytes.get(chunk..).unwrap_or(&[]);
    let there = &bytes[chunk - distance..];
    match (here.first_chunk::<CHUNK>(), there.first_chunk::<CHUNK>()) {
        (Some(here), Some(there)) => {
            let (here, there) = (here.as_chunks::<16>().0, there.as_chunks::<16>().0);
            let mut mask = 0;
            for (here, there) in here.iter().zip(there).rev() {
                let equal = u8x16::new(*here).simd_eq(u8x16::new(*there));
                mask = mask << 16 | u64::from(equal.to_bitmask());
            }
            mask
        }
        _ => {
            let pairs = here.iter().zip(there).zip(0..);
            pairs.fold(0, |mask, ((here, there), bit)| {
                mask | u64::from(here == there) << bit
            })
        }
    }
}
