//! Huffman codes of limited length. RFC 1951, 3.2.2.

use std::collections::VecDeque;

/// The code of one symbol. Its first bit is the lowest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Code {
    pub(super) bits: u16,
    pub(super) length: u8,
}

/// Returns the canonical codes, ordered by length and then by symbol, for symbols of these
/// frequencies: at most `limit` bits each. Symbols that do not occur have a code of length 0. At
/// least two symbols have a longer one, because some decoders reject a code of one symbol.
pub(super) fn codes<const N: usize>(frequencies: &[u32; N], limit: u8) -> [Code; N] {
    let lengths = code_lengths(frequencies, limit);
    // `next[n]` is first the number of codes of n - 1 bits, then the first code of n bits. Each
    // symbol takes a code and leaves the next one.
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

fn code_lengths<const N: usize>(frequencies: &[u32; N], limit: u8) -> [u8; N] {
    let mut frequencies = *frequencies;
    for symbol in 0..2 {
        let used = frequencies.iter().filter(|&&n| n > 0).count();
        if used < 2 && frequencies[symbol] == 0 {
            frequencies[symbol] = 1;
        }
    }
    loop {
        let lengths = unlimited_lengths(&frequencies);
        if lengths.iter().all(|&length| length <= limit) {
            return lengths;
        }
        // Halving, rounded up, makes frequencies more alike and the tree flatter.
        for frequency in &mut frequencies {
            *frequency = frequency.div_ceil(2);
        }
    }
}

/// Huffman's algorithm: joins the two rarest nodes until one is left.
fn unlimited_lengths<const N: usize>(frequencies: &[u32; N]) -> [u8; N] {
    let mut leaves: Vec<(u32, usize)> = frequencies.iter().copied().zip(0..).collect();
    leaves.retain(|&(frequency, _)| frequency > 0);
    leaves.sort_unstable();
    // Joined nodes are created in the order of their frequency. So the rarest node is always the
    // next leaf or the next joined node, and no priority queue is needed.
    let mut leaves = leaves.into_iter().peekable();
    let mut joined: VecDeque<(u32, usize)> = VecDeque::new();
    let mut rarest = |nodes: &mut VecDeque<(u32, usize)>| {
        let leaf = leaves.next_if(|leaf| nodes.front().is_none_or(|node| leaf < node));
        leaf.or_else(|| nodes.pop_front())
    };
    // 0 stands for no parent, which is the case for the root and for symbols that don't occur.
    let mut parents = vec![0; N];
    while let (Some(first), Some(second)) = (rarest(&mut joined), rarest(&mut joined)) {
        joined.push_back((first.0 + second.0, parents.len()));
        let parent = parents.len();
        parents[first.1] = parent;
        parents[second.1] = parent;
        parents.push(0);
    }
    let mut depths = vec![0u8; parents.len()];
    for (node, &parent) in parents.iter().enumerate().rev() {
        if parent > 0 {
            depths[node] = depths[parent].saturating_add(1);
        }
    }
    *depths.first_chunk().expect("leaves come first")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rarer_symbols_have_longer_codes() {
        for (frequencies, lengths) in [
            ([8, 1, 0, 2, 4, 1], [1, 4, 0, 3, 2, 4]),
            ([5, 5, 0, 5, 0, 5], [2, 2, 0, 2, 0, 2]),
        ] {
            assert_eq!(code_lengths(&frequencies, 14), lengths);
        }
    }

    #[test]
    fn at_least_two_symbols_have_codes() {
        for (frequencies, lengths) in [
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
