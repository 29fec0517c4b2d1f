//! Calls to the source of skins, which the client pays for.

use std::{sync::Arc, time::Instant};

use effigy_upstream::{LookUp, SkinSource, Target, UpstreamError};

use super::Flow;
use crate::{ServiceError, doors::ChargedCalls, error::Result, metrics::observe, state::State};

/// The price of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Price {
    /// The calls of a look-up from scratch, or of a texture by its hash.
    LookUp,
    /// The calls of a check of a known player, which also take from the share of all checks.
    Check,
    /// The file of a texture, which takes nothing of the client's rate.
    Texture,
}

/// A call that has been paid for.
pub(crate) struct UpstreamCall {
    state: Arc<State>,
    pub(crate) look_up: LookUp,
    charged: ChargedCalls,
}

impl Flow {
    /// Charges the client for a call about `target`, with all that it needs at most, and waits
    /// until the client has few enough calls in flight.
    ///
    /// # Errors
    /// If the client is refused.
    pub(crate) async fn pay_for_call(
        &self,
        target: Target<'_>,
        price: Price,
    ) -> Result<UpstreamCall> {
        let client = self.askers.first();
        let rates = &self.state.rates;
        let deadline = self.deadline();
        let planned = self.state.source.calls_for(target);
        let charged = match price {
            Price::LookUp => rates.charge_calls(client, planned, deadline).await,
            Price::Check => rates.charge_check(client, planned, deadline).await,
            Price::Texture => rates.admit_texture(client, &planned, deadline).await,
        };
        Ok(UpstreamCall {
            state: Arc::clone(&self.state),
            look_up: LookUp::until(deadline),
            charged: charged?,
        })
    }
}

impl UpstreamCall {
    /// Calls the source of skins on a blocking thread, and gives back the calls that it did not
    /// make.
    pub(crate) async fn make<T: Send + 'static>(
        self,
        call: impl FnOnce(&dyn SkinSource, &LookUp) -> Result<T, UpstreamError> + Send + 'static,
    ) -> Result<T> {
        let started = Instant::now();
        let state = Arc::clone(&self.state);
        // The charge moves with the call, which stays in flight even if the caller leaves.
        let task = tokio::task::spawn_blocking(move || {
            let answer = call(&*self.state.source, &self.look_up);
            self.state.rates.settle(self.charged, &self.look_up);
            answer
        });
        let answer = task.await.map_err(|_| ServiceError::Interrupted)?;
        observe(&state.metrics.look_ups, started.elapsed(), &answer);
        Ok(answer?)
    }
}
