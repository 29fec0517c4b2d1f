//! How many requests reach the upstreams, as a function of how many players are asked for and how
//! unequally: `cargo run --release -p benches --example popularity`.
//!
//! Players are asked for with the frequencies of Zipf's law: the k-th most popular one with a weight
//! of 1/k^s. A picture is drawn when it was not drawn in the hour before. Each row is simulated, as
//! far as that takes seconds, beside the formula that the simulation confirms: a key asked for λ
//! times an hour is drawn λ/(1 + λ) times an hour, an hour of hits after each draw and then the wait
//! for the next request.
#![expect(clippy::print_stdout, reason = "a tool that prints a table")]

/// How long a picture is kept, in seconds.
const HOUR: f64 = 3600.0;

/// Upstream calls for a player that is asked for by name: identity, session, texture.
const CALLS: f64 = 3.0;

/// More requests than these are not simulated.
const MOST: f64 = 5e7;

fn main() {
    println!("upstream calls in 1,000 requests (3 a miss), simulated and by the formula");
    println!("| players | exponent | requests/s | simulated | formula | calls/s |");
    println!("|---:|---:|---:|---:|---:|---:|");
    for players in [1_000_usize, 100_000, 10_000_000] {
        for exponent in [0.8, 1.0, 1.2] {
            let popularity = Popularity::zipf(players, exponent);
            for rate in [1.0, 100.0, 10_000.0, 1_000_000.0] {
                row(players, exponent, rate, &popularity);
            }
        }
    }
}

fn row(players: usize, exponent: f64, rate: f64, popularity: &Popularity) {
    let calls = 1000.0 * CALLS * popularity.expected_misses(rate);
    let simulated = if rate * 2.0 * HOUR <= MOST {
        let share = popularity.simulated_misses(rate);
        format!("{:.1}", 1000.0 * CALLS * share)
    } else {
        "–".to_owned()
    };
    let per_second = calls * rate / 1000.0;
    println!("| {players} | {exponent} | {rate} | {simulated} | {calls:.1} | {per_second:.1} |");
}

/// How often each player is asked for.
struct Popularity {
    /// The share of requests for a player and all more popular ones.
    cumulated: Vec<f64>,
}

impl Popularity {
    fn zipf(players: usize, exponent: f64) -> Self {
        let mut total = 0.0;
        let mut cumulated: Vec<f64> = (1..=players)
            .map(|rank| {
                total += (rank as f64).powf(-exponent);
                total
            })
            .collect();
        for share in &mut cumulated {
            *share /= total;
        }
        Self { cumulated }
    }

    /// The share of requests that miss, by the formula.
    fn expected_misses(&self, rate: f64) -> f64 {
        let (mut below, mut misses) = (0.0, 0.0);
        for &share in &self.cumulated {
            let per_hour = (share - below) * rate * HOUR;
            misses += per_hour / (1.0 + per_hour);
            below = share;
        }
        misses / (rate * HOUR)
    }

    /// The share of requests that miss in the second hour after the start.
    fn simulated_misses(&self, rate: f64) -> f64 {
        let mut drawn = vec![f64::NEG_INFINITY; self.cumulated.len()];
        let (mut random, mut time) = (Random(0x9e37_79b9_7f4a_7c15), 0.0);
        let (mut requests, mut misses) = (0_u64, 0_u64);
        while time < 2.0 * HOUR {
            // Requests come independently of each other.
            time -= random.next().ln() / rate;
            let chosen = random.next();
            let player = self.cumulated.partition_point(|&share| share < chosen);
            let Some(last) = drawn.get_mut(player) else {
                continue;
            };
            let counts = u64::from(time >= HOUR);
            requests += counts;
            if time - *last >= HOUR {
                *last = time;
                misses += counts;
            }
        }
        misses as f64 / requests.max(1) as f64
    }
}

/// SplitMix64, by Sebastiano Vigna: good enough to choose players, and the same in every run.
struct Random(u64);

impl Random {
    /// A number above 0 and at most 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((mixed >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }
}
