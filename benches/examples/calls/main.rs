//! The calls to Mojang's identity and session services in an hour, before and after pictures
//! belonged to textures: `cargo run --release -p benches --example calls`.
//!
//! Players are asked for with the frequencies of Zipf's law, half of the time by name and half by
//! UUID, for faces of 64 or 128 pixels. Requests come one after another on a simulated clock.
//! "Now" is the service itself, over an upstream and a store in memory. "0.2" is a model of that
//! version's rule in a few lines. Both get the same requests.
//!
//! The upstream has no limits, so the table shows the demand. An argument sets the number of
//! simulated hours before the one that counts.
#![expect(clippy::print_stdout, reason = "a tool that prints a table")]

mod load;
mod old_rule;
mod upstream;

use std::{
    env,
    error::Error,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::{Duration, UNIX_EPOCH},
};

use effigy_render::{ImageFormat, PictureSpec, Size, View};
use effigy_service::{Clock, FileRequest, PictureParams, Service, ServiceConfig};
use fixtures::MemoryStore;

use load::{Load, Request};
use old_rule::OldRule;
use upstream::{Upstream, name_of, uuid_of};

const HOUR: Duration = Duration::from_secs(3600);

/// The time at which the simulated clock starts, since the epoch.
const START: Duration = Duration::from_secs(1_800_000_000);

/// The interval at which the service writes all that waits.
const FLUSH_INTERVAL: Duration = Duration::from_secs(60);

/// The numbers of calls to both services.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Calls {
    pub(crate) identity: u64,
    pub(crate) session: u64,
}

impl Calls {
    /// Returns the calls that were made after the earlier count.
    fn since(self, earlier: Self) -> Self {
        Self {
            identity: self.identity - earlier.identity,
            session: self.session - earlier.session,
        }
    }
}

/// The calls of an hour.
struct Comparison {
    before: Calls,
    after: Calls,
}

fn main() -> Result<(), Box<dyn Error>> {
    let hours = match env::args().nth(1) {
        Some(hours) => Some(hours.parse()?),
        None => None,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    println!("calls in an hour, after some hours of the same load");
    println!("| load | hours before | identity 0.2 | identity now | session 0.2 | session now |");
    println!("|---|---:|---:|---:|---:|---:|");
    for load in loads() {
        let warm_up = HOUR * hours.unwrap_or_else(|| load.warm_up_hours());
        let Comparison { before, after } = runtime.block_on(simulate(&load, warm_up))?;
        println!(
            "| {} | {} | {} | {} | {} | {} |",
            load.name(),
            warm_up.as_secs() / HOUR.as_secs(),
            before.identity,
            after.identity,
            before.session,
            after.session,
        );
    }
    Ok(())
}

fn loads() -> Vec<Load> {
    let mut loads = Vec::new();
    for per_second in [10, 1_000] {
        for players in [1_000, 20_000, 100_000] {
            loads.push(Load::Players {
                players,
                per_second,
            });
        }
    }
    loads.push(Load::Page { players: 50 });
    loads
}

/// Counts the calls in the hour after the warm-up.
async fn simulate(load: &Load, warm_up: Duration) -> Result<Comparison, Box<dyn Error>> {
    let micros = Arc::new(AtomicU64::new(0));
    let upstream = Arc::new(Upstream::default());
    let service = service(&micros, &upstream)?;
    let mut old_rule = OldRule::default();
    let mut calls_before = Calls::default();
    let mut calls_after = Calls::default();
    let mut is_warm = false;
    let mut flushed = Duration::ZERO;
    for request in load.requests() {
        if request.at >= warm_up && !is_warm {
            is_warm = true;
            calls_before = old_rule.calls();
            calls_after = upstream.calls();
        }
        if request.at >= warm_up + HOUR {
            break;
        }
        micros.store(u64::try_from(request.at.as_micros())?, Relaxed);
        old_rule.answer(&request);
        service.get(&picture(&request)?).await?;
        if request.at >= flushed + FLUSH_INTERVAL {
            flushed = request.at;
            service.flush().await;
        }
    }
    Ok(Comparison {
        before: old_rule.calls().since(calls_before),
        after: upstream.calls().since(calls_after),
    })
}

/// A service over a store in memory, whose clock is the number of microseconds.
fn service(micros: &Arc<AtomicU64>, upstream: &Arc<Upstream>) -> std::io::Result<Service> {
    let micros = Arc::clone(micros);
    let clock: Clock =
        Arc::new(move || UNIX_EPOCH + START + Duration::from_micros(micros.load(Relaxed)));
    let store = Arc::new(MemoryStore::default());
    let config = ServiceConfig::default();
    Service::new(store, Arc::<Upstream>::clone(upstream), clock, config)
}

fn picture(request: &Request) -> Result<FileRequest, Box<dyn Error>> {
    let size = Size::new(request.size).ok_or("a size that a PNG can have")?;
    let spec = PictureSpec::new(View::Face, size);
    let params = PictureParams::beyond_specification(spec, ImageFormat::Png);
    let input = if request.by_name {
        name_of(request.player)
    } else {
        uuid_of(request.player).to_string()
    };
    Ok(params.of_player(input).with_version(request.version))
}
