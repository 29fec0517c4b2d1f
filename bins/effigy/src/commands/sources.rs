//! The chain of providers, and its calls.

use std::sync::Arc;
use std::time::{Duration, Instant};

use effigy_cli::{UpstreamArgs, UsageError};
use effigy_http::Metrics;
use effigy_render::{Cape, Skin};
use effigy_upstream::{
    FileChecks, ProviderChain, Request, Response, Transport, TransportError, UpstreamConfig,
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

/// The maximum time that a start waits for the first refresh of all providers.
const PATIENCE: Duration = Duration::from_secs(1);

/// Creates the chain of providers. Its calls are counted in the metrics.
pub(super) fn connect(
    args: &UpstreamArgs,
    mut config: UpstreamConfig,
    metrics: Arc<Metrics>,
) -> Result<Arc<ProviderChain>, UsageError> {
    config.checks = CHECKS;
    let transport = UreqTransport::new(args.contact.as_deref());
    let transport = transport.map_err(|error| args.usage_error(&error))?;
    let chain = ProviderChain::new(timed(transport, metrics), config);
    let chain = chain.map_err(|error| args.usage_error(&error))?;
    Ok(Arc::new(chain))
}

/// Keeps the metadata of servers and the files of folders up to date. Each provider has a task of
/// its own, because a server or a disk may be slow. Returns once all were read, or after a moment.
pub(super) async fn start_refresh(chain: &Arc<ProviderChain>) {
    // Nothing is sent: the channel closes when every task has dropped its sender.
    let (first_refresh, mut first_refreshes) = mpsc::channel::<()>(1);
    for provider in 0..chain.provider_count() {
        let refreshing = refresh_forever(Arc::clone(chain), provider, first_refresh.clone());
        tokio::spawn(refreshing);
    }
    drop(first_refresh);
    let _ = time::timeout(PATIENCE, first_refreshes.recv()).await;
}

/// Refreshes a provider again and again. The first refresh drops the sender.
async fn refresh_forever(
    chain: Arc<ProviderChain>,
    provider: usize,
    first_refresh: mpsc::Sender<()>,
) {
    refresh(&chain, provider).await;
    drop(first_refresh);
    loop {
        time::sleep(REFRESH_INTERVAL).await;
        refresh(&chain, provider).await;
    }
}

async fn refresh(chain: &Arc<ProviderChain>, provider: usize) {
    let chain = Arc::clone(chain);
    // A panic is printed to standard error. Its cause may be gone the next time.
    let _ = task::spawn_blocking(move || chain.refresh(provider)).await;
}

/// Returns a transport that adds the duration and the outcome of each call to the metrics.
fn timed(inner: UreqTransport, metrics: Arc<Metrics>) -> impl Transport {
    move |request: &Request| {
        let start = Instant::now();
        let result = inner.send(request);
        let labels = [&*request.provider, request.step.as_str(), outcome(&result)];
        let calls = metrics.upstream_calls.with_label_values(&labels);
        calls.observe(start.elapsed().as_secs_f64());
        result
    }
}

fn outcome(result: &Result<Response, TransportError>) -> &'static str {
    match result {
        Ok(response) => match response.status {
            200..=299 => "ok",
            404 => "not_found",
            403 | 429 => "limited",
            400..=499 => "client_error",
            _ => "server_error",
        },
        Err(TransportError::Timeout) => "timeout",
        Err(_) => "broken",
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use crate::commands::block_on;

    #[test]
    fn refresh_survives_panics_and_providers_that_hang() {
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
            providers: vec![
                "yggdrasil=http://127.0.0.1:1".to_owned(),
                "yggdrasil=http://127.0.0.1:2".to_owned(),
            ],
            ..UpstreamConfig::default()
        };
        let chain = Arc::new(ProviderChain::new(transport, config).unwrap());
        let two_calls = block_on(async {
            start_refresh(&chain).await;
            calls.recv_timeout(Duration::from_secs(20))?;
            Ok(calls.recv_timeout(Duration::from_secs(20))?)
        });
        two_calls.unwrap();
    }
}
