//! The drawn moments of movements, as differences from the pose with which a movement begins. They
//! follow one another at equal intervals.

use super::actions::{DANCE, FIGHT, KICK};
use super::gestures::{CHEER, CLAP, WAVE};
use crate::scene::pose::gait::Gait;
use crate::scene::pose::sketch::{Sketch, limb, straight, turn};

pub(in crate::scene::pose) const WALKING: Gait = Gait {
    ahead: 4.9,
    behind: 5.8,
    swing: [-4.2, 0.8, 4.8],
    knees: [6.0, 12.0, 8.0, 6.0, 24.0, 64.0, 68.0, 30.0],
    apart: 0.3,
    start: 0.0,
};

pub(in crate::scene::pose) const RUNNING: Gait = Gait {
    ahead: 4.4,
    behind: 6.8,
    swing: [-5.0, 1.4, 5.4],
    knees: [26.0, 38.0, 36.0, 28.0, 32.0, 88.0, 112.0, 76.0],
    apart: 0.0,
    start: 0.9,
};

pub(in crate::scene::pose) const MARCHING: Gait = Gait {
    ahead: 2.2,
    behind: 4.0,
    swing: [-0.6, 5.4, 5.2],
    knees: [2.0, 3.0, 4.0, 8.0, 30.0, 92.0, 104.0, 54.0],
    apart: 0.5,
    start: 0.25,
};

pub(in crate::scene::pose) const SHUFFLING: Gait = Gait {
    ahead: 3.4,
    behind: 4.8,
    swing: [-3.4, 0.6, 3.8],
    knees: [2.0, 4.0, 4.0, 8.0, 24.0, 68.0, 70.0, 28.0],
    apart: 0.6,
    start: 0.0,
};

/// The hand swings out, comes back nearer to the front, and swings in.
pub(in crate::scene::pose) const WAVING: [Sketch; 4] = [
    WAVE,
    Sketch {
        head: turn(0.0, 0.0, -9.0),
        waist: turn(0.0, 0.0, -4.0),
        right_arm: limb([-0.95, -0.2, 0.1], [-0.8, -0.8, 0.1]),
        cape: 9.0,
        ..WAVE
    },
    Sketch {
        head: turn(0.0, 0.0, -7.0),
        waist: turn(0.0, 0.0, -3.0),
        right_arm: limb([-0.9, -0.28, 0.22], [-0.25, -1.0, 0.32]),
        cape: 10.0,
        ..WAVE
    },
    Sketch {
        head: turn(0.0, 0.0, -5.0),
        waist: turn(0.0, 0.0, -2.0),
        right_arm: limb([-0.85, -0.4, 0.15], [0.3, -1.0, 0.2]),
        cape: 9.0,
        ..WAVE
    },
];

/// A jump from one foot to the other, with the arms down and up in between.
pub(in crate::scene::pose) const CHEERING: [Sketch; 4] = [
    CHEER,
    Sketch {
        head: turn(-4.0, 3.0, 3.0),
        waist: turn(2.0, 0.0, 0.0),
        right_arm: limb([-0.8, -0.5, 0.2], [-0.35, -0.9, 0.3]),
        left_arm: limb([0.8, -0.5, 0.2], [0.35, -0.9, 0.3]),
        right_leg: limb([-0.1, 1.0, 0.28], [-0.1, 1.0, -0.22]),
        left_leg: limb([0.1, 1.0, 0.18], [0.1, 1.0, -0.3]),
        cape: 16.0,
        ..CHEER
    },
    Sketch {
        head: turn(-10.0, 0.0, -3.0),
        right_arm: limb([-0.5, -0.85, 0.1], [-0.1, -1.0, 0.05]),
        left_arm: limb([0.7, -0.75, 0.1], [0.4, -1.0, 0.05]),
        right_leg: CHEER.left_leg.mirrored(),
        left_leg: CHEER.right_leg.mirrored(),
        ..CHEER
    },
    Sketch {
        head: turn(-2.0, -3.0, 0.0),
        waist: turn(4.0, 0.0, 0.0),
        right_arm: limb([-0.85, -0.35, 0.3], [-0.45, -0.8, 0.4]),
        left_arm: limb([0.85, -0.35, 0.3], [0.45, -0.8, 0.4]),
        right_leg: limb([-0.1, 1.0, 0.2], [-0.1, 1.0, -0.32]),
        left_leg: limb([0.1, 1.0, 0.3], [0.1, 1.0, -0.2]),
        cape: 18.0,
        ..CHEER
    },
];

/// From one side to the other and back, with different arms on each way.
pub(in crate::scene::pose) const DANCING: [Sketch; 4] = [
    DANCE,
    Sketch {
        head: turn(4.0, 0.0, 0.0),
        waist: turn(4.0, 0.0, 0.0),
        right_arm: limb([-0.6, 0.6, 0.5], [0.1, -0.2, 1.0]),
        left_arm: limb([0.6, 0.6, 0.5], [0.3, -0.5, 0.9]),
        right_leg: limb([-0.1, 1.0, 0.3], [-0.1, 1.0, -0.25]),
        left_leg: limb([0.1, 1.0, 0.3], [0.1, 1.0, -0.25]),
        cape: 12.0,
        ..DANCE
    },
    DANCE.mirrored(),
    Sketch {
        head: turn(-6.0, 0.0, 0.0),
        waist: turn(-2.0, 0.0, 0.0),
        right_arm: limb([-0.8, -0.3, 0.3], [-0.3, -1.0, 0.3]),
        left_arm: limb([0.8, -0.2, 0.3], [0.5, -1.0, 0.3]),
        right_leg: limb([-0.1, 1.0, 0.2], [-0.1, 1.0, -0.12]),
        left_leg: limb([0.1, 1.0, 0.18], [0.1, 1.0, -0.16]),
        cape: 10.0,
        ..DANCE
    },
];

