//! The first door: how much drawing, and how many calls to upstreams, one client may cause.
//!
//! Drawing is charged by the kind of picture, when nothing stored answers a request. The most calls
//! that a look-up may need are charged before it begins, and those that it did not make are given
//! back. One client has at most half of an upstream's budget, and at most half of the calls in
//! flight to it.

mod budget_share;
mod client_rate;

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::Arc,
    time::{Duration, Instant},
};

use effigy_upstream::{LookUp, PlannedCalls, UpstreamCapacity};
use parking_lot::Mutex;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout_at,
};

use self::{budget_share::BudgetShares, client_rate::ClientRate};
use super::client::{Allowance, Client, ClientRates};
use crate::{
    error::{Fault, Refused, SharedResource},
    metrics::counter,
};
use prometheus::IntCounterVec;

/// The unit in which drawing is charged.
const DRAWING_UNIT: Duration = Duration::from_micros(100);

/// Units of drawing in a millisecond.
const UNITS_PER_MILLI: u32 = 10;

/// The name under which all checks of known players have their share of a budget.
const CHECKS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::UNSPECIFIED);

/// The number of clients of one upstream above which those without calls in flight are forgotten.
const MAX_IDLE_CLIENTS: usize = 256;

/// The time after which a client whose other calls are all in flight may try again.
const ROOM_WAIT: Duration = Duration::from_secs(1);

/// The rates of all clients.
#[derive(Debug)]
pub(crate) struct Rates {
    drawing: Option<ClientRate>,
    calls: Option<ClientRate>,
    /// The shares of each upstream, in the order of the source.
    upstreams: Vec<UpstreamShares>,
    /// Refusals, by the resource.
    pub(crate) refused: IntCounterVec,
}

/// The shares that clients have of one upstream.
#[derive(Debug)]
struct UpstreamShares {
    budget: Option<BudgetShares>,
    /// The share of all checks of known players together.
    checks: Option<BudgetShares>,
    /// The calls that one client may have in flight.
    max_in_flight: usize,
    in_flight: Mutex<HashMap<IpAddr, Arc<Semaphore>>>,
}

/// The calls that a look-up was charged for. They count as in flight until this is dropped.
#[derive(Debug)]
pub(crate) struct ChargedCalls {
    client: Client,
    /// The calls that were taken from the client's rate and from its share of each budget.
    planned: Vec<PlannedCalls>,
    /// The calls of a check of a known player, which have a share of each budget.
    checks: Vec<PlannedCalls>,
    _in_flight: Vec<OwnedSemaphorePermit>,
}

impl Rates {
    /// The rates of clients of a source with these upstreams.
    pub(crate) fn new(rates: ClientRates, upstreams: &[UpstreamCapacity]) -> Self {
        let refused = counter(
            "effigy_refused_total",
            "Requests refused because a limit of clients or of the service was reached.",
            &["resource"],
        );
        for resource in SharedResource::WORDS {
            refused.with_label_values(&[resource]);
        }
        Self {
            drawing: rates
                .drawing
                .map(|rate| ClientRate::new(rate, UNITS_PER_MILLI)),
            calls: rates.calls.map(|rate| ClientRate::new(rate, 1)),
            upstreams: upstreams.iter().map(UpstreamShares::new).collect(),
            refused,
        }
    }

    /// Returns what a client has left of its rates. The list is empty for a client without limits.
    pub(crate) fn allowances(&self, client: Client) -> Vec<Allowance> {
        if !client.is_limited() {
            return Vec::new();
        }
        let rates = [
            (SharedResource::Drawing, &self.drawing),
            (SharedResource::Calls, &self.calls),
        ];
        let mut allowances = Vec::new();
        for (resource, rate) in rates {
            if let Some(rate) = rate {
                let left = rate.left(client);
                allowances.push(Allowance {
                    resource,
                    rate: rate.rate,
                    left: left.amount,
                    full_after: left.full_after,
                });
            }
        }
        allowances
    }

    /// Charges a client for drawing that takes about this processor time.
    ///
    /// # Errors
    /// If the client has used its rate.
    pub(crate) fn charge_drawing(&self, client: Client, cost: Duration) -> Result<(), Refused> {
        let Some(rate) = &self.drawing else {
            return Ok(());
        };
        if !client.is_limited() {
            return Ok(());
        }
        let units = cost.as_micros().div_ceil(DRAWING_UNIT.as_micros());
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        let charged = rate.charge(client, units);
        charged.map_err(|wait| self.refuse_client(SharedResource::Drawing, wait))
    }

