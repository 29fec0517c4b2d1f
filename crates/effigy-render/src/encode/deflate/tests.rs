//! Tests that read streams back with flate2.

use std::io::Read;

use proptest::prelude::*;

use super::{FILTER_UP, MAX_MATCHED_ROW_BYTES, WINDOW_BYTES, ZlibEncoder, append_repeated};

/// A row and the number of its repetitions.
type Line = (Vec<u8>, u32);

/// Compresses rows, and asserts that they are in the stream, which it returns.
#[track_caller]
fn check(distances: [usize; 4], lines: &[Line]) -> Vec<u8> {
    let mut zlib = ZlibEncoder::new(distances, 0, 0).unwrap();
    let mut stream = Vec::new();
    let mut expected = Vec::new();
    for (row, times) in lines {
        zlib.write(|buffer| buffer.extend_from_slice(row));
        zlib.repeat_row(row.len(), *times);
        stream.append(zlib.output());
        expected.extend_from_slice(row);
        let mut same = row.clone();
        if row.len() > MAX_MATCHED_ROW_BYTES {
            same.fill(0);
            same[0] = FILTER_UP;
        }
        for _ in 0..*times {
            expected.extend_from_slice(&same);
        }
    }
    zlib.finish();
    stream.append(zlib.output());
    let mut bytes = Vec::new();
    // It checks the checksum.
    let mut decoder = flate2::read::ZlibDecoder::new(&stream[..]);
    decoder.read_to_end(&mut bytes).expect("a valid stream");
    assert_eq!(decoder.total_in(), stream.len() as u64);
    assert!(bytes == expected, "{distances:?}");
    stream
}

/// The distances used for isometric pictures.
fn aslant(row: usize) -> [usize; 4] {
    [1, row, row + 8, row.saturating_sub(8)]
}

/// Returns random bytes, equal on every run.
fn noise(length: usize, seed: u32) -> Vec<u8> {
    let mut state = seed.wrapping_mul(2) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state.to_le_bytes()[1]
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn the_shortest_streams_survive() {
    check([1, 2, 3, 4], &[]);
    check([1; 4], &[(vec![0, 7], 0)]);
}

#[test]
fn long_runs_take_a_bit_or_two_for_258_bytes() {
    let stream = check([1, 0, 0, 0], &[(vec![0; 1 << 20], 0)]);
    assert!(stream.len() < 1100, "{}", stream.len());
}

#[test]
fn matches_of_every_length_survive_across_chunks() {
    for length in (1..300).chain(510..530) {
        let row: Vec<u8> = [noise(70, length), vec![9; length as usize], noise(3, 5)].concat();
        check(aslant(row.len()), &[(row.clone(), 0), (row, 1)]);
    }
}

#[test]
fn repeats_may_leave_a_rest_shorter_than_a_match() {
    for length in 2..40 {
        for times in [1, 2, 13, 128, 129, 130, 258, 259] {
            check([1, length, 0, 0], &vec![(noise(length, 3), times); 2]);
        }
    }
}

#[test]
fn noise_fills_several_blocks() {
    let lines: Vec<Line> = (0..150).map(|seed| (noise(1025, seed), 0)).collect();
    check(aslant(1025), &lines);
}

#[test]
fn rows_about_as_long_as_the_window_survive() {
    for off in [-8, -1, 0, 1, 8, 17_000] {
        let row = WINDOW_BYTES.strict_add_signed(off);
        let lines = [(1, 2), (1, 0), (1, 0), (2, 3), (1, 1)];
        check(
            aslant(row),
            &lines.map(|(seed, times)| (noise(row, seed), times)),
        );
    }
}

#[test]
fn unusable_distances_are_ignored() {
    for distance in [0, usize::MAX, WINDOW_BYTES, WINDOW_BYTES + 1, 3] {
        check([distance; 4], &[(noise(9000, 1), 7), (vec![0; 9000], 1)]);
    }
}

#[test]
fn checksums_of_repeated_rows_have_a_closed_form() {
    for (length, times) in [(1, 0), (1, 1), (5, 4), (32_768, 256), (300, 65_536)] {
        let row = vec![255; length];
        let mut expected = simd_adler32::Adler32::new();
        expected.write(b"before");
        let mut repeated = expected.clone();
        append_repeated(&mut repeated, &row, times);
        for _ in 0..times {
            expected.write(&row);
        }
        assert_eq!(repeated.finish(), expected.finish(), "{length} x {times}");
    }
}

/// Generates rows of one length, each of a kind that occurs in pictures.
fn lines() -> impl Strategy<Value = Vec<Line>> {
    let kinds = (0..6u8, any::<u32>(), 0..12u32, 1..20usize);
    let lengths = prop_oneof![8 => 2..170usize, 1 => 2_000..2_100usize, 1 => 30_000..40_000usize];
    let kinds = proptest::collection::vec(kinds, 1..60);
    (lengths, kinds).prop_map(|(length, kinds)| {
        let mut above = vec![0; length];
        let lines = kinds.into_iter().map(|(kind, seed, times, step)| {
            let runs = || noise(length.div_ceil(step), seed);
            above = match kind {
                0 => vec![0; length],
                1 => noise(length, seed),
                2 => runs().iter().flat_map(|&byte| vec![byte; step]).collect(),
                3 => above.iter().cycle().skip(8).take(length).copied().collect(),
                4 => [runs(), above.clone()].concat(),
                _ => noise(length, 1).iter().map(|byte| byte & 1).collect(),
            };
            above.truncate(length);
            (above.clone(), times / 6)
        });
        lines.collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn rows_survive_a_round_trip(lines in lines(), odd in 0..9usize) {
        let distances = if odd == 0 { [1, 2, 3, 9] } else { aslant(lines[0].0.len()) };
        check(distances, &lines);
    }
}
