//! The turns that clients have had.

use std::{collections::HashMap, net::IpAddr};

use crate::doors::client::Client;

/// The networks whose last turns are remembered.
const MAX_NETWORKS: usize = 8_192;

/// The last turns of clients and of their sites.
#[derive(Debug, Default)]
pub(super) struct TurnHistory {
    /// The number of turns so far.
    turns: u64,
    clients: HashMap<IpAddr, u64>,
    sites: HashMap<IpAddr, u64>,
}

/// The last turns of a client, or zeros if it had no turn. The client with the least is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LastTurns {
    of_site: u64,
    of_client: u64,
}

impl TurnHistory {
    /// Records that it is a client's turn.
    pub(super) fn record(&mut self, client: Client) {
        self.turns += 1;
        remember(&mut self.clients, client.network(), self.turns);
        remember(&mut self.sites, client.site(), self.turns);
    }

    /// Returns the last turns of a client.
    pub(super) fn last_turns(&self, client: Client) -> LastTurns {
        let of_site = self.sites.get(&client.site());
        let of_client = self.clients.get(&client.network());
        LastTurns {
            of_site: of_site.copied().unwrap_or_default(),
            of_client: of_client.copied().unwrap_or_default(),
        }
    }
}

/// Remembers the last turn of a network, and forgets old ones if there are too many.
fn remember(turns: &mut HashMap<IpAddr, u64>, network: IpAddr, turn: u64) {
    if turns.len() >= MAX_NETWORKS {
        let oldest = turn.saturating_sub(MAX_NETWORKS as u64 / 4);
        turns.retain(|_, last| *last >= oldest);
    }
    turns.insert(network, turn);
}
