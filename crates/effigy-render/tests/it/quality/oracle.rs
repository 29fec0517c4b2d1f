//! Pictures compared with a slow and simple pipeline that follows the specification literally.

use crate::support::poses::{any_pose, round};
use crate::support::random::Noise;
use crate::support::specs::{bent, bent_in_place};
use crate::support::straightforward::Look;
use crate::support::{drawn, psnr, random};

use effigy_render::{
    Camera, Facing, Layers, Model, NamedPose, PictureSpec, Pose, Rotation, Size, Skin, View,
};
use proptest::prelude::*;

/// The least likeness of an isometric view with the ideal one, in decibels.
const IDEAL: f64 = 53.0;

/// The least likeness of a figure, portrait or cube with the ideal one. Nobody sees the difference.
const FREE_IDEAL: f64 = 45.0;

/// The least likeness of a picture with what a canvas of limited size gives, which is as far from
/// the ideal.
const LIMITED: f64 = 38.0;

/// The limit through a lens. The least likeness of thousands of random pictures was 37.94, with a
/// field of view of one degree from nearly behind.
const LIMITED_THROUGH_A_LENS: f64 = 37.5;

/// Compares pictures of these sizes with pictures from a canvas on which the head has this side.
#[track_caller]
fn check(look: Look, skin: &Skin, sizes: &[u32], side: u32, least: f64) {
    for (ideal, &size) in look.draw(skin, sizes, side).iter().zip(sizes) {
        let found = psnr::likeness(ideal, &psnr::render(look, skin, size));
        assert!(found >= least, "{look:?} {size}: {found:.1} dB");
    }
}

const ISOMETRIC: [View; 2] = [View::IsometricHead, View::IsometricBody];

const FREE: [View; 3] = [View::Figure, View::Portrait, View::Cube];

const BEHIND: Camera = Camera::Isometric(Facing::BackLeft);

fn seen(view: View, camera: Camera) -> Look {
    Look {
        camera,
        ..Look::usual(view)
    }
}

fn posed(view: View, pose: impl Into<Pose>, camera: Camera) -> Look {
    Look {
        pose: pose.into(),
        ..seen(view, camera)
    }
}

#[test]
fn isometric_views_are_the_straightforward_ones() {
    for (name, view) in ["uv_classic", "uv_slim", "uv_legacy", "ghost"]
        .into_iter()
        .flat_map(|name| ISOMETRIC.map(|view| (name, view)))
    {
        let skin = drawn::named(name);
        let front = Look::usual(view);
        let bare = Look {
            layers: Layers::Base,
            ..front
        };
        for look in [front, bare, seen(view, BEHIND)] {
            let sizes = [1, 2, 3, 7, 16, 31, 60, 61, 64, 100, 119, 120];
            check(look, &skin, &sizes, 480, LIMITED);
        }
        check(front, &skin, &[121, 128, 200, 240], 960, LIMITED);
    }
}

#[test]
fn large_isometric_heads_are_the_straightforward_ones() {
    let head = Look::usual(View::IsometricHead);
    let skin = drawn::named("knight");
    check(head, &skin, &[481, 961], 1920, LIMITED);
}

#[test]
fn isometric_bodies_of_large_skins_are_the_straightforward_ones() {
    for scale in [5, 11, 16] {
        let skin = random::skin(3, [64 * scale; 2], Noise::Gaps, Model::Slim);
        for look in [
            Look::usual(View::IsometricBody),
            seen(View::IsometricBody, BEHIND),
        ] {
            check(look, &skin, &[31, 100, 120], 480, LIMITED);
        }
    }
}

