//! Figures in any pose from any side, compared with one another.

use effigy_render::{
    Camera, Cape, Facing, Framing, Light, Model, NamedPose, PictureSpec, Player, Pose, Rotation,
    Size, Skin, View,
};

use crate::support::drawn;

#[test]
fn a_head_does_not_move_with_the_limbs() {
    let skin = drawn::named("fox");
    let mut leaning = Pose::STAND;
    leaning.body = Rotation::degrees(100.0, 50.0, 20.0);
    for &framing in Framing::ALL {
        let cube = PictureSpec::new(View::Cube, Size::px(64)).with_framing(framing);
        for pose in [Pose::STRAIGHT, NamedPose::Walk.into(), leaning] {
            let posed = drawn::pixels(&cube.with_pose(pose), &skin);
            assert!(posed == drawn::pixels(&cube, &skin), "{cube:?} {pose:?}");
        }
    }
}

#[test]
fn elytra_are_worn_if_the_cape_has_them() {
    let skin = drawn::named("plain");
    let cape = Cape::decode(fixtures::cape()).unwrap();
    // A file with a cape and without elytra.
    let plain = drawn::painted([64, 32], |x, y| match (x, y) {
        (22..46, 0..22) => [0; 4],
        _ => [200, 0, 0, 255],
    });
    let plain = Cape::from_rgba(64, 32, &plain.rgba).unwrap();
    assert!(cape.has_elytra() && !plain.has_elytra());
    for view in [View::Figure, View::Portrait, View::IsometricBody] {
        let spec = PictureSpec::new(view, Size::px(40)).with_cape(true);
        let spec = match view {
            View::IsometricBody => spec.with_facing(Facing::BackLeft),
            _ => spec.with_camera(Camera::orthographic(150.0, 10.0)),
        };
        let pixels = |shown: PictureSpec, worn| {
            let picture = shown.picture(Player::new(&skin).with_cape(worn)).unwrap();
            picture.to_rgba().unwrap()
        };
        let winged = spec.with_elytra(true);
        let wings = pixels(winged, &cape);
        assert!(wings != pixels(spec, &cape), "{view}");
        assert!(pixels(winged, &plain) == pixels(spec, &plain), "{view}");
        // The isometric view, which has no room for all poses, makes some for wings.
        let mut rows = wings.as_chunks::<4>().0.chunks_exact(40);
        let has_room = rows.all(|row| row[0][3].max(row[39][3]) < 255);
        assert!(has_room || view != View::IsometricBody);
    }
}

#[test]
fn elytra_change_neither_portraits_nor_sizes_in_lists() {
    let skin = drawn::named("plain");
    let cape = Cape::decode(fixtures::cape()).unwrap();
    for (view, framing) in [
        (View::Portrait, Framing::Pose),
        (View::Figure, Framing::All),
    ] {
        let spec = PictureSpec::new(view, Size::px(64))
            .with_camera(Camera::orthographic(0.0, 0.0))
            .with_framing(framing)
            .with_cape(true)
            .with_elytra(true);
        let head = |player: Player<'_>| {
            let picture = spec.picture(player).unwrap();
            let mut pixels = picture.to_rgba().unwrap();
            let first = pixels.iter().position(|channel| *channel > 0).unwrap();
            pixels.drain(..first);
            pixels.truncate(64 * 4 * 6);
            (first, pixels)
        };
        let bare = head(Player::new(&skin));
        assert!(head(Player::new(&skin).with_cape(&cape)) == bare, "{view}");
    }
}

