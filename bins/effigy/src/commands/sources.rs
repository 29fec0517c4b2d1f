//! The chain of providers that skins come from.

use std::{sync::Arc, time::Duration};

use effigy_cli::{ProviderArgs, UpstreamArgs};
use effigy_render::{Cape, Skin};
use effigy_upstream::{
    ConfigError, FileChecks, ProviderChain, Transport, UpstreamConfig, UreqTransport,
};

/// The decoders of files. The model of a skin is guessed as `effigy render` does.
pub(super) const CHECKS: FileChecks = FileChecks {
    skin: |file| Ok(Skin::decode(file, None)?.model()),
    cape: |file| {
        Cape::decode(file)?;
        Ok(())
    },
};

/// The time after which a changed file is noticed.
const REFRESH_EVERY: Duration = Duration::from_secs(1);

/// Creates the chain of the settings.
pub(super) fn open(
    transport: impl Transport,
    config: UpstreamConfig,
) -> Result<Arc<ProviderChain>, ConfigError> {
    let checks = CHECKS;
    ProviderChain::new(transport, UpstreamConfig { checks, ..config }).map(Arc::new)
}

/// Creates the chain of a command that serves nobody.
pub(super) fn connect(
    upstream: &UpstreamArgs,
    providers: &ProviderArgs,
) -> Result<Arc<ProviderChain>, ConfigError> {
    let config = upstream.config(providers)?;
    open(UreqTransport::new(config.contact.as_deref())?, config)
}

/// Keeps what the providers have told about themselves up to date, and the files of folders.
pub(super) async fn refresh_forever(chain: Arc<ProviderChain>) {
    loop {
        let refreshed = Arc::clone(&chain);
        // A server or a disk may be slow.
        let refresh = tokio::task::spawn_blocking(move || refreshed.refresh());
        if refresh.await.is_err() {
            tracing::warn!("the providers could not be refreshed");
        }
        tokio::time::sleep(REFRESH_EVERY).await;
    }
}