#[test]
fn figures_come_near_the_ideal() {
    let camera = Camera::orthographic(25.0, 10.0);
    for (name, look, least) in [
        ("uv_slim", seen(View::Figure, camera), FREE_IDEAL),
        ("uv_slim", Look::usual(View::IsometricBody), IDEAL),
        ("panda", seen(View::Portrait, camera), FREE_IDEAL),
        ("panda", Look::usual(View::IsometricHead), IDEAL),
        ("panda", Look::usual(View::Portrait), FREE_IDEAL),
        ("panda", Look::usual(View::Cube), FREE_IDEAL),
    ] {
        check(look, &drawn::named(name), &[32, 64, 128], 1920, least);
    }
    let skin = drawn::named("uv_classic");
    let lenses = [
        [25.0, 16.0, 30.0],
        [-130.0, -20.0, 70.0],
        [0.0, 0.0, 45.0],
        [90.0, 90.0, 90.0],
    ];
    for (pose, [yaw, pitch, fov]) in POSES.into_iter().zip(lenses.into_iter().cycle()) {
        let from_far_away = posed(View::Figure, pose, Camera::orthographic(-35.0, 20.0));
        check(from_far_away, &skin, &[64], 960, FREE_IDEAL);
        for view in FREE {
            let through_a_lens = posed(view, pose, Camera::perspective(yaw, pitch, fov));
            check(through_a_lens, &skin, &[64], 960, FREE_IDEAL);
        }
    }
}

/// Poses that differ from one another: upright and lying, with and without bends.
const POSES: [NamedPose; 10] = [
    NamedPose::Stand,
    NamedPose::Straight,
    NamedPose::Run,
    NamedPose::Cheer,
    NamedPose::ArmsCrossed,
    NamedPose::CrossLegged,
    NamedPose::Crouch,
    NamedPose::Archer,
    NamedPose::Fly,
    NamedPose::Faint,
];

#[test]
fn bent_figures_come_near_the_ideal() {
    for name in ["uv_classic", "uv_slim", "knight", "plain"] {
        let skin = drawn::named(name);
        for pose in [bent(), bent_in_place()] {
            for [yaw, pitch, fov] in [
                [25.0, 16.0, 30.0],
                [-130.0, -20.0, 70.0],
                [100.0, 40.0, 0.0],
            ] {
                let camera = Camera::perspective(yaw, pitch, fov);
                let look = posed(View::Figure, pose, camera);
                check(look, &skin, &[64, 128], 1920, FREE_IDEAL);
            }
        }
    }
}

const JOINT_CAMERAS: [[f64; 3]; 3] = [
    [25.0, 16.0, 30.0],
    [-100.0, -10.0, 0.0],
    [170.0, 30.0, 60.0],
];

/// Joints stretch several rows of a skin with more texels.
#[test]
fn joints_of_large_skins_come_near_the_ideal() {
    for (name, factor) in [("knight", 2), ("uv_slim", 4), ("uv_legacy", 2)] {
        let skin = drawn::enlarged(name, factor);
        for [yaw, pitch, fov] in JOINT_CAMERAS {
            for pose in [bent(), bent_in_place()] {
                let look = posed(View::Figure, pose, Camera::perspective(yaw, pitch, fov));
                check(look, &skin, &[64, 128], 960, FREE_IDEAL);
            }
        }
    }
}

/// Noise whose texels are smaller than pixels is the worst case for columns, with or without
/// joints.
#[test]
fn large_skins_of_noise_are_the_straightforward_ones() {
    for scale in [2, 3] {
        let skin = random::skin(5, [64 * scale; 2], Noise::Gaps, Model::Slim);
        for [yaw, pitch, fov] in JOINT_CAMERAS {
            for pose in [Pose::STRAIGHT, bent(), bent_in_place()] {
                let look = posed(View::Figure, pose, Camera::perspective(yaw, pitch, fov));
                check(look, &skin, &[64, 100], 960, 37.0);
            }
        }
    }
}

/// Along an axis, many faces of different parts are on one plane.
#[test]
fn views_along_an_axis_are_drawn_as_straightforwardly() {
    let skin = random::skin(1, [64, 64], Noise::Opaque, Model::Classic);
    for pose in [NamedPose::Straight, NamedPose::Stand, NamedPose::Sit] {
        for yaw in [-180.0, -90.0, 0.0, 90.0] {
            for pitch in [-90.0, 0.0, 90.0] {
                let look = posed(View::Figure, pose, Camera::orthographic(yaw, pitch));
                check(look, &skin, &[32], 320, LIMITED);
            }
        }
    }
}

