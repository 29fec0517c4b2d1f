//! Resolving the skin of a request.

use std::{sync::Arc, time::Instant};

use effigy_upstream::{SkinOrigin, SkinSource, UpstreamError};

use super::valid_request::ValidRequest;
use crate::{
    MetricsSink, Observation, PlayerSkin, ServiceError, error::Shared, service::Inner, skin::SkinId,
};

impl Inner {
    /// Resolves the skin of a request. Another player's skin neither replaces a stale picture of this
    /// one, nor is it shown on pictures that allow no fallback.
    pub(super) async fn skin_for(
        self: &Arc<Self>,
        request: &ValidRequest,
        has_stale: bool,
    ) -> Shared<Arc<PlayerSkin>> {
        let skin = self.resolve(request.skin.clone()).await?;
        let allows_fallback = request.params.allows_fallback();
        let is_accepted = match skin.origin {
            SkinOrigin::Own | SkinOrigin::DefaultSkin => true,
            SkinOrigin::PlayerNotFound => allows_fallback,
            SkinOrigin::Outage => allows_fallback && !has_stale,
        };
        if is_accepted {
            Ok(skin)
        } else {
            let origin = skin.origin;
            Err(Arc::new(ServiceError::OnlyFallback { origin }))
        }
    }

    /// Resolves a skin, once for all requests that need it now.
    async fn resolve(self: &Arc<Self>, skin: SkinId) -> Shared<Arc<PlayerSkin>> {
        let inner = Arc::clone(self);
        let resolved = self.resolves.run(skin.clone(), || async move {
            let resolve = move |source: &dyn SkinSource| skin.resolve(source);
            Ok(Arc::new(inner.ask(resolve).await?))
        });
        let shared = resolved.await;
        shared.unwrap_or_else(|_| Err(Arc::new(ServiceError::Interrupted)))
    }

    /// Calls the source of skins on a blocking thread.
    pub(super) async fn ask<T: Send + 'static>(
        self: &Arc<Self>,
        question: impl FnOnce(&dyn SkinSource) -> Result<T, UpstreamError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let (source, started) = (Arc::clone(&self.source), Instant::now());
        let call = move || question(&*source);
        let answer = self.upstream_calls.run(call).await?;
        self.metrics.observe(Observation::Resolve {
            duration: started.elapsed(),
            succeeded: answer.is_ok(),
        });
        Ok(answer?)
    }
}
