//! The lane of requests that are no hits.

use std::{future::poll_fn, num::NonZeroUsize, pin::pin, task::Poll, thread};

use tokio::sync::Semaphore;

/// The turns of requests that take more than a look at memory. They are worked at on half of the threads that answer
/// requests, one after another, so that hits need not queue behind all of them.
#[derive(Debug)]
pub(super) struct Lane(Semaphore);

impl Default for Lane {
    fn default() -> Self {
        let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self(Semaphore::new((threads / 2).max(1)))
    }
}

impl Lane {
    /// Completes a future, and takes a turn for each step until it has to wait for something.
    pub(super) async fn run<F: Future>(&self, future: F) -> F::Output {
        let mut future = pin!(future);
        loop {
            let mut turn = Some(self.0.acquire().await);
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
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use tokio::{sync::oneshot, task::yield_now};

    use super::*;

    #[tokio::test]
    async fn requests_that_are_no_hits_step_in_turns_and_have_none_while_they_wait() {
        let lane = Lane(Semaphore::new(1));
        let (sender, receiver) = oneshot::channel();
        let waits = lane.run(async {
            assert_eq!(lane.0.available_permits(), 0);
            receiver.await.unwrap();
            assert_eq!(lane.0.available_permits(), 0);
        });
        let sends = lane.run(async {
            yield_now().await;
            sender.send(()).unwrap();
        });
        tokio::join!(waits, sends);
        assert_eq!(lane.0.available_permits(), 1);
        // Nobody steps while another one does.
        let turn = lane.0.acquire().await.unwrap();
        let mut later = pin!(lane.run(async {}));
        assert!(later.as_mut().now_or_never().is_none());
        drop(turn);
        later.await;
    }
}
