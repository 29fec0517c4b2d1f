//! One computation that concurrent callers share.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A computation that runs once at a time. Callers that come while it runs share its outcome, which
/// is not kept afterwards.
#[derive(Debug)]
pub(super) struct SingleFlight<T> {
    flight: Mutex<Option<Arc<Flight<T>>>>,
}

#[derive(Debug)]
struct Flight<T> {
    outcome: Mutex<Outcome<T>>,
    ended: Condvar,
}

#[derive(Debug, Clone)]
enum Outcome<T> {
    Running,
    Done(T),
    /// The computation panicked.
    Abandoned,
}

impl<T> Default for SingleFlight<T> {
    fn default() -> Self {
        Self {
            flight: Mutex::default(),
        }
    }
}

impl<T: Clone> SingleFlight<T> {
    /// Runs `compute`, or waits for the caller that does. Returns `None` if that takes longer than
    /// `timeout`.
    pub(super) fn run(&self, timeout: Duration, compute: impl FnOnce() -> T) -> Option<T> {
        loop {
            let mut current = locked(&self.flight);
            let Some(flight) = current.clone() else {
                let flight = Arc::new(Flight {
                    outcome: Mutex::new(Outcome::Running),
                    ended: Condvar::new(),
                });
                *current = Some(Arc::clone(&flight));
                drop(current);
                let mut leader = Leader {
                    single: self,
                    flight,
                    outcome: None,
                };
                let outcome = compute();
                leader.outcome = Some(outcome.clone());
                return Some(outcome);
            };
            drop(current);
            match flight.wait(timeout) {
                Outcome::Done(outcome) => return Some(outcome),
                Outcome::Running => return None,
                // The first of the waiting callers takes over.
                Outcome::Abandoned => {}
            }
        }
    }
}

impl<T: Clone> Flight<T> {
    fn wait(&self, timeout: Duration) -> Outcome<T> {
        let is_running = |outcome: &mut Outcome<T>| matches!(outcome, Outcome::Running);
        let (outcome, _) = self
            .ended
            .wait_timeout_while(locked(&self.outcome), timeout, is_running)
            .unwrap_or_else(PoisonError::into_inner);
        outcome.clone()
    }
}

/// Passes the outcome to the waiting callers when it is dropped, also after a panic.
struct Leader<'a, T> {
    single: &'a SingleFlight<T>,
    flight: Arc<Flight<T>>,
    outcome: Option<T>,
}

impl<T> Drop for Leader<'_, T> {
    fn drop(&mut self) {
        // In this order: a caller that comes between the two still shares the outcome.
        let outcome = self.outcome.take();
        *locked(&self.flight.outcome) = outcome.map_or(Outcome::Abandoned, Outcome::Done);
        *locked(&self.single.flight) = None;
        self.flight.ended.notify_all();
    }
}

fn locked<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
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
        let holders = |flight: &Arc<Flight<usize>>| Arc::strong_count(flight);
        // The leader, `single` and each waiter hold a reference.
        while locked(&single.flight).as_ref().map(holders) != Some(2 + waiters) {
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
