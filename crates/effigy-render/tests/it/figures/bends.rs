//! Limbs that bend, and upper bodies that lean, compared with straight ones.

use effigy_render::{
    Angle, Camera, Cape, ImageFormat, Joint, Layers, Light, Model, Motion, PictureSpec, Player,
    Pose, Renderer, Rotation, Size, Skin, View,
};

use crate::support::random::Noise;
use crate::support::{drawn, random};

/// A pose in which everything bends.
fn bent() -> Pose {
    let mut pose = Pose::STAND;
    pose.waist = Rotation::degrees(22.0, -18.0, 9.0);
    pose.right_arm = Rotation::degrees(-40.0, 10.0, 20.0);
    for (bend, degrees) in pose.bends_mut().into_iter().zip([70.0, 135.0, 85.0, 30.0]) {
        *bend = Angle::degrees(degrees);
    }
    pose
}

fn figure(pose: Pose) -> PictureSpec {
    PictureSpec::new(View::Figure, Size::px(64)).with_pose(pose)
}

/// Returns the greatest difference of a premultiplied channel of two pictures.
fn difference(picture: &[[u8; 4]], other: &[[u8; 4]]) -> u32 {
    let mut greatest = 0;
    for (&pixel, &other_pixel) in picture.iter().zip(other) {
        let channels = premultiplied(pixel).into_iter();
        for (channel, other_channel) in channels.zip(premultiplied(other_pixel)) {
            greatest = greatest.max(channel.abs_diff(other_channel));
        }
    }
    greatest
}

fn premultiplied([r, g, b, alpha]: [u8; 4]) -> [u32; 4] {
    [r, g, b, 255].map(|channel| u32::from(channel) * u32::from(alpha) / 255)
}

#[test]
fn a_tenth_of_a_degree_hardly_differs_from_none() {
    let skin = drawn::named("robot");
    // Overlays that lie on one plane form strips of half a texel. One that comes forward changes a
    // few pixels there.
    let check = |straight: Pose, bent: Pose| {
        let before = drawn::pixels(&figure(straight), &skin);
        let after = drawn::pixels(&figure(bent), &skin);
        let pairs = before.iter().zip(&after);
        let differ = pairs.filter(|(a, b)| difference(&[**a], &[**b]) > 24);
        let count = differ.count();
        assert!(before != after && count < 12, "{bent:?}: {count} pixels");
    };
    let mut standing = Pose::STAND;
    for bend in standing.bends_mut() {
        *bend = Angle::ZERO;
    }
    let mut riding = standing;
    riding.right_leg = Rotation::degrees(-81.0, 18.0, 5.0);
    riding.left_leg = Rotation::degrees(-81.0, -18.0, -5.0);
    for pose in [Pose::STRAIGHT, standing, riding] {
        for &joint in Joint::ALL {
            let mut hardly_bent = pose;
            hardly_bent.bend(joint, Angle::degrees(0.1));
            check(pose, hardly_bent);
        }
        let mut leaning = pose;
        leaning.waist.x = Angle::degrees(0.1);
        check(pose, leaning);
    }
}

#[test]
fn a_mirrored_pose_is_drawn_as_in_a_mirror() {
    let image = drawn::painted([64, 64], |_, _| [90, 120, 40, 255]);
    let skin = Skin::from_rgba(64, 64, &image.rgba, Model::Classic).unwrap();
    let mut pose = bent();
    pose.head = Rotation::ZERO;
    let view = |shown: Pose, yaw| {
        let spec = figure(shown)
            .with_camera(Camera::orthographic(yaw, 20.0))
            .with_layers(Layers::Base);
        drawn::pixels(&spec, &skin)
    };
    for yaw in [30.0, 130.0] {
        let pixels = view(pose, yaw);
        let mut mirrored = view(pose.mirrored(), -yaw);
        mirrored.chunks_exact_mut(64).for_each(<[_]>::reverse);
        let found = difference(&pixels, &mirrored);
        assert!(found < 12, "{yaw}: {found}");
        assert!(view(pose, -yaw) != pixels);
    }
}

#[test]
fn only_free_views_bend_by_default() {
    for &view in View::ALL {
        let mut pose = PictureSpec::new(view, Size::px(8)).pose;
        let are_straight = pose
            .bends_mut()
            .into_iter()
            .all(|bend| *bend == Angle::ZERO);
        assert!(
            view.is_free() || are_straight && pose.waist == Rotation::ZERO,
            "{view}"
        );
    }
}

