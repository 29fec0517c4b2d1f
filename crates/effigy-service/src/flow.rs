//! The context of one request, for all steps of its flow.

mod call;
mod kept;

pub(crate) use self::{call::Price, kept::Made};

use std::{
    hash::Hash,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::time::timeout_at;

use crate::{
    ServiceError, SharedResource, Turn,
    doors::{Askers, JobError, MAX_JOB_MEMORY},
    error::Result,
    reuse::single_flight::SingleFlight,
    state::State,
};

/// The flow of one request.
#[derive(Clone)]
pub(crate) struct Flow {
    pub(crate) state: Arc<State>,
    /// The clients that wait for the file.
    pub(crate) askers: Askers,
    /// The time at which look-ups must be over, if it is not the source's.
    end: Option<Instant>,
}

impl Flow {
    /// The flow of a request that these clients wait for.
    pub(crate) const fn new(state: Arc<State>, askers: Askers) -> Self {
        Self {
            state,
            askers,
            end: None,
        }
    }

    /// Returns a flow whose only asker is the client who pays.
    ///
    /// It is for a part of the work that other requests may join. They become askers of that part,
    /// and not of the rest of this request.
    pub(crate) fn alone(&self) -> Self {
        Self {
            state: Arc::clone(&self.state),
            askers: Askers::one(self.askers.first()),
            end: self.end,
        }
    }

    /// Runs a part of the work whose look-ups must be over at `end`.
    ///
    /// # Errors
    /// If the work fails, or is not done by then.
    pub(crate) async fn finish_by<T, F>(
        &self,
        end: Instant,
        work: impl FnOnce(Self) -> F,
    ) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let flow = Self {
            end: Some(end),
            ..self.clone()
        };
        match timeout_at(end.into(), work(flow)).await {
            Ok(done) => done,
            Err(_) => Err(ServiceError::TookTooLong.into()),
        }
    }

    /// Returns the time at which a look-up that begins now must be over.
    fn deadline(&self) -> Instant {
        self.end.unwrap_or_else(|| self.state.source.deadline())
    }

    /// Charges the client for drawing.
    pub(crate) fn charge_drawing(&self, cost: Duration) -> Result<()> {
        let client = self.askers.first();
        Ok(self.state.rates.charge_drawing(client, cost)?)
    }

    /// Runs `work` on a drawing thread when it is the turn of one of the askers.
    ///
    /// # Errors
    /// The error of `work`, `TooLarge` if it needs too much memory, `Refused` if too many jobs
    /// wait, and `Interrupted` if it panics.
    pub(crate) async fn on_drawing_thread<T: Send + 'static>(
        &self,
        memory: u64,
        work: impl FnOnce(&Turn) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T> {
        if memory > MAX_JOB_MEMORY {
            return Err(ServiceError::TooLarge.into());
        }
        let state = &self.state;
        match state.turns.run(&self.askers, memory, work).await {
            Ok(outcome) => Ok(outcome?),
            Err(JobError::Panicked) => Err(ServiceError::Interrupted.into()),
            Err(JobError::QueueFull) => Err(state.rates.refuse_all(SharedResource::Queue).into()),
        }
    }

    /// Returns the known value, or runs a computation once for all who ask for its key at the same
    /// time.
    ///
    /// Those who join become askers of this flow. So call it on a flow [`alone`](Self::alone),
    /// unless all askers of the request wait for the computation as well.
    pub(crate) async fn run_once<K, V, F>(
        self,
        flights: &SingleFlight<K, V>,
        key: K,
        known: impl Fn() -> Option<V>,
        computation: impl FnOnce(Self) -> F,
    ) -> Result<V>
    where
        K: Clone + Eq + Hash + Send + 'static,
        V: Clone + Send + Sync + 'static,
        F: Future<Output = Result<V>> + Send + 'static,
    {
        let askers = self.askers.clone();
        flights.run(&askers, key, known, computation(self)).await
    }
}
