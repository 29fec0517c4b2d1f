//! Panics of handlers, which must not harm other requests on the connection.

use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    task::Poll,
};

/// Returns the output of a future, or nothing if it panics.
pub(super) async fn catch_panic<T>(future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    poll_fn(|context| {
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(poll) => poll.map(Some),
            // The panic hook has logged it. The future is not polled again.
            Err(_) => Poll::Ready(None),
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_caught() {
        let broken = async {
            tokio::task::yield_now().await;
            panic!("the handler is broken")
        };
        let outcome: Option<()> = catch_panic(broken).await;
        assert_eq!(outcome, None);
        assert_eq!(catch_panic(async { 7 }).await, Some(7));
    }
}
