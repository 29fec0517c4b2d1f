//! Poses of figures that sit, kneel, fly or lie.

use super::STAND;
use crate::scene::pose::sketch::{Sketch, limb, straight, turn};

/// On the edge of something, with the feet on the ground.
pub(in crate::scene::pose) const SIT: Sketch = Sketch {
    head: turn(4.0, 0.0, 0.0),
    right_arm: limb([-0.25, 1.0, 0.1], [-0.15, 1.0, 0.55]),
    left_arm: limb([0.25, 1.0, 0.1], [0.15, 1.0, 0.55]),
    right_leg: limb([-0.12, 0.05, 1.0], [-0.1, 1.0, 0.1]),
    left_leg: limb([0.12, 0.05, 1.0], [0.1, 1.0, 0.02]),
    cape: 20.0,
    ..STAND
};

/// On the ground, with the legs crossed.
pub(in crate::scene::pose) const CROSS_LEGGED: Sketch = Sketch {
    head: turn(2.0, 0.0, 0.0),
    right_arm: limb([-0.42, 1.0, 0.35], [-0.12, 0.55, 0.8]),
    left_arm: limb([0.42, 1.0, 0.35], [0.12, 0.55, 0.8]),
    right_leg: limb([-0.8, 0.25, 0.8], [0.85, 0.35, 0.35]),
    left_leg: limb([0.8, 0.25, 0.8], [-0.85, 0.35, 0.6]),
    ..STAND
};

/// On the right knee.
pub(in crate::scene::pose) const KNEEL: Sketch = Sketch {
    head: turn(8.0, 0.0, 0.0),
    waist: turn(6.0, 0.0, 0.0),
    right_arm: limb([-0.15, 1.0, 0.1], [-0.1, 1.0, 0.4]),
    left_arm: limb([0.12, 1.0, 0.5], [-0.1, 0.35, 1.0]),
    right_leg: limb([-0.05, 1.0, -0.1], [-0.05, 0.12, -1.0]),
    left_leg: limb([0.08, 0.12, 1.0], [0.08, 1.0, 0.0]),
    cape: 30.0,
    ..STAND
};

/// Rising through the air, one fist ahead.
pub(in crate::scene::pose) const FLY: Sketch = Sketch {
    head: turn(-30.0, 0.0, 0.0),
    right_arm: straight([-0.14, -1.0, 0.2]),
    left_arm: limb([0.35, 1.0, -0.1], [0.05, 1.0, 0.35]),
    right_leg: limb([-0.05, 1.0, -0.02], [-0.05, 1.0, -0.24]),
    left_leg: limb([0.05, 1.0, 0.75], [0.05, 0.7, -0.9]),
    body: turn(44.0, 0.0, 0.0),
    cape: 26.0,
    gaze: 0.0,
    camera: [50.0, 4.0],
    ..STAND
};

/// Leaning back on both arms, with the legs forward.
pub(in crate::scene::pose) const RECLINE: Sketch = Sketch {
    head: turn(12.0, 0.0, 0.0),
    right_arm: limb([-0.35, 0.9, -0.65], [-0.1, 1.0, -0.1]),
    left_arm: limb([0.35, 0.9, -0.65], [0.1, 1.0, -0.1]),
    right_leg: limb([-0.08, 0.35, 1.0], [-0.04, 1.0, 0.05]),
    left_leg: limb([0.1, 0.75, 0.8], [0.1, 0.75, 0.75]),
    body: turn(-24.0, 0.0, 0.0),
    gaze: 0.0,
    camera: [40.0, 18.0],
    ..STAND
};

/// On the back, with the hands under the head.
pub(in crate::scene::pose) const LIE: Sketch = Sketch {
    head: turn(24.0, 0.0, 0.0),
    right_arm: limb([-0.9, -0.6, 0.1], [0.7, -0.6, -0.15]),
    left_arm: limb([0.9, -0.6, 0.1], [-0.7, -0.6, -0.15]),
    right_leg: limb([-0.05, 0.75, 0.65], [-0.05, 0.7, -0.7]),
    left_leg: limb([0.45, 0.8, 0.55], [-0.55, 0.5, 0.6]),
    body: turn(-82.0, 0.0, 0.0),
    cape: 3.0,
    gaze: 0.0,
    camera: [60.0, 28.0],
    ..STAND
};

/// On the back, with the limbs spread.
pub(in crate::scene::pose) const FAINT: Sketch = Sketch {
    head: turn(4.0, 30.0, 0.0),
    right_arm: limb([-0.9, 0.25, 0.1], [-0.8, -0.5, 0.1]),
    left_arm: limb([0.9, -0.2, 0.1], [0.6, 0.6, 0.1]),
    right_leg: limb([-0.25, 1.0, 0.05], [-0.2, 1.0, -0.05]),
    left_leg: limb([0.3, 1.0, 0.05], [0.15, 1.0, -0.1]),
    body: turn(-88.0, 0.0, 0.0),
    cape: 3.0,
    gaze: 0.0,
    camera: [40.0, 40.0],
    ..STAND
};
