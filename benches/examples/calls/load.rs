//! The requests.

use std::time::Duration;

use benches::traffic::{Random, cumulated_shares};

/// A kind of load.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Load {
    /// This number of players, asked for at this rate.
    Players {
        /// The number of players.
        players: usize,
        /// The number of requests per second.
        per_second: u32,
    },
    /// A page with this number of players that is viewed once a second. Each view has a `v=` of its
    /// own.
    Page {
        /// The number of players.
        players: usize,
    },
}

/// A request for a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Request {
    /// The time since the start.
    pub(crate) at: Duration,
    /// The position of the player by popularity.
    pub(crate) player: usize,
    pub(crate) by_name: bool,
    pub(crate) size: u32,
    pub(crate) version: Option<u64>,
}

impl Load {
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Players {
                players,
                per_second,
            } => format!("{players} players, {per_second}/s"),
            Self::Page { players } => format!("a page of {players}, viewed every second, new `v=`"),
        }
    }

    /// Returns the number of hours before the one that counts: fewer if an hour takes long.
    pub(crate) fn warm_up_hours(&self) -> u32 {
        match self {
            Self::Players { per_second, .. } if *per_second >= 1_000 => 2,
            Self::Players { .. } | Self::Page { .. } => 23,
        }
    }

    /// Returns the requests, which never end.
    pub(crate) fn requests(&self) -> Box<dyn Iterator<Item = Request>> {
        match *self {
            Self::Players {
                players,
                per_second,
            } => Box::new(Visitors {
                cumulated: cumulated_shares(players, 1.0),
                per_second: f64::from(per_second),
                random: Random::new(),
                seconds: 0.0,
            }),
            Self::Page { players } => Box::new((0..).flat_map(move |view| {
                (0..players).map(move |player| request_of_page(view, player))
            })),
        }
    }
}

/// Requests that come independently of each other.
struct Visitors {
    cumulated: Vec<f64>,
    per_second: f64,
    random: Random,
    seconds: f64,
}

impl Iterator for Visitors {
    type Item = Request;

    fn next(&mut self) -> Option<Request> {
        self.seconds -= self.random.number().ln() / self.per_second;
        let chosen = self.random.number();
        let player = self.cumulated.partition_point(|&share| share < chosen);
        let by_name = self.random.coin();
        let size = if self.random.coin() { 64 } else { 128 };
        Some(Request {
            at: Duration::from_secs_f64(self.seconds),
            // The last share may be rounded down.
            player: player.min(self.cumulated.len() - 1),
            by_name,
            size,
            version: None,
        })
    }
}

/// The request for a player of a page. The page names every other player by name.
fn request_of_page(view: u64, player: usize) -> Request {
    Request {
        at: Duration::from_secs(view),
        player,
        by_name: player.is_multiple_of(2),
        size: 64,
        version: Some(view),
    }
}
