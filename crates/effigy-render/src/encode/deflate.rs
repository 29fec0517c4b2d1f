//! A zlib encoder (RFC 1950, RFC 1951) for the rows of rendered pictures.
//!
//! # Why not a crate
//!
//! A general encoder searches for matches with hash tables of earlier strings. In these pictures
//! matches occur at a handful of distances that follow from the row length, so no search is needed,
//! and this encoder is 2.5 to 5 times as fast as others at about the same size. Milliseconds and
//! bytes for the knight skin, all on the same pixels on one machine ("up" and "none" are the PNG
//! filters of the rows):
//!
//! | encoder | body 128 | body 512 | head 128 | head 512 |
//! |---|---|---|---|---|
//! | this one, up | 0.42, 35.1 k | 1.61, 74.5 k | 0.23, 11.6 k | 0.95, 24.7 k |
//! | png, balanced, up | 2.83, 32.5 k | 6.73, 74.9 k | 0.78, 10.7 k | 3.61, 25.1 k |
//! | png, fast, up | 0.17, 46.0 k | 1.09, 197.7 k | 0.06, 20.5 k | 0.57, 87.0 k |
//! | zlib-rs level 2, up | 0.98, 35.1 k | 2.73, 89.6 k | 0.23, 11.8 k | 1.33, 28.8 k |
//! | libdeflate level 1, up | 0.63, 34.3 k | 6.50, 85.4 k | 0.22, 11.4 k | 3.65, 28.6 k |
//! | libdeflate level 4, none | 0.88, 33.0 k | 5.12, 83.8 k | 0.29, 10.4 k | 3.74, 26.0 k |
//!
//! With area coverage, in kilobytes, means of eleven skins, each encoder with the row filter that
//! suits it best:
//!
//! | encoder | isometric body 128 | 256 | 512 | figure 128 | 256 |
//! |---|---|---|---|---|---|
//! | this one | 11.8 | 19.1 | 29.9 | 10.6 | 19.9 |
//! | zlib-rs level 3 | 11.8 | 20.7 | 34.3 | 10.9 | 19.5 |
//! | zlib-rs level 6 | 10.6 | 18.1 | 31.3 | 10.4 | 18.9 |
//! | libdeflate level 1 | 11.9 | 20.6 | 34.2 | 11.0 | 19.9 |
//! | libdeflate level 6 | 10.7 | 19.0 | 32.0 | 10.7 | 19.0 |
//! | libdeflate level 12 | 10.0 | 16.8 | 27.6 | 9.7 | 17.3 |
//!
//! In isometric pictures the levels from 6 on find, in addition to the distances here, edges of
//! slope ½ two and three rows above (two rows and 16 bytes, three rows and 24), and they defer a
//! match if the next byte starts a longer one. The two distances would save 2 % at the cost of half
//! the same number of comparisons again, and matches of 4 bytes would save another 2 %.
//!
//! It also repeats a row without reading it again, so that a flat view of 20,000 pixels takes a few
//! milliseconds.
//!
//! # Algorithm
//!
//! 1. **Buffer.** Bytes are collected until 32 KiB are pending. The 32 KiB before them stay in the
//!    buffer, because matches refer to them.
//! 2. **Find matches** (`match_finder`). The caller names up to four distances, for example 1 byte
//!    (runs), one row, and one row plus or minus two pixels (edges of slope ½). For each distance,
//!    64 bytes are compared with those before them at a time, which yields a bit mask. A position
//!    can start a match if its mask has [`MIN_MATCH`] ones in a row. The longest match at the first
//!    such position is taken (greedy parsing). Of equally long matches, the one at the first
//!    distance is taken. All other bytes are literals.
//! 3. **Collect a block** (`block`). Literals and matches are stored until there are 48 Ki of them.
//!    Their frequencies yield two Huffman codes (`huffman`): the usual algorithm on sorted leaves,
//!    repeated with halved frequencies while a code is longer than 14 bits.
//! 4. **Write the block** (`block`, `bit_writer`). The header describes the code lengths, which are
//!    themselves compressed. Literals are written in groups of four: 4 × 14 bits fit into the 56
//!    bits that the writer accepts at once.
//! 5. **Repeat rows** ([`ZlibEncoder::repeat_row`]). Repetitions become symbols of a block without
//!    passing through the buffer. A short row becomes one long match at the distance of a row. A
//!    long row becomes a row of zeros under the PNG filter "up", because matches of distance 1 take
//!    fewer bits. The Adler-32 checksum of all repetitions has a closed form.

mod bit_writer;
mod block;
mod huffman;
mod match_finder;
mod symbol;

use simd_adler32::Adler32;

use self::block::Block;
use self::match_finder::{MIN_MATCH, WINDOW_BYTES, find_matches};
use crate::RenderError;
use crate::encode::row_filter::RowFilter;
use crate::scratch::reserve;

/// The number of pending bytes that are compressed at once.
const BATCH_BYTES: usize = 32 << 10;

/// The greatest length of a row that is repeated as a match. In longer rows, the bits of the
/// distance, once per 258 bytes, outweigh a new filter byte per row.
const MAX_MATCHED_ROW_BYTES: usize = 448;