    /// Charges a client for the calls of a look-up, and waits until the client has few enough calls
    /// in flight.
    ///
    /// # Errors
    /// If the client has used its rate or its share of an upstream's budget, or if its other calls
    /// are in flight until the deadline.
    pub(crate) async fn charge_calls(
        &self,
        client: Client,
        planned: Vec<PlannedCalls>,
        deadline: Instant,
    ) -> Result<ChargedCalls, Refused> {
        if !client.is_limited() {
            return Ok(ChargedCalls::unlimited(client));
        }
        let charged = self.charge_each(client, &planned);
        charged.map_err(|wait| self.refuse_client(SharedResource::Calls, wait))?;
        match self.wait_for_room(client, &planned, deadline).await {
            Some(in_flight) => Ok(ChargedCalls::of_look_up(client, planned, in_flight)),
            None => {
                self.give_back(client, &planned);
                Err(self.refuse_client(SharedResource::Calls, ROOM_WAIT))
            }
        }
    }

    /// Charges a client for the calls of a check of a known player. All checks together have half
    /// of each upstream's budget, so that unknown players can always be looked up.
    ///
    /// # Errors
    /// If the client has used its rate, or all checks have used their share.
    pub(crate) async fn charge_check(
        &self,
        client: Client,
        planned: Vec<PlannedCalls>,
        deadline: Instant,
    ) -> Result<ChargedCalls, Refused> {
        for (position, calls) in planned.iter().enumerate() {
            let Some(share) = &self.upstreams[calls.upstream.0].checks else {
                continue;
            };
            if share.charge(CHECKS, calls.calls, Instant::now()).is_err() {
                self.give_back_checks(&planned[..position]);
                return Err(self.refuse_all(SharedResource::Calls));
            }
        }
        let mut charged = match self.charge_calls(client, planned.clone(), deadline).await {
            Ok(charged) => charged,
            Err(refused) => {
                self.give_back_checks(&planned);
                return Err(refused);
            }
        };
        charged.checks = planned;
        Ok(charged)
    }

    /// Waits until a client has room for one more call in flight to a texture service, which takes
    /// nothing of its rate.
    ///
    /// # Errors
    /// If its other calls are in flight until the deadline.
    pub(crate) async fn admit_texture(
        &self,
        client: Client,
        planned: &[PlannedCalls],
        deadline: Instant,
    ) -> Result<ChargedCalls, Refused> {
        if !client.is_limited() {
            return Ok(ChargedCalls::unlimited(client));
        }
        match self.wait_for_room(client, planned, deadline).await {
            Some(in_flight) => Ok(ChargedCalls::of_texture(client, in_flight)),
            None => Err(self.refuse_client(SharedResource::Calls, ROOM_WAIT)),
        }
    }

    /// Gives back the calls that a look-up was charged for and did not make.
    pub(crate) fn settle(&self, charged: ChargedCalls, look_up: &LookUp) {
        self.give_back(charged.client, &unused(&charged.planned, look_up));
        self.give_back_checks(&unused(&charged.checks, look_up));
    }

    /// Counts a refusal because of a resource that all clients share.
    pub(crate) fn refuse_all(&self, resource: SharedResource) -> Refused {
        self.refused.with_label_values(&[resource.as_str()]).inc();
        Refused {
            resource,
            fault: Fault::Overloaded,
            // Something comes back whenever a request ends.
            retry_after: Duration::from_secs(1),
        }
    }

    /// Counts a refusal because of a client's own use.
    fn refuse_client(&self, resource: SharedResource, retry_after: Duration) -> Refused {
        self.refused.with_label_values(&[resource.as_str()]).inc();
        Refused {
            resource,
            fault: Fault::Limited,
            retry_after,
        }
    }

