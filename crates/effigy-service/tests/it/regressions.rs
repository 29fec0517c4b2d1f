//! Bugs that were fixed.

use std::{
    fmt::Debug,
    sync::{Arc, Mutex},
};

use effigy_player::Model;
use effigy_render::Layers;
use effigy_service::{Endpoint, Fault, PictureParams};
use effigy_upstream::TextureHash;
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span,
};

use crate::support::{Asked as _, Bench, specified};

const HEAD: PictureParams = specified::head(None, Layers::Base);

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
    let bench = Bench::new();
    for params in [PictureParams::SKIN, HEAD, PictureParams::DOWNLOAD] {
        bench.image(params.of_player("Notch")).await;
    }
    for &endpoint in Endpoint::ALL {
        let expected = u64::from(endpoint == Endpoint::Head);
        let found = bench.metric("effigy_render_duration_seconds", endpoint.as_str());
        assert_eq!(found, expected, "{endpoint}");
    }
}

#[tokio::test]
async fn invalid_requests_for_profiles_and_textures_are_logged() {
    let (bench, log) = (Bench::new(), Log::default());
    let _logging = tracing::subscriber::set_default(log.clone());
    let hash = TextureHash::parse(&"ab".repeat(32)).unwrap();
    let too_large = specified::head(Some(u32::MAX), Layers::Base);
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
