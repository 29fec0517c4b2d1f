//! Bugs that were fixed.

use std::{io::Read as _, sync::Arc};

use effigy_player::Model;
use effigy_render::Layers;
use effigy_service::{Endpoint, Fault, PictureParams};
use effigy_upstream::TextureHash;
use tracing::Level;

use crate::support::{Bench, specified};

const HEAD: PictureParams = specified::head(None, Layers::Base);

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
    let (mut log, writer) = std::io::pipe().unwrap();
    let lines = tracing_subscriber::fmt().with_ansi(false);
    let lines = lines.with_max_level(Level::DEBUG);
    let subscriber = lines.with_writer(Arc::new(writer)).finish();
    let logging = tracing::subscriber::set_default(subscriber);
    let bench = Bench::new();
    let hash = TextureHash::parse(&"ab".repeat(32)).unwrap();
    let too_large = specified::head(Some(u32::MAX), Layers::Base);
    let failures = [
        bench.profile("").await,
        bench.cape("").await,
        bench.get(HEAD.of_player("")).await,
        bench.get(too_large.of_texture(hash, Model::Slim)).await,
    ];
    for failure in failures {
        assert_eq!(failure.unwrap_err().fault(), Fault::Request);
    }
    drop(logging);
    let mut text = String::new();
    log.read_to_string(&mut text).unwrap();
    for (endpoint, times) in [("x-profile", 1), ("x-cape", 1), ("head", 2)] {
        let field = format!("endpoint=\"{endpoint}\"");
        assert_eq!(text.matches(&field).count(), times, "{text}");
    }
}
