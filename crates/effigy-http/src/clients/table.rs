//! The use that each client makes of shared resources.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::Instant;

use super::bucket::{Rate, TokenBucket};

/// The number of clients that are remembered, in some 16 MiB. A client beyond it is not limited: with
/// that many addresses, an attacker is bounded by the limits of all clients together only.
const MAX_CLIENTS: usize = 1 << 17;

/// The shortest time between two searches for clients to forget.
const FORGET_INTERVAL: Duration = Duration::from_secs(1);

/// The things that are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bucket {
    Misses,
    Previews,
    LargePictures,
    Connections,
}

impl Bucket {
    const COUNT: usize = 4;

    /// The name in the metrics.
    pub(super) const fn pool(self) -> &'static str {
        match self {
            Self::Misses => "client misses",
            Self::Previews => "client previews",
            Self::LargePictures => "client large pictures",
            Self::Connections => "client connections",
        }
    }
}

#[derive(Debug, Default)]
pub(super) struct Table(Mutex<Uses>);

#[derive(Debug, Default)]
struct Uses {
    clients: HashMap<IpAddr, Use>,
    forgot: Option<Instant>,
}

#[derive(Debug, Default)]
struct Use {
    tokens: [TokenBucket; Bucket::COUNT],
    places: [u32; Bucket::COUNT],
}

/// Places of a client, until they are dropped. The default is none.
#[derive(Debug, Default)]
pub(crate) struct Place(Option<(Arc<Table>, Bucket, IpAddr, u32)>);

impl Table {
    /// Takes a token. The error is the time until there is one.
    pub(super) fn charge(
        &self,
        bucket: Bucket,
        client: IpAddr,
        rate: Rate,
        now: Instant,
    ) -> Result<(), Duration> {
        match self.uses().of(client, now) {
            Some(found) => found.tokens[bucket as usize].take(rate, now),
            None => Ok(()),
        }
    }

    pub(super) fn refund(&self, bucket: Bucket, client: IpAddr, rate: Rate) {
        if let Some(found) = self.uses().clients.get_mut(&client) {
            found.tokens[bucket as usize].put_back(rate);
        }
    }

    /// Takes places, unless the client would have more than `max` then.
    pub(super) fn enter(
        self: &Arc<Self>,
        bucket: Bucket,
        client: IpAddr,
        places: u32,
        max: u32,
        now: Instant,
    ) -> Option<Place> {
        let mut uses = self.uses();
        let Some(found) = uses.of(client, now) else {
            return Some(Place::default());
        };
        let used = &mut found.places[bucket as usize];
        if *used + places > max {
            return None;
        }
        *used += places;
        Some(Place(Some((Arc::clone(self), bucket, client, places))))
    }

    fn uses(&self) -> MutexGuard<'_, Uses> {
        // No method panics halfway, so a poisoned table is consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Uses {
    /// Returns the use of a client, which is remembered from now on if there is room.
    fn of(&mut self, client: IpAddr, now: Instant) -> Option<&mut Use> {
        if self.clients.len() >= MAX_CLIENTS && !self.clients.contains_key(&client) {
            self.forget(now);
            if self.clients.len() >= MAX_CLIENTS {
                return None;
            }
        }
        Some(self.clients.entry(client).or_default())
    }

    /// Forgets the clients that have nothing in use.
    fn forget(&mut self, now: Instant) {
        if self.forgot.is_some_and(|then| now < then + FORGET_INTERVAL) {
            return;
        }
        self.forgot = Some(now);
        self.clients.retain(|_, found| {
            let is_in_use = found.places.iter().any(|places| *places > 0);
            is_in_use || !found.tokens.iter().all(|tokens| tokens.is_full(now))
        });
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some((table, bucket, client, places)) = self.0.take()
            && let Some(found) = table.uses().clients.get_mut(&client)
        {
            found.places[bucket as usize] -= places;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const BUCKET: Bucket = Bucket::LargePictures;

    fn client(number: u32) -> IpAddr {
        Ipv4Addr::from_bits(number).into()
    }

    #[test]
    fn places_are_those_of_one_client_and_come_back() {
        let (table, now) = (Arc::new(Table::default()), Instant::now());
        let enter = |number| table.enter(BUCKET, client(number), 1, 2, now);
        let first = enter(1);
        let second = enter(1);
        assert!(first.is_some() && second.is_some());
        assert!(enter(1).is_none());
        assert!(enter(2).is_some());
        assert!(
            table
                .enter(Bucket::Previews, client(1), 2, 2, now)
                .is_some()
        );
        drop(first);
        assert!(enter(1).is_some());
    }

    #[test]
    fn the_table_is_bounded_and_forgets_those_that_use_nothing() {
        let (table, start) = (Arc::new(Table::default()), Instant::now());
        let rate = Rate::new(1, Duration::from_secs(60)).unwrap();
        let charge = |number, now| table.charge(Bucket::Misses, client(number), rate, now);
        let place = table.enter(BUCKET, client(0), 1, 1, start);
        for number in (0..).take(MAX_CLIENTS + 1_000) {
            assert_eq!(charge(number, start), Ok(()));
        }
        assert_eq!(table.uses().clients.len(), MAX_CLIENTS);
        assert!(charge(7, start).is_err(), "it is remembered");
        let later = start + Duration::from_secs(60);
        assert_eq!(charge(u32::MAX, later), Ok(()));
        assert_eq!(table.uses().clients.len(), 2);
        drop(place);
    }
}