    /// Charges for all calls, or for no call if one of them is refused.
    ///
    /// # Errors
    /// The time until they are possible.
    fn charge_each(&self, client: Client, planned: &[PlannedCalls]) -> Result<(), Duration> {
        let total = planned.iter().map(|planned| planned.calls).sum();
        if let Some(rate) = &self.calls {
            rate.charge(client, total)?;
        }
        for (position, calls) in planned.iter().enumerate() {
            let Some(budget) = &self.upstreams[calls.upstream.0].budget else {
                continue;
            };
            if let Err(wait) = budget.charge(client.network(), calls.calls, Instant::now()) {
                if let Some(rate) = &self.calls {
                    rate.give_back(client, total);
                }
                self.give_back_budgets(client, &planned[..position]);
                return Err(wait);
            }
        }
        Ok(())
    }

    fn give_back(&self, client: Client, unused: &[PlannedCalls]) {
        if let Some(rate) = &self.calls {
            rate.give_back(client, unused.iter().map(|planned| planned.calls).sum());
        }
        self.give_back_budgets(client, unused);
    }

    fn give_back_checks(&self, unused: &[PlannedCalls]) {
        for calls in unused {
            if let Some(share) = &self.upstreams[calls.upstream.0].checks {
                share.give_back(CHECKS, calls.calls);
            }
        }
    }

    fn give_back_budgets(&self, client: Client, unused: &[PlannedCalls]) {
        for calls in unused {
            if let Some(budget) = &self.upstreams[calls.upstream.0].budget {
                budget.give_back(client.network(), calls.calls);
            }
        }
    }

    /// Waits until each upstream may have another call of the client in flight. Returns `None` if
    /// that takes longer than until the deadline.
    async fn wait_for_room(
        &self,
        client: Client,
        planned: &[PlannedCalls],
        deadline: Instant,
    ) -> Option<Vec<OwnedSemaphorePermit>> {
        // All look-ups take the upstreams in the same order, so no two of them wait for each other.
        let mut upstreams: Vec<usize> = planned.iter().map(|calls| calls.upstream.0).collect();
        upstreams.sort_unstable();
        upstreams.dedup();
        let mut permits = Vec::new();
        for upstream in upstreams {
            let room = self.upstreams[upstream].room_of(client.network());
            let permit = timeout_at(deadline.into(), room.acquire_owned())
                .await
                .ok()?;
            permits.push(permit.expect("the semaphore is never closed"));
        }
        Some(permits)
    }
}

impl ChargedCalls {
    /// The calls of a client without limits, who is charged for nothing.
    const fn unlimited(client: Client) -> Self {
        Self::of_look_up(client, Vec::new(), Vec::new())
    }

    /// The fetch of a texture, which takes nothing of the client's rate.
    const fn of_texture(client: Client, in_flight: Vec<OwnedSemaphorePermit>) -> Self {
        Self::of_look_up(client, Vec::new(), in_flight)
    }

    /// The calls of a look-up, with all that it may need.
    const fn of_look_up(
        client: Client,
        planned: Vec<PlannedCalls>,
        in_flight: Vec<OwnedSemaphorePermit>,
    ) -> Self {
        Self {
            client,
            planned,
            checks: Vec::new(),
            _in_flight: in_flight,
        }
    }
}

/// Returns the planned calls that a look-up has not made.
fn unused(planned: &[PlannedCalls], look_up: &LookUp) -> Vec<PlannedCalls> {
    let mut unused = Vec::new();
    for &PlannedCalls { upstream, calls } in planned {
        let calls = calls.saturating_sub(look_up.calls_made(upstream));
        unused.push(PlannedCalls { upstream, calls });
    }
    unused
}

impl UpstreamShares {
    fn new(capacity: &UpstreamCapacity) -> Self {
        Self {
            budget: capacity.budget.map(BudgetShares::new),
            checks: capacity.budget.map(BudgetShares::new),
            max_in_flight: (capacity.max_in_flight / 2).max(1),
            in_flight: Mutex::default(),
        }
    }

    /// Returns the semaphore of a client's calls in flight.
    fn room_of(&self, client: IpAddr) -> Arc<Semaphore> {
        let mut in_flight = self.in_flight.lock();
        if in_flight.len() >= MAX_IDLE_CLIENTS {
            // Clients with a call in flight, and those who wait, have clones.
            in_flight.retain(|_, room| Arc::strong_count(room) > 1);
        }
        let room = in_flight.entry(client);
        Arc::clone(room.or_insert_with(|| Arc::new(Semaphore::new(self.max_in_flight))))
    }
}

#[cfg(test)]
mod tests;
