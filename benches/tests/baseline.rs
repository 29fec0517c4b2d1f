//! The straightforward pipeline and the renderer draw the same pictures.

use benches::baseline::Picture;
use benches::{skin, views};
use effigy_render::{Model, Skin};

/// The peak signal-to-noise ratio of two pictures over a gray background, in decibels.
fn decibels(a: &[u8], b: &[u8]) -> f64 {
    let over = |pixel: &[u8], channel: usize| {
        let alpha = f64::from(pixel[3]) / 255.0;
        f64::from(pixel[channel]) * alpha + 128.0 * (1.0 - alpha)
    };
    let mut squares = 0.0;
    for (one, other) in a.chunks_exact(4).zip(b.chunks_exact(4)) {
        for channel in 0..3 {
            squares += (over(one, channel) - over(other, channel)).powi(2);
        }
    }
    let samples = f64::from(u32::try_from(a.len()).expect("a small picture")) * 0.75;
    10.0 * (255.0 * 255.0 * samples / squares).log10()
}

fn check(skin: &Skin, name: &str, width: u32, least: f64) {
    let baseline = Picture::named(name).expect("the baseline draws every view");
    let expected = baseline.draw(skin, width).expect("a small canvas");
    let (_, view) = views(width)
        .into_iter()
        .find(|(view, _)| *view == name)
        .expect("a view of that name");
    let picture = view.picture(skin).expect("a small picture");
    assert_eq!(
        (picture.width(), picture.height()),
        (expected.width, expected.height)
    );
    let found = decibels(&expected.rgba, &picture.to_rgba().expect("a small picture"));
    assert!(found >= least, "{name} {width}: {found:.1} dB");
}

#[test]
fn flat_views_are_the_same() {
    for width in [64, 128, 512] {
        for name in ["head", "head_hat", "player", "player_hat"] {
            check(&skin(), name, width, f64::INFINITY);
        }
    }
}

/// The pipeline's canvas is coarse, which costs a head little. A body loses more, since no order of
/// whole faces is right if inflated boxes intersect. The tests of effigy-render compare with ideal
/// pictures, so a few skins are enough here.
#[test]
fn isometric_views_are_nearly_the_same() {
    for fixture in ["knight", "ghost", "uv_slim", "panda"].map(fixtures::skin) {
        let model = if fixture.slim {
            Model::Slim
        } else {
            Model::Classic
        };
        let skin = Skin::decode(fixture.png, model).expect("the fixture is a skin");
        for width in [64, 128, 300] {
            check(&skin, "isometric_head", width, 38.0);
            check(&skin, "isometric_body", width, 28.0);
        }
    }
}
