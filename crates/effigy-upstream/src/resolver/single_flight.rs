//! One computation that concurrent callers share.

use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A computation that runs once at a time. Callers that come while it runs share its outcome, which
/// is not kept afterwards.
#[derive(Debug)]
pub(super) struct SingleFlight<T> {
    /// The callers that wait for the computation, or `None` while it does not run.
    waiting: Mutex<Option<Vec<Sender<T>>>>,
}

impl<T> Default for SingleFlight<T> {
    fn default() -> Self {
        Self {
            waiting: Mutex::default(),
        }
    }
}

impl<T: Clone> SingleFlight<T> {
    /// Runs `compute`, or waits for the caller that does. Returns `None` if that takes longer than
    /// `timeout`.
    pub(super) fn run(&self, timeout: Duration, compute: impl FnOnce() -> T) -> Option<T> {
        while let Some(receiver) = self.join() {
            match receiver.recv_timeout(timeout) {
                Ok(outcome) => return Some(outcome),
                Err(RecvTimeoutError::Timeout) => return None,
                // The computation panicked. The first of the waiting callers takes over.
                Err(RecvTimeoutError::Disconnected) => {}
            }
        }
        let mut leader = Leader {
            flight: self,
            outcome: None,
        };
        leader.outcome = Some(compute());
        leader.outcome.clone()
    }

    /// Waits for the computation that runs, or starts one and returns `None`.
    fn join(&self) -> Option<Receiver<T>> {
        let mut waiting = self.waiting();
        let Some(senders) = &mut *waiting else {
            *waiting = Some(Vec::new());
            return None;
        };
        let (sender, receiver) = mpsc::channel();
        senders.push(sender);
        Some(receiver)
    }
}

impl<T> SingleFlight<T> {
    fn waiting(&self) -> MutexGuard<'_, Option<Vec<Sender<T>>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Passes the outcome to the waiting callers when it is dropped, also after a panic.
struct Leader<'a, T: Clone> {
    flight: &'a SingleFlight<T>,
    outcome: Option<T>,
}

impl<T: Clone> Drop for Leader<'_, T> {
    fn drop(&mut self) {
        let waiting = self.flight.waiting().take();
        if let Some(outcome) = &self.outcome {
            for sender in waiting.into_iter().flatten() {
                // A caller that has timed out does not receive it.
                let _ = sender.send(outcome.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    /// Starts a computation that runs until the sender is used or dropped.
    fn start<'scope>(
        scope: &'scope thread::Scope<'scope, '_>,
        single: &'scope SingleFlight<usize>,
        outcome: usize,
    ) -> (
        mpsc::Sender<()>,
        thread::ScopedJoinHandle<'scope, Option<usize>>,
    ) {
        let (begun, is_begun) = mpsc::channel();
        let (end, is_ended) = mpsc::channel();
        let leader = scope.spawn(move || {
            single.run(LONG, || {
                begun.send(()).expect("the test waits");
                is_ended.recv().expect("the test ends it");
                outcome
            })
        });
        is_begun.recv().expect("it begins");
        (end, leader)
    }

    /// Waits until this many callers wait for the computation.
    fn wait_for_waiters(single: &SingleFlight<usize>, waiters: usize) {
        while single.waiting().as_ref().map(Vec::len) != Some(waiters) {
            thread::yield_now();
        }
    }

    #[test]
    fn concurrent_callers_share_and_later_ones_do_not() {
        let single = SingleFlight::default();
        thread::scope(|scope| {
            let (end, leader) = start(scope, &single, 1);
            let waiters: Vec<_> = (0..20)
                .map(|_| scope.spawn(|| single.run(LONG, || panic!("it runs already"))))
                .collect();
            wait_for_waiters(&single, 20);
            end.send(()).unwrap();
            assert_eq!(leader.join().unwrap(), Some(1));
            for waiter in waiters {
                assert_eq!(waiter.join().unwrap(), Some(1));
            }
        });
        assert_eq!(single.run(LONG, || 2), Some(2));
    }

    #[test]
    fn waiting_times_out() {
        let single = SingleFlight::default();
        thread::scope(|scope| {
            let (end, leader) = start(scope, &single, 1);
            assert_eq!(single.run(Duration::from_millis(1), || 2), None);
            end.send(()).unwrap();
            assert_eq!(leader.join().unwrap(), Some(1));
        });
    }

    #[test]
    fn after_a_panic_another_caller_takes_over() {
        let single = SingleFlight::default();
        let runs = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (end, leader) = start(scope, &single, 1);
            let waiters: Vec<_> = (0..5)
                .map(|_| scope.spawn(|| single.run(LONG, || runs.fetch_add(1, Ordering::SeqCst))))
                .collect();
            wait_for_waiters(&single, 5);
            drop(end);
            assert!(leader.join().is_err());
            for waiter in waiters {
                assert!(waiter.join().unwrap().is_some());
            }
        });
        assert!(runs.load(Ordering::SeqCst) >= 1);
        let panicked = catch_unwind(AssertUnwindSafe(|| single.run(LONG, || panic!("broken"))));
        assert!(panicked.is_err());
        assert_eq!(single.run(LONG, || 7), Some(7));
    }
}
