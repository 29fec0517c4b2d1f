//! The use that each client makes of what all share: how much of a rate, and how much at once, of what is given back.

use std::{
    collections::HashMap,
    iter,
    net::IpAddr,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use effigy_upstream::{Payer, Rate};
use parking_lot::Mutex;

use super::size;
use crate::{Fault, SharedResource};

/// The rate of what is charged without a limit. It decides about turns only.
const FREE: Rate = Rate::new(30_000, Duration::from_secs(120)).expect("an amount and a period");

/// The most debt that is remembered, in periods.
const MAX_PERIODS: u32 = 4;

/// A time, since the first one was asked for.
pub(super) type Time = Duration;

pub(super) fn now() -> Time {
    static FIRST: LazyLock<Instant> = LazyLock::new(Instant::now);
    FIRST.elapsed()
}

/// The use of a rate, as the time at which nothing of it will be in use: the generic cell rate algorithm.
///
/// More than the rate's amount may be used; then there is debt.
#[derive(Debug)]
pub(super) struct Bucket {
    /// Without one, everything may be taken.
    pub(super) rate: Option<Rate>,
    unused_at: Mutex<Time>,
}

impl Bucket {
    const fn new(rate: Option<Rate>) -> Self {
        let unused_at = Mutex::new(Time::ZERO);
        Self { rate, unused_at }
    }

    /// Returns the time at which nothing will be in use, or `now` if nothing is.
    pub(super) fn unused_at(&self, now: Time) -> Time {
        (*self.unused_at.lock()).max(now)
    }

    /// Uses this much, unless it would be too much then.
    ///
    /// # Errors
    /// The time until it is possible.
    pub(super) fn take(&self, amount: f64, now: Time) -> Result<(), Duration> {
        let Some(rate) = self.rate else {
            return Ok(());
        };
        let mut unused_at = self.unused_at.lock();
        let after = (*unused_at).max(now) + time_of(rate, amount);
        let missing = (after - now).saturating_sub(rate.period());
        if !missing.is_zero() {
            return Err(missing);
        }
        *unused_at = after;
        Ok(())
    }

    /// Uses this much, even if it is too much.
    fn charge(&self, amount: f64, now: Time) {
        let rate = self.rate.unwrap_or(FREE);
        let mut unused_at = self.unused_at.lock();
        let after = (*unused_at).max(now) + time_of(rate, amount);
        *unused_at = after.min(now + MAX_PERIODS * rate.period());
    }
}

/// The time in which this much of a rate comes back, which it does evenly.
fn time_of(rate: Rate, amount: f64) -> Duration {
    rate.period().mul_f64(amount / f64::from(rate.amount()))
}

/// A thing of which there is so much for all clients together.
///
/// The clients of one site that are limited take at most half of what the others have left, so that there is always some for
/// another one.
#[derive(Debug)]
pub(super) struct Pool {
    resource: SharedResource,
    used: Mutex<Used>,
}

#[derive(Debug, Default)]
struct Used {
    amount: usize,
    /// The buffers that several permits share, by their addresses: the number of permits, and the bytes.
    buffers: HashMap<usize, (usize, usize)>,
}

/// Something that a client uses until it is dropped.
#[derive(Debug)]
pub struct Permit {
    pool: Arc<Pool>,
    owner: Arc<Usage>,
    amount: usize,
    buffer: Option<usize>,
}

impl Pool {
    pub(super) fn new(resource: SharedResource) -> Arc<Self> {
        let used = Mutex::default();
        Arc::new(Self { resource, used })
    }

    pub(super) fn used(&self) -> usize {
        self.used.lock().amount
    }

    /// Takes an amount until the permit is dropped. The bytes of a buffer that another permit has are there already.
    ///
    /// # Errors
    /// Who has reached a limit.
    pub(super) fn take(
        self: &Arc<Self>,
        owner: &Arc<Usage>,
        amount: usize,
        buffer: Option<usize>,
    ) -> Result<Permit, Fault> {
        let mut used = self.used.lock();
        let known = buffer.and_then(|buffer| used.buffers.get_mut(&buffer));
        if let Some((permits, _)) = known {
            *permits += 1;
        } else {
            let left = (size(self.resource) - used.amount).checked_sub(amount);
            let left = left.ok_or(Fault::Overloaded)?;
            let after = |usage: &Usage| usage.share(self.resource).load(Relaxed) + amount;
            let is_over = |max| after(owner) as u64 > max || after(owner.of_site()) > left;
            if owner.max_of(self.resource).is_some_and(is_over) {
                return Err(Fault::Limited);
            }
            used.amount += amount;
            used.buffers
                .extend(buffer.map(|buffer| (buffer, (1, amount))));
        }
        for usage in owner.with_site() {
            usage.share(self.resource).fetch_add(amount, Relaxed);
        }
        Ok(Permit {
            pool: Arc::clone(self),
            owner: Arc::clone(owner),
            amount,
            buffer,
        })
    }
}

impl Permit {
    /// Returns how much the client has, by this permit and others, or 0 if it is not limited.
    #[must_use]
    pub fn of_client(&self) -> usize {
        self.owner.of_limited(self.pool.resource)
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        for usage in self.owner.with_site() {
            let share = usage.share(self.pool.resource);
            share.fetch_sub(self.amount, Relaxed);
        }
        let mut used = self.pool.used.lock();
        let Some(buffer) = self.buffer else {
            used.amount -= self.amount;
            return;
        };
        let (permits, bytes) = used.buffers.get_mut(&buffer).expect("the permit has it");
        *permits -= 1;
        if *permits == 0 {
            used.amount -= *bytes;
            used.buffers.remove(&buffer);
        }
    }
}

/// The limits of each client; `None` is no limit. Of a rate, everything may be used at once.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientLimits {
    /// Calls to upstreams.
    pub lookups: Option<Rate>,
    /// Milliseconds of processor time. It is measured, so a client may owe some afterwards.
    pub work: Option<Rate>,
    /// Bytes that wait to be sent, or that are being received.
    pub bytes: Option<u64>,
    /// KiB of files that are written to the database.
    pub writes: Option<Rate>,
    /// Connections.
    pub connections: Option<u32>,
}

