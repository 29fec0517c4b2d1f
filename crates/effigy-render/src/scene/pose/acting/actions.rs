//! Poses of figures that move or fight.

use super::STAND;
use crate::scene::pose::sketch::{Sketch, limb, straight, turn};

/// In the middle of a step. `walked` replaces the legs with those of a gait.
pub(in crate::scene::pose) const WALK: Sketch = Sketch {
    waist: turn(4.0, -5.0, 0.0),
    right_arm: limb([-0.14, 1.0, 0.42], [-0.08, 1.0, 0.85]),
    left_arm: limb([0.12, 1.0, -0.5], [0.12, 1.0, -0.16]),
    cape: 16.0,
    ..STAND
};

/// In the middle of a long step, leaning forward. `walked` replaces the legs with those of a
/// gait.
pub(in crate::scene::pose) const RUN: Sketch = Sketch {
    head: turn(-12.0, 0.0, 0.0),
    waist: turn(16.0, -8.0, 0.0),
    right_arm: limb([-0.15, 1.0, 0.55], [0.15, -0.15, 1.0]),
    left_arm: limb([0.42, 1.0, -0.85], [0.2, 0.75, 0.35]),
    cape: 22.0,
    camera: [60.0, 12.0],
    ..STAND
};

/// With one knee raised and the arms swinging, as in a parade. `walked` replaces the legs with
/// those of a gait.
pub(in crate::scene::pose) const MARCH: Sketch = Sketch {
    waist: turn(0.0, -6.0, 0.0),
    right_arm: limb([-0.26, 1.0, -0.4], [-0.2, 1.0, 0.0]),
    left_arm: limb([0.12, 1.0, 0.5], [0.0, -0.2, 1.0]),
    cape: 10.0,
    camera: [40.0, 14.0],
    ..STAND
};

/// Walking with hanging arms and head.
pub(in crate::scene::pose) const TRUDGE: Sketch = Sketch {
    head: turn(17.0, 0.0, 6.0),
    waist: turn(16.0, 0.0, 0.0),
    right_arm: straight([-0.1, 1.0, 0.42]),
    left_arm: straight([0.1, 1.0, 0.3]),
    right_leg: limb([-0.03, 1.0, 0.6], [-0.03, 1.0, 0.1]),
    left_leg: limb([0.03, 1.0, -0.1], [0.03, 0.85, -0.6]),
    camera: [45.0, 12.0],
    ..STAND
};

/// With both arms stretched forward. `walked` replaces the legs with those of a gait.
pub(in crate::scene::pose) const ZOMBIE: Sketch = Sketch {
    head: turn(6.0, 0.0, 8.0),
    right_arm: straight([-0.03, 0.1, 1.0]),
    left_arm: straight([0.03, -0.06, 1.0]),
    cape: 10.0,
    camera: [45.0, 14.0],
    ..STAND
};

/// With one arm up and the hips to the side.
pub(in crate::scene::pose) const DANCE: Sketch = Sketch {
    head: turn(0.0, 6.0, -12.0),
    waist: turn(0.0, -8.0, 9.0),
    right_arm: limb([-0.75, -0.7, 0.2], [-0.35, -1.0, 0.1]),
    left_arm: limb([0.9, 0.3, 0.1], [0.6, -0.9, 0.25]),
    right_leg: limb([-0.55, 0.8, 0.35], [-0.1, 1.0, -0.35]),
    left_leg: limb([0.12, 1.0, 0.05], [0.1, 1.0, -0.12]),
    ..STAND
};

/// With a long step and a thrust of the right arm.
pub(in crate::scene::pose) const LUNGE: Sketch = Sketch {
    head: turn(-8.0, 18.0, 0.0),
    waist: turn(12.0, -22.0, 0.0),
    right_arm: straight([-0.2, -0.05, 1.0]),
    left_arm: limb([0.85, 0.75, -0.6], [0.9, 0.4, -0.5]),
    right_leg: limb([0.0, 0.55, 1.0], [0.0, 1.0, 0.15]),
    left_leg: limb([0.1, 0.9, -0.75], [0.1, 1.0, -0.85]),
    gaze: 0.0,
    camera: [60.0, 12.0],
    ..STAND
};

/// With the right leg kicked forward.
pub(in crate::scene::pose) const KICK: Sketch = Sketch {
    head: turn(14.0, -8.0, 0.0),
    waist: turn(-18.0, 10.0, 0.0),
    right_arm: limb([-0.5, 0.8, -0.3], [0.2, 0.3, 1.0]),
    left_arm: limb([0.4, 0.9, 0.3], [-0.4, -0.2, 1.0]),
    right_leg: limb([-0.1, -0.08, 1.0], [-0.1, 0.16, 1.0]),
    left_leg: limb([0.05, 1.0, 0.05], [0.05, 1.0, -0.15]),
    gaze: 0.0,
    camera: [40.0, 14.0],
    ..STAND
};

/// With both fists before the chest.
pub(in crate::scene::pose) const FIGHT: Sketch = Sketch {
    head: turn(4.0, -16.0, 0.0),
    waist: turn(8.0, 18.0, 0.0),
    right_arm: limb([-0.4, 0.9, 0.4], [0.35, -0.85, 0.85]),
    left_arm: limb([0.3, 0.8, 0.6], [-0.28, -0.9, 0.9]),
    right_leg: limb([-0.12, 1.0, -0.3], [-0.1, 0.8, -0.6]),
    left_leg: limb([0.1, 0.9, 0.45], [0.1, 1.0, -0.05]),
    gaze: 0.0,
    ..STAND
};

/// Drawing a bow.
pub(in crate::scene::pose) const ARCHER: Sketch = Sketch {
    head: turn(0.0, -32.0, 0.0),
    waist: turn(0.0, 46.0, 0.0),
    right_arm: limb([-1.0, -0.25, -0.3], [0.54, -0.1, 0.95]),
    left_arm: straight([0.62, -0.1, 0.85]),
    right_leg: straight([-0.1, 1.0, -0.32]),
    left_leg: straight([0.15, 1.0, 0.25]),
    gaze: 0.0,
    cape: 16.0,
    camera: [65.0, 12.0],
    ..STAND
};

/// With the right arm drawn back to throw.
pub(in crate::scene::pose) const THROW: Sketch = Sketch {
    head: turn(0.0, -20.0, 0.0),
    waist: turn(-6.0, 24.0, 0.0),
    right_arm: limb([-0.7, -0.45, -0.5], [-0.1, -1.0, 0.35]),
    left_arm: limb([0.3, 0.5, 1.0], [0.1, 0.3, 1.0]),
    right_leg: limb([-0.1, 0.9, -0.5], [-0.1, 0.8, -0.75]),
    left_leg: limb([0.1, 0.75, 0.8], [0.1, 1.0, 0.05]),
    gaze: 0.0,
    camera: [40.0, 14.0],
    ..STAND
};

/// Crouching, with the arms before the head.
pub(in crate::scene::pose) const COWER: Sketch = Sketch {
    head: turn(16.0, 0.0, 0.0),
    waist: turn(28.0, 0.0, 0.0),
    right_arm: limb([-0.62, -0.1, 0.85], [0.6, -0.85, -0.12]),
    left_arm: limb([0.62, -0.1, 0.85], [-0.6, -0.85, -0.12]),
    right_leg: limb([-0.08, 0.8, 0.65], [-0.04, 0.85, -0.55]),
    left_leg: limb([0.08, 0.8, 0.65], [0.06, 0.85, -0.55]),
    ..STAND
};
