//! Properties that hold exactly for every picture and skin.

use crate::support::{drawn, random};

use crate::support::random::Noise;
use crate::support::specs::{flat, isometric};
use effigy_render::{Facing, Layers, Model, PictureSpec, Skin};
use fixtures::{Image, SKINS};
use proptest::prelude::*;

const LAYERS: [Layers; 2] = [Layers::Base, Layers::WithOverlay];

const FACINGS: [Facing; 4] = [
    Facing::Left,
    Facing::Right,
    Facing::BackLeft,
    Facing::BackRight,
];

fn every_view(pixels: u32) -> impl Iterator<Item = PictureSpec> {
    LAYERS.into_iter().flat_map(move |layers| {
        FACINGS
            .into_iter()
            .flat_map(move |facing| isometric(pixels, facing, layers))
            .chain(flat(pixels, layers))
    })
}

fn rgba(view: &PictureSpec, skin: &Skin) -> Vec<[u8; 4]> {
    let picture = view.picture(skin).expect("the picture is small");
    let rgba = picture.to_rgba().expect("the picture is small");
    let (pixels, _) = rgba.as_chunks();
    pixels.to_vec()
}

/// A skin whose texels a function computes.
fn painted(model: Model, texel: impl Fn(u32, u32) -> [u8; 4]) -> Skin {
    let mut image = Image::new(64, 64);
    for y in 0..64 {
        for x in 0..64 {
            image.set_pixel(x, y, texel(x, y));
        }
    }
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
        let views = LAYERS.map(|layers| isometric(pixels, facing, layers));
        views.into_iter().flatten()
    };
    let front = facing(Facing::Left).zip(facing(Facing::Right));
    let back = facing(Facing::BackLeft).zip(facing(Facing::BackRight));
    for (left, right) in front.chain(back) {
        let mut mirrored = rgba(&right, skin);
        mirrored
            .chunks_exact_mut(pixels as usize)
            .for_each(<[_]>::reverse);
        assert!(rgba(&left, skin) == mirrored, "{name}: {left:?}");
    }
}