/// The use of one client, or of all clients of a site.
#[derive(Debug)]
pub(super) struct Usage {
    network: IpAddr,
    /// The limits of the client, if it has any.
    limits: Option<ClientLimits>,
    /// That of the site that the client is a part of.
    site: Option<Arc<Usage>>,
    pub(super) lookups: Bucket,
    pub(super) work: Bucket,
    pub(super) written: Bucket,
    /// How much it has of each resource.
    shares: [AtomicUsize; SharedResource::ALL.len()],
}

impl Usage {
    /// The use of a client with limits, or of one without.
    pub(super) fn new(
        limits: Option<ClientLimits>,
        network: IpAddr,
        site: Option<Arc<Self>>,
    ) -> Self {
        let rates = limits.unwrap_or_default();
        Self {
            network,
            limits,
            site,
            lookups: Bucket::new(rates.lookups),
            work: Bucket::new(rates.work),
            written: Bucket::new(rates.writes),
            shares: Default::default(),
        }
    }

    fn share(&self, resource: SharedResource) -> &AtomicUsize {
        &self.shares[resource as usize]
    }

    /// Returns the most of a resource that the client may have, or `None` if the client is not limited.
    fn max_of(&self, resource: SharedResource) -> Option<u64> {
        let limits = self.limits?;
        let max = match resource {
            SharedResource::Bytes => limits.bytes,
            SharedResource::Connections => limits.connections.map(u64::from),
            _ => None,
        };
        Some(max.unwrap_or(u64::MAX))
    }

    /// Returns how much of a resource the client has. Nothing is taken from one that is not limited, so it is nothing then.
    pub(super) fn of_limited(&self, resource: SharedResource) -> usize {
        let used = self.share(resource).load(Relaxed);
        self.limits.map_or(0, |_| used)
    }

