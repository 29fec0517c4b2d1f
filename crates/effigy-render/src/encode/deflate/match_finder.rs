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

/// Divides the bytes from `start` on into literals and matches. Matches may refer to the bytes
/// before `start`. Calls `take` with literals, and with the length and the distance of the match
/// after them; after the last literals, the length is 0.
pub(super) fn find_matches(
    bytes: &[u8],
    start: usize,
    distances: [usize; 4],
    mut take: impl FnMut(&[u8], usize, usize),
) {
    let mut literals = start;
    let mut chunk = start;
    while chunk < bytes.len() {
        // For each distance, the bytes of the chunk that equal the earlier ones. The first byte is
        // the lowest bit.
        let masks = distances.map(|distance| equal_bytes(bytes, chunk, distance));
        let starts = masks.map(run_starts);
        // The positions in the chunk at which a match may start.
        let mut candidates = starts.into_iter().fold(0, |all, starts| all | starts);
        while candidates != 0 {
            let position = candidates.trailing_zeros() as usize;
            let known = masks.map(|mask| mask >> position);
            let at = chunk + position;
            let Match { length, distance } =
                longest_match(bytes, at, distances, known, CHUNK - position);
            if length < MIN_MATCH {
                candidates &= candidates - 1;
                continue;
            }
            take(&bytes[literals..at], length, distance);
            literals = at + length;
            if position + length >= CHUNK {
                break;
            }
            candidates &= u64::MAX << (position + length);
        }
        chunk = literals.max(chunk + CHUNK);
    }
    take(&bytes[literals..], 0, 1);
}

/// Bytes that are equal to earlier ones.
struct Match {
    length: usize,
    /// The distance to the earlier bytes.
    distance: usize,
}

/// Returns the longest match at a position, for which the masks of the next `known_bytes` bytes are
/// known.
#[inline]
fn longest_match(
    bytes: &[u8],
    start: usize,
    distances: [usize; 4],
    known: [u64; 4],
    known_bytes: usize,
) -> Match {
    let mut longest = Match {
        length: 0,
        distance: 0,
    };
    for (mask, distance) in known.into_iter().zip(distances) {
        let mut length = mask.trailing_ones() as usize;
        let mut compared = known_bytes;
        while length == compared && length < MAX_MATCH {
            let further = equal_bytes(bytes, start + length, distance);
            length += further.trailing_ones() as usize;
            compared += CHUNK;
        }
        if length > longest.length {
            longest = Match {
                length: length.min(MAX_MATCH),
                distance,
            };
        }
        if length >= MAX_MATCH {
            break;
        }
    }
    longest
}

/// Returns the positions at which at least [`MIN_MATCH`] ones in a row start. Bits beyond the mask
/// count as ones.
fn run_starts(mask: u64) -> u64 {
    let beyond = |n: usize| !(u64::MAX >> n);
    (1..MIN_MATCH).fold(mask, |starts, n| starts & (mask >> n | beyond(n)))
}

/// Compares a chunk with the bytes at a distance before it, and returns a bit for each equal byte.
/// The first byte is the lowest bit. No byte is equal at a distance that the format does not allow.
#[inline]
fn equal_bytes(bytes: &[u8], chunk: usize, distance: usize) -> u64 {
    if !(1..=chunk.min(WINDOW_BYTES)).contains(&distance) {
        return 0;
    }
    let here = &bytes[chunk..];
    let there = &bytes[chunk - distance..];
    let chunks = (here.first_chunk::<CHUNK>(), there.first_chunk::<CHUNK>());
    let (Some(own), Some(others)) = chunks else {
        // The last bytes are fewer than a chunk.
        let pairs = here.iter().zip(there).zip(0..);
        return pairs.fold(0, |mask, ((a, b), bit)| mask | u64::from(a == b) << bit);
    };
    let own_parts = own.as_chunks::<16>().0;
    let other_parts = others.as_chunks::<16>().0;
    let mut mask = 0;
    for (a, b) in own_parts.iter().zip(other_parts).rev() {
        let equal = u8x16::new(*a).simd_eq(u8x16::new(*b));
        mask = mask << 16 | u64::from(equal.to_bitmask());
    }
    mask
}
