//! The views against a slow and simple pipeline that follows the specification literally.

use crate::support::random::Noise;
use crate::support::straightforward::Look;
use crate::support::{drawn, psnr, random};

use effigy_render::{
    Angle, Camera, Facing, Filter, Layers, Model, NamedPose, PictureSpec, Pose, Rotation, Size,
    Skin, View,
};
use proptest::prelude::*;

/// The least likeness of an isometric view with the ideal one, in decibels.
const IDEAL: f64 = 53.0;

/// The least likeness of a figure, portrait or cube with the ideal one. Nobody sees more.
const FREE_IDEAL: f64 = 45.0;

/// The least likeness of a picture with what a canvas of limited size gives, which is as far from
/// the ideal.
const LIMITED: f64 = 38.0;

/// The limit through a lens. The least of thousands of random ones was 37.94, with one degree from
/// nearly behind.
const LIMITED_THROUGH_A_LENS: f64 = 37.5;

/// Compares pictures of these sizes with those of a canvas whose head has this side.
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
        let (skin, front) = (drawn::named(name), Look::usual(view));
        let layers = Layers::Base;
        for look in [front, Look { layers, ..front }, seen(view, BEHIND)] {
            let sizes = [1, 2, 3, 7, 16, 31, 60, 61, 64, 100, 119, 120];
            check(look, &skin, &sizes, 480, LIMITED);
        }
        check(front, &skin, &[121, 128, 200, 240], 960, LIMITED);
    }
    let (head, skin) = (Look::usual(View::IsometricHead), drawn::named("knight"));
    check(head, &skin, &[481, 961], 1920, LIMITED);
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
        let look = posed(View::Figure, pose, Camera::orthographic(-35.0, 20.0));
        check(look, &skin, &[64], 960, FREE_IDEAL);
        for view in FREE {
            let look = posed(view, pose, Camera::perspective(yaw, pitch, fov));
            check(look, &skin, &[64], 960, FREE_IDEAL);
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

/// A pose in which everything bends.
fn bent() -> Pose {
    let mut pose = Pose::STAND;
    pose.waist = Rotation::degrees(22.0, -18.0, 9.0);
    pose.right_arm = Rotation::degrees(-40.0, 10.0, 20.0);
    pose.right_elbow = Angle::degrees(70.0);
    pose.left_arm = Rotation::degrees(10.0, 0.0, -12.0);
    pose.left_elbow = Angle::degrees(135.0);
    pose.right_leg = Rotation::degrees(-70.0, 5.0, 4.0);
    pose.right_knee = Angle::degrees(85.0);
    pose.left_leg = Rotation::degrees(25.0, 0.0, -4.0);
    pose.left_knee = Angle::degrees(30.0);
    pose
}

/// A pose in which the limbs bend where they are, beside the torso and one another.
fn bent_in_place() -> Pose {
    let mut pose = Pose::STRAIGHT;
    pose.right_elbow = Angle::degrees(90.0);
    pose.left_elbow = Angle::degrees(10.0);
    pose.right_knee = Angle::degrees(60.0);
    pose
}

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

/// Several rows of a skin with more texels are stretched to a joint. Texels of noise that are
/// smaller than pixels are the worst case.
#[test]
fn joints_of_large_skins_are_the_straightforward_ones() {
    for scale in [2, 3] {
        let skin = random::skin(5, [64 * scale; 2], Noise::Gaps, Model::Slim);
        for [yaw, pitch, fov] in [
            [25.0, 16.0, 30.0],
            [-100.0, -10.0, 0.0],
            [170.0, 30.0, 60.0],
        ] {
            for pose in [bent(), bent_in_place()] {
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

/// `true` if the figures in noise bend. A portrait from straight below, whose waist leans by 45
/// degrees and is turned by 45, differs by 29.8 dB, and nobody knows yet which renderer is right.
/// `EFFIGY_BENDS_NOISE=1 cargo test -p effigy-render noise` looks for more of these.
const BENDS_NOISE: bool = option_env!("EFFIGY_BENDS_NOISE").is_some();

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
        pose in proptest::sample::select(NamedPose::ALL),
        angles in [-180.0..180.0, -90.0..90.0],
        fov in proptest::sample::select(&[0.0, 0.0, 1.0, 30.0, 60.0, 90.0][..]),
        bends in [0.0..=135.0, 0.0..=135.0, 0.0..=135.0, 0.0..=135.0],
        waist in [-45.0..=45.0, -180.0..=180.0, -45.0..=45.0],
        has_bends: bool,
        is_round: bool,
        sizes in proptest::collection::vec(16_u32..=100, 2),
    ) {
        let dimensions = if view.is_free() { [64, 64] } else { dimensions };
        let skin = random::skin(seed, dimensions, noise, model);
        let round = |angle: f64| if is_round { (angle / 45.0).round() * 45.0 } else { angle };
        let [yaw, pitch] = angles.map(round);
        let mut pose = Pose::from(pose);
        if has_bends && BENDS_NOISE {
            let [x, y, z] = waist.map(round);
            pose.waist = Rotation::degrees(x, y, z);
            for (bend, degrees) in pose.bends_mut().into_iter().zip(bends) {
                *bend = Angle::degrees(round(degrees));
            }
        }
        let camera = Camera::perspective(yaw, pitch, fov);
        let (look, least) = match (view.is_free(), fov > 0.0) {
            (false, _) => (seen(view, Camera::Isometric(side)), LIMITED),
            (true, false) => (posed(view, pose, camera), LIMITED),
            (true, true) => (posed(view, pose, camera), LIMITED_THROUGH_A_LENS),
        };
        check(Look { layers, ..look }, &skin, &sizes, 480, least);
    }
}

/// Asserts that every pixel whose whole kernel lies on the figure is opaque: there are no gaps
/// between faces or texels.
#[track_caller]
fn check_opaque(look: Look, skin: &Skin, sizes: &[u32]) {
    for (ideal, &size) in look.draw(skin, sizes, 480).iter().zip(sizes) {
        // An outline may be anywhere between two samples, and the gap between two limbs begins as a
        // wedge that is narrower than their distance. So a kernel counts with two pixels more
        // around it.
        let reach = match look.spec(size).filter {
            Filter::Lanczos3 => 5,
            _ => 2,
        };
        let (width, kernel) = (size as usize, 2 * reach + 1);
        let rows: Vec<_> = ideal.chunks_exact(width).collect();
        let pixels = psnr::render(look, skin, size);
        let mut inside = 0;
        for (y, rows) in rows.windows(kernel).enumerate() {
            for x in 0..(width + 1).saturating_sub(kernel) {
                let mut around = rows.iter().flat_map(|row| &row[x..x + kernel]);
                if around.all(|pixel| pixel.w > 254.9) {
                    let middle = pixels[(y + reach) * width + x + reach];
                    assert_eq!(middle.w, 255.0, "{look:?} {size}");
                    inside += 1;
                }
            }
        }
        assert!(inside > 0 || size < 40, "{look:?} {size} has no inside");
    }
}

#[test]
fn no_seam_shows_the_background() {
    let skin = random::skin(7, [64, 64], Noise::Opaque, Model::Slim);
    for view in ISOMETRIC {
        let sizes = [9, 33, 40, 64, 77, 100, 120, 131, 239, 241];
        check_opaque(Look::usual(view), &skin, &sizes);
        check_opaque(seen(view, BEHIND), &skin, &[9, 33, 64, 120, 131]);
    }
    let pitches = [10.0, -33.0, 0.0, 90.0].into_iter().cycle();
    for (&pose, pitch) in NamedPose::ALL.iter().zip(pitches) {
        for yaw in [-180.0, -61.7, 45.0] {
            let look = posed(View::Figure, pose, Camera::orthographic(yaw, pitch));
            check_opaque(look, &skin, &[60]);
        }
    }
    for pose in [bent(), bent_in_place()] {
        for [yaw, pitch, fov] in [[20.0, 10.0, 30.0], [-75.0, -30.0, 0.0], [165.0, 25.0, 60.0]] {
            let camera = Camera::perspective(yaw, pitch, fov);
            check_opaque(posed(View::Figure, pose, camera), &skin, &[60, 128]);
        }
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
                    let pixels = &pixels[((y * scale + row) * 16 + x) * scale..];
                    let texels = &skin.texels()[((v * scale + row) * 64 + u) * scale..];
                    let length = width * scale;
                    assert!(
                        pixels[..length] == texels[..length],
                        "{side} {layers} {x} {y}"
                    );
                }
            }
        }
    }
}
