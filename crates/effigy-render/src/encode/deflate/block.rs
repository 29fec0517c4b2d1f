//! A deflate block with dynamic Huffman codes. RFC 1951, 3.2.

use super::bit_writer::BitWriter;
use super::huffman::{self, Code};
use super::match_finder::MAX_MATCH;
use super::symbol::{DISTANCE_SYMBOLS, END_OF_BLOCK, LITERAL_SYMBOLS, Symbol};

/// The longest code, chosen so that four literals fit into the bit writer.
const MAX_CODE_BITS: u8 = 14;

/// The number of symbols after which a block ends. A header costs about 100 bytes, but the codes of
/// shorter blocks fit them better.
const MAX_SYMBOLS: usize = 48 << 10;

/// The literals and matches of a block that is not yet written, and the bits of those before it.
pub(super) struct Block {
    literals: Vec<u8>,
    matches: Vec<Match>,
    /// The number of symbols without the symbols of distances.
    symbols: usize,
    pub(super) output: BitWriter,
}

/// A match, after a number of literals. It may be empty or longer than the format allows, and is
/// divided when it is written.
struct Match {
    literals: usize,
    length: usize,
    distance: Symbol,
}

impl Block {
    /// Creates a block with room for this many bytes at once.
    pub(super) fn with_capacity(bytes: usize) -> Block {
        let literals = bytes.min(MAX_SYMBOLS);
        Block {
            literals: Vec::with_capacity(literals),
            matches: Vec::with_capacity(literals / 8),
            symbols: 0,
            output: BitWriter::default(),
        }
    }

    /// Adds literals and the match after them. Its length is 0 if no match follows. Starts another
    /// block if there are many symbols.
    pub(super) fn push(&mut self, literals: &[u8], length: usize, distance: usize) {
        self.literals.extend_from_slice(literals);
        self.matches.push(Match {
            literals: literals.len(),
            length,
            distance: Symbol::of_distance(distance),
        });
        self.symbols += literals.len() + length.div_ceil(MAX_MATCH);
        if self.symbols >= MAX_SYMBOLS {
            self.finish(false);
        }
    }

    /// Writes the block and starts another one.
    pub(super) fn finish(&mut self, is_last: bool) {
        let codes = self.codes();
        // The block type 2 has codes of its own. RFC 1951, 3.2.3.
        self.output.push(u64::from(is_last) | 2 << 1, 3);
        write_codes(&codes, &mut self.output);
        self.write_symbols(&codes);
        self.literals.clear();
        self.matches.clear();
        self.symbols = 0;
    }

    /// Returns the codes for the frequencies of the symbols.
    fn codes(&self) -> Codes {
        let mut literals = [0; LITERAL_SYMBOLS];
        let mut distances = [0; DISTANCE_SYMBOLS];
        for &literal in &self.literals {
            literals[usize::from(literal)] += 1;
        }
        for found in &self.matches {
            for length in Symbol::of_match(found.length) {
                literals[length.index] += 1;
                distances[found.distance.index] += 1;
            }
        }
        literals[END_OF_BLOCK] = 1;
        Codes {
            literals: huffman::codes(&literals, MAX_CODE_BITS),
            distances: huffman::codes(&distances, MAX_CODE_BITS),
        }
    }

    /// Writes all literals and matches, and the end of the block.
    fn write_symbols(&mut self, codes: &Codes) {
        let Codes {
            literals,
            distances,
        } = codes;
        let to = &mut self.output;
        let mut left = &self.literals[..];
        for found in &self.matches {
            let (before, after) = left.split_at(found.literals);
            write_literals(before, literals, to);
            left = after;
            for length in Symbol::of_match(found.length) {
                to.push_symbol(literals[length.index], length);
                to.push_symbol(distances[found.distance.index], found.distance);
                to.flush();
            }
        }
        to.push_code(literals[END_OF_BLOCK]);
        to.flush();
    }
}

