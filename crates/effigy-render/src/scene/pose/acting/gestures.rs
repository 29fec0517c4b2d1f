//! Poses of figures that stand and do something with their hands.

use super::STAND;
use crate::scene::pose::sketch::{Sketch, limb, straight, turn};

/// With the right hand raised next to the head.
pub(in crate::scene::pose) const WAVE: Sketch = Sketch {
    head: turn(0.0, 0.0, -7.0),
    waist: turn(0.0, 0.0, -3.0),
    right_arm: limb([-0.9, -0.3, 0.1], [-0.25, -1.0, 0.1]),
    ..STAND
};

/// With the right hand at the forehead.
pub(in crate::scene::pose) const SALUTE: Sketch = Sketch {
    right_arm: limb([-0.86, -0.2, 0.62], [0.66, -0.72, 0.34]),
    left_arm: straight([0.08, 1.0, 0.02]),
    right_leg: straight([-0.02, 1.0, 0.0]),
    left_leg: straight([0.02, 1.0, 0.0]),
    gaze: 0.0,
    camera: [-20.0, 14.0],
    ..STAND
};

/// With the right arm and the eyes toward something on the right.
pub(in crate::scene::pose) const POINT: Sketch = Sketch {
    head: turn(-4.0, 42.0, 0.0),
    waist: turn(0.0, 10.0, 3.0),
    right_arm: straight([-0.97, -0.12, 0.12]),
    left_arm: limb([0.75, 1.0, -0.25], [-0.75, 0.8, 0.4]),
    right_leg: straight([-0.12, 1.0, 0.08]),
    left_leg: straight([0.1, 1.0, -0.12]),
    gaze: 0.0,
    ..STAND
};

/// Jumping, with both arms raised.
pub(in crate::scene::pose) const CHEER: Sketch = Sketch {
    head: turn(-10.0, 0.0, 0.0),
    waist: turn(-4.0, 0.0, 0.0),
    right_arm: limb([-0.6, -0.8, 0.1], [-0.25, -1.0, 0.05]),
    left_arm: limb([0.6, -0.8, 0.1], [0.25, -1.0, 0.05]),
    right_leg: limb([-0.12, 0.8, 0.55], [-0.1, 0.8, -0.6]),
    left_leg: limb([0.12, 1.0, -0.1], [0.12, 0.7, -0.7]),
    cape: 12.0,
    ..STAND
};

/// With the arms crossed before the chest.
pub(in crate::scene::pose) const ARMS_CROSSED: Sketch = Sketch {
    right_arm: limb([-0.1, 1.0, 0.4], [1.0, -0.05, 0.35]),
    left_arm: limb([0.12, 1.0, 0.25], [-1.0, 0.05, 0.5]),
    right_leg: limb([-0.1, 1.0, 0.05], [-0.09, 1.0, 0.0]),
    left_leg: limb([0.1, 1.0, -0.02], [0.1, 1.0, -0.06]),
    ..STAND
};

/// With both hands on the hips.
pub(in crate::scene::pose) const HANDS_ON_HIPS: Sketch = Sketch {
    waist: turn(-4.0, 0.0, 0.0),
    right_arm: limb([-0.75, 1.0, -0.25], [0.75, 0.8, 0.4]),
    left_arm: limb([0.75, 1.0, -0.25], [-0.75, 0.8, 0.4]),
    right_leg: straight([-0.16, 1.0, 0.04]),
    left_leg: straight([0.16, 1.0, -0.04]),
    ..STAND
};

/// With the face in the right hand.
pub(in crate::scene::pose) const FACEPALM: Sketch = Sketch {
    head: turn(16.0, -4.0, 4.0),
    waist: turn(4.0, 0.0, 0.0),
    right_arm: limb([-0.25, -0.05, 0.95], [0.75, -0.62, 0.34]),
    left_arm: limb([0.1, 1.0, 0.35], [-1.0, 0.1, 0.35]),
    gaze: 0.0,
    ..STAND
};

/// With the right hand at the chin, on the left arm.
pub(in crate::scene::pose) const THINK: Sketch = Sketch {
    head: turn(6.0, 10.0, 4.0),
    right_arm: limb([-0.02, 1.0, 0.55], [0.42, -1.0, 0.35]),
    left_arm: limb([0.1, 1.0, 0.3], [-1.0, 0.1, 0.45]),
    right_leg: limb([-0.1, 1.0, 0.1], [-0.08, 1.0, 0.0]),
    gaze: 0.0,
    ..STAND
};

/// With both palms to the sides and the head tilted.
pub(in crate::scene::pose) const SHRUG: Sketch = Sketch {
    head: turn(0.0, 0.0, 10.0),
    right_arm: limb([-0.45, 1.0, 0.1], [-0.75, 0.1, 0.75]),
    left_arm: limb([0.45, 1.0, 0.1], [0.75, 0.1, 0.75]),
    ..STAND
};

/// With an open book in the hands.
pub(in crate::scene::pose) const READ: Sketch = Sketch {
    head: turn(26.0, 0.0, 0.0),
    waist: turn(4.0, 0.0, 0.0),
    right_arm: limb([-0.12, 1.0, 0.4], [0.42, -0.35, 1.0]),
    left_arm: limb([0.12, 1.0, 0.4], [-0.42, -0.35, 1.0]),
    gaze: 0.0,
    ..STAND
};

/// With the hands together before the chest.
pub(in crate::scene::pose) const CLAP: Sketch = Sketch {
    head: turn(4.0, 0.0, 0.0),
    right_arm: limb([-0.1, 1.0, 0.45], [0.8, -0.3, 1.0]),
    left_arm: limb([0.1, 1.0, 0.45], [-0.8, -0.3, 1.0]),
    ..STAND
};

/// With the face in one elbow and the other arm stretched out.
pub(in crate::scene::pose) const DAB: Sketch = Sketch {
    head: turn(24.0, -24.0, 8.0),
    waist: turn(6.0, 0.0, -8.0),
    right_arm: limb([-0.2, -0.35, 1.0], [1.0, -0.3, 0.62]),
    left_arm: straight([0.9, -0.5, 0.2]),
    gaze: 0.0,
    camera: [10.0, 12.0],
    ..STAND
};
