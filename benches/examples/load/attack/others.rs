//! The other clients, which ask for hits and a few misses.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;

use super::attacks::{Upstream, named, request, send, status};
use crate::{
    client::{self, Connection, Pace},
    crowd::Strangers,
    tally::Tally,
};

/// Hits and misses in a second, and the connections that ask for them.
const HITS: f64 = 500.0;
const MISSES: f64 = 4.0;
const CONNECTIONS: u32 = 4;

/// The clients that are not attacking.
pub(crate) struct Others {
    address: String,
    upstream: Upstream,
}

/// The results of the other clients.
pub(crate) struct Fared {
    pub(crate) hits_p99: Duration,
    /// The share of misses that were answered with a picture.
    pub(crate) misses_good: f64,
    /// The longest time until such a picture was there.
    pub(crate) slowest_miss: Duration,
}

impl Others {
    pub(crate) async fn new(address: &str, upstream: Upstream) -> Self {
        // Puts the picture into memory.
        client::get(address, upstream.face()).await;
        let address = address.to_owned();
        Self { address, upstream }
    }

    pub(crate) async fn measure(&self, time: Duration) -> Fared {
        let strangers = Arc::new(Strangers::from(900_000_000));
        let sizes = Arc::new(Strangers::from(130));
        let upstream = self.upstream;
        let miss = move || match upstream {
            Upstream::Crowd => format!("/head/{}/128", strangers.next()),
            Upstream::Gamertags => format!("/head/.Other{}/128", strangers.number()),
            // Each size is a look-up of its own.
            Upstream::Names => {
                let size = sizes.number();
                format!("/head/Gwendolin/{size}")
            }
        };
        let hit = move || upstream.face().to_owned();
        let hits = self.load(hit, HITS, 1, time);
        let misses = self.load(miss, MISSES, 100, time);
        let (mut hits, misses) = tokio::join!(hits, misses);
        hits.good.sort_unstable();
        assert_eq!(hits.bad, 0, "a hit failed");
        let slowest_miss = misses.good.iter().max().copied().unwrap_or_default();
        let asked = misses.good.len() + misses.bad;
        Fared {
            hits_p99: hits.percentile(0.99),
            misses_good: misses.good.len() as f64 / asked.max(1) as f64,
            slowest_miss,
        }
    }

    async fn load(
        &self,
        next: impl Fn() -> String + Clone + Send + 'static,
        rate: f64,
        first_client: u32,
        time: Duration,
    ) -> Tally {
        let every = Duration::from_secs_f64(f64::from(CONNECTIONS) / rate);
        let mut tasks = JoinSet::new();
        for number in 0..CONNECTIONS {
            let first = Instant::now() + every * number / CONNECTIONS;
            let pace = Pace {
                first,
                every: Some(every),
                end: first + time,
            };
            let address = self.address.clone();
            let headers = named(first_client + number);
            tasks.spawn(Connection::load(address, next.clone(), headers, pace));
        }
        let mut all = Tally::default();
        for tally in tasks.join_all().await {
            all.add(tally);
        }
        all
    }

    /// Returns the time until a new client gets a large picture, which takes a connection, a
    /// look-up and a place among the large pictures.
    pub(crate) async fn recovery(&self) -> Duration {
        let begun = Instant::now();
        loop {
            let path = match self.upstream {
                Upstream::Crowd | Upstream::Gamertags => "/avatar/0000888000000000/right/2900",
                Upstream::Names => "/avatar/Gwendolin/right/2900",
            };
            if let Some(mut stream) = send(&self.address, &request(path, 200)).await
                && status(&mut stream).await == Some(200)
            {
                return begun.elapsed();
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}
