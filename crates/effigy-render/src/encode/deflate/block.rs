//! A block of a deflate stream: literals and matches, then their codes. RFC 1951, 3.2.

use super::bits::Bits;
use super::huffman::{self, Code};
use super::lengths;
use super::matches::LONGEST;

/// The symbol of the block's end.
const END: usize = 256;

/// How many symbols literals, the end and lengths have.
pub(super) const LITERALS: usize = 286;

/// How many symbols distances have.
pub(super) const DISTANCES: usize = 30;

/// The longest code, so that four literals fit the bits that wait.
const LIMIT: u8 = 14;

/// The block that is being filled.
#[derive(Default)]
pub(super) struct Block {
    literals: Vec<u8>,
    sequences: Vec<Sequence>,
    symbols: usize,
}

/// A number of literals, then a match.
struct Sequence {
    literals: usize,
    length: usize,
    distance: Symbol,
}

/// A symbol that stands for several values, and the bits that tell them apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) symbol: usize,
    pub(super) extra: usize,
    pub(super) bits: u32,
}

impl Block {
    /// Appends literals, then a match unless its length is 0. It may be longer than a single match
    /// can be.
    pub(super) fn add(&mut self, literals: &[u8], length: usize, distance: usize) {
        self.literals.extend_from_slice(literals);
        self.symbols += literals.len() + length.div_ceil(LONGEST);
        self.sequences.push(Sequence {
            literals: literals.len(),
            length,
            distance: Symbol::of(distance.saturating_sub(1), 1),
        });
    }

    /// Makes room for so many literals.
    pub(super) fn reserve(&mut self, literals: usize) {
        self.literals.reserve(literals);
        self.sequences.reserve(literals / 8);
    }

    /// How many symbols it has.
    pub(super) fn symbols(&self) -> usize {
        self.symbols
    }

    /// Writes the block and begins another.
    pub(super) fn close(&mut self, last: bool, to: &mut Bits) {
        let (literals, distances) = self.frequencies();
        let literals = huffman::lengths(&literals, LIMIT);
        let distances = huffman::lengths(&distances, LIMIT);
        // Codes of its own. RFC 1951, 3.2.3.
        to.push(u64::from(last) | 2 << 1, 3);
        lengths::describe(&literals, &distances, to);
        self.write(&huffman::codes(&literals), &huffman::codes(&distances), to);
        self.literals.clear();
        self.sequences.clear();
        self.symbols = 0;
    }

    fn frequencies(&self) -> ([u32; LITERALS], [u32; DISTANCES]) {
        let (mut literals, mut distances) = ([0; LITERALS], [0; DISTANCES]);
        for &literal in &self.literals {
            literals[usize::from(literal)] += 1;
        }
        literals[END] = 1;
        for sequence in &self.sequences {
            for length in pieces(sequence.length) {
                literals[length.symbol] += 1;
                distances[sequence.distance.symbol] += 1;
            }
        }
        (literals, distances)
    }

    fn write(&self, literals: &[Code; LITERALS], distances: &[Code; DISTANCES], to: &mut Bits) {
        let mut rest = &self.literals[..];
        for sequence in &self.sequences {
            let (now, later) = rest.split_at(sequence.literals);
            rest = later;
            write_literals(now, literals, to);
            for length in pieces(sequence.length) {
                to.symbol(literals[length.symbol], length);
                to.symbol(distances[sequence.distance.symbol], sequence.distance);
                to.settle();
            }
        }
        to.code(literals[END]);
        to.settle();
    }
}

fn write_literals(literals: &[u8], codes: &[Code; LITERALS], to: &mut Bits) {
    let (fours, rest) = literals.as_chunks::<4>();
    for four in fours {
        // In pairs, which wait for one another less than single codes would.
        let [a, b, c, d] = four.map(|literal| codes[usize::from(literal)]);
        let (front, back) = (a.then(b), c.then(d));
        to.push(front.0, front.1);
        to.push(back.0, back.1);
        to.settle();
    }
    for &literal in rest {
        to.code(codes[usize::from(literal)]);
    }
    to.settle();
}

impl Code {
    fn then(self, next: Code) -> (u64, u32) {
        let bits = u64::from(self.bits) | u64::from(next.bits) << self.length;
        (bits, u32::from(self.length + next.length))
    }
}

impl Bits {
    #[inline]
    fn code(&mut self, code: Code) {
        self.push(code.bits.into(), code.length.into());
    }

    /// Appends the code of a symbol and its extra bits.
    #[inline]
    pub(super) fn symbol(&mut self, code: Code, symbol: Symbol) {
        self.code(code);
        self.push(symbol.extra as u64, symbol.bits);
    }
}

/// The symbols of a match's length, which may be more than one match can have.
fn pieces(length: usize) -> impl Iterator<Item = Symbol> {
    let mut left = length;
    std::iter::from_fn(move || {
        let piece = match left {
            0 => return None,
            // What is left over must be long enough for a match.
            259 | 260 => LONGEST - 3,
            _ => left.min(LONGEST),
        };
        left -= piece;
        Some(Symbol::of_length(piece))
    })
}

impl Symbol {
    /// The symbol of a value: 2^`step` symbols for as many values, then as many for twice as many,
    /// and so on. RFC 1951, 3.2.5.
    fn of(value: usize, step: u32) -> Symbol {
        let bits = value.checked_ilog2().unwrap_or(0).saturating_sub(step);
        Symbol {
            symbol: ((bits as usize) << step) + (value >> bits),
            extra: value & ((1 << bits) - 1),
            bits,
        }
    }

    /// The symbol of the length of one match. The longest has one for itself.
    fn of_length(length: usize) -> Symbol {
        if length == LONGEST {
            return Symbol {
                symbol: LITERALS - 1,
                extra: 0,
                bits: 0,
            };
        }
        let symbol = Symbol::of(length - 3, 2);
        Symbol {
            symbol: END + 1 + symbol.symbol,
            ..symbol
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_symbols_of_the_standard() {
        let table = [
            (3, 257, 0, 0),
            (10, 264, 0, 0),
            (11, 265, 0, 1),
            (12, 265, 1, 1),
            (13, 266, 0, 1),
            (114, 279, 15, 4),
            (115, 280, 0, 4),
            (131, 281, 0, 5),
            (257, 284, 30, 5),
            (258, 285, 0, 0),
        ];
        for (length, symbol, extra, bits) in table {
            let expected = Symbol {
                symbol,
                extra,
                bits,
            };
            assert_eq!(Symbol::of_length(length), expected, "{length}");
        }
    }

    #[test]
    fn distances_have_the_symbols_of_the_standard() {
        let table = [
            (1, 0, 0, 0),
            (4, 3, 0, 0),
            (5, 4, 0, 1),
            (6, 4, 1, 1),
            (7, 5, 0, 1),
            (24_577, 29, 0, 13),
            (32_768, 29, 8191, 13),
        ];
        for (distance, symbol, extra, bits) in table {
            let expected = Symbol {
                symbol,
                extra,
                bits,
            };
            assert_eq!(Symbol::of(distance - 1, 1), expected, "{distance}");
        }
    }
}
