//! The description of a block's codes in its header. RFC 1951, 3.2.7.

use super::bit_writer::BitWriter;
use super::huffman;
use super::symbol::{DISTANCE_SYMBOLS, LITERAL_SYMBOLS, Symbol};

/// The order in which the lengths of the description's own code are stored. Rare ones are last.
const STORED_ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// The longest code within the description.
const MAX_CODE_BITS: u8 = 7;

/// Writes the code lengths of a block's literals and distances.
pub(super) fn write(
    literals: &[u8; LITERAL_SYMBOLS],
    distances: &[u8; DISTANCE_SYMBOLS],
    to: &mut BitWriter,
) {
    let literals = trim_zeros(literals, 257);
    let distances = trim_zeros(distances, 1);
    let symbols = run_length_encode(&[literals, distances].concat());
    let mut frequencies = [0; STORED_ORDER.len()];
    for symbol in &symbols {
        frequencies[symbol.index] += 1;
    }
    let lengths = huffman::code_lengths(&frequencies, MAX_CODE_BITS);
    let codes = huffman::codes(&lengths);
    let stored = STORED_ORDER.map(|symbol| lengths[symbol]);
    let stored = trim_zeros(&stored, 4);

    to.push((literals.len() - 257) as u64, 5);
    to.push((distances.len() - 1) as u64, 5);
    to.push((stored.len() - 4) as u64, 4);
    for &length in stored {
        to.flush();
        to.push(length.into(), 3);
    }
    for symbol in symbols {
        to.flush();
        to.push_symbol(codes[symbol.index], symbol);
    }
    to.flush();
}

/// Removes zeros at the end, but keeps at least `min` lengths.
fn trim_zeros(lengths: &[u8], min: usize) -> &[u8] {
    let last = lengths.iter().rposition(|&length| length > 0);
    &lengths[..last.map_or(min, |last| min.max(last + 1))]
}

/// Converts code lengths to symbols, each of which stands for one length or a run of equal ones.
fn run_length_encode(lengths: &[u8]) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for run in lengths.chunk_by(|a, b| a == b) {
        let (length, mut left) = (run[0], run.len());
        let single = Symbol::new(length.into(), 0, 0);
        if length > 0 {
            symbols.push(single);
            left -= 1;
        }
        while left > 0 {
            let (count, symbol) = match (length, left) {
                (_, ..3) => (1, single),
                (0, ..11) => (left, Symbol::new(17, left - 3, 3)),
                (0, _) => (left.min(138), Symbol::new(18, left.min(138) - 11, 7)),
                _ => (left.min(6), Symbol::new(16, left.min(6) - 3, 2)),
            };
            symbols.push(symbol);
            left -= count;
        }
    }
    symbols
}
