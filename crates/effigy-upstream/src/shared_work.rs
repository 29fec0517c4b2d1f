//! One piece of work, shared by all who need it while it is under way.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Work that is done once at a time. Who asks for it meanwhile gets the same outcome; it is not
/// kept for anybody after that.
#[derive(Debug)]
pub(crate) struct SharedWork<T> {
    under_way: Mutex<Option<Arc<Work<T>>>>,
}

#[derive(Debug)]
struct Work<T> {
    outcome: Mutex<Outcome<T>>,
    over: Condvar,
}

#[derive(Debug, Clone)]
enum Outcome<T> {
    UnderWay,
    Done(T),
    /// The work panicked.
    Abandoned,
}

impl<T> Default for SharedWork<T> {
    fn default() -> Self {
        Self {
            under_way: Mutex::default(),
        }
    }
}

impl<T: Clone> SharedWork<T> {
    /// Does the work, or waits for who is doing it; `None` where that takes longer than `patience`.
    pub(crate) fn run(&self, patience: Duration, work: impl FnOnce() -> T) -> Option<T> {
        loop {
            let mut under_way = locked(&self.under_way);
            let Some(others) = under_way.clone() else {
                let mine = Arc::new(Work {
                    outcome: Mutex::new(Outcome::UnderWay),
                    over: Condvar::new(),
                });
                *under_way = Some(Arc::clone(&mine));
                drop(under_way);
                return Some(self.lead(&mine, work));
            };
            drop(under_way);
            match others.wait(patience) {
                Outcome::Done(outcome) => return Some(outcome),
                Outcome::UnderWay => return None,
                // Whoever comes first takes over.
                Outcome::Abandoned => {}
            }
        }
    }

    fn lead(&self, mine: &Work<T>, work: impl FnOnce() -> T) -> T {
        let mut leader = Leader {
            shared: self,
            work: mine,
            outcome: None,
        };
        let outcome = work();
        leader.outcome = Some(outcome.clone());
        outcome
    }
}

impl<T: Clone> Work<T> {
    fn wait(&self, patience: Duration) -> Outcome<T> {
        let is_under_way = |outcome: &mut Outcome<T>| matches!(outcome, Outcome::UnderWay);
        let (outcome, _) = self
            .over
            .wait_timeout_while(locked(&self.outcome), patience, is_under_way)
            .unwrap_or_else(PoisonError::into_inner);
        outcome.clone()
    }
}

/// Tells the others when it is dropped, after a panic too.
struct Leader<'a, T> {
    shared: &'a SharedWork<T>,
    work: &'a Work<T>,
    outcome: Option<T>,
}

impl<T> Drop for Leader<'_, T> {
    fn drop(&mut self) {
        // In this order: who comes between the two still shares the outcome.
        let outcome = self.outcome.take();
        *locked(&self.work.outcome) = outcome.map_or(Outcome::Abandoned, Outcome::Done);
        *locked(&self.shared.under_way) = None;
        self.work.over.notify_all();
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

    const AMPLE: Duration = Duration::from_secs(60);

    /// Starts work that is under way until the sender is used or dropped.
    fn start<'scope>(
        scope: &'scope thread::Scope<'scope, '_>,
        shared: &'scope SharedWork<usize>,
        outcome: usize,
    ) -> (
        mpsc::Sender<()>,
        thread::ScopedJoinHandle<'scope, Option<usize>>,
    ) {
        let (begun, is_begun) = mpsc::channel();
        let (end, is_ended) = mpsc::channel();
        let leader = scope.spawn(move || {
            shared.run(AMPLE, || {
                begun.send(()).expect("the test waits");
                is_ended.recv().expect("the test ends it");
                outcome
            })
        });
        is_begun.recv().expect("it begins");
        (end, leader)
    }

    /// Waits until so many wait for the work that is under way.
    fn wait_for_waiters(shared: &SharedWork<usize>, waiters: usize) {
        let holders = |work: &Arc<Work<usize>>| Arc::strong_count(work);
        // The work is held by its leader, by `shared` and by each waiter.
        while locked(&shared.under_way).as_ref().map(holders) != Some(2 + waiters) {
            thread::yield_now();
        }
    }

    #[test]
    fn all_who_come_meanwhile_share_and_nobody_after() {
        let shared = SharedWork::default();
        thread::scope(|scope| {
            let (end, leader) = start(scope, &shared, 1);
            let waiters: Vec<_> = (0..20)
                .map(|_| scope.spawn(|| shared.run(AMPLE, || panic!("this is under way"))))
                .collect();
            wait_for_waiters(&shared, 20);
            end.send(()).unwrap();
            assert_eq!(leader.join().unwrap(), Some(1));
            for waiter in waiters {
                assert_eq!(waiter.join().unwrap(), Some(1));
            }
        });
        assert_eq!(shared.run(AMPLE, || 2), Some(2));
    }

    #[test]
    fn patience_ends() {
        let shared = SharedWork::default();
        thread::scope(|scope| {
            let (end, leader) = start(scope, &shared, 1);
            assert_eq!(shared.run(Duration::from_millis(1), || 2), None);
            end.send(()).unwrap();
            assert_eq!(leader.join().unwrap(), Some(1));
        });
    }

    #[test]
    fn after_a_panic_another_one_takes_over() {
        let shared = SharedWork::default();
        let runs = AtomicUsize::new(0);
        thread::scope(|scope| {
            let (end, leader) = start(scope, &shared, 1);
            let waiters: Vec<_> = (0..5)
                .map(|_| scope.spawn(|| shared.run(AMPLE, || runs.fetch_add(1, Ordering::SeqCst))))
                .collect();
            wait_for_waiters(&shared, 5);
            drop(end);
            assert!(leader.join().is_err());
            for waiter in waiters {
                assert!(waiter.join().unwrap().is_some());
            }
        });
        assert!(runs.load(Ordering::SeqCst) >= 1);
        let panicked = catch_unwind(AssertUnwindSafe(|| shared.run(AMPLE, || panic!("broken"))));
        assert!(panicked.is_err());
        assert_eq!(shared.run(AMPLE, || 7), Some(7));
    }
}
