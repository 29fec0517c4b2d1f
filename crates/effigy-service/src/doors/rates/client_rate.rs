//! The rate of each client, with a bounded number of clients.

use std::{convert::Infallible, net::IpAddr, num::NonZeroU32, sync::Arc, time::Duration};

use effigy_upstream::Rate;
use governor::{
    Quota, RateLimiter,
    clock::{Clock, MonotonicClock, Reference},
    middleware::NoOpMiddleware,
    nanos::Nanos,
    state::StateStore,
};
use parking_lot::Mutex;
use quick_cache::sync::Cache;

use crate::doors::client::Client;

/// The number of networks that are remembered, in some 10 MiB. With more addresses than that, an
/// attacker is bounded by the turns and the limits of all clients only.
const MAX_NETWORKS: usize = 1 << 16;

/// The rates of one IPv6 site of 48 bits, in multiples of the rate of a client.
const SITE_FACTOR: u32 = 4;

/// A rate that each client has, and that IPv6 sites have several times.
#[derive(Debug)]
pub(super) struct ClientRate<C: Clock = MonotonicClock> {
    pub(super) rate: Rate,
    parts: u32,
    by_client: NetworkRate<C>,
    by_site: NetworkRate<C>,
}

impl ClientRate {
    /// A rate that is counted in parts of its unit.
    pub(super) fn new(rate: Rate, parts: u32) -> Self {
        Self::with_clock(rate, parts, &MonotonicClock)
    }
}

impl<C: Clock + Clone> ClientRate<C> {
    fn with_clock(rate: Rate, parts: u32, clock: &C) -> Self {
        let amount = rate.amount().saturating_mul(parts);
        Self {
            rate,
            parts,
            by_client: NetworkRate::new(amount, rate.period(), clock),
            by_site: NetworkRate::new(amount.saturating_mul(SITE_FACTOR), rate.period(), clock),
        }
    }

    /// Charges a client. An amount above the rate takes the whole rate.
    ///
    /// # Errors
    /// The time until it is possible.
    pub(super) fn charge(&self, client: Client, amount: u32) -> Result<(), Duration> {
        let network = client.network();
        self.by_client.charge(network, amount)?;
        if client.address().is_ipv4() {
            return Ok(());
        }
        let site = client.site();
        let charged = self.by_site.charge(site, amount);
        if charged.is_err() {
            self.by_client.give_back(network, amount);
        }
        charged
    }

    /// Returns the part of the rate that a client has left, in its unit, and the time until all of
    /// it is back.
    pub(super) fn left(&self, client: Client) -> Left {
        let mut left = self.by_client.left(client.network());
        if client.address().is_ipv6() {
            let of_site = self.by_site.left(client.site());
            left.amount = left.amount.min(of_site.amount);
            left.full_after = left.full_after.max(of_site.full_after);
        }
        left.amount /= self.parts;
        left
    }

    /// Gives back what a client was charged for and did not use.
    pub(super) fn give_back(&self, client: Client, amount: u32) {
        self.by_client.give_back(client.network(), amount);
        if client.address().is_ipv6() {
            self.by_site.give_back(client.site(), amount);
        }
    }
}

/// The part of a rate that is left.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Left {
    pub(super) amount: u32,
    pub(super) full_after: Duration,
}

/// A rate of each network.
#[derive(Debug)]
struct NetworkRate<C: Clock> {
    /// The time from which the limiter counts.
    start: C::Instant,
    limiter: RateLimiter<IpAddr, BoundedStates, C, NoOpMiddleware<C::Instant>>,
    states: BoundedStates,
    amount: NonZeroU32,
    /// The time in which one unit comes back.
    unit: Duration,
}

impl<C: Clock + Clone> NetworkRate<C> {
    fn new(amount: u32, period: Duration, clock: &C) -> Self {
        let amount = NonZeroU32::new(amount).unwrap_or(NonZeroU32::MIN);
        let unit = (period / amount.get()).max(Duration::from_nanos(1));
        let quota = Quota::with_period(unit).expect("the period is not zero");
        let states = BoundedStates(Arc::new(Cache::new(MAX_NETWORKS)));
        Self {
            start: clock.now(),
            limiter: RateLimiter::new(quota.allow_burst(amount), states.clone(), clock.clone()),
            states,
            amount,
            unit,
        }
    }

    fn charge(&self, network: IpAddr, amount: u32) -> Result<(), Duration> {
        let Some(amount) = NonZeroU32::new(amount.min(self.amount.get())) else {
            return Ok(());
        };
        let checked = self.limiter.check_key_n(&network, amount);
        let checked = checked.expect("the amount is within the rate");
        let now = self.limiter.clock().now();
        checked.map_err(|until| Duration::from(until.earliest_possible().duration_since(now)))
    }

    /// Returns the amount that a network could be charged for now.
    fn left(&self, network: IpAddr) -> Left {
        let amount = self.amount.get();
        let now = self.limiter.clock().now().duration_since(self.start);
        let state = self.states.0.peek(&network);
        let unused_at = state.and_then(|state| *state.lock());
        let used = unused_at.map(|at| at.saturating_sub(now));
        let used = Duration::from(used.unwrap_or_default());
        let units = used.as_nanos().div_ceil(self.unit.as_nanos());
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        Left {
            amount: amount.saturating_sub(units),
            full_after: used,
        }
    }

