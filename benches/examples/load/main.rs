//! Loads the server and a bare server of the same library, and prints their rates.
//!
//! `just load` builds the binary and runs this. `just load outage` measures hits while the
//! upstreams hang. `just attack` measures other clients while one client attacks; the argument
//! `attack-bare` in place of `attack` attacks the bare server.
//!
//! The driver, the server and its upstream share the processors of one machine. So only figures of
//! one run are worth comparing, and the server's processor time per answer says more than the rate.
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a tool that measures, and ends where it cannot"
)]

mod attack;
mod bare;
mod client;
mod crowd;
mod outage;
mod scenarios;
mod server;
mod tally;

use std::time::Duration;

/// The settings of the load, from the command line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Load {
    /// Connections that ask.
    connections: usize,
    /// The time for which each row is measured.
    time: Duration,
    /// The number of requests that all connections send in a second. `None` means no pauses.
    rate: Option<f64>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let runtime = || tokio::runtime::Runtime::new().unwrap();
    match arguments.first().map(String::as_str) {
        // The driver starts itself again for the server to compare with, and for the upstream.
        Some("bare") => runtime().block_on(bare::serve(&arguments[1])),
        Some("crowd") => crowd::serve(),
        Some("outage") => runtime().block_on(outage::run()),
        Some(word @ ("attack" | "attack-bare")) => {
            let part = arguments.get(1).map(String::as_str);
            attack::runtime().block_on(attack::run(part, word == "attack-bare"));
        }
        _ => {
            let number = |at: usize, default: u64| {
                let text = arguments.get(at);
                text.map_or(default, |text| {
                    text.parse().expect("[connections] [seconds] [part]")
                })
            };
            // `hits`, `misses` or `during`. Without a word, all are measured.
            let part = arguments.get(2).map(String::as_str);
            let load = Load {
                connections: usize::try_from(number(0, 64)).unwrap(),
                time: Duration::from_secs(number(1, 5)),
                rate: None,
            };
            runtime().block_on(scenarios::run(load, part));
        }
    }
}
