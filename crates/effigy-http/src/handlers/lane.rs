//! The lane of all requests but small hits.

use std::{
    future::poll_fn,
    num::NonZeroUsize,
    pin::pin,
    task::Poll,
    thread,
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use tokio::{sync::Semaphore, task::yield_now};

/// The time after which hits are answered, and whatever else is ready.
const SPELL: Duration = Duration::from_micros(200);

/// The turns of requests that take more than a look at memory. They are worked at on half of the threads that answer
/// requests, one after another and for a short time, so that hits need not queue behind all of them.
pub(super) struct Lane {
    turns: Semaphore,
    /// The last time that hits were answered.
    answered: Mutex<Instant>,
}

impl Lane {
    pub(super) fn new() -> Self {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            turns: Semaphore::new((threads / 2).max(1)),
            answered: Mutex::new(Instant::now()),
        }
    }

    /// Completes a future, and takes a turn for each step until it has to wait for something.
    pub(super) async fn run<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        loop {
            let mut turn = Some(self.turns.acquire().await);
            if self.ends_spell() {
                yield_now().await;
            }
            let step = poll_fn(|context| match turn.take() {
                Some(_turn) => future.as_mut().poll(context).map(Some),
                // What the future waited for has woken the task.
                None => Poll::Ready(None),
            });
            if let Some(output) = step.await {
                return output;
            }
        }
    }

    /// Returns `true` once in each spell.
    fn ends_spell(&self) -> bool {
        let (mut answered, now) = (self.answered.lock(), Instant::now());
        let is_over = now.saturating_duration_since(*answered) > SPELL;
        if is_over {
            *answered = now;
        }
        is_over
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use tokio::{sync::oneshot, time::sleep};

    use super::*;

    #[tokio::test]
    async fn requests_that_are_no_hits_step_in_turns_and_have_none_while_they_wait() {
        let lane = &Lane {
            turns: Semaphore::new(1),
            ..Lane::new()
        };
        let (sender, receiver) = oneshot::channel();
        let waits = lane.run(async {
            assert_eq!(lane.turns.available_permits(), 0);
            receiver.await.unwrap();
            assert_eq!(lane.turns.available_permits(), 0);
        });
        let sends = lane.run(async {
            yield_now().await;
            sender.send(()).unwrap();
        });
        tokio::join!(waits, sends);
        assert_eq!(lane.turns.available_permits(), 1);
        // Nobody steps while another one does.
        let turn = lane.turns.acquire().await.unwrap();
        let mut later = pin!(lane.run(async {}));
        assert!(later.as_mut().now_or_never().is_none());
        drop(turn);
        later.await;
    }

    #[tokio::test]
    async fn what_is_ready_goes_before_a_step_when_a_spell_is_over() {
        let (lane, order) = (&Lane::new(), &Mutex::new(String::new()));
        let then = async |letter| order.lock().push(letter);
        sleep(SPELL * 20).await;
        tokio::join!(lane.run(then('b')), then('a'));
        assert_eq!(*order.lock(), "ab");
    }
}
