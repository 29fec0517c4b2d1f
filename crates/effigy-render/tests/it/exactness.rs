//! Properties that hold exactly for every picture and skin.

use crate::support::{drawn, random};

use crate::support::random::Noise;
use crate::support::specs::{flat, isometric};
use effigy_render::{Facing, Layers, Model, PictureSpec, Skin};
use fixtures::SKINS;
use proptest::prelude::*;

fn every_view(pixels: u32) -> impl Iterator<Item = PictureSpec> {
    Layers::ALL.iter().flat_map(move |&layers| {
        let facings = Facing::ALL.iter();
        facings
            .flat_map(move |&facing| isometric(pixels, facing, layers))
            .chain(flat(pixels, layers))
    })
}

/// A skin whose texels a function computes.
fn painted(model: Model, texel: impl Fn(u32, u32) -> [u8; 4]) -> Skin {
    let image = drawn::painted([64, 64], texel);
    Skin::decode(&image.encode(), model).expect("the dimensions are those of a skin")
}

/// Returns `true` for a texel of the overlay of a part.
fn is_overlay(x: u32, y: u32) -> bool {
    match y / 16 {
        0 => x >= 32,
        1 => false,
        2 => true,
        _ => !(16..48).contains(&x),
    }
}

#[track_caller]
fn check_mirrored(name: &str, skin: &Skin, pixels: u32) {
    let facing = |facing| {
        let layers = Layers::ALL.iter();
        layers.flat_map(move |&layers| isometric(pixels, facing, layers))
    };
    let front = facing(Facing::Left).zip(facing(Facing::Right));
    let back = facing(Facing::BackLeft).zip(facing(Facing::BackRight));
    for (left, right) in front.chain(back) {
        let mut mirrored = drawn::pixels(&right, skin);
        mirrored
            .chunks_exact_mut(pixels as usize)
            .for_each(<[_]>::reverse);
        assert!(drawn::pixels(&left, skin) == mirrored, "{name}: {left:?}");
    }
}

#[test]
fn left_is_the_mirror_image_of_right() {
    for fixture in SKINS {
        for pixels in [1, 64, 127] {
            check_mirrored(fixture.name, &drawn::worn(fixture), pixels);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_mirrored(
        seed: u64,
        noise in proptest::sample::select(&Noise::ALL[..]),
        pixels in 1_u32..500,
    ) {
        check_mirrored("noise", &random::skin(seed, [64, 64], noise, Model::Slim), pixels);
    }
}

/// Asserts that a picture has one color and only the alpha varies. If the kernel overshoots at an
/// outline, alpha is at its maximum and the color is brighter.
#[track_caller]
fn check_color(view: &PictureSpec, skin: &Skin, color: [u8; 3]) -> Vec<[u8; 4]> {
    let pixels = drawn::pixels(view, skin);
    for (at, &[r, g, b, alpha]) in pixels.iter().enumerate() {
        let even = match alpha {
            0 => [r, g, b] == [0; 3],
            255 => [r, g, b] == color || is_overshot([r, g, b], color),
            _ => is_close([r, g, b], color, alpha),
        };
        assert!(
            even,
            "{view:?}, pixel {at}: {:?} is not {color:?}",
            pixels[at]
        );
    }
    pixels
}

/// Returns `true` if a color multiplied by its alpha is right to a quarter of a step: from an alpha of 64
/// on, the color is exact.
fn is_close(actual: [u8; 3], color: [u8; 3], alpha: u8) -> bool {
    let mut pairs = actual.into_iter().zip(color);
    pairs.all(|(a, b)| u32::from(a.abs_diff(b)) * u32::from(alpha) < 64)
}

/// Returns `true` if all channels are those of a color times one factor: 1, a little more, or the part
/// that alpha lacked
/// before it was rounded to 255.
fn is_overshot(actual: [u8; 3], color: [u8; 3]) -> bool {
    let (mut least, mut most) = (254.5_f64 / 255.0, 1.2_f64);
    for (actual, channel) in actual.map(f64::from).into_iter().zip(color.map(f64::from)) {
        let (low, high) = (
            actual - 0.6,
            if actual < 255.0 {
                actual + 0.6
            } else {
                f64::MAX
            },
        );
        if channel == 0.0 && actual > 0.0 {
            return false;
        }
        least = least.max(low / channel);
        most = most.min(high / channel);
    }
    least <= most
}

/// Colors at the ends and in the middle of the range, one for each size.
fn color(pixels: u32) -> [u8; 3] {
    const COLORS: [[u8; 3]; 5] = [
        [255, 255, 255],
        [0, 0, 0],
        [1, 254, 128],
        [200, 100, 50],
        [13, 77, 201],
    ];
    COLORS[pixels as usize % COLORS.len()]
}

fn plain(model: Model, [r, g, b]: [u8; 3]) -> Skin {
    painted(model, |_, _| [r, g, b, 255])
}

#[test]
fn one_color_stays_that_color() {
    for pixels in (1..=130).chain((131..=1100).step_by(41)) {
        let (color, model) = match pixels % 2 {
            0 => (color(pixels), Model::Classic),
            _ => (color(pixels), Model::Slim),
        };
        let facing = Facing::ALL[pixels as usize / 2 % Facing::ALL.len()];
        for view in isometric(pixels, facing, Layers::WithOverlay) {
            check_color(&view, &plain(model, color), color);
        }
    }
}

#[test]
fn gaps_and_glass_leave_no_fringe() {
    let [r, g, b] = [250, 180, 90];
    for alpha in [0, 1, 2, 64, 127, 128, 200, 254] {
        // Many editors make the color of a transparent texel black.
        let skin = painted(Model::Classic, |x, y| match (is_overlay(x, y), alpha) {
            (true, 0) => [0, 0, 0, 0],
            (true, _) if (x + y) % 3 == 0 => [0, 0, 0, 0],
            (true, _) => [r, g, b, alpha],
            _ => [r, g, b, 255],
        });
        for pixels in [16, 100, 300] {
            for view in every_view(pixels) {
                check_color(&view, &skin, [r, g, b]);
            }
        }
    }
}

#[test]
fn an_empty_overlay_changes_nothing() {
    for fixture in SKINS {
        let dressed = drawn::worn(fixture);
        let bare = painted(dressed.model(), |x, y| match is_overlay(x, y) {
            true => [200, 0, 255, 0],
            false => dressed.texels()[(y * 64 + x) as usize],
        });
        let views = |layers| {
            isometric(96, Facing::Right, layers)
                .into_iter()
                .chain(flat(96, layers))
        };
        for (base, overlay) in views(Layers::Base).zip(views(Layers::WithOverlay)) {
            let picture = drawn::pixels(&base, &dressed);
            let bare = [base, overlay].map(|spec| drawn::pixels(&spec, &bare));
            assert!(
                bare == [picture.clone(), picture],
                "{}: {base:?}",
                fixture.name
            );
        }
    }
}
