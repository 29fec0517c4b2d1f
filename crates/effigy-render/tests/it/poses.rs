//! Figures in any pose from any side, against the straightforward pipeline and against themselves.

use effigy_render::{Camera, Layers, Light, Model, NamedPose, PictureSpec, Skin, View};
use proptest::prelude::*;

use crate::support::random::Noise;
use crate::support::specs::size;
use crate::support::straightforward::Look;
use crate::support::{drawn, inside, psnr, random};

const VIEWS: [View; 3] = [View::Figure, View::Portrait, View::HeadCube];

/// The least likeness of a picture with the ideal one, in decibels.
const IDEAL: f64 = 53.0;

/// The least likeness of a picture of noise with what a canvas of limited size gives, which is as far from the ideal.
const NOISE: f64 = 38.0;

fn camera(yaw: f64, pitch: f64) -> Camera {
    Camera::orthographic(yaw, pitch)
}

fn rgba(spec: &PictureSpec, skin: &Skin) -> Vec<[u8; 4]> {
    let picture = spec.picture(skin).expect("the picture is small");
    let rgba = picture.to_rgba().expect("the picture is small");
    rgba.as_chunks().0.to_vec()
}

/// The likenesses of pictures of these sizes with what a canvas gives.
fn likenesses(look: Look, skin: &Skin, sizes: &[u32], side: u32) -> Vec<f64> {
    let ideals = psnr::shrink(look, skin, sizes, side);
    let pairs = ideals.iter().zip(sizes);
    pairs
        .map(|(ideal, &size)| psnr::likeness(ideal, &psnr::render(look, skin, size)))
        .collect()
}

fn likeness(look: Look, skin: &Skin, size: u32, side: u32) -> f64 {
    likenesses(look, skin, &[size], side)[0]
}

#[test]
fn standing_figures_come_near_the_ideal() {
    for (name, view) in [
        ("uv_slim", View::Figure),
        ("panda", View::Portrait),
        ("panda", View::HeadCube),
    ] {
        let skin = drawn::worn(fixtures::skin(name));
        let found = likenesses(Look::usual(view), &skin, &[64, 128], 1920);
        assert!(
            found.iter().all(|found| *found >= IDEAL),
            "{name}, {view}: {found:.1?} dB"
        );
    }
}

#[test]
fn posed_figures_come_near_the_ideal() {
    for &pose in NamedPose::ALL {
        let skin = drawn::worn(fixtures::skin("uv_classic"));
        let look = Look {
            pose,
            camera: camera(-35.0, 20.0),
            ..Look::usual(View::Figure)
        };
        let found = likeness(look, &skin, 64, 960);
        assert!(found >= IDEAL, "{pose}: {found:.1} dB");
    }
}

