//! Bytes that equal those a fixed distance before them.

use wide::u8x16;

use super::WINDOW;

/// Shorter matches mostly cost more than the literals that they stand for.
pub(super) const SHORTEST: usize = 5;

/// RFC 1951, 3.2.5.
pub(super) const LONGEST: usize = 258;

/// So many bytes are compared at a time, for one bit each.
const CHUNK: usize = 64;

/// The distances at which matches are looked for.
pub(super) struct Distances([usize; 4]);

/// A match: bytes that are those some distance before.
pub(super) struct Match {
    pub(super) start: usize,
    pub(super) length: usize,
    pub(super) distance: usize,
}

/// The matches of some bytes, each the longest one after the last.
pub(super) struct Matches<'a> {
    bytes: &'a [u8],
    distances: [usize; 4],
    /// Where the chunk begins whose masks these are.
    chunk: usize,
    /// For each distance the bytes of the chunk that equal those before: the first the lowest bit.
    masks: [u64; 4],
    /// Where in the chunk matches may begin that are yet to be looked at.
    starts: u64,
}

impl Distances {
    pub(super) fn new(distances: [usize; 4]) -> Distances {
        let usable = |distance| (1..=WINDOW).contains(&distance);
        // Nothing is as far back as the largest number.
        Distances(distances.map(|distance| {
            if usable(distance) {
                distance
            } else {
                usize::MAX
            }
        }))
    }

    /// The matches from a byte on. They refer to bytes before it, too.
    pub(super) fn matches<'a>(&self, bytes: &'a [u8], from: usize) -> Matches<'a> {
        let mut matches = Matches {
            bytes,
            distances: self.0,
            chunk: from,
            masks: [0; 4],
            starts: 0,
        };
        matches.compare();
        matches
    }
}

impl Iterator for Matches<'_> {
    type Item = Match;

    #[inline]
    fn next(&mut self) -> Option<Match> {
        loop {
            while self.starts == 0 {
                self.chunk += CHUNK;
                if self.chunk >= self.bytes.len() {
                    return None;
                }
                self.compare();
            }
            let at = self.starts.trailing_zeros() as usize;
            let found = self.longest(at);
            let end = at + found.length;
            if found.length < SHORTEST {
                self.starts &= self.starts - 1;
            } else if end < CHUNK {
                self.starts &= u64::MAX << end;
                return Some(found);
            } else {
                self.chunk += end;
                self.compare();
                return Some(found);
            }
        }
    }
}

impl Matches<'_> {
    /// Looks at the bytes of the chunk.
    fn compare(&mut self) {
        self.starts = 0;
        for (mask, distance) in self.masks.iter_mut().zip(self.distances) {
            *mask = equal(self.bytes, self.chunk, distance);
            self.starts |= runs(*mask);
        }
    }

    /// The longest match from a byte of the chunk on.
    fn longest(&self, at: usize) -> Match {
        let start = self.chunk + at;
        let mut longest = (0, 0);
        for (mask, distance) in self.masks.iter().zip(self.distances) {
            let mut length = (mask >> at).trailing_ones() as usize;
            let mut seen = CHUNK - at;
            while length == seen && length < LONGEST {
                length += equal(self.bytes, start + length, distance).trailing_ones() as usize;
                seen += CHUNK;
            }
            if length > longest.0 {
                longest = (length.min(LONGEST), distance);
            }
            if length >= LONGEST {
                break;
            }
        }
        let (length, distance) = longest;
        Match {
            start,
            length,
            distance,
        }
    }
}

/// Where at least [`SHORTEST`] ones in a row begin, as far as the chunk tells.
fn runs(mask: u64) -> u64 {
    let unknown = |n: usize| !(u64::MAX >> n);
    (1..SHORTEST).fold(mask, |runs, n| runs & (mask >> n | unknown(n)))
}

/// Which of the bytes of a chunk equal those a distance before: the first is the lowest bit.
#[inline]
fn equal(bytes: &[u8], chunk: usize, distance: usize) -> u64 {
    if distance > chunk {
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
