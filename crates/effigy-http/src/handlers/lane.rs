//! The lane of requests that are no hits.

use std::{future::poll_fn, num::NonZeroUsize, pin::pin, task::Poll, thread};

use tokio::sync::Semaphore;

/// Returns the turns of requests that take more than a look at memory. They are worked at on half of the threads that answer
/// requests, one after another, so that hits need not queue behind all of them.
pub(super) fn lane() -> Semaphore {
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    Semaphore::new((threads / 2).max(1))
}

/// Completes a future, and takes a turn for each step until it has to wait for something.
pub(super) async fn in_turns<F: Future>(lane: &Semaphore, future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        let mut turn = Some(lane.acquire().await);
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

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;
    use tokio::{sync::oneshot, task::yield_now};

    use super::*;

    #[tokio::test]
    async fn requests_that_are_no_hits_step_in_turns_and_have_none_while_they_wait() {
        let lane = &Semaphore::new(1);
        let (sender, receiver) = oneshot::channel();
        let waits = in_turns(lane, async {
            assert_eq!(lane.available_permits(), 0);
            receiver.await.unwrap();
            assert_eq!(lane.available_permits(), 0);
        });
        let sends = in_turns(lane, async {
            yield_now().await;
            sender.send(()).unwrap();
        });
        tokio::join!(waits, sends);
        assert_eq!(lane.available_permits(), 1);
        // Nobody steps while another one does.
        let turn = lane.acquire().await.unwrap();
        let mut later = pin!(in_turns(lane, async {}));
        assert!(later.as_mut().now_or_never().is_none());
        drop(turn);
        later.await;
    }
}