/// Along an axis, many faces of different parts are on one plane.
#[test]
fn views_along_an_axis_are_drawn_as_straightforwardly() {
    let skin = random::skin(1, [64, 64], Noise::Opaque, Model::Classic);
    for &pose in NamedPose::ALL {
        for yaw in [-180.0, -90.0, 0.0, 90.0] {
            for pitch in [-90.0, 0.0, 90.0] {
                let look = Look {
                    pose,
                    camera: camera(yaw, pitch),
                    ..Look::usual(View::Figure)
                };
                let found = likeness(look, &skin, 32, 320);
                assert!(found >= NOISE, "{pose} {yaw} {pitch}: {found:.1} dB");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_drawn_as_straightforwardly(
        seed: u64,
        noise in proptest::sample::select(&Noise::ALL[..]),
        slim: bool,
        layers in proptest::sample::select(Layers::ALL),
        view in proptest::sample::select(&VIEWS[..]),
        pose in proptest::sample::select(NamedPose::ALL),
        yaw in -180.0..180.0,
        pitch in -90.0..90.0,
        round: bool,
        size in 16_u32..=100,
    ) {
        let model = if slim { Model::Slim } else { Model::Classic };
        let skin = random::skin(seed, [64, 64], noise, model);
        let [yaw, pitch] = if round {
            [yaw, pitch].map(|angle: f64| (angle / 45.0_f64).round() * 45.0)
        } else {
            [yaw, pitch]
        };
        let look = Look { view, layers, pose, camera: camera(yaw, pitch) };
        let found = likeness(look, &skin, size, 480);
        prop_assert!(found >= NOISE, "{look:?} {size}: {found:.1} dB");
    }
}

/// A pixel whose whole kernel lies on an opaque figure is opaque.
#[test]
fn nothing_shines_through_a_figure() {
    let skin = random::skin(1, [64, 64], Noise::Opaque, Model::Slim);
    for (index, &pose) in NamedPose::ALL.iter().enumerate() {
        for yaw in [-180.0, -90.0, -61.7, -0.1, 25.0, 45.0] {
            let look = Look {
                pose,
                camera: camera(yaw, [10.0, -33.0, 0.0, 90.0][index % 4]),
                ..Look::usual(View::Figure)
            };
            assert!(inside::check_opaque(look, &skin, 480, 60) > 0, "{look:?}");
        }
    }
}

/// The skin with left and right exchanged.
fn mirrored(skin: &Skin) -> Skin {
    let texel = |x: usize, y: usize| skin.texels()[y * 64 + x];
    let arm = if skin.model() == Model::Slim { 3 } else { 4 };
    let mut texels = vec![[0; 4]; 64 * 64];
    let boxes = [
        ([0, 0], [0, 0], [8, 8, 8]),
        ([32, 0], [32, 0], [8, 8, 8]),
        ([16, 16], [16, 16], [8, 12, 4]),
        ([16, 32], [16, 32], [8, 12, 4]),
        ([40, 16], [32, 48], [arm, 12, 4]),
        ([40, 32], [48, 48], [arm, 12, 4]),
        ([0, 16], [16, 48], [4, 12, 4]),
        ([0, 32], [0, 48], [4, 12, 4]),
    ];
    let mut copy = |[u, v]: [usize; 2], [to_u, to_v]: [usize; 2], [w, h, d]: [usize; 3]| {
        let sides = [
            (0, d, 0, d + w),
            (d, w, d, d),
            (d + w, d, d + w, 0),
            (2 * d + w, w, 2 * d + w, 2 * d + w),
        ];
        for (from, width, _, to) in sides {
            for (x, y) in (0..width).flat_map(|x| (0..h).map(move |y| (x, y))) {
                texels[(to_v + d + y) * 64 + to_u + to + width - 1 - x] =
                    texel(u + from + x, v + d + y);
            }
        }
        for (at, x, y) in [d, d + w]
            .into_iter()
            .flat_map(|at| (0..w).flat_map(move |x| (0..d).map(move |y| (at, x, y))))
        {
            texels[(to_v + y) * 64 + to_u + at + w - 1 - x] = texel(u + at + x, v + y);
        }
    };
    for (right, left, size) in boxes {
        copy(right, left, size);
        if right != left {
            copy(left, right, size);
        }
    }
    Skin::from_rgba(64, 64, texels.as_flattened(), skin.model()).expect("a skin")
}

#[test]
fn a_mirrored_skin_looks_mirrored_from_the_other_side() {
    for name in ["uv_classic", "uv_slim", "knight", "queen"] {
        let skin = drawn::worn(fixtures::skin(name));
        let other = mirrored(&skin);
        for (view, yaw, light) in [
            (View::Figure, 25.0, Light::Soft),
            (View::HeadCube, 140.0, Light::Game),
            (View::Portrait, 90.0, Light::None),
        ] {
            let spec = |yaw| {
                PictureSpec::new(view, size(101))
                    .with_light(light)
                    .with_camera(camera(yaw, 10.0))
            };
            let mut pixels = rgba(&spec(-yaw), &other);
            pixels.chunks_exact_mut(101).for_each(<[_]>::reverse);
            for (a, b) in rgba(&spec(yaw), &skin).iter().zip(&pixels) {
                let is_near = |(a, b): (&u8, &u8)| a.abs_diff(*b) <= 3;
                assert!(
                    a[3].abs_diff(b[3]) <= 2 && (a[3] < 100 || a.iter().zip(b).all(is_near)),
                    "{name} {view} {yaw}: {a:?} {b:?}"
                );
            }
        }
    }
}

#[test]
fn a_full_turn_ends_where_it_began() {
    let skin = drawn::worn(fixtures::skin("knight"));
    for &pose in NamedPose::ALL {
        let from = |yaw| {
            let spec = PictureSpec::new(View::Figure, size(64)).with_pose(pose);
            rgba(&spec.with_camera(camera(yaw, 10.0)), &skin)
        };
        assert!(from(180.0) == from(-180.0), "{pose}");
    }
}

#[test]
fn a_head_does_not_move_with_the_limbs() {
    let skin = drawn::worn(fixtures::skin("fox"));
    let cube = PictureSpec::new(View::HeadCube, size(64));
    for pose in [NamedPose::Walk, NamedPose::Run, NamedPose::Sit] {
        assert!(
            rgba(&cube.with_pose(pose), &skin) == rgba(&cube, &skin),
            "{pose}"
        );
    }
}