/// The visible end of a torso that leans and is turned is a parallelogram without right angles.
#[test]
fn ends_of_leaning_torsos_are_the_straightforward_ones() {
    let skin = drawn::named("uv_classic");
    for (waist, [yaw, pitch, fov]) in [
        ([0.0, 45.0, -45.0], [45.0, -90.0, 60.0]),
        ([45.0, 180.0, -45.0], [-135.0, -45.0, 0.0]),
        ([19.3, 155.3, -37.9], [-3.4, -51.7, 90.0]),
        ([-18.5, 1.5, -44.9], [-161.9, -50.5, 0.0]),
    ] {
        let mut pose = Pose::STAND;
        pose.waist = Rotation::degrees(waist[0], waist[1], waist[2]);
        let look = posed(View::Portrait, pose, Camera::perspective(yaw, pitch, fov));
        check(look, &skin, &[64, 128], 960, FREE_IDEAL);
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 30,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn noise_is_drawn_as_straightforwardly(
        seed: u64,
        noise in proptest::sample::select(&Noise::ALL[..]),
        dimensions in proptest::sample::select(&[[64, 64], [64, 32], [128, 128], [192, 192]][..]),
        model in proptest::sample::select(Model::ALL),
        layers in proptest::sample::select(Layers::ALL),
        view in proptest::sample::select([ISOMETRIC.as_slice(), &FREE].concat()),
        side in proptest::sample::select(&[Facing::Right, Facing::BackLeft][..]),
        pose in any_pose(),
        angles in [-180.0..180.0, -90.0..90.0],
        fov in proptest::sample::select(&[0.0, 0.0, 1.0, 30.0, 60.0, 90.0][..]),
        is_round: bool,
        sizes in proptest::collection::vec(16_u32..=100, 2),
    ) {
        let dimensions = if view.is_free() { [64, 64] } else { dimensions };
        let skin = random::skin(seed, dimensions, noise, model);
        let [yaw, pitch] = if is_round { angles.map(round) } else { angles };
        let camera = Camera::perspective(yaw, pitch, fov);
        let look = if view.is_free() {
            posed(view, pose, camera)
        } else {
            seen(view, Camera::Isometric(side))
        };
        let has_lens = view.is_free() && fov > 0.0;
        let least = if has_lens { LIMITED_THROUGH_A_LENS } else { LIMITED };
        check(Look { layers, ..look }, &skin, &sizes, 480, least);
    }
}

/// Left, top, width and height of each part's front in a picture of the body, and the place of its
/// texels in both layers.
const FRONTS: [([usize; 4], [[usize; 2]; 2]); 6] = [
    ([4, 0, 8, 8], [[8, 8], [40, 8]]),
    ([4, 8, 8, 12], [[20, 20], [20, 36]]),
    ([0, 8, 4, 12], [[44, 20], [44, 36]]),
    ([12, 8, 4, 12], [[36, 52], [52, 52]]),
    ([4, 20, 4, 12], [[4, 20], [4, 36]]),
    ([8, 20, 4, 12], [[20, 52], [4, 52]]),
];

#[test]
fn a_body_as_large_as_on_its_skin_has_the_texels() {
    for side in [64, 128, 320, 1024] {
        let skin = random::skin(1, [side; 2], Noise::Opaque, Model::Classic);
        let scale = side as usize / 64;
        for (layer, &layers) in Layers::ALL.iter().enumerate() {
            let spec = PictureSpec::new(View::Body, Size::px(side / 4)).with_layers(layers);
            let pixels = drawn::pixels(&spec, &skin);
            for ([x, y, width, height], places) in FRONTS {
                let [u, v] = places[layer];
                for row in 0..height * scale {
                    let shown = &pixels[((y * scale + row) * 16 + x) * scale..];
                    let texels = &skin.texels()[((v * scale + row) * 64 + u) * scale..];
                    let length = width * scale;
                    assert!(
                        shown[..length] == texels[..length],
                        "{side} {layers} {x} {y}"
                    );
                }
            }
        }
    }
}
