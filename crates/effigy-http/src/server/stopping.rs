//! Tells every connection when the server stops.
//!
//! A connection looks at one flag each time it is polled; only when the server stops are they all
//! woken. Waiting for a message instead costs every request as much as its headers do.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    task::Waker,
};

/// Whether the server stops. Clones tell the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stopping {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    stopping: AtomicBool,
    wakers: Mutex<HashMap<u64, Waker>>,
    next: AtomicU64,
}

impl Stopping {
    /// From now on it does.
    pub(crate) fn begin(&self) {
        self.shared.stopping.store(true, Ordering::SeqCst);
        let wakers: Vec<Waker> = self.wakers().values().cloned().collect();
        wakers.iter().for_each(Waker::wake_by_ref);
    }

    /// What one task looks at.
    pub(crate) fn look_out(&self) -> LookOut {
        LookOut {
            stopping: self.clone(),
            number: self.shared.next.fetch_add(1, Ordering::Relaxed),
            known: None,
        }
    }

    fn wakers(&self) -> MutexGuard<'_, HashMap<u64, Waker>> {
        let wakers = self.shared.wakers.lock();
        wakers.unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task's look at whether the server stops.
#[derive(Debug)]
pub(crate) struct LookOut {
    stopping: Stopping,
    number: u64,
    /// The waker that will be woken.
    known: Option<Waker>,
}

impl LookOut {
    /// Whether the server stops. If not, the task of `waker` is woken when it does.
    pub(crate) fn is_stopping(&mut self, waker: &Waker) -> bool {
        let known = self.known.as_ref();
        if !known.is_some_and(|known| known.will_wake(waker)) {
            self.known = Some(waker.clone());
            self.stopping.wakers().insert(self.number, waker.clone());
        }
        self.stopping.shared.stopping.load(Ordering::SeqCst)
    }
}

impl Drop for LookOut {
    fn drop(&mut self) {
        self.stopping.wakers().remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::{future::poll_fn, task::Poll};

    use super::*;

    #[tokio::test]
    async fn every_task_is_woken() {
        let stopping = Stopping::default();
        let tasks: Vec<_> = (0..10)
            .map(|_| {
                let mut look_out = stopping.look_out();
                tokio::spawn(poll_fn(move |context| {
                    if look_out.is_stopping(context.waker()) {
                        Poll::Ready(())
                    } else {
                        Poll::Pending
                    }
                }))
            })
            .collect();
        while stopping.wakers().len() < 10 {
            tokio::task::yield_now().await;
        }
        stopping.begin();
        for task in tasks {
            task.await.unwrap();
        }
        assert!(stopping.wakers().is_empty());
        let waker = Waker::noop();
        assert!(
            stopping.look_out().is_stopping(waker),
            "who comes later too"
        );
    }
}
