//! The share that each client has of an upstream's budget.

use std::{
    collections::{HashMap, VecDeque},
    net::IpAddr,
    time::{Duration, Instant},
};

use effigy_upstream::Rate;
use parking_lot::Mutex;

/// The calls of all clients in the last period of a budget, of which one client has at most half.
#[derive(Debug)]
pub(super) struct BudgetShares {
    max_calls: u32,
    period: Duration,
    log: Mutex<CallLog>,
}

/// The calls of the last period, the oldest first, and the number of calls of each client.
#[derive(Debug, Default)]
struct CallLog {
    calls: VecDeque<(Instant, IpAddr)>,
    counts: HashMap<IpAddr, u32>,
}

impl BudgetShares {
    pub(super) fn new(budget: Rate) -> Self {
        Self {
            max_calls: (budget.amount() / 2).max(1),
            period: budget.period(),
            log: Mutex::default(),
        }
    }

    /// Charges a client for the calls of a look-up.
    ///
    /// The first look-up in a period is allowed even if it plans more calls than the share.
    /// Otherwise, a look-up that needs more than half of a small budget would never be possible.
    ///
    /// # Errors
    /// The time until they are possible.
    pub(super) fn charge(&self, client: IpAddr, calls: u32, now: Instant) -> Result<(), Duration> {
        let mut log = self.log.lock();
        log.forget_before(now.checked_sub(self.period));
        let made = log.counts.get(&client).copied().unwrap_or_default();
        if made > 0 && made + calls > self.max_calls {
            let oldest = log.oldest_of(client).unwrap_or(now);
            return Err((oldest + self.period).saturating_duration_since(now));
        }
        for _ in 0..calls {
            log.calls.push_back((now, client));
        }
        if calls > 0 {
            log.counts.insert(client, made + calls);
        }
        Ok(())
    }

    /// Gives back calls that were not made.
    pub(super) fn give_back(&self, client: IpAddr, calls: u32) {
        let mut log = self.log.lock();
        for _ in 0..calls {
            // It is one of the newest.
            let position = log.calls.iter().rposition(|(_, by)| *by == client);
            let Some(position) = position else { return };
            log.calls.remove(position);
            log.forget_one(client);
        }
    }
}

impl CallLog {
    /// Returns the time of the oldest call of a client.
    fn oldest_of(&self, client: IpAddr) -> Option<Instant> {
        let mut own = self.calls.iter().filter(|(_, by)| *by == client);
        let (at, _) = own.next()?;
        Some(*at)
    }

    /// Forgets the calls up to a time.
    fn forget_before(&mut self, time: Option<Instant>) {
        let Some(time) = time else { return };
        while let Some((at, client)) = self.calls.front().copied()
            && at <= time
        {
            self.calls.pop_front();
            self.forget_one(client);
        }
    }

    /// Counts one call less of a client.
    fn forget_one(&mut self, client: IpAddr) {
        if let Some(count) = self.counts.get_mut(&client) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(&client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn client(number: u32) -> IpAddr {
        Ipv4Addr::from_bits(number).into()
    }

    #[test]
    fn a_client_has_half_of_a_budget_in_any_period() {
        let shares = BudgetShares::new(Rate::new(10, MINUTE).unwrap());
        let start = Instant::now();
        assert_eq!(shares.charge(client(1), 2, start), Ok(()));
        let later = start + MINUTE / 2;
        assert_eq!(shares.charge(client(1), 3, later), Ok(()));
        assert_eq!(shares.charge(client(1), 1, later), Err(MINUTE / 2));
        assert_eq!(shares.charge(client(2), 5, later), Ok(()));
        // The first two calls have left the period.
        let end = start + MINUTE;
        assert_eq!(shares.charge(client(1), 2, end), Ok(()));
        assert_eq!(shares.charge(client(1), 1, end), Err(MINUTE / 2));
    }

    #[test]
    fn first_look_up_may_exceed_the_share() {
        let shares = BudgetShares::new(Rate::new(4, MINUTE).unwrap());
        let now = Instant::now();
        assert_eq!(shares.charge(client(1), 3, now), Ok(()));
        assert_eq!(shares.charge(client(1), 1, now), Err(MINUTE));
    }

    #[test]
    fn calls_that_were_not_made_are_given_back() {
        let shares = BudgetShares::new(Rate::new(4, MINUTE).unwrap());
        let now = Instant::now();
        assert_eq!(shares.charge(client(1), 2, now), Ok(()));
        assert_eq!(shares.charge(client(2), 2, now), Ok(()));
        shares.give_back(client(1), 1);
        assert_eq!(shares.charge(client(1), 1, now), Ok(()));
        assert!(shares.charge(client(1), 1, now).is_err());
        assert!(shares.charge(client(2), 1, now).is_err());
    }

    #[test]
    fn nothing_is_kept_of_clients_without_calls() {
        let shares = BudgetShares::new(Rate::new(4, MINUTE).unwrap());
        let now = Instant::now();
        for number in 0..100 {
            assert_eq!(shares.charge(client(number), 1, now), Ok(()));
        }
        shares.give_back(client(99), 1);
        assert_eq!(shares.charge(client(100), 0, now + MINUTE), Ok(()));
        let log = shares.log.lock();
        assert!(log.calls.is_empty() && log.counts.is_empty());
    }
}
