//! How a block tells its codes. RFC 1951, 3.2.7.

use super::bits::Bits;
use super::block::{DISTANCES, LITERALS, Symbol};
use super::huffman;

/// In which order the code of the lengths is told: its rarest symbols last.
const ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// The longest code of a length.
const LIMIT: u8 = 7;

/// Writes the lengths of a block's codes.
pub(super) fn describe(literals: &[u8; LITERALS], distances: &[u8; DISTANCES], to: &mut Bits) {
    let literals = used(literals, 257);
    let distances = used(distances, 1);
    let symbols = symbols(&[literals, distances].concat());
    let mut frequencies = [0; ORDER.len()];
    for symbol in &symbols {
        frequencies[symbol.symbol] += 1;
    }
    let lengths = huffman::lengths(&frequencies, LIMIT);
    let codes = huffman::codes(&lengths);
    let ordered = ORDER.map(|symbol| lengths[symbol]);
    let ordered = used(&ordered, 4);

    to.push((literals.len() - 257) as u64, 5);
    to.push((distances.len() - 1) as u64, 5);
    to.push((ordered.len() - 4) as u64, 4);
    for &length in ordered {
        to.settle();
        to.push(length.into(), 3);
    }
    for symbol in symbols {
        to.settle();
        to.symbol(codes[symbol.symbol], symbol);
    }
    to.settle();
}

/// The lengths without the zeros at their end, but at least so many.
fn used(lengths: &[u8], least: usize) -> &[u8] {
    let last = lengths.iter().rposition(|&length| length > 0);
    &lengths[..last.map_or(least, |last| least.max(last + 1))]
}

/// The symbols that tell these lengths: each stands for a length, or for several of them.
fn symbols(lengths: &[u8]) -> Vec<Symbol> {
    let once = |length: u8| Symbol {
        symbol: length.into(),
        extra: 0,
        bits: 0,
    };
    let several = |symbol, extra, bits| Symbol {
        symbol,
        extra,
        bits,
    };
    let mut symbols = Vec::new();
    for run in lengths.chunk_by(|a, b| a == b) {
        let (length, mut left) = (run[0], run.len());
        if length > 0 {
            symbols.push(once(length));
            left -= 1;
        }
        while left > 0 {
            let count = match (length, left) {
                (_, ..3) => 1,
                (0, _) => left.min(138),
                _ => left.min(6),
            };
            symbols.push(match (length, count) {
                (_, 1) => once(length),
                (0, ..11) => several(17, count - 3, 3),
                (0, _) => several(18, count - 11, 7),
                _ => several(16, count - 3, 2),
            });
            left -= count;
        }
    }
    symbols
}