/// The hands part below and come together above.
pub(in crate::scene::pose) const CLAPPING: [Sketch; 4] = [
    CLAP,
    Sketch {
        head: turn(6.0, 0.0, 1.0),
        waist: turn(1.0, 0.0, 0.0),
        right_arm: limb([-0.22, 1.0, 0.38], [0.3, 0.05, 1.0]),
        left_arm: limb([0.22, 1.0, 0.38], [-0.3, 0.05, 1.0]),
        cape: 9.0,
        ..CLAP
    },
    Sketch {
        head: turn(4.0, 0.0, 2.0),
        waist: turn(0.0, 0.0, 1.0),
        right_arm: limb([-0.4, 1.0, 0.4], [-0.05, -0.2, 1.0]),
        left_arm: limb([0.4, 1.0, 0.4], [0.05, -0.2, 1.0]),
        cape: 10.0,
        ..CLAP
    },
    Sketch {
        head: turn(2.0, 0.0, 1.0),
        waist: turn(-1.0, 0.0, 0.0),
        right_arm: limb([-0.25, 1.0, 0.5], [0.35, -0.4, 1.0]),
        left_arm: limb([0.25, 1.0, 0.5], [-0.35, -0.4, 1.0]),
        cape: 9.0,
        ..CLAP
    },
];

/// The kick, the knee that is drawn in, the foot on the ground, and the knee that is raised.
pub(in crate::scene::pose) const KICKING: [Sketch; 4] = [
    KICK,
    Sketch {
        head: turn(8.0, -10.0, 0.0),
        waist: turn(-8.0, 12.0, 0.0),
        right_leg: limb([-0.1, 0.35, 1.0], [-0.1, 0.9, -0.1]),
        cape: 14.0,
        ..KICK
    },
    Sketch {
        head: turn(0.0, -14.0, 0.0),
        waist: turn(8.0, 18.0, 0.0),
        right_arm: limb([-0.35, 1.0, 0.3], [0.35, -0.7, 1.0]),
        left_arm: limb([0.3, 0.9, 0.5], [-0.3, -0.8, 1.0]),
        right_leg: limb([-0.12, 1.0, -0.25], [-0.1, 0.85, -0.5]),
        left_leg: limb([0.08, 1.0, 0.3], [0.08, 1.0, -0.1]),
        cape: 20.0,
        ..KICK
    },
    Sketch {
        head: turn(6.0, -6.0, 0.0),
        waist: turn(-4.0, 6.0, 0.0),
        right_arm: limb([-0.45, 0.9, 0.1], [0.25, -0.2, 1.0]),
        left_arm: limb([0.35, 0.9, 0.4], [-0.35, -0.5, 1.0]),
        right_leg: limb([-0.1, 0.15, 1.0], [-0.1, 0.95, 0.25]),
        left_leg: limb([0.05, 1.0, 0.12], [0.05, 1.0, -0.16]),
        cape: 12.0,
        ..KICK
    },
];

/// A straight punch with the left fist, the guard, and a straight punch with the right fist.
pub(in crate::scene::pose) const FIGHTING: [Sketch; 4] = [
    FIGHT,
    Sketch {
        head: turn(2.0, -30.0, 0.0),
        waist: turn(12.0, 34.0, 0.0),
        right_arm: limb([-0.35, 1.0, 0.35], [0.35, -0.9, 0.9]),
        left_arm: limb([0.6, 0.12, 1.0], [0.3, -0.12, 1.0]),
        right_leg: limb([-0.12, 1.0, -0.25], [-0.1, 0.8, -0.65]),
        left_leg: limb([0.1, 0.85, 0.52], [0.1, 1.0, -0.08]),
        cape: 12.0,
        ..FIGHT
    },
    Sketch {
        head: turn(6.0, -12.0, 2.0),
        waist: turn(5.0, 14.0, 2.0),
        right_arm: limb([-0.4, 1.0, 0.2], [0.35, -0.55, 1.0]),
        left_arm: limb([0.3, 1.0, 0.35], [-0.35, -0.65, 1.0]),
        right_leg: limb([-0.12, 1.0, -0.32], [-0.1, 0.85, -0.55]),
        left_leg: limb([0.1, 0.95, 0.4], [0.1, 1.0, -0.02]),
        cape: 10.0,
        ..FIGHT
    },
    Sketch {
        head: turn(2.0, 18.0, 0.0),
        waist: turn(12.0, -22.0, 0.0),
        right_arm: limb([-0.45, 0.16, 1.0], [-0.1, -0.1, 1.0]),
        left_arm: limb([0.35, 1.0, 0.3], [-0.35, -0.8, 0.9]),
        right_leg: limb([-0.12, 1.0, -0.22], [-0.1, 0.75, -0.7]),
        left_leg: limb([0.1, 0.85, 0.54], [0.1, 1.0, -0.06]),
        cape: 14.0,
        ..FIGHT
    },
];

/// The arms of a zombie rise and sink in turn.
pub(in crate::scene::pose) const REACHING: Sketch = Sketch {
    head: turn(4.0, 0.0, 6.0),
    waist: turn(3.0, 0.0, 3.0),
    right_arm: straight([-0.05, -0.12, 1.0]),
    left_arm: straight([0.05, 0.16, 1.0]),
    cape: 11.0,
    ..super::actions::ZOMBIE
};
