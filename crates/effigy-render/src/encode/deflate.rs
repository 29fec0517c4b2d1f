//! A zlib stream (RFC 1950) of the rows of a picture, made in bounded memory.
//!
//! A general compressor searches for earlier bytes like the next ones. Rows of a picture need no
//! search: where they repeat, they do so at a few distances, which follow from the row's length.

mod bits;
mod block;
mod huffman;
mod lengths;
mod matches;

use simd_adler32::Adler32;

use self::bits::Bits;
use self::block::Block;
use self::matches::{Distances, SHORTEST};

/// Matches reach no further back. RFC 1951, 2.
const WINDOW: usize = 32 << 10;

/// So many bytes gather before they are looked at.
const STRETCH: usize = 32 << 10;

/// A block is closed after so many symbols. Its codes cost about 100 bytes, and suit it the better
/// the shorter it is.
const BLOCK_SYMBOLS: usize = 48 << 10;

/// Rows up to this length are repeated byte by byte: each 258 of them cost the bits of the distance.
/// Beyond it is cheaper to say that a row is like the one above: a filter, then a run of zeros.
const NEAR: usize = 448;

/// The filter of a row whose bytes are those less the ones above. PNG specification, "Filter types".
pub(crate) const FILTERED_UP: u8 = 2;

/// A zlib stream in the making.
pub(crate) struct Zlib {
    distances: Distances,
    adler: Adler32,
    /// What matches may refer to, then what is not yet looked at.
    bytes: Vec<u8>,
    /// Where the bytes begin that are not yet looked at.
    fresh: usize,
    block: Block,
    bits: Bits,
}

impl Zlib {
    /// A stream of bytes that often equal those one of these distances before them. Of equally good
    /// ones the first is taken. Distances that no match can have do no harm.
    pub(crate) fn new(distances: [usize; 4]) -> Zlib {
        let mut bits = Bits::default();
        // Deflate with a window of 32 KiB, no dictionary. RFC 1950, 2.2.
        bits.bytes(&[0x78, 0x01]);
        Zlib {
            distances: Distances::new(distances),
            adler: Adler32::new(),
            bytes: Vec::new(),
            fresh: 0,
            block: Block::default(),
            bits,
        }
    }

    /// Makes room for so many bytes, as far as they are ever kept together, and for what they become.
    pub(crate) fn reserve(&mut self, bytes: usize) {
        self.bytes
            .reserve(bytes.min(WINDOW + STRETCH + STRETCH / 2));
        self.block.reserve(bytes.min(BLOCK_SYMBOLS));
        self.bits.reserve(bytes.min(BLOCK_SYMBOLS));
    }

    /// Appends bytes.
    pub(crate) fn write(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.bytes.extend(bytes);
        if self.bytes.len() - self.fresh >= STRETCH {
            self.look();
        }
    }

    /// Appends rows that show the same pixels as the row that was just written. It takes no time
    /// for each of their bytes.
    pub(crate) fn repeat(&mut self, row: &[u8], times: u32) {
        let length = row.len() * times as usize;
        if length < SHORTEST {
            (0..times).for_each(|_| self.write(row.iter().copied()));
        } else if row.len() <= NEAR {
            self.look();
            self.add(&[], length, row.len());
            self.passed_over(row, times);
        } else {
            self.look();
            let mut same = vec![0; row.len()];
            same[0] = FILTERED_UP;
            (0..times).for_each(|_| self.add(&[FILTERED_UP, 0], row.len() - 2, 1));
            self.passed_over(&same, times);
        }
    }

    /// Notes rows that are in the block without having been among the bytes.
    fn passed_over(&mut self, row: &[u8], times: u32) {
        self.adler = repeated(&self.adler, row, times);
        // All that came before them is further back now.
        self.bytes.clear();
        self.bytes.extend_from_slice(row);
        self.fresh = row.len();
    }

    /// The bytes of the stream that are ready, for the caller to take.
    pub(crate) fn ready(&mut self) -> &mut Vec<u8> {
        self.bits.whole_bytes()
    }

    /// Ends the stream.
    pub(crate) fn finish(&mut self) {
        self.look();
        self.block.close(true, &mut self.bits);
        self.bits.bytes(&self.adler.finish().to_be_bytes());
    }

    /// Finds the matches of the fresh bytes.
    fn look(&mut self) {
        let bytes = std::mem::take(&mut self.bytes);
        self.adler.write(&bytes[self.fresh..]);
        let mut literals = self.fresh;
        for found in self.distances.matches(&bytes, self.fresh) {
            self.add(&bytes[literals..found.start], found.length, found.distance);
            literals = found.start + found.length;
        }
        self.add(&bytes[literals..], 0, 0);
        self.bytes = bytes;
        let past = self.bytes.len().saturating_sub(WINDOW);
        if past >= STRETCH {
            self.bytes.drain(..past);
        }
        self.fresh = self.bytes.len();
    }

    fn add(&mut self, literals: &[u8], length: usize, distance: usize) {
        self.block.add(literals, length, distance);
        if self.block.symbols() >= BLOCK_SYMBOLS {
            self.block.close(false, &mut self.bits);
        }
    }
}

/// The checksum after a row has been appended so many times. RFC 1950, 8.2: its low half is the sum
/// of the bytes, its high half the sum of what the low half was after each of them.
fn repeated(adler: &Adler32, row: &[u8], times: u32) -> Adler32 {
    const PRIME: u64 = 65_521;
    let halves = |sum: u32| (u64::from(sum & 0xffff), u64::from(sum >> 16));
    let mut once = Adler32::from_checksum(0);
    once.write(row);
    let (row_low, row_high) = halves(once.finish());
    let (low, high) = halves(adler.finish());
    let times = u64::from(times);
    let earlier = times * times.saturating_sub(1) / 2 % PRIME;
    let (times, length) = (times % PRIME, row.len() as u64 % PRIME);
    let high = high + times * row_high + length * (times * low % PRIME + earlier * row_low % PRIME);
    let low = (low + times * row_low) % PRIME;
    let sum = u32::try_from((high % PRIME) << 16 | low).unwrap_or(0);
    Adler32::from_checksum(sum)
}

#[cfg(test)]
mod tests;