#[test]
fn portraits_bend_and_cubes_do_not() {
    let skin = drawn::named("fox");
    for view in [View::Portrait, View::Cube] {
        let spec = PictureSpec::new(view, Size::px(48));
        let mut still = bent();
        for bend in still.bends_mut() {
            *bend = Angle::ZERO;
        }
        still.waist = Rotation::ZERO;
        let bends = drawn::pixels(&spec.with_pose(bent()), &skin);
        let is_same = bends == drawn::pixels(&spec.with_pose(still), &skin);
        assert_eq!(is_same, view == View::Cube, "{view}");
    }
}

#[test]
fn a_cape_hangs_from_the_back_that_the_waist_turns() {
    let skin = drawn::named("plain");
    let cape = Cape::decode(fixtures::cape()).unwrap();
    let player = Player::new(&skin).with_cape(&cape);
    let visible = |twist: f64| {
        let mut pose = Pose::STRAIGHT;
        pose.waist.y = Angle::degrees(twist);
        let picture = |spec: PictureSpec| spec.picture(player).unwrap().to_rgba().unwrap();
        let spec = figure(pose).with_camera(Camera::orthographic(0.0, 0.0));
        let with = picture(spec);
        let without = picture(spec.with_cape(false));
        with.iter().zip(&without).filter(|(a, b)| a != b).count()
    };
    let [ahead, away] = [visible(0.0), visible(180.0)];
    assert!(away > 10 * ahead.max(100), "{ahead} {away}");
}

#[test]
fn every_frame_of_a_bent_figure_can_be_encoded() {
    let skin = drawn::named("wizard");
    let spec = figure(bent());
    let mut renderer = Renderer::new();
    for format in [ImageFormat::Png, ImageFormat::Gif] {
        let animation = spec.animation(&skin, Motion::TURN).unwrap();
        let count = animation.frames.len();
        let mut file = Vec::new();
        renderer.write_frames(animation, format, &mut file).unwrap();
        assert!(
            count > 10 && file.len() > 10_000,
            "{format}: {}",
            file.len()
        );
    }
    let players = [Some(Player::new(&skin)); 3];
    let group = spec.group(&players).unwrap();
    let pixels = group.picture.to_rgba().unwrap();
    let alone = drawn::pixels(&spec, &skin);
    let left: Vec<[u8; 4]> = pixels
        .as_chunks::<4>()
        .0
        .chunks_exact(192)
        .flat_map(|row| row[..64].to_vec())
        .collect();
    assert!(left == alone);
}

/// From behind, the upper half of a forearm's outer side has a row before the joint that is as high
/// as three.
#[test]
fn the_last_row_reaches_the_joint() {
    const LAST: [u8; 4] = [250, 0, 0, 255];
    const OTHER: [u8; 4] = [0, 0, 250, 255];
    let mut pose = Pose::STRAIGHT;
    pose.right_elbow = Angle::degrees(90.0);
    let spec = PictureSpec::new(View::Figure, Size::px(200))
        .with_pose(pose)
        .with_camera(Camera::orthographic(180.0, 0.0))
        .with_layers(Layers::Base)
        .with_light(Light::None);
    // All rows of a skin with more texels are stretched evenly.
    for scale in [1, 4] {
        let count = |color: [u8; 4]| {
            let image = drawn::painted([64 * scale; 2], |x, y| match (x / scale, y / scale) {
                (40..56, 25) => LAST,
                (40..56, 24) => OTHER,
                _ => [90, 90, 90, 255],
            });
            let skin = Skin::from_rgba(64 * scale, 64 * scale, &image.rgba, Model::Classic);
            let pixels = drawn::pixels(&spec, &skin.unwrap());
            pixels.iter().filter(|pixel| **pixel == color).count() as f64
        };
        let ratio = count(LAST) / count(OTHER);
        assert!((ratio - 3.0).abs() < 0.3, "{scale}: {ratio}");
    }
}

#[test]
fn no_bend_is_too_much_for_noise() {
    let skin = random::skin(11, [128, 128], Noise::Glass, Model::Slim);
    for degrees in [0.1, 45.0, 90.0, 134.9, 135.0] {
        let mut pose = Pose::STRAIGHT;
        for bend in pose.bends_mut() {
            *bend = Angle::degrees(degrees);
        }
        for yaw in [-180.0, -90.0, 0.0, 30.0, 90.0] {
            for pitch in [-90.0, 0.0, 90.0] {
                let camera = Camera::perspective(yaw, pitch, 50.0);
                let pixels = drawn::pixels(&figure(pose).with_camera(camera), &skin);
                assert!(pixels.iter().any(|pixel| pixel[3] == 255));
            }
        }
    }
}
