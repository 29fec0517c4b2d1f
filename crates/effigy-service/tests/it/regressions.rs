//! Bugs that were fixed.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use effigy_player::Model;
use effigy_render::Layers;
use effigy_service::{
    Endpoint, Fault, Observation, PictureParams, ServiceConfig, ServiceError, SizeParameter,
};
use effigy_store::{CachedImage, Store};
use effigy_upstream::TextureHash;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

use crate::support::{Bench, Failing, until};

const HEAD: PictureParams = PictureParams::head(SizeParameter::Default, Layers::Base);

/// Collects the messages of log events and their fields.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<String>>);

impl Subscriber for Log {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, _: &span::Attributes<'_>) -> span::Id {
        span::Id::from_u64(1)
    }

    fn event(&self, event: &Event<'_>) {
        event.record(&mut self.clone());
    }

    fn record(&self, _: &span::Id, _: &span::Record<'_>) {}
    fn record_follows_from(&self, _: &span::Id, _: &span::Id) {}
    fn enter(&self, _: &span::Id) {}
    fn exit(&self, _: &span::Id) {}
}

impl Visit for Log {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        *self.0.lock().unwrap() += &format!("{field}={value:?} ");
    }
}

#[tokio::test]
async fn a_raw_skin_is_not_observed_as_a_render() {
    let renders = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&renders);
    let metrics = move |observation| {
        if let Observation::Render { endpoint, .. } = observation {
            sink.lock().unwrap().push(endpoint);
        }
    };
    let config = ServiceConfig {
        metrics: Some(Arc::new(metrics)),
        ..ServiceConfig::default()
    };
    let bench = Bench::with_config(Failing::Nothing, config);
    for params in [PictureParams::SKIN, HEAD, PictureParams::DOWNLOAD] {
        bench.image(params.of_player("Notch")).await;
    }
    assert_eq!(*renders.lock().unwrap(), [Endpoint::Head]);
}

#[tokio::test]
async fn invalid_requests_for_profiles_and_textures_are_logged() {
    let (bench, log) = (Bench::new(), Log::default());
    let _logging = tracing::subscriber::set_default(log.clone());
    let hash = TextureHash::parse(&"ab".repeat(32)).unwrap();
    let too_large = PictureParams::head(SizeParameter::TooLarge, Layers::Base);
    let failures = [
        bench.service.profile("").await,
        bench.service.cape("").await,
        bench.service.image(HEAD.of_player("")).await,
        bench
            .service
            .image(too_large.of_texture(hash, Model::Slim))
            .await,
    ];
    for failure in failures {
        assert_eq!(failure.unwrap_err().fault(), Fault::Request);
    }
    let log = log.0.lock().unwrap();
    for (endpoint, times) in [("x-profile", 1), ("x-cape", 1), ("head", 2)] {
        let field = format!("endpoint=\"{endpoint}\"");
        assert_eq!(log.matches(&field).count(), times, "{log}");
    }
}

#[tokio::test]
async fn a_cape_takes_one_permit() {
    let bench = Bench::new();
    bench.source.hold();
    let cape = tokio::spawn({
        let service = bench.service.clone();
        async move { service.cape("Notch").await }
    });
    until(|| bench.source.lookups() == 1).await;
    assert_eq!(bench.service.snapshot().misses_in_flight, 1);
    bench.source.release();
    assert!(cape.await.unwrap().is_ok());
}

#[tokio::test]
async fn a_stored_profile_that_is_not_json_is_reported_as_such() {
    let bench = Bench::new();
    let file = CachedImage {
        data: Bytes::from_static(b"{"),
        content_type: "application/json".to_owned(),
        created_at: bench.clock.now(),
    };
    let key = "x-profile_Notch_default_default";
    bench.store.write(&[(key, &file)], &[]).await.unwrap();
    let failed = bench.service.cape("Notch").await.unwrap_err();
    assert!(
        matches!(*failed, ServiceError::StoredProfile(_)),
        "{failed:?}"
    );
    assert_eq!(failed.fault(), Fault::Internal);
}
