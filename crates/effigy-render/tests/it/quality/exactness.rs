//! Properties that hold exactly for every picture and skin.

use crate::support::{drawn, random};

use crate::support::random::Noise;
use crate::support::specs::{all, flat, isometric};
use effigy_render::{Facing, Layers, Model, PictureSpec, Skin};
use fixtures::SKINS;

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

#[test]
fn left_is_the_mirror_image_of_right() {
    let sizes = [1, 64, 127, 300];
    let cases = Noise::ALL.map(|noise| sizes.map(|pixels| (noise, pixels)));
    for (noise, pixels) in cases.into_iter().flatten() {
        let skin = random::skin(pixels.into(), [64, 64], noise, Model::Slim);
        for (left, right) in [
            (Facing::Left, Facing::Right),
            (Facing::BackLeft, Facing::BackRight),
        ] {
            for &layers in Layers::ALL {
                let left_specs = isometric(pixels, left, layers).into_iter();
                for (spec, mirror_image) in left_specs.zip(isometric(pixels, right, layers)) {
                    let mut mirrored = drawn::pixels(&mirror_image, &skin);
                    let rows = mirrored.chunks_exact_mut(pixels as usize);
                    rows.for_each(<[_]>::reverse);
                    assert!(
                        drawn::pixels(&spec, &skin) == mirrored,
                        "{noise:?}: {spec:?}"
                    );
                }
            }
        }
    }
}

/// Asserts that a picture has one color, and only the alpha varies. If the kernel overshoots at an
/// outline, alpha is 255 and the color is brighter.
#[track_caller]
fn check_color(view: &PictureSpec, skin: &Skin, color: [u8; 3]) {
    for [r, g, b, alpha] in drawn::pixels(view, skin) {
        let actual = [r, g, b];
        let is_right = match alpha {
            0 => actual == [0; 3],
            255 => actual == color || is_overshot(actual, color),
            _ => is_close(actual, color, alpha),
        };
        assert!(is_right, "{view:?}: {actual:?} {alpha} is not {color:?}");
    }
}

/// Returns `true` if a color multiplied by its alpha is right to a quarter of a step: from an alpha
/// of 64 on, the color is exact.
fn is_close(actual: [u8; 3], color: [u8; 3], alpha: u8) -> bool {
    let mut pairs = actual.into_iter().zip(color);
    pairs.all(|(a, b)| u32::from(a.abs_diff(b)) * u32::from(alpha) < 64)
}

/// Returns `true` if all channels are a color's channels times one factor: 1, a little more, or the
/// share that alpha lacked before it was rounded to 255.
fn is_overshot(actual: [u8; 3], color: [u8; 3]) -> bool {
    let mut least = 254.5_f64 / 255.0;
    let mut most = 1.2_f64;
    for (found, channel) in actual.map(f64::from).into_iter().zip(color.map(f64::from)) {
        if channel == 0.0 && found > 0.0 {
            return false;
        }
        least = least.max((found - 0.6) / channel);
        if found < 255.0 {
            most = most.min((found + 0.6) / channel);
        }
    }
    least <= most
}

/// Colors at the ends and in the middle of the range.
const COLORS: [[u8; 3]; 5] = [
    [255, 255, 255],
    [0, 0, 0],
    [1, 254, 128],
    [200, 100, 50],
    [13, 77, 201],
];

#[test]
fn one_color_stays_that_color() {
    for (pixels, [r, g, b]) in (1..=130)
        .chain((131..=1100).step_by(41))
        .zip(COLORS.into_iter().cycle())
    {
        let skin = painted(Model::ALL[pixels as usize % 2], |_, _| [r, g, b, 255]);
        let facing = Facing::ALL[pixels as usize / 2 % Facing::ALL.len()];
        for view in isometric(pixels, facing, Layers::WithOverlay) {
            check_color(&view, &skin, [r, g, b]);
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
            for &layers in Layers::ALL {
                let facings = Facing::ALL.iter();
                let isometric = facings.flat_map(|&facing| isometric(pixels, facing, layers));
                for view in isometric.chain(flat(pixels, layers)) {
                    check_color(&view, &skin, [r, g, b]);
                }
            }
        }
    }
}

#[test]
fn an_empty_overlay_changes_nothing() {
    for fixture in SKINS {
        let dressed = drawn::worn(fixture);
        let bare = painted(dressed.model(), |x, y| {
            if is_overlay(x, y) {
                [200, 0, 255, 0]
            } else {
                dressed.texels()[(y * 64 + x) as usize]
            }
        });
        for overlay in all(96) {
            let base = overlay.with_layers(Layers::Base);
            let expected = drawn::pixels(&base, &dressed);
            for spec in [base, overlay] {
                assert!(
                    drawn::pixels(&spec, &bare) == expected,
                    "{}: {spec:?}",
                    fixture.name
                );
            }
        }
    }
}
