//! A deflate block with dynamic Huffman codes. RFC 1951, 3.2.

use super::bit_writer::BitWriter;
use super::code_lengths;
use super::huffman::{self, Code};
use super::match_finder::MAX_MATCH;
use super::symbol::{DISTANCE_SYMBOLS, END_OF_BLOCK, LITERAL_SYMBOLS, Symbol};

/// The longest code, chosen so that four literals fit into the bit writer.
const MAX_CODE_BITS: u8 = 14;

/// The literals and matches of a block that is not yet written.
#[derive(Default)]
pub(super) struct Block {
    literals: Vec<u8>,
    sequences: Vec<Sequence>,
    /// The number of literals after the last match.
    unmatched: usize,
    symbols: usize,
}

/// A number of literals, then a match.
struct Sequence {
    literals: usize,
    length: usize,
    distance: Symbol,
}

impl Block {
    pub(super) fn with_capacity(literals: usize) -> Block {
        Block {
            literals: Vec::with_capacity(literals),
            sequences: Vec::with_capacity(literals / 8),
            ..Block::default()
        }
    }

    pub(super) fn push_literals(&mut self, literals: &[u8]) {
        self.literals.extend_from_slice(literals);
        self.unmatched += literals.len();
        self.symbols += literals.len();
    }

    /// Appends a match. It may be longer than the format allows and is divided when it is written.
    pub(super) fn push_match(&mut self, length: usize, distance: usize) {
        self.symbols += length.div_ceil(MAX_MATCH);
        self.sequences.push(Sequence {
            literals: std::mem::take(&mut self.unmatched),
            length,
            distance: Symbol::of_distance(distance),
        });
    }

    /// Returns the approximate number of symbols.
    pub(super) fn symbols(&self) -> usize {
        self.symbols
    }

    /// Writes the block and starts another one.
    pub(super) fn finish(&mut self, is_last: bool, to: &mut BitWriter) {
        let (literals, distances) = self.count_frequencies();
        let literals = huffman::code_lengths(&literals, MAX_CODE_BITS);
        let distances = huffman::code_lengths(&distances, MAX_CODE_BITS);
        // The block type 2 has codes of its own. RFC 1951, 3.2.3.
        to.push(u64::from(is_last) | 2 << 1, 3);
        code_lengths::write(&literals, &distances, to);
        self.write_symbols(&huffman::codes(&literals), &huffman::codes(&distances), to);
        self.literals.clear();
        self.sequences.clear();
        self.unmatched = 0;
        self.symbols = 0;
    }

    fn count_frequencies(&self) -> ([u32; LITERAL_SYMBOLS], [u32; DISTANCE_SYMBOLS]) {
        let (mut literals, mut distances) = ([0; LITERAL_SYMBOLS], [0; DISTANCE_SYMBOLS]);
        for &literal in &self.literals {
            literals[usize::from(literal)] += 1;
        }
        literals[END_OF_BLOCK] = 1;
        for sequence in &self.sequences {
            for length in Symbol::of_match(sequence.length) {
                literals[length.index] += 1;
                distances[sequence.distance.index] += 1;
            }
        }
        (literals, distances)
    }

    fn write_symbols(
        &self,
        literals: &[Code; LITERAL_SYMBOLS],
        distances: &[Code; DISTANCE_SYMBOLS],
        to: &mut BitWriter,
    ) {
        let mut rest = &self.literals[..];
        for sequence in &self.sequences {
            let (current, later) = rest.split_at(sequence.literals);
            rest = later;
            write_literals(current, literals, to);
            for length in Symbol::of_match(sequence.length) {
                to.push_symbol(literals[length.index], length);
                to.push_symbol(distances[sequence.distance.index], sequence.distance);
                to.flush();
            }
        }
        write_literals(rest, literals, to);
        to.push_code(literals[END_OF_BLOCK]);
        to.flush();
    }
}

fn write_literals(literals: &[u8], codes: &[Code; LITERAL_SYMBOLS], to: &mut BitWriter) {
    let (fours, rest) = literals.as_chunks::<4>();
    for four in fours {
        for &literal in four {
            to.push_code(codes[usize::from(literal)]);
        }
        to.flush();
    }
    for &literal in rest {
        to.push_code(codes[usize::from(literal)]);
    }
    to.flush();
}
