//! The views against slow and simple pipelines that follow the specification literally.

use crate::support::{checks, drawn, random};

use crate::support::random::Noise;
use crate::support::straightforward::{Look, working_side};
use effigy_render::{Camera, Facing, Layers, Model, PictureSpec, Size, Skin, View};
use fixtures::{SKINS, encodings};
use proptest::prelude::*;

const HEAD: Look = Look::usual(View::IsometricHead);

const BODY: Look = Look::usual(View::IsometricBody);

/// The isometric view of the player's back.
fn behind(view: View) -> Look {
    Look {
        camera: Camera::Isometric(Facing::BackLeft),
        ..Look::usual(view)
    }
}

/// Compares pictures of these sizes with those that a fine canvas gives.
#[track_caller]
fn check(name: &str, look: Look, skin: &Skin, sizes: &[u32]) {
    let side = sizes.iter().copied().map(working_side).max().unwrap_or(120) * 4;
    checks::check_near(name, look, skin, sizes, side.min(FINEST), LIKENESS);
}

/// The least likeness of a picture with what a canvas of four times the specification's side gives, in decibels.
/// The canvas is as far from the ideal.
const LIKENESS: f64 = 38.0;

/// The side of the finest canvas. Twice the side of the largest picture is enough.
const FINEST: u32 = 1920;

fn dimensions(view: &PictureSpec) -> [usize; 2] {
    [view.width(), view.height()]
        .map(|pixels| usize::try_from(pixels).expect("the picture is small"))
}

/// Sizes that share a canvas of the specification.
const SIZES: [&[u32]; 2] = [
    &[1, 2, 3, 7, 16, 31, 60, 61, 64, 100, 119, 120],
    &[121, 128, 200, 240],
];

/// Skins of all kinds. What depends on the size is the same for all others, which are drawn in few sizes.
const KINDS: [&str; 4] = ["uv_classic", "uv_slim", "uv_legacy", "ghost"];

fn sizes_for(skin: &str) -> &'static [&'static [u32]] {
    match KINDS.contains(&skin) {
        true => &SIZES,
        false => &[&[3, 31, 64]],
    }
}

#[test]
fn isometric_views_are_the_straightforward_ones() {
    for fixture in SKINS {
        let skin = drawn::worn(fixture);
        let sizes = sizes_for(fixture.name);
        for sizes in sizes {
            check(fixture.name, HEAD, &skin, sizes);
        }
        check(fixture.name, BODY, &skin, sizes[0]);
    }
    for name in ["uv_slim", "ghost"] {
        check(name, BODY, &drawn::named(name), SIZES[1]);
    }
    check("knight", HEAD, &drawn::named("knight"), &[481, 961]);
}

#[test]
fn without_overlays_and_from_behind_other_faces_are_seen() {
    let layers = Layers::Base;
    for name in KINDS.into_iter().chain(["fox", "knight"]) {
        let (skin, sizes) = (drawn::named(name), sizes_for(name)[0]);
        for look in [HEAD, BODY] {
            check(name, behind(look.view), &skin, sizes);
            check(name, Look { layers, ..look }, &skin, sizes);
        }
    }
}