    fn give_back(&self, network: IpAddr, amount: u32) {
        let time = self.unit * amount.min(self.amount.get());
        self.states.give_back(network, time);
    }
}

/// The states of the rate limiter. The networks that ask least are forgotten first.
#[derive(Debug, Clone)]
struct BoundedStates(Arc<Cache<IpAddr, SharedState>>);

/// The time at which nothing will be in use, if anything was used.
type SharedState = Arc<Mutex<Option<Nanos>>>;

impl BoundedStates {
    fn give_back(&self, network: IpAddr, time: Duration) {
        if let Some(state) = self.0.get(&network)
            && let Some(unused_at) = &mut *state.lock()
        {
            *unused_at = unused_at.saturating_sub(time.into());
        }
    }
}

impl StateStore for BoundedStates {
    type Key = IpAddr;

    fn measure_and_replace<T, F, E>(&self, network: &IpAddr, measure: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let new = || Ok::<_, Infallible>(SharedState::default());
        let Ok(state) = self.0.get_or_insert_with(network, new);
        let mut unused_at = state.lock();
        let (outcome, later) = measure(*unused_at)?;
        *unused_at = Some(later);
        Ok(outcome)
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn rate(amount: u32) -> (ClientRate<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        let rate = Rate::new(amount, 10 * SECOND).unwrap();
        (ClientRate::with_clock(rate, 1, &clock), clock)
    }

    fn client(address: &str) -> Client {
        Client::limited(address.parse().unwrap())
    }

    #[test]
    fn an_amount_can_be_used_at_once_and_comes_back_evenly() {
        let (rate, clock) = rate(5);
        let client = client("192.0.2.1");
        assert_eq!(rate.charge(client, 5), Ok(()));
        assert_eq!(rate.charge(client, 1), Err(2 * SECOND));
        clock.advance(2 * SECOND);
        assert_eq!(rate.charge(client, 1), Ok(()));
        assert_eq!(rate.charge(client, 1), Err(2 * SECOND));
    }

    #[test]
    fn an_amount_that_is_left_can_be_used() {
        let (rate, clock) = rate(5);
        let client = client("2001:db8::1");
        let left = |amount, seconds| Left {
            amount,
            full_after: seconds * SECOND,
        };
        assert_eq!(rate.left(client), left(5, 0));
        assert_eq!(rate.charge(client, 2), Ok(()));
        assert_eq!(rate.left(client), left(3, 4));
        assert_eq!(rate.charge(client, 3), Ok(()));
        assert_eq!(rate.left(client), left(0, 10));
        clock.advance(3 * SECOND);
        assert_eq!(rate.left(client), left(1, 7));
        assert_eq!(rate.charge(client, 1), Ok(()));
        assert!(rate.charge(client, 1).is_err());
    }

    #[test]
    fn a_site_limits_what_its_clients_have_left() {
        let (rate, _) = rate(5);
        let network = |number: u32| client(&format!("2001:db8:1:{number:x}::1"));
        for number in 0..4 {
            assert_eq!(rate.charge(network(number), 5), Ok(()));
        }
        assert_eq!(rate.left(network(4)).amount, 0);
        assert_eq!(rate.left(client("2001:db8:2::1")).amount, 5);
    }

    #[test]
    fn clients_have_a_rate_each() {
        let (rate, _) = rate(1);
        assert_eq!(rate.charge(client("192.0.2.1"), 1), Ok(()));
        assert_eq!(rate.charge(client("192.0.2.2"), 1), Ok(()));
        assert!(rate.charge(client("192.0.2.1"), 1).is_err());
    }

    #[test]
    fn an_amount_that_is_given_back_can_be_used_again() {
        let (rate, _) = rate(5);
        let client = client("192.0.2.1");
        assert_eq!(rate.charge(client, 5), Ok(()));
        rate.give_back(client, 2);
        assert_eq!(rate.charge(client, 2), Ok(()));
        assert!(rate.charge(client, 1).is_err());
    }

    #[test]
    fn more_than_the_whole_rate_takes_the_whole_rate() {
        let (rate, clock) = rate(5);
        let client = client("192.0.2.1");
        assert_eq!(rate.charge(client, 100), Ok(()));
        assert_eq!(rate.charge(client, 100), Err(10 * SECOND));
        clock.advance(10 * SECOND);
        assert_eq!(rate.charge(client, 100), Ok(()));
    }

    #[test]
    fn a_site_has_four_times_the_rate_of_a_client() {
        let (rate, _) = rate(5);
        let network = |number: u32| client(&format!("2001:db8:1:{number:x}::1"));
        for number in 0..4 {
            assert_eq!(rate.charge(network(number), 5), Ok(()));
        }
        assert!(rate.charge(network(4), 1).is_err());
        assert_eq!(rate.charge(client("2001:db8:2::1"), 5), Ok(()));
        // The refusal took nothing of the client's own rate.
        rate.give_back(network(0), 5);
        assert_eq!(rate.charge(network(4), 5), Ok(()));
    }

    #[test]
    fn the_number_of_clients_is_bounded() {
        let (rate, _) = rate(1);
        for number in 0..2 * u32::try_from(MAX_NETWORKS).unwrap() {
            let address = std::net::Ipv4Addr::from_bits(number);
            assert_eq!(rate.charge(Client::limited(address.into()), 1), Ok(()));
        }
        assert!(rate.by_client.states.0.len() <= MAX_NETWORKS);
    }
}