/// Both sleeves are equally near to a viewer in the middle, so neither may hide more of the jacket
/// than the other.
#[test]
fn a_symmetric_player_is_drawn_symmetrically() {
    let image = drawn::painted([64, 64], |x, y| match (x, y) {
        (16..40, 32..48) => [10, 20, 200, 255],
        (40..56, 32..48) | (48..64, 48..64) => [200, 20, 10, 255],
        _ => [128, 128, 128, 255],
    });
    let skin = Skin::from_rgba(64, 64, &image.rgba, Model::Classic).unwrap();
    for (yaw, fov) in [(0.0, 0.0), (180.0, 0.0), (0.0, 30.0), (180.0, 30.0)] {
        let spec = PictureSpec::new(View::Portrait, Size::px(128))
            .with_camera(Camera::perspective(yaw, 0.0, fov))
            .with_pose(NamedPose::Straight);
        let pixels = drawn::pixels(&spec, &skin);
        for row in pixels.chunks_exact(128) {
            for (pixel, mirrored) in row.iter().zip(row.iter().rev()) {
                let differs = |channel: usize| pixel[channel].abs_diff(mirrored[channel]) > 2;
                assert!(
                    ![0, 1, 2, 3].into_iter().any(differs),
                    "{yaw} {fov}: {pixel:?} {mirrored:?}"
                );
            }
        }
    }
}

/// Below the first texel of the trousers, there must be no texel of the jacket.
#[test]
fn a_hem_is_one_edge() {
    const JACKET: [u8; 4] = [10, 20, 200, 255];
    const TROUSERS: [u8; 4] = [200, 20, 10, 255];
    let plain = drawn::named("plain");
    let image = drawn::painted([64, 64], |x, y| match (x, y) {
        (16..40, 32..48) => JACKET,
        (0..16, 32..64) => TROUSERS,
        _ => plain.texels()[(y * 64 + x) as usize],
    });
    let skin = Skin::from_rgba(64, 64, &image.rgba, Model::Classic).unwrap();
    // In other poses, a thigh or a rim of the trousers is in front of the jacket.
    for pose in [
        NamedPose::Stand,
        NamedPose::Straight,
        NamedPose::Walk,
        NamedPose::Wave,
        NamedPose::Salute,
        NamedPose::Point,
        NamedPose::Clap,
        NamedPose::Zombie,
    ] {
        for yaw in [25.0, -35.0, 150.0] {
            let spec = PictureSpec::new(View::Figure, Size::px(256))
                .with_camera(Camera::orthographic(yaw, 10.0))
                .with_pose(pose)
                .with_light(Light::None);
            let pixels = drawn::pixels(&spec, &skin);
            for column in 0..256 {
                let mut column = pixels.iter().skip(column).step_by(256);
                let _ = column.find(|pixel| **pixel == TROUSERS);
                assert!(!column.any(|pixel| *pixel == JACKET), "{pose} {yaw}");
            }
        }
    }
}

#[test]
fn ears_and_a_turned_player_need_no_name() {
    let skin = drawn::named("knight");
    let spec = PictureSpec::new(View::Figure, Size::px(64));
    let plain = Player::new(&skin);
    let mut eared = plain;
    eared.ears = true;
    let mut turned = plain;
    turned.upside_down = true;
    for (name, player) in [("", plain), ("deadmau5", eared), ("Grumm", turned)] {
        assert!(png(spec, plain.named(name)) == png(spec, player), "{name}");
    }
    assert!(png(spec, plain) != png(spec, eared));
    assert!(png(spec, plain) != png(spec, turned));
}

#[test]
fn brightness_can_stand_for_every_light_of_the_room() {
    let skin = drawn::named("knight");
    let player = Player::new(&skin);
    let spec = PictureSpec::new(View::Figure, Size::px(64)).with_pose(NamedPose::Straight);
    // From above, no bottom is seen.
    for (light, levels) in [
        (Light::None, [255, 255, 255, 9]),
        (Light::Game, [255, 204, 153, 9]),
    ] {
        let own = png(spec.with_brightness(levels), player);
        assert!(own == png(spec.with_light(light), player), "{light}");
    }
}

fn png(spec: PictureSpec, player: Player<'_>) -> Vec<u8> {
    spec.picture(player).unwrap().encode_png().unwrap()
}
