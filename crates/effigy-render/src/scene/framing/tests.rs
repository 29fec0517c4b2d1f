//! Sizes of figures.

use super::*;
use crate::{Camera, Cape, Player, Size, Skin};

#[test]
fn elytra_never_shrink_an_upright_player() {
    let skin = Skin::decode(include_bytes!("../../../assets/skin.png"), None).expect("a skin");
    let cape = Cape::from_rgba(64, 32, &[255; 64 * 32 * 4]).expect("a cape with elytra");
    let player = Player::new(&skin).with_cape(&cape);
    for (view, [yaw, pitch, fov]) in [
        (View::Figure, [90.0, 0.0, 30.0]),
        (View::Figure, [-90.0, 0.0, 30.0]),
        // The legs, which would reach farthest, are cut off.
        (View::Portrait, [20.0, -60.0, 60.0]),
    ] {
        let spec = PictureSpec::new(view, Size::px(48))
            .with_pose(Pose::STRAIGHT)
            .with_camera(Camera::perspective(yaw, pitch, fov));
        let scale = |has_elytra: bool| {
            let picture = spec.with_elytra(has_elytra).picture(player).unwrap();
            let scene = picture.scene().expect("it is not flat");
            scene.projection.right.length()
        };
        let winged = scale(true);
        let bare = scale(false);
        assert!((winged / bare - 1.0).abs() < 1e-9, "{yaw}: {winged} {bare}");
    }
}