#[test]
fn skins_of_every_accepted_width_are_drawn() {
    for scale in [1, 2, 3, 5, 8, 11, 16] {
        let dimensions = [64 * scale, 64 * scale];
        let skin = random::skin(u64::from(scale), dimensions, Noise::Gaps, Model::Slim);
        check("noise", BODY, &skin, &[31, 100, 120]);
        check("noise", HEAD, &skin, &[64]);
        if scale % 5 == 1 {
            check("noise", behind(View::IsometricBody), &skin, &[31, 120]);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_drawn_as_straightforwardly(
        seed: u64,
        noise in proptest::sample::select(&Noise::ALL[..]),
        dimensions in proptest::sample::select(&[[64, 64], [64, 32], [128, 128], [192, 192]][..]),
        slim: bool,
        layers in proptest::sample::select(&[Layers::Base, Layers::WithOverlay][..]),
        is_behind: bool,
        sizes in proptest::collection::vec(1_u32..=120, 3),
    ) {
        let model = if slim { Model::Slim } else { Model::Classic };
        let skin = random::skin(seed, dimensions, noise, model);
        for view in [View::IsometricHead, View::IsometricBody] {
            let look = if is_behind { behind(view) } else { Look::usual(view) };
            check("noise", Look { layers, ..look }, &skin, &sizes);
        }
    }
}

/// A pixel whose whole kernel lies on the figure is opaque: there are no gaps between faces or texels.
#[test]
fn no_seam_shows_the_background() {
    let skin = random::skin(7, [64, 64], Noise::Opaque, Model::Slim);
    let [body_behind, head_behind] = [View::IsometricBody, View::IsometricHead].map(behind);
    for (look, side, sizes) in [
        (body_behind, 240, &[9, 64, 131][..]),
        (head_behind, 240, &[33, 120]),
        (BODY, 240, &[9, 40, 64, 77, 120, 131, 239]),
        (HEAD, 240, &[5, 33, 100, 120]),
        (HEAD, 480, &[241, 333, 479]),
    ] {
        for &size in sizes {
            let inside = checks::check_opaque(look, &skin, side, size);
            assert!(inside > 0 || size < 40, "{look:?} {size} has no inside");
        }
    }
}

/// The regions of a part's front in the picture of a view, and on the skin in both layers, in texels.
type Front = ([usize; 4], [usize; 2], [usize; 2]);

/// Left is the viewer's: the first part on the left is the player's right arm.
fn fronts(slim: bool) -> Vec<Front> {
    let arm = if slim { 3 } else { 4 };
    vec![
        ([4, 0, 8, 8], [8, 8], [40, 8]),
        ([4, 8, 8, 12], [20, 20], [20, 36]),
        ([4 - arm, 8, arm, 12], [44, 20], [44, 36]),
        ([12, 8, arm, 12], [36, 52], [52, 52]),
        ([4, 20, 4, 12], [4, 20], [4, 36]),
        ([8, 20, 4, 12], [20, 52], [4, 52]),
    ]
}

/// Maps a place on the picture of a flat view, as fractions of its width and height, to a place on the
/// figure in texels. Fractions are numerator and denominator.
type Place = fn([Fraction; 2]) -> [Fraction; 2];

type Fraction = (usize, usize);

/// A window on the figure, in texels.
fn window([x, y]: [Fraction; 2], [left, wide, high]: [usize; 3]) -> [Fraction; 2] {
    [(left * x.1 + wide * x.0, x.1), (high * y.0, y.1)]
}

/// Of 49 columns the face takes 32 and the figure 16. The one between them is blank, as is what is above the
/// figure's arms.
fn combo([x, y]: [Fraction; 2]) -> [Fraction; 2] {
    if 49 * x.0 < 32 * x.1 {
        window([(49 * x.0, 32 * x.1), y], [4, 8, 8])
    } else if 49 * x.0 < 33 * x.1 {
        [(0, 1), (0, 1)]
    } else {
        window([(49 * x.0 - 33 * x.1, 16 * x.1), y], [0, 16, 32])
    }
}

/// The pixel of a flat view at a place on the figure, and the difference that a channel may have: one
/// step if a half-transparent texel is mixed with the one below it.
fn flat_pixel(skin: &Skin, layers: Layers, place: [Fraction; 2]) -> ([u8; 4], u8) {
    let scale = skin.side() as usize / 64;
    let [left, top] = place.map(|(numerator, denominator)| numerator * scale / denominator);
    let texel = |[u, v]: [usize; 2], [x, y]: [usize; 2]| {
        skin.texels()[(v * scale + y) * skin.side() as usize + u * scale + x]
    };
    for ([x, y, w, h], base, overlay) in fronts(skin.model() == Model::Slim) {
        let columns = x * scale..(x + w) * scale;
        let rows = y * scale..(y + h) * scale;
        if columns.contains(&left) && rows.contains(&top) {
            let on_part = [left - columns.start, top - rows.start];
            let below = texel(base, on_part);
            return match layers {
                Layers::Base => (below, 0),
                Layers::WithOverlay => {
                    let above = texel(overlay, on_part);
                    (over(above, below), u8::from((1..255).contains(&above[3])))
                }
            };
        }
    }
    ([0; 4], 0)
}

fn over([r, g, b, alpha]: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let mix = |above: u8, below: u8| {
        let (above, below, alpha) = (u32::from(above), u32::from(below), u32::from(alpha));
        let sum = above * alpha + below * (255 - alpha);
        u8::try_from((sum + 127) / 255).expect("a mean of bytes")
    };
    [mix(r, below[0]), mix(g, below[1]), mix(b, below[2]), 255]
}

#[track_caller]
fn check_flat(name: &str, skin: &Skin, size: u32) {
    for layers in [Layers::Base, Layers::WithOverlay] {
        let size = Size::px(size);
        let [head, body, bust, both] = [View::Face, View::Body, View::Bust, View::Combo]
            .map(|view| PictureSpec::new(view, size).with_layers(layers));
        let views: [(&PictureSpec, Place); 4] = [
            (&head, |at| window(at, [4, 8, 8])),
            (&body, |at| window(at, [0, 16, 32])),
            (&bust, |at| window(at, [0, 16, 16])),
            (&both, combo),
        ];
        for (view, place) in views {
            let [width, height] = dimensions(view);
            for (at, actual) in drawn::pixels(view, skin).into_iter().enumerate() {
                let at = [at % width, at / width];
                let center = [(2 * at[0] + 1, 2 * width), (2 * at[1] + 1, 2 * height)];
                let (expected, tolerance) = flat_pixel(skin, layers, place(center));
                assert!(
                    actual[3] == expected[3]
                        && (0..3).all(|i| actual[i].abs_diff(expected[i]) <= tolerance),
                    "{name}: {view:?} at {at:?}: {actual:?} is not {expected:?}"
                );
            }
        }
    }
}

#[test]
fn flat_views_take_the_texel_under_each_center() {
    for fixture in SKINS {
        let skin = drawn::worn(fixture);
        for size in [
            1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 64, 100, 127, 128, 129, 300,
        ] {
            check_flat(fixture.name, &skin, size);
        }
    }
    for file in encodings().filter(|file| file.name.starts_with("hd")) {
        let skin = Skin::decode(file.png, Model::Classic).expect(file.name);
        for size in [1, 3, 8, 16, 33, 100, 128, 255] {
            check_flat(file.name, &skin, size);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn flat_noise_is_near(
        seed: u64,
        noise in proptest::sample::select(&Noise::ALL[..]),
        dimensions in proptest::sample::select(&[[64, 64], [64, 32], [128, 128], [256, 128]][..]),
        slim: bool,
        size in 1_u32..400,
    ) {
        let model = if slim { Model::Slim } else { Model::Classic };
        check_flat("noise", &random::skin(seed, dimensions, noise, model), size);
    }
}