#[test]
fn left_is_the_mirror_image_of_right() {
    for fixture in SKINS {
        for pixels in [1, 64, 127, 300] {
            check_mirrored(fixture.name, &drawn::worn(fixture), pixels);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_mirrored(
        seed: u64,
        noise in proptest::sample::select(&Noise::ALL[..]),
        pixels in 1_u32..500,
    ) {
        check_mirrored("noise", &random::skin(seed, [64, 64], noise, Model::Slim), pixels);
    }
}

/// A player with the same colors on all sides looks the same from behind as from the front.
#[test]
fn half_a_turn_shows_the_other_side_of_the_same_figure() {
    // One color for each part and layer, the same for both arms and for both legs.
    let dressed = |x: u32, y: u32| -> [u8; 4] {
        let alpha = if is_overlay(x, y) { 120 } else { 255 };
        match (x / 16, y / 16) {
            (0 | 1, 0) => [250, 210, 180, 255],
            (_, 0) => [90, 40, 10, alpha],
            (0, _) | (1, 3) => [30, 30, 160, alpha],
            (1 | 2, 1 | 2) if (16..40).contains(&x) => [200, 30, 40, alpha],
            _ => [40, 180, 60, alpha],
        }
    };
    for model in [Model::Classic, Model::Slim] {
        let skin = painted(model, dressed);
        for (layers, pixels) in LAYERS
            .into_iter()
            .flat_map(|l| [64, 128, 301].map(|p| (l, p)))
        {
            let front = isometric(pixels, Facing::Right, layers);
            let back = isometric(pixels, Facing::BackLeft, layers);
            for (front, back) in front.iter().zip(&back) {
                assert!(
                    rgba(front, &skin) == rgba(back, &skin),
                    "{model:?}: {back:?}"
                );
            }
        }
    }
}

/// Asserts that a picture has one color and only the alpha varies. If the kernel overshoots at an
/// outline, alpha is at its maximum and the color is brighter.
#[track_caller]
fn check_color(view: &PictureSpec, skin: &Skin, color: [u8; 3]) -> Vec<[u8; 4]> {
    let pixels = rgba(view, skin);
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

/// The distance of the hat's outline from the middle of the picture, in texels. The outline is a
/// hexagon with two vertical sides.
#[derive(PartialEq, Debug)]
enum Place {
    Inside,
    Outline,
    Outside,
}

/// The position of a kernel three pixels in radius. The head's canvas is 17.4 texels wide and high, the
/// hat 9 texels long, wide and high.
fn place(x: usize, y: usize, pixels: u32) -> Place {
    let texels = 17.4 / f64::from(pixels);
    let from_middle = |at: usize| ((at as f64 + 0.5) * texels - 8.7).abs();
    let (across, down, radius) = (from_middle(x), from_middle(y), 3.0 * texels);
    let inside = |across: f64, down: f64| across < 8.1 && down < 8.55 - across / 2.0;
    if inside(across + radius, down + radius) {
        Place::Inside
    } else if inside(
        (across - radius).max(0.0) - 1e-9,
        (down - radius).max(0.0) - 1e-9,
    ) {
        Place::Outline
    } else {
        Place::Outside
    }
}

#[test]
fn one_color_stays_that_color_in_heads() {
    for pixels in (1..=300).chain((301..=1100).step_by(7)) {
        let color = color(pixels);
        let facing = FACINGS[pixels as usize % FACINGS.len()];
        let [view, _] = isometric(pixels, facing, Layers::WithOverlay);
        let picture = check_color(&view, &plain(Model::Classic, color), color);
        let [r, g, b] = color;
        let opaque = [r, g, b, 255];
        for (y, row) in picture.chunks_exact(pixels as usize).enumerate() {
            for (x, pixel) in row.iter().enumerate() {
                match place(x, y, pixels) {
                    Place::Inside => assert_eq!(*pixel, opaque, "{view:?} at {x}, {y}"),
                    Place::Outside => assert_eq!(pixel[3], 0, "{view:?} at {x}, {y}"),
                    Place::Outline => {}
                }
            }
        }
    }
}

#[test]
fn one_color_stays_that_color_in_bodies() {
    for pixels in (1..=130).chain((131..=1100).step_by(41)) {
        let (color, model) = match pixels % 2 {
            0 => (color(pixels), Model::Classic),
            _ => (color(pixels), Model::Slim),
        };
        let facing = FACINGS[pixels as usize / 2 % FACINGS.len()];
        let [_, view] = isometric(pixels, facing, Layers::WithOverlay);
        check_color(&view, &plain(model, color), color);
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
        for pixels in [16, 64, 100, 128, 300] {
            for view in every_view(pixels) {
                check_color(&view, &skin, [r, g, b]);
            }
        }
    }
}

#[test]
fn transparent_texels_have_no_color() {
    let texel = |under: u8| {
        move |x: u32, y: u32| match is_overlay(x, y) {
            true if (x * 7 + y * 5) % 4 < 2 => [under, under, under, 0],
            _ => [
                u8::try_from(x * 4).unwrap_or(0),
                90,
                u8::try_from(y * 4).unwrap_or(0),
                255,
            ],
        }
    };
    let (dark, light) = (
        painted(Model::Classic, texel(0)),
        painted(Model::Classic, texel(255)),
    );
    for view in every_view(100) {
        assert!(rgba(&view, &dark) == rgba(&view, &light), "{view:?}");
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
            let picture = rgba(&base, &dressed);
            assert!(picture == rgba(&base, &bare), "{}: {base:?}", fixture.name);
            assert!(
                picture == rgba(&overlay, &bare),
                "{}: {overlay:?}",
                fixture.name
            );
        }
    }
}

#[test]
fn a_picture_is_the_same_each_time_and_on_every_thread() {
    let skin = drawn::worn(fixtures::skin("ghost"));
    for pixels in [64, 300] {
        for view in every_view(pixels) {
            let encoded = |view: &PictureSpec| view.picture(&skin)?.encode_png();
            let first = encoded(&view).expect("the picture is small");
            let skin = &skin;
            let [_, body] = isometric(pixels, Facing::Left, Layers::WithOverlay);
            std::thread::scope(|scope| {
                let threads: Vec<_> = (0..4)
                    .map(|_| scope.spawn(move || body.picture(skin)?.encode_png()))
                    .collect();
                let again = encoded(&view).expect("the picture is small");
                assert!(first == again, "{view:?}");
                let pictures: Vec<_> = threads
                    .into_iter()
                    .map(|thread| {
                        thread
                            .join()
                            .expect("no panic")
                            .expect("the picture is small")
                    })
                    .collect();
                assert!(pictures.iter().all(|picture| *picture == pictures[0]));
            });
        }
    }
}