    /// Returns this use, and that of the site if there is one.
    fn with_site(&self) -> impl Iterator<Item = &Self> {
        iter::once(self).chain(self.site.as_deref())
    }

    /// Returns the use of the site, or of the client without one.
    pub(super) fn of_site(&self) -> &Self {
        self.site.as_deref().unwrap_or(self)
    }

    /// Charges processor time that was used.
    pub(super) fn charge_work(&self, time: Duration) {
        let (millis, now) = (time.as_secs_f64() * 1_000.0, now());
        self.with_site()
            .for_each(|usage| usage.work.charge(millis, now));
    }

    /// The place in the order of clients, as of a time: the less the site has used, and then the client, the sooner.
    pub(super) fn rank(&self, came: Time) -> (Time, Time) {
        let [site, own] = [self.of_site(), self].map(|usage| usage.work.unused_at(came));
        (site, own)
    }
}

impl Payer for Usage {
    fn network(&self) -> IpAddr {
        self.of_site().network
    }

    fn charge(&self) -> Result<(), Duration> {
        self.lookups.take(1.0, now())
    }
}

/// The clients who wait for the same file. What is done for it is done in the turn, and at the expense, of the one that
/// has used the least.
#[derive(Debug, Clone, Default)]
pub(crate) struct Waiters(Arc<Mutex<Vec<Arc<Usage>>>>);

impl Waiters {
    pub(super) fn add(&self, usage: &Arc<Usage>) {
        let mut waiters = self.0.lock();
        if !waiters.iter().any(|known| Arc::ptr_eq(known, usage)) {
            waiters.push(Arc::clone(usage));
        }
    }

    /// Returns `true` for clones of the same waiters.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The client who has work done, with the others who wait for the files that it is a part of.
#[derive(Debug, Clone)]
pub(super) struct Payers {
    pub(super) usage: Arc<Usage>,
    pub(super) others: Vec<Waiters>,
    /// The time at which they began to wait for the first part of the work, if others may wait with them. The parts keep
    /// the place in the queue that the first one had.
    pub(super) came: Option<Time>,
}

impl Payers {
    pub(super) const fn new(usage: Arc<Usage>) -> Self {
        Self {
            usage,
            others: Vec::new(),
            came: None,
        }
    }

    /// Returns the one who has used the least, as of a time.
    pub(super) fn first(&self, came: Time) -> Arc<Usage> {
        let mut first = Arc::clone(&self.usage);
        for waiters in &self.others {
            for usage in waiters.0.lock().iter() {
                if usage.rank(came) < first.rank(came) {
                    first = Arc::clone(usage);
                }
            }
        }
        first
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn an_amount_can_be_used_at_once_and_comes_back_evenly() {
        let bucket = Bucket::new(Rate::new(5, 10 * SECOND));
        let start = 100 * SECOND;
        for _ in 0..5 {
            assert_eq!(bucket.take(1.0, start), Ok(()));
        }
        assert_eq!(bucket.take(1.0, start), Err(2 * SECOND));
        let later = 102 * SECOND;
        assert_eq!(bucket.take(1.0, later), Ok(()));
        assert_eq!(bucket.take(1.0, later), Err(2 * SECOND));
        let much_later = 200 * SECOND;
        assert_eq!(bucket.unused_at(much_later), much_later);
        assert_eq!(bucket.take(6.0, much_later), Err(2 * SECOND));
    }

    #[test]
    fn work_comes_back_in_proportion_and_debt_is_bounded() {
        // 30 s in 2 min, whether that is a limit or not.
        let limited = Bucket::new(Rate::new(30_000, 120 * SECOND));
        let free = Bucket::new(None);
        for bucket in [&limited, &free] {
            bucket.charge(1_000.0, SECOND);
            assert_eq!(bucket.unused_at(SECOND), 5 * SECOND);
            bucket.charge(1_000_000.0, SECOND);
            assert_eq!(bucket.unused_at(SECOND), 481 * SECOND);
        }
        assert_eq!(free.take(1_000_000.0, SECOND), Ok(()));
    }
}
