//! The number of requests of the compatibility paths that reach the upstreams and the database:
//! `cargo run --release -p benches --example popularity`. The example `calls` is about other paths.
//!
//! Players are asked for with the frequencies of Zipf's law: the k-th most popular one with a
//! weight of 1/k^s. A picture is drawn when it was not drawn in the hour before. Each row has a
//! simulation, if that takes a few seconds, and a formula, which the simulation confirms: a key
//! that is asked for λ times an hour is drawn λ/(1 + λ) times an hour. After each draw there is an
//! hour of hits, and then a wait for the next request.
//!
//! The second table puts a memory for a number of pictures in front, which forgets the least
//! recently requested one. The server's own memory also takes the number of requests into account,
//! so it does at least as well.
#![expect(clippy::print_stdout, reason = "a tool that prints a table")]

use std::collections::BTreeMap;

use benches::traffic::{Random, cumulated_shares};

/// The time for which a picture is kept, in seconds.
const HOUR: f64 = 3600.0;

/// Upstream calls for a player that is asked for by name: identity, session, texture.
const CALLS: f64 = 3.0;

/// The largest number of requests that is simulated.
const MOST: f64 = 5e7;

/// Pictures in memory. 64 MiB are some 2,000 bodies of 128 pixels' width, or 128,000 faces.
const MEMORIES: [usize; 5] = [500, 2_000, 8_000, 32_000, 128_000];

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
    println!();
    println!("of 1,000 requests, exponent 1.0, by the number of pictures in memory");
    println!("| players | requests/s | in memory | from memory | from the database | drawn |");
    println!("|---:|---:|---:|---:|---:|---:|");
    for (players, rate) in [(1_000, 1.0), (100_000, 100.0), (10_000_000, 2_000.0)] {
        let popularity = Popularity::zipf(players, 1.0);
        for capacity in MEMORIES {
            let shares = popularity.shares(rate, capacity);
            let [memory, database, drawn] = shares.map(|share| 1000.0 * share);
            println!(
                "| {players} | {rate} | {capacity} | {memory:.0} | {database:.0} | {drawn:.0} |"
            );
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

/// The number of requests for each player.
struct Popularity {
    /// The share of requests for a player and all more popular ones.
    cumulated: Vec<f64>,
}

impl Popularity {
    fn zipf(players: usize, exponent: f64) -> Self {
        Self {
            cumulated: cumulated_shares(players, exponent),
        }
    }

    /// Returns the share of requests that miss, by the formula.
    fn expected_misses(&self, rate: f64) -> f64 {
        let mut below = 0.0;
        let mut misses = 0.0;
        for &share in &self.cumulated {
            let per_hour = (share - below) * rate * HOUR;
            misses += per_hour / (1.0 + per_hour);
            below = share;
        }
        misses / (rate * HOUR)
    }

    /// The share of requests that miss in the second hour after the start.
    fn simulated_misses(&self, rate: f64) -> f64 {
        let [_, _, drawn] = self.shares(rate, 0);
        drawn
    }

    /// The shares of requests in the second hour after the start that are served from a memory of
    /// `capacity` pictures, from the database, and by drawing.
    fn shares(&self, rate: f64, capacity: usize) -> [f64; 3] {
        let mut drawn = vec![f64::NEG_INFINITY; self.cumulated.len()];
        let mut memory = Memory::of(capacity, self.cumulated.len());
        let mut random = Random::new();
        let mut time = 0.0;
        let mut counts = [0_u64; 3];
        while time < 2.0 * HOUR {
            // Requests come independently of each other.
            time -= random.number().ln() / rate;
            let chosen = random.number();
            let player = self.cumulated.partition_point(|&share| share < chosen);
            let Some(last) = drawn.get_mut(player) else {
                continue;
            };
            let is_in_memory = memory.touch(player);
            let served = if time - *last >= HOUR {
                *last = time;
                DRAWN
            } else if is_in_memory {
                FROM_MEMORY
            } else {
                FROM_DATABASE
            };
            if time >= HOUR {
                counts[served] += 1;
            }
        }
        let all: u64 = counts.iter().sum();
        counts.map(|count| count as f64 / all.max(1) as f64)
    }
}

/// The places of the shares of requests by their source.
const FROM_MEMORY: usize = 0;
const FROM_DATABASE: usize = 1;
const DRAWN: usize = 2;

/// Pictures of players, by the time of the last request.
struct Memory {
    capacity: usize,
    /// The turn of the last request for each player whose picture is in memory.
    turns: Vec<Option<u64>>,
    players: BTreeMap<u64, usize>,
    turn: u64,
}

impl Memory {
    fn of(capacity: usize, players: usize) -> Self {
        Self {
            capacity,
            turns: vec![None; players],
            players: BTreeMap::new(),
            turn: 0,
        }
    }

    /// Stores the player's picture. Returns `true` if it was in memory already.
    fn touch(&mut self, player: usize) -> bool {
        if self.capacity == 0 {
            return false;
        }
        self.turn += 1;
        let last = self.turns[player].replace(self.turn);
        if let Some(turn) = last {
            self.players.remove(&turn);
        }
        self.players.insert(self.turn, player);
        if self.players.len() > self.capacity
            && let Some((_, forgotten)) = self.players.pop_first()
        {
            self.turns[forgotten] = None;
        }
        last.is_some()
    }
}
