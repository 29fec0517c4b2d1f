//! The symbols for match lengths and distances. RFC 1951, 3.2.5.

use super::match_finder::MAX_MATCH;

/// A symbol for a range of values, with the extra bits that select one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Symbol {
    pub(super) index: usize,
    pub(super) extra: usize,
    pub(super) extra_bits: u32,
}

/// The symbol that ends a block.
pub(super) const END_OF_BLOCK: usize = 256;

/// The number of symbols for literals, the end and match lengths.
pub(super) const LITERAL_SYMBOLS: usize = 286;

/// The number of symbols for distances.
pub(super) const DISTANCE_SYMBOLS: usize = 30;

impl Symbol {
    pub(super) fn new(index: usize, extra: usize, extra_bits: u32) -> Symbol {
        Symbol {
            index,
            extra,
            extra_bits,
        }
    }

    /// Returns the symbols of a match length, which may be greater than the format allows.
    pub(super) fn of_match(length: usize) -> impl Iterator<Item = Symbol> {
        let mut left = length;
        std::iter::from_fn(move || {
            let single = match left {
                0 => return None,
                // The rest must not be shorter than the format's shortest match of 3.
                259 | 260 => MAX_MATCH - 3,
                _ => left.min(MAX_MATCH),
            };
            left -= single;
            Some(match single {
                // The greatest length has a symbol of its own.
                MAX_MATCH => Symbol::new(LITERAL_SYMBOLS - 1, 0, 0),
                _ => Symbol::of(END_OF_BLOCK + 1, single - 3, 2),
            })
        })
    }

    /// Returns the symbol of a match distance. There are two symbols for each number of extra bits.
    pub(super) fn of_distance(distance: usize) -> Symbol {
        Symbol::of(0, distance - 1, 1)
    }

    /// Returns the symbol of a value, given the symbol of 0. Symbols form groups of 2^`step`. In
    /// the first two groups, a symbol stands for one value. In each further group, it stands
    /// for twice the number of values, and `value >> extra_bits` is 2^`step` plus the place in the
    /// group.
    fn of(zero: usize, value: usize, step: u32) -> Symbol {
        let extra_bits = value.checked_ilog2().unwrap_or(0).saturating_sub(step);
        let index = zero + ((extra_bits as usize) << step) + (value >> extra_bits);
        Symbol::new(index, value & ((1 << extra_bits) - 1), extra_bits)
    }
}
