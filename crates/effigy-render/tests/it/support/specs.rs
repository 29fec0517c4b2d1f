//! Picture specifications of every view, and poses.

use effigy_render::{Angle, Facing, Layers, PictureSpec, Pose, Rotation, Size, View};

pub(crate) fn isometric(pixels: u32, facing: Facing, layers: Layers) -> [PictureSpec; 2] {
    [View::IsometricHead, View::IsometricBody].map(|view| {
        PictureSpec::new(view, Size::px(pixels))
            .with_facing(facing)
            .with_layers(layers)
    })
}

/// The flat views: face, body, bust and combo.
pub(crate) fn flat(pixels: u32, layers: Layers) -> [PictureSpec; 4] {
    [View::Face, View::Body, View::Bust, View::Combo]
        .map(|view| PictureSpec::new(view, Size::px(pixels)).with_layers(layers))
}

/// Flat and isometric views with the overlay.
pub(crate) fn all(pixels: u32) -> impl Iterator<Item = PictureSpec> {
    let layers = Layers::WithOverlay;
    let flat = flat(pixels, layers).into_iter();
    flat.chain(isometric(pixels, Facing::BackLeft, layers))
}

/// A pose in which everything bends.
pub(crate) fn bent() -> Pose {
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

/// A pose in which the limbs bend where they are, next to the torso and one another.
pub(crate) fn bent_in_place() -> Pose {
    let mut pose = Pose::STRAIGHT;
    pose.right_elbow = Angle::degrees(90.0);
    pose.left_elbow = Angle::degrees(10.0);
    pose.right_knee = Angle::degrees(60.0);
    pose
}
