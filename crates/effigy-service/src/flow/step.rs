//! What all flows do: call the source of skins, and log failures.

use std::{sync::Arc, time::Instant};

use effigy_upstream::{SkinSource, error_chain};

use crate::{
    Client, Fault, Service, ServiceError, error::Shared, metrics::observe, request::key::CacheKey,
    service::State,
};

/// The longest part of an input that is logged. No name is longer.
const MAX_LOGGED_CHARS: usize = 64;

/// The flow of one request, with the client who pays for it.
#[derive(Clone, Copy)]
pub(super) struct Flow<'a> {
    pub(super) state: &'a State,
    pub(super) client: &'a Client,
}

impl Service {
    pub(super) fn flow<'a>(&'a self, client: &'a Client) -> Flow<'a> {
        Flow {
            state: &self.state,
            client,
        }
    }
}

impl Flow<'_> {
    /// Calls the source of skins on a blocking thread, at the expense of the client.
    ///
    /// # Errors
    /// If the client is refused, too many calls are being made, or the call fails.
    pub(super) async fn call_source<T: Send + 'static>(
        &self,
        cost: u32,
        call: impl FnOnce(&dyn SkinSource) -> Shared<T> + Send + 'static,
    ) -> Shared<T> {
        let permit = self.client.call(cost).map_err(ServiceError::from)?;
        let (source, started) = (Arc::clone(&self.state.source), Instant::now());
        // The permit moves with the call: a busy thread counts even if the caller has left.
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            call(&*source)
        });
        let answer = task.await.map_err(|_| ServiceError::Interrupted)?;
        let times = &self.state.metrics.look_ups;
        observe(times, started.elapsed(), &answer);
        answer
    }

    /// Counts a failed request and logs the reason, with every cause. Callers can cause as many
    /// failures as they like, so only those of others are warnings.
    pub(super) fn log_failure(&self, key: &CacheKey, error: &ServiceError) {
        let fault = error.fault();
        let failures = &self.state.metrics.failures;
        failures.with_label_values(&[fault.as_str()]).inc();
        let endpoint = key.endpoint.as_str();
        let input: String = key.input().chars().take(MAX_LOGGED_CHARS).collect();
        let reason = error_chain(error);
        // Warnings are throttled by their place in the code.
        match fault {
            Fault::Request | Fault::NotFound | Fault::Limited => {
                tracing::debug!(endpoint, input, "{reason}");
            }
            Fault::Overloaded => tracing::warn!("requests are refused: {reason}"),
            Fault::Upstream => tracing::warn!(endpoint, input, "{reason}"),
            Fault::Internal => tracing::warn!(endpoint, input, "{reason}"),
        }
    }

    /// Logs a failure and returns it for the callers.
    pub(super) fn failed(&self, key: &CacheKey, error: ServiceError) -> Arc<ServiceError> {
        self.log_failure(key, &error);
        Arc::new(error)
    }
}
