//! The drawn poses, as differences from the stance at ease.
//!
//! A limb has a direction for its upper and one for its lower half: to the player's left, down and
//! to the front. The other numbers are degrees about the axes `x`, `y` and `z`. A positive `x` of
//! the head, the waist or the body leans forward, `y` turns to the player's right, and a positive
//! `z` leans to the player's left.

pub(super) mod actions;
pub(super) mod gestures;
pub(super) mod motions;
pub(super) mod resting;

use crate::scene::pose::sketch::{LimbDirections, Sketch, limb, straight, turn};

/// A limb that hangs straight down.
const DOWN: LimbDirections = straight([0.0, 1.0, 0.0]);

/// Upright, with the limbs straight down.
pub(super) const STRAIGHT: Sketch = Sketch {
    head: turn(0.0, 0.0, 0.0),
    torso: turn(0.0, 0.0, 0.0),
    waist: turn(0.0, 0.0, 0.0),
    body: turn(0.0, 0.0, 0.0),
    right_arm: DOWN,
    left_arm: DOWN,
    right_leg: DOWN,
    left_leg: DOWN,
    cape: 6.0,
    gaze: 0.0,
    is_lowered: false,
    camera: [25.0, 16.0],
};

/// At ease: feet apart, the arms off the body and a little bent, and the head toward the viewer.
/// [`Pose::STAND`](crate::Pose::STAND) has the same joints as constants. A test keeps both alike.
pub(super) const STAND: Sketch = Sketch {
    right_arm: limb([-0.14, 1.0, 0.02], [-0.14, 1.0, 0.26]),
    left_arm: limb([0.14, 1.0, -0.07], [0.14, 1.0, 0.14]),
    right_leg: straight([-0.07, 1.0, -0.05]),
    left_leg: straight([0.07, 1.0, 0.05]),
    cape: 8.0,
    gaze: 12.0,
    ..STRAIGHT
};

/// Bent forward, as the game shows a sneaking player: the torso by half a radian, the arms by 0.4.
pub(super) const CROUCH: Sketch = Sketch {
    torso: turn(29.0, 0.0, 0.0),
    right_arm: straight([0.0, 0.9205, -0.3907]),
    left_arm: straight([0.0, 0.9205, -0.3907]),
    gaze: 12.0,
    is_lowered: true,
    ..STRAIGHT
};
