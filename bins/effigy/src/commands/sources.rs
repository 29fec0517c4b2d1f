//! The chain of providers, and its calls.

use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_cli::UpstreamArgs;
use effigy_http::Metrics;
use effigy_render::{Cape, Skin};
use effigy_upstream::{
    ConfigError, FileChecks, ProviderChain, Request, Transport, TransportError, UpstreamConfig,
    UreqTransport,
};
use tokio::{sync::mpsc, task, time};

/// The decoders of files. The model of a skin is guessed as `effigy render` does.
pub(super) const CHECKS: FileChecks = FileChecks {
    skin: |file| Ok(Skin::decode(file, None)?.model()),
    cape: |file| Ok(Cape::decode(file).map(drop)?),
};

/// The time after which a changed file is noticed.
const REFRESH_INTERVAL: Duration = Duration::from_secs(1);

/// Creates the chain of these settings, whose calls are counted in the metrics.
pub(super) fn connect(
    args: &UpstreamArgs,
    mut config: UpstreamConfig,
    metrics: Arc<Metrics>,
) -> Result<Arc<ProviderChain>, ConfigError> {
    config.checks = CHECKS;
    let transport = timed(UreqTransport::new(args.contact.as_deref())?, metrics);
    let chain = ProviderChain::new(transport, config);
    Ok(Arc::new(chain.map_err(|error| args.explained(error))?))
}

/// The time for which the first metadata of servers are waited for.
const PATIENCE: Duration = Duration::from_secs(1);

/// Keeps the metadata of servers and the files of folders up to date: each provider by a task of its own, since a
/// server or a disk may be slow. Returns when all were read once, or one takes too long.
pub(super) async fn start_refresh(chain: &Arc<ProviderChain>) {
    let (reading, mut read) = mpsc::channel::<()>(1);
    for place in 0..chain.provider_count() {
        let (chain, mut first) = (Arc::clone(chain), Some(reading.clone()));
        tokio::spawn(async move {
            loop {
                let chain = Arc::clone(&chain);
                // A panic is on standard error. What caused it may be gone the next time.
                let _ = task::spawn_blocking(move || chain.refresh(place)).await;
                drop(first.take());
                time::sleep(REFRESH_INTERVAL).await;
            }
        });
    }
    drop(reading);
    // Nothing is sent. It ends with the last sender.
    let _ = time::timeout(PATIENCE, read.recv()).await;
}

/// Returns a transport that reports the duration and the outcome of each call to the metrics.
fn timed(inner: UreqTransport, metrics: Arc<Metrics>) -> impl Transport {
    move |request: &Request| {
        let start = Instant::now();
        let result = inner.send(request);
        let outcome = match result.as_ref().map(|response| response.status) {
            Ok(200..=299) => "ok",
            Ok(404) => "not_found",
            Ok(403 | 429) => "limited",
            Ok(400..=499) => "client_error",
            Ok(_) => "server_error",
            Err(TransportError::Timeout) => "timeout",
            Err(_) => "broken",
        };
        let labels = [&*request.provider, request.step.as_str(), outcome];
        let calls = metrics.upstream_calls.with_label_values(&labels);
        calls.observe(start.elapsed().as_secs_f64());
        result
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use crate::commands::block_on;

    #[test]
    fn neither_a_panic_nor_a_provider_that_hangs_ends_the_refresh() {
        let (called, calls) = mpsc::channel();
        let transport = move |request: &Request| match request.url.port() {
            Some(1) => loop {
                thread::park();
            },
            _ => {
                called.send(()).unwrap();
                panic!("the first of two in this test")
            }
        };
        let config = UpstreamConfig {
            providers: [
                "yggdrasil=http://127.0.0.1:1",
                "yggdrasil=http://127.0.0.1:2",
            ]
            .map(str::to_owned)
            .to_vec(),
            ..UpstreamConfig::default()
        };
        let chain = Arc::new(ProviderChain::new(transport, config).unwrap());
        let panics = block_on(async {
            start_refresh(&chain).await;
            calls.recv_timeout(Duration::from_secs(20))?;
            Ok(calls.recv_timeout(Duration::from_secs(20))?)
        });
        panics.unwrap();
    }
}
