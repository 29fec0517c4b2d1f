//! Huffman codes of limited length. RFC 1951, 3.2.2.

/// The code of one symbol. Its first bit is the lowest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub(super) bits: u16,
    pub(super) length: u8,
}

/// Returns the codes for symbols of these frequencies, at most `limit` bits each. Symbols that do not occur have a code of
/// length 0. At least two symbols have a longer one, because some decoders reject a code of one symbol.
pub(super) fn codes<const N: usize>(frequencies: &[u32; N], limit: u8) -> [Code; N] {
    canonical_codes(&code_lengths(frequencies, limit))
}

fn code_lengths<const N: usize>(frequencies: &[u32; N], limit: u8) -> [u8; N] {
    let mut frequencies = *frequencies;
    for symbol in 0..2 {
        if frequencies.iter().filter(|&&n| n > 0).count() < 2 && frequencies[symbol] == 0 {
            frequencies[symbol] = 1;
        }
    }
    loop {
        let lengths = unlimited_lengths(&frequencies);
        if lengths.iter().all(|&length| length <= limit) {
            return lengths;
        }
        // Halving, rounded up, makes frequencies more alike and the tree flatter.
        frequencies.iter_mut().for_each(|n| *n = n.div_ceil(2));
    }
}

/// Huffman's algorithm: joins the two rarest nodes until one is left.
fn unlimited_lengths<const N: usize>(frequencies: &[u32; N]) -> [u8; N] {
    let mut leaves: Vec<(u32, usize)> = frequencies.iter().copied().zip(0..).collect();
    leaves.retain(|&(frequency, _)| frequency > 0);
    leaves.sort_unstable();
    let count = leaves.len();

    // Joined nodes are created in the order of their frequency. So the rarest node is always the
    // next leaf or the next joined node, and no priority queue is needed.
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

/// Returns the canonical code for these lengths: ordered by length, then by symbol.
fn canonical_codes<const N: usize>(lengths: &[u8; N]) -> [Code; N] {
    let mut next = [0u16; 17];
    for &length in lengths.iter().filter(|&&length| length > 0) {
        next[usize::from(length) + 1] += 1;
    }
    for length in 1..next.len() {
        next[length] = (next[length] + next[length - 1]) << 1;
    }
    lengths.map(|length| {
        let next = &mut next[usize::from(length)];
        let bits = next.reverse_bits().unbounded_shr(16 - u32::from(length));
        *next += 1;
        Code { bits, length }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarer_symbols_have_longer_codes_and_at_least_two_have_one() {
        for (frequencies, lengths) in [
            ([8, 1, 0, 2, 4, 1], [1, 4, 0, 3, 2, 4]),
            ([5, 5, 0, 5, 0, 5], [2, 2, 0, 2, 0, 2]),
            ([0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]),
            ([0, 9, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0]),
            ([0, 0, 0, 9, 0, 0], [1, 0, 0, 1, 0, 0]),
        ] {
            assert_eq!(code_lengths(&frequencies, 14), lengths);
        }
    }

    #[test]
    fn lengths_are_limited_and_the_code_stays_complete() {
        // Fibonacci numbers yield the deepest trees.
        let mut frequencies = [1u32; 40];
        for i in 2..frequencies.len() {
            frequencies[i] = frequencies[i - 1] + frequencies[i - 2];
        }
        for limit in [6, 7, 14, 15] {
            let lengths = code_lengths(&frequencies, limit);
            assert!(lengths.iter().all(|&n| (1..=limit).contains(&n)), "{limit}");
            let shares = lengths.map(|length| 0.5_f64.powi(length.into()));
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{limit}");
        }
        assert_eq!(code_lengths(&frequencies, 40)[0], 39);
    }
}