/// The filter of repeated rows, whose bytes become zeros.
const FILTER_UP: u8 = RowFilter::Up as u8;

/// Compresses bytes to a zlib stream in bounded memory.
pub(crate) struct ZlibEncoder {
    /// The distances at which matches are sought.
    distances: [usize; 4],
    checksum: Adler32,
    /// Bytes that matches may refer to, then pending ones.
    buffer: Vec<u8>,
    /// The start of the pending bytes.
    pending: usize,
    block: Block,
}

impl ZlibEncoder {
    /// Creates an encoder that finds matches at these distances and prefers the first ones. A
    /// distance that the format does not allow is ignored. `rows` and `row_bytes` tell how much
    /// memory is needed; more bytes are possible.
    pub(crate) fn new(
        distances: [usize; 4],
        row_bytes: usize,
        rows: usize,
    ) -> Result<ZlibEncoder, RenderError> {
        let bytes = row_bytes.saturating_mul(rows);
        let buffered = bytes.min(WINDOW_BYTES + BATCH_BYTES + row_bytes.max(BATCH_BYTES / 2));
        let mut buffer = Vec::new();
        reserve(&mut buffer, buffered, 1)?;
        let mut block = Block::with_capacity(bytes);
        // Deflate with a window of 32 KiB, no dictionary. RFC 1950, 2.2.
        block.output.write_bytes(&[0x78, 0x01]);
        Ok(ZlibEncoder {
            distances,
            checksum: Adler32::new(),
            buffer,
            pending: 0,
            block,
        })
    }

    /// Appends bytes that a function appends to a buffer.
    pub(crate) fn write(&mut self, append: impl FnOnce(&mut Vec<u8>)) {
        append(&mut self.buffer);
        if self.buffer.len() - self.pending >= BATCH_BYTES {
            self.compress_pending();
        }
    }

    /// Appends up to 2¹⁶ rows with the same pixels as the unfiltered row of this length that was
    /// just written. Their bytes are not read again.
    pub(crate) fn repeat_row(&mut self, row: usize, times: u32) {
        let length = row * times as usize;
        if length < MIN_MATCH {
            for _ in 0..times {
                self.write(|to| to.extend_from_within(to.len() - row..));
            }
            return;
        }
        self.compress_pending();
        // Only the row stays in the buffer. The distances to all earlier bytes change, because its
        // repetitions do not pass through it.
        if row <= MAX_MATCHED_ROW_BYTES {
            self.block.push(&[], length, row);
            self.buffer.drain(..self.buffer.len() - row);
        } else {
            for _ in 0..times {
                self.block.push(&[FILTER_UP, 0], row - 2, 1);
            }
            self.buffer.clear();
            self.buffer.push(FILTER_UP);
            self.buffer.resize(row, 0);
        }
        self.pending = self.buffer.len();
        append_repeated(&mut self.checksum, &self.buffer, times);
    }

    /// Returns the finished bytes of the stream, which the caller removes.
    pub(crate) fn output(&mut self) -> &mut Vec<u8> {
        self.block.output.bytes()
    }

    /// Ends the stream.
    pub(crate) fn finish(&mut self) {
        self.compress_pending();
        self.block.finish(true);
        let checksum = self.checksum.finish();
        self.block.output.write_bytes(&checksum.to_be_bytes());
    }

    /// Moves the pending bytes into blocks as literals and matches.
    fn compress_pending(&mut self) {
        self.checksum.write(&self.buffer[self.pending..]);
        let take = |literals: &[u8], length, distance| self.block.push(literals, length, distance);
        find_matches(&self.buffer, self.pending, self.distances, take);
        let expired = self.buffer.len().saturating_sub(WINDOW_BYTES);
        if expired >= BATCH_BYTES {
            self.buffer.drain(..expired);
        }
        self.pending = self.buffer.len();
    }
}

/// Appends a row up to 2¹⁶ times to a checksum. RFC 1950, 8.2: its low half is the sum of all
/// bytes, its high half the sum of the low halves after each byte.
fn append_repeated(checksum: &mut Adler32, row: &[u8], times: u32) {
    /// The modulus of both halves.
    const PRIME: u64 = 65_521;
    let halves = |sum: u32| [sum & 0xffff, sum >> 16].map(u64::from);
    let mut once = Adler32::from_checksum(0);
    once.write(row);
    let [row_low, row_high] = halves(once.finish());
    let [low, high] = halves(checksum.finish());
    let repeats = u64::from(times);
    let length = row.len() as u64 % PRIME;
    // Each repetition adds the low halves of all earlier ones: 0 + 1 + 2 + ...
    let earlier = repeats * repeats.saturating_sub(1) / 2;
    let new_high = high + repeats * row_high + length * (repeats * low + earlier * row_low);
    let new_low = low + repeats * row_low;
    let sum = ((new_high % PRIME) << 16) | (new_low % PRIME);
    let sum = u32::try_from(sum).expect("both halves have 16 bits");
    *checksum = Adler32::from_checksum(sum);
}

#[cfg(test)]
mod tests;
