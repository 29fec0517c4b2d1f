//! The exchanges of a connection: its requests, until the last bytes of their responses have left.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

/// The times that connections may stay without progress.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Timeouts {
    /// While no request is being answered. Bytes that arrive do not extend it, so a client cannot hold
    /// the connection by sending a request's head slowly, or frames that ask for nothing.
    pub(crate) idle: Duration,
    /// While a request is being answered.
    pub(crate) response: Duration,
}

/// The bytes without progress of a connection that does not ask for much.
const CALM_BYTES: usize = 8 << 10;

/// The open exchanges of a connection.
#[derive(Debug)]
pub(crate) struct Exchanges {
    state: Mutex<State>,
    /// The number of bytes that arrived since the last progress, without those of uploads that were read.
    received: AtomicUsize,
}

#[derive(Debug)]
struct State {
    open: Vec<Open>,
    /// The number of exchanges until now.
    begun: u64,
    /// The time of the last progress: a request begins or is answered, or bytes of a response leave.
    last: Instant,
}

#[derive(Debug)]
struct Open {
    number: u64,
    is_answered: bool,
    last: Instant,
}

/// An open exchange. It is over when this is dropped.
#[derive(Debug)]
pub(crate) struct Exchange {
    connection: Arc<Exchanges>,
    number: u64,
}

impl Exchanges {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State {
                open: Vec::new(),
                begun: 0,
                last: Instant::now(),
            }),
            received: AtomicUsize::new(0),
        })
    }

    /// Begins the exchange of a request that arrived at `now`.
    pub(crate) fn begin(self: &Arc<Self>, now: Instant) -> Exchange {
        let mut state = self.progress(now);
        state.begun += 1;
        let number = state.begun;
        state.open.push(Open {
            number,
            is_answered: false,
            last: now,
        });
        Exchange {
            connection: Arc::clone(self),
            number,
        }
    }

    /// Returns the time of the last progress, if no request is being answered.
    pub(crate) fn idle_since(&self) -> Option<Instant> {
        let state = self.state();
        (!state.is_answering()).then_some(state.last)
    }

    /// Returns the time since which no bytes of a response have left: that of the response which waits for
    /// the longest time.
    pub(crate) fn stalled_since(&self) -> Option<Instant> {
        let state = self.state();
        let waiting = state.open.iter().filter(|open| open.is_answered);
        waiting.map(|open| open.last).min()
    }

    /// Returns the number of responses that have not left yet.
    pub(crate) fn waiting(&self) -> usize {
        let state = self.state();
        state.open.iter().filter(|open| open.is_answered).count()
    }

    pub(crate) fn has_timed_out(&self, timeouts: Timeouts, now: Instant) -> bool {
        let state = self.state();
        let timeout = match state.is_answering() {
            true => timeouts.response,
            false => timeouts.idle,
        };
        now >= state.last + timeout
    }

    /// Counts bytes that arrive. Returns how many have arrived since the last progress.
    pub(crate) fn receive(&self, bytes: usize) -> usize {
        self.received.fetch_add(bytes, Ordering::Relaxed) + bytes
    }

    /// Records that bytes of an upload have been read. What surrounds them is no progress.
    pub(crate) fn read(&self, bytes: usize) {
        let left = |received: usize| received.saturating_sub(bytes);
        self.received
            .update(Ordering::Relaxed, Ordering::Relaxed, left);
    }

    /// Tells whether much has arrived without progress.
    pub(crate) fn is_flooded(&self) -> bool {
        self.received.load(Ordering::Relaxed) > CALM_BYTES
    }

    fn progress(&self, now: Instant) -> MutexGuard<'_, State> {
        self.received.store(0, Ordering::Relaxed);
        let mut state = self.state();
        state.last = now;
        state
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // No method panics halfway, so a poisoned state is consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_answering(&self) -> bool {
        self.open.iter().any(|open| !open.is_answered)
    }
}

impl Exchange {
    /// Records that the response is complete at `now`, or that bytes of it leave.
    pub(crate) fn record(&self, now: Instant) {
        let mut state = self.connection.progress(now);
        let mut open = state.open.iter_mut();
        if let Some(open) = open.find(|open| open.number == self.number) {
            open.last = now;
            open.is_answered = true;
        }
    }
}

impl Drop for Exchange {
    fn drop(&mut self) {
        let mut state = self.connection.progress(Instant::now());
        state.open.retain(|open| open.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);
    const TIMEOUTS: Timeouts = Timeouts {
        idle: Duration::from_secs(30),
        response: Duration::from_secs(60),
    };

    /// Returns after how many seconds the connection has timed out if nothing else happens.
    fn left(exchanges: &Exchanges) -> u64 {
        let now = Instant::now();
        let mut seconds = 0..;
        let timed_out = |second: &u32| exchanges.has_timed_out(TIMEOUTS, now + SECOND * *second);
        seconds.find(timed_out).unwrap().into()
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_without_a_request_times_out() {
        let (exchanges, start) = (Exchanges::new(), Instant::now());
        tokio::time::advance(SECOND * 10).await;
        assert_eq!(left(&exchanges), 20);
        assert_eq!(exchanges.idle_since(), Some(start));
    }

    #[tokio::test(start_paused = true)]
    async fn an_answer_may_take_longer_and_be_read_slowly() {
        let exchanges = Exchanges::new();
        let exchange = exchanges.begin(Instant::now());
        assert_eq!((left(&exchanges), exchanges.idle_since()), (60, None));
        tokio::time::advance(SECOND * 50).await;
        exchange.record(Instant::now());
        assert_eq!(left(&exchanges), 30);
        for _ in 0..5 {
            tokio::time::advance(SECOND * 20).await;
            exchange.record(Instant::now());
            assert_eq!(left(&exchanges), 30);
        }
        drop(exchange);
        assert_eq!((exchanges.waiting(), exchanges.stalled_since()), (0, None));
    }

    #[tokio::test(start_paused = true)]
    async fn the_response_that_waits_longest_counts() {
        let (exchanges, start) = (Exchanges::new(), Instant::now());
        let [stalled, sent, asked] = [(); 3].map(|()| exchanges.begin(start));
        stalled.record(start);
        sent.record(start);
        tokio::time::advance(SECOND * 10).await;
        sent.record(Instant::now());
        assert_eq!(
            (exchanges.waiting(), exchanges.stalled_since()),
            (2, Some(start))
        );
        assert_eq!(left(&exchanges), 60, "one request is being answered");
        drop((stalled, asked));
        assert_eq!(exchanges.stalled_since(), Some(start + SECOND * 10));
        assert_eq!(exchanges.idle_since(), Some(start + SECOND * 10));
    }

    #[tokio::test]
    async fn requests_and_the_bytes_of_uploads_are_progress() {
        let exchanges = Exchanges::new();
        assert_eq!(exchanges.receive(100), 100);
        let exchange = exchanges.begin(Instant::now());
        assert_eq!(exchanges.receive(100), 100);
        exchanges.read(30);
        assert_eq!(exchanges.receive(100), 170);
        exchanges.read(1_000);
        assert_eq!(exchanges.receive(100), 100);
        exchange.record(Instant::now());
        assert_eq!(exchanges.receive(100), 100);
        drop(exchange);
        assert_eq!(exchanges.receive(0), 0);
    }
}
