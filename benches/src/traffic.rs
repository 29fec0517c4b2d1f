//! The traffic of simulations: requests come independently of each other, and for some players more
//! often than for others.

/// Returns, for each player, the share of requests for this one and all more popular ones.
///
/// By Zipf's law, the k-th most popular player has a weight of 1/k^exponent.
#[must_use]
pub fn cumulated_shares(players: usize, exponent: f64) -> Vec<f64> {
    let mut total = 0.0;
    let mut shares = Vec::with_capacity(players);
    for rank in 1..=players {
        total += (rank as f64).powf(-exponent);
        shares.push(total);
    }
    for share in &mut shares {
        *share /= total;
    }
    shares
}

/// SplitMix64, by Sebastiano Vigna: good enough to choose players, and equal in every run.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The first state of every run.
    #[must_use]
    pub const fn new() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }

    /// Returns a number above 0 and at most 1.
    pub fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((mixed >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// Returns `true` in half of all cases.
    pub fn coin(&mut self) -> bool {
        self.number() > 0.5
    }
}

impl Default for Random {
    fn default() -> Self {
        Self::new()
    }
}
