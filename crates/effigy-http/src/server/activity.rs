//! The activity of a connection, and the time until which it may stay idle.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

/// The times that connections may stay without progress.
#[derive(Debug, Clone, Copy)]
pub(super) struct Timeouts {
    /// While no request is being answered. Bytes that arrive do not extend it, so a client cannot hold
    /// the connection by sending a request's head slowly.
    pub(super) idle: Duration,
    /// While a request is being answered.
    pub(super) response: Duration,
}

/// The progress of a connection, as its handlers and its socket report it: a request begins or ends, or
/// bytes of a response leave.
#[derive(Debug)]
pub(crate) struct Activity {
    start: Instant,
    /// The number of requests that are being answered.
    requests: AtomicUsize,
    /// The number of large pictures that are being sent.
    large_pictures: AtomicUsize,
    /// The time of the last progress, in milliseconds after `start`.
    last_millis: AtomicU64,
}

/// A request that is being answered.
pub(super) struct InFlight(Arc<Activity>);

/// A large picture that is being sent.
#[derive(Debug)]
pub(crate) struct LargePictureInFlight(Arc<Activity>);

impl Activity {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self {
            start: Instant::now(),
            requests: AtomicUsize::new(0),
            large_pictures: AtomicUsize::new(0),
            last_millis: AtomicU64::new(0),
        })
    }

    /// Counts a request as being answered until the returned guard is dropped.
    pub(super) fn begin_request(self: &Arc<Self>, now: Instant) -> InFlight {
        self.record(now);
        self.requests.fetch_add(1, Ordering::Relaxed);
        InFlight(Arc::clone(self))
    }

    /// Counts a large picture as being sent until the returned guard is dropped.
    pub(crate) fn begin_large_picture(self: &Arc<Self>) -> LargePictureInFlight {
        self.large_pictures.fetch_add(1, Ordering::Relaxed);
        LargePictureInFlight(Arc::clone(self))
    }

    /// Returns `true` while large pictures are being sent.
    pub(super) fn sends_large_pictures(&self) -> bool {
        self.large_pictures.load(Ordering::Relaxed) > 0
    }

    /// Returns `true` while a request is being answered.
    fn is_busy(&self) -> bool {
        self.requests.load(Ordering::Relaxed) > 0 || self.sends_large_pictures()
    }

    /// Returns the time of the last progress, if no request is being answered.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        (!self.is_busy()).then(|| self.last())
    }

    pub(super) fn has_timed_out(&self, timeouts: Timeouts, now: Instant) -> bool {
        let timeout = match self.is_busy() {
            true => timeouts.response,
            false => timeouts.idle,
        };
        now >= self.last() + timeout
    }

    fn last(&self) -> Instant {
        self.start + Duration::from_millis(self.last_millis.load(Ordering::Relaxed))
    }

    pub(super) fn record(&self, now: Instant) {
        let millis = u64::try_from((now - self.start).as_millis());
        let millis = millis.expect("a connection does not last 500 million years");
        self.last_millis.store(millis, Ordering::Relaxed);
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.record(Instant::now());
        self.0.requests.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Drop for LargePictureInFlight {
    fn drop(&mut self) {
        self.0.record(Instant::now());
        self.0.large_pictures.fetch_sub(1, Ordering::Relaxed);
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
    fn left(activity: &Activity) -> u64 {
        let now = Instant::now();
        let mut seconds = 0..;
        let timed_out = |second: &u32| activity.has_timed_out(TIMEOUTS, now + SECOND * *second);
        seconds.find(timed_out).unwrap().into()
    }

    #[tokio::test(start_paused = true)]
    async fn a_connection_without_a_request_times_out() {
        let activity = Activity::new();
        tokio::time::advance(SECOND * 10).await;
        assert_eq!(left(&activity), 20);
        assert_eq!(activity.idle_since(), Some(activity.start));
    }

    #[tokio::test(start_paused = true)]
    async fn a_response_may_take_longer_and_be_read_slowly() {
        let activity = Activity::new();
        let request = activity.begin_request(Instant::now());
        assert_eq!((left(&activity), activity.idle_since()), (60, None));
        tokio::time::advance(SECOND * 50).await;
        drop(request);
        assert_eq!(left(&activity), 30);
        for _ in 0..5 {
            tokio::time::advance(SECOND * 20).await;
            activity.record(Instant::now());
            assert_eq!(left(&activity), 30);
        }
        let picture = activity.begin_large_picture();
        assert_eq!((left(&activity), activity.idle_since()), (60, None));
        drop(picture);
        assert!(activity.idle_since().is_some());
    }
}