/// The codes of a block.
struct Codes {
    /// The codes of literals, of the end and of match lengths.
    literals: [Code; LITERAL_SYMBOLS],
    distances: [Code; DISTANCE_SYMBOLS],
}

fn write_literals(literals: &[u8], codes: &[Code; LITERAL_SYMBOLS], to: &mut BitWriter) {
    for four in literals.chunks(4) {
        for &literal in four {
            to.push_code(codes[usize::from(literal)]);
        }
        to.flush();
    }
}

/// The order in which the lengths of the description's own code are stored. Rare ones are last.
const STORED_ORDER: [usize; 19] = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
];

/// The longest code within the description.
const MAX_DESCRIPTION_BITS: u8 = 7;

/// Describes the codes of literals and distances, in the header of a block. RFC 1951, 3.2.7.
fn write_codes(described: &Codes, to: &mut BitWriter) {
    let literals = trim_unused(&described.literals, 257);
    let distances = trim_unused(&described.distances, 1);
    let symbols = run_length_encode(&[literals, distances].concat());
    let mut frequencies = [0; STORED_ORDER.len()];
    for symbol in &symbols {
        frequencies[symbol.index] += 1;
    }
    let codes = huffman::codes(&frequencies, MAX_DESCRIPTION_BITS);
    let ordered = STORED_ORDER.map(|symbol| codes[symbol]);
    let stored = trim_unused(&ordered, 4);

    to.push((literals.len() - 257) as u64, 5);
    to.push((distances.len() - 1) as u64, 5);
    to.push((stored.len() - 4) as u64, 4);
    for code in stored {
        to.flush();
        to.push(code.length.into(), 3);
    }
    for symbol in symbols {
        to.flush();
        to.push_symbol(codes[symbol.index], symbol);
    }
    to.flush();
}

/// Removes codes that are not used from the end, but keeps at least `min`.
fn trim_unused(codes: &[Code], min: usize) -> &[Code] {
    let last = codes.iter().rposition(|code| code.length > 0);
    &codes[..last.map_or(min, |last| min.max(last + 1))]
}

/// Converts the lengths of codes to symbols, each of which stands for one length or a run of equal
/// ones.
fn run_length_encode(codes: &[Code]) -> Vec<Symbol> {
    let mut symbols = Vec::new();
    for run in codes.chunk_by(|a, b| a.length == b.length) {
        let length = run[0].length;
        let mut left = run.len();
        let single = Symbol::new(length.into(), 0, 0);
        if length > 0 {
            symbols.push(single);
            left -= 1;
        }
        while left > 0 {
            let repeated = Repetition::of(length, left);
            symbols.push(repeated.symbol.unwrap_or(single));
            left -= repeated.count;
        }
    }
    symbols
}

/// A part of a run of equal code lengths. RFC 1951, 3.2.7.
struct Repetition {
    count: usize,
    /// `None` for a length that stands for itself.
    symbol: Option<Symbol>,
}

impl Repetition {
    /// Returns the longest possible beginning of a run: three lengths at least.
    fn of(length: u8, run: usize) -> Repetition {
        /// The symbol that repeats the last length.
        const LAST: usize = 16;
        /// The symbol for 3 to 10 lengths of 0.
        const FEW_ZEROS: usize = 17;
        /// The symbol for 11 to 138 lengths of 0.
        const MANY_ZEROS: usize = 18;
        if run < 3 {
            return Repetition {
                count: 1,
                symbol: None,
            };
        }
        let (count, symbol) = if length > 0 {
            let count = run.min(6);
            (count, Symbol::new(LAST, count - 3, 2))
        } else if run < 11 {
            (run, Symbol::new(FEW_ZEROS, run - 3, 3))
        } else {
            let count = run.min(138);
            (count, Symbol::new(MANY_ZEROS, count - 11, 7))
        };
        Repetition {
            count,
            symbol: Some(symbol),
        }
    }
}
