//! Huffman codes of limited length. RFC 1951, 3.2.2.

/// The code of one symbol, ready to be pushed: first bit lowest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub(super) bits: u16,
    pub(super) length: u8,
}

/// The lengths of the best code for symbols of these frequencies, in which no length is above the
/// limit. Symbols that do not occur have none, but at least two do: decoders disagree on whether a
/// code of one symbol is one.
pub(super) fn lengths<const N: usize>(frequencies: &[u32; N], limit: u8) -> [u8; N] {
    let mut frequencies = *frequencies;
    for symbol in 0..2 {
        if frequencies.iter().filter(|&&n| n > 0).count() < 2 && frequencies[symbol] == 0 {
            frequencies[symbol] = 1;
        }
    }
    loop {
        let lengths = unlimited(&frequencies);
        if lengths.iter().all(|&length| length <= limit) {
            return lengths;
        }
        // Frequencies that differ less make a flatter tree, in the end one of equal leaves.
        frequencies.iter_mut().for_each(|n| *n = n.div_ceil(2));
    }
}

/// Huffman's algorithm: the two rarest nodes become one, until there is one.
fn unlimited<const N: usize>(frequencies: &[u32; N]) -> [u8; N] {
    let mut leaves: Vec<(u32, usize)> = frequencies.iter().copied().zip(0..).collect();
    leaves.retain(|&(frequency, _)| frequency > 0);
    leaves.sort_unstable();
    let count = leaves.len();

    // Joined nodes come into being in the order of their frequency, so that each of the rarest is
    // either the next leaf or the next joined node.
    let mut nodes: Vec<u32> = leaves.iter().map(|leaf| leaf.0).collect();
    let mut parents = vec![0; 2 * count - 1];
    let (mut leaf, mut joined) = (0, count);
    for node in count..2 * count - 1 {
        let mut frequency = 0;
        for _ in 0..2 {
            let take_leaf = leaf < count && (joined == node || nodes[leaf] <= nodes[joined]);
            let rarest = if take_leaf { &mut leaf } else { &mut joined };
            frequency += nodes[*rarest];
            parents[*rarest] = node;
            *rarest += 1;
        }
        nodes.push(frequency);
    }

    let mut depths = vec![0u8; 2 * count - 1];
    for node in (0..2 * count - 2).rev() {
        depths[node] = depths[parents[node]].saturating_add(1);
    }
    let mut lengths = [0; N];
    for (&(_, symbol), depth) in leaves.iter().zip(depths) {
        lengths[symbol] = depth;
    }
    lengths
}

/// The codes of these lengths: in the order of length, then of symbol.
pub(super) fn codes<const N: usize>(lengths: &[u8; N]) -> [Code; N] {
    let mut codes = [Code::default(); N];
    let mut next = 0u16;
    for length in 1..=15 {
        next <<= 1;
        for (code, _) in codes.iter_mut().zip(lengths).filter(|(_, l)| **l == length) {
            let bits = next.reverse_bits() >> (16 - length);
            *code = Code { bits, length };
            next += 1;
        }
    }
    codes
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How much of all codes a code uses up: 1 when it is complete.
    fn share(lengths: &[u8]) -> f64 {
        let used = lengths.iter().filter(|&&length| length > 0);
        used.map(|&length| 0.5f64.powi(length.into())).sum()
    }

    #[test]
    fn the_code_of_the_standards_example() {
        // RFC 1951, 3.2.2: A to H.
        let codes = codes(&[3, 3, 3, 3, 3, 2, 4, 4]);
        let expected = [0b010, 0b011, 0b100, 0b101, 0b110, 0b00, 0b1110, 0b1111];
        for (code, expected) in codes.iter().zip(expected) {
            let straight = code.bits.reverse_bits() >> (16 - code.length);
            assert_eq!(straight, expected);
        }
    }

    #[test]
    fn rarer_symbols_have_longer_codes() {
        assert_eq!(lengths(&[8, 1, 0, 2, 4, 1], 15), [1, 4, 0, 3, 2, 4]);
        assert_eq!(lengths(&[5; 8], 15), [3; 8]);
    }

    #[test]
    fn at_least_two_symbols_have_codes() {
        assert_eq!(lengths(&[0; 4], 14), [1, 1, 0, 0]);
        assert_eq!(lengths(&[0, 9, 0, 0], 14), [1, 1, 0, 0]);
        assert_eq!(lengths(&[0, 0, 0, 9], 14), [1, 0, 0, 1]);
    }

    #[test]
    fn lengths_are_limited_and_the_code_stays_complete() {
        // Fibonacci's numbers make the deepest trees.
        let mut frequencies = [1u32; 40];
        for i in 2..frequencies.len() {
            frequencies[i] = frequencies[i - 1] + frequencies[i - 2];
        }
        for limit in [6, 7, 14, 15] {
            let lengths = lengths(&frequencies, limit);
            assert!(lengths.iter().all(|&n| (1..=limit).contains(&n)), "{limit}");
            assert!((share(&lengths) - 1.0).abs() < 1e-9, "{limit}");
        }
        assert_eq!(lengths(&frequencies, 40)[0], 39);
    }
}
