//! The words of poses.

use effigy_player::word_enum;

use crate::scene::pose::acting::{self, actions, gestures, resting};
use crate::scene::pose::sketch::Sketch;
use crate::{Camera, Pose};

word_enum! {
    #[non_exhaustive]
    /// A pose with a name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum NamedPose {
        /// At ease: feet apart, the arms off the body and a little bent, and the head toward the
        /// viewer.
        #[default]
        Stand = "stand",
        /// Like [`NamedPose::Stand`]. When it moves, the player glances to the side.
        Idle = "idle",
        /// Upright, with the limbs straight down.
        Straight = "straight",
        /// In the middle of a step.
        Walk = "walk",
        /// In the middle of a long step, leaning forward.
        Run = "run",
        /// With one knee raised and the arms swinging, as in a parade.
        March = "march",
        /// With the right hand raised next to the head.
        Wave = "wave",
        /// With the right hand at the forehead.
        Salute = "salute",
        /// With the right arm and the eyes toward something on the right.
        Point = "point",
        /// Jumping, with both arms raised.
        Cheer = "cheer",
        /// With the arms crossed before the chest.
        ArmsCrossed = "arms-crossed",
        /// With both hands on the hips.
        HandsOnHips = "hands-on-hips",
        /// With the face in the right hand.
        Facepalm = "facepalm",
        /// With the right hand at the chin, on the left arm.
        Think = "think",
        /// With both palms to the sides and the head tilted.
        Shrug = "shrug",
        /// On the edge of something, with the feet on the ground.
        Sit = "sit",
        /// On the ground, with the legs crossed.
        CrossLegged = "cross-legged",
        /// On the right knee.
        Kneel = "kneel",
        /// Bent forward, as the game shows a sneaking player.
        Crouch = "crouch",
        /// Drawing a bow.
        Archer = "archer",
        /// With a long step and a thrust of the right arm.
        Lunge = "lunge",
        /// With the right leg kicked forward.
        Kick = "kick",
        /// With both fists before the chest.
        Fight = "fight",
        /// With an open book in the hands.
        Read = "read",
        /// Walking with hanging arms and head.
        Trudge = "trudge",
        /// Crouching, with the arms before the head.
        Cower = "cower",
        /// With both arms stretched forward.
        Zombie = "zombie",
        /// With one arm up and the hips to the side.
        Dance = "dance",
        /// With the face in one elbow and the other arm stretched out.
        Dab = "dab",
        /// With the hands together before the chest.
        Clap = "clap",
        /// With the right arm drawn back to throw.
        Throw = "throw",
        /// Rising through the air, one fist ahead.
        Fly = "fly",
        /// Leaning back on both arms, with the legs forward.
        Recline = "recline",
        /// On the back, with the hands under the head.
        Lie = "lie",
        /// On the back, with the limbs spread.
        Faint = "faint",
    }
}

impl NamedPose {
    /// The camera that shows the pose best: [`Camera::DEFAULT`] for most poses, and for others the
    /// same lens from another side.
    #[must_use]
    pub fn camera(self) -> Camera {
        let [yaw, pitch] = self.sketch().camera;
        let [_, _, fov] = Camera::DEFAULT
            .angles()
            .expect("the default camera is free");
        Camera::perspective(yaw, pitch, fov.to_degrees())
    }

    /// Returns `true` for poses of a figure that lies, flies or leans far back. They need a lot of
    /// room to the sides, and would make all figures of a list small.
    pub(crate) const fn is_stretched_out(self) -> bool {
        use NamedPose::{Faint, Fly, Lie, Recline};
        matches!(self, Fly | Recline | Lie | Faint)
    }

    /// Returns the pose as it was drawn.
    pub(super) const fn sketch(self) -> Sketch {
        match self {
            NamedPose::Stand | NamedPose::Idle => acting::STAND,
            NamedPose::Straight => acting::STRAIGHT,
            NamedPose::Crouch => acting::CROUCH,
            NamedPose::Walk => actions::WALK,
            NamedPose::Run => actions::RUN,
            NamedPose::March => actions::MARCH,
            NamedPose::Wave => gestures::WAVE,
            NamedPose::Salute => gestures::SALUTE,
            NamedPose::Point => gestures::POINT,
            NamedPose::Cheer => gestures::CHEER,
            NamedPose::ArmsCrossed => gestures::ARMS_CROSSED,
            NamedPose::HandsOnHips => gestures::HANDS_ON_HIPS,
            NamedPose::Facepalm => gestures::FACEPALM,
            NamedPose::Think => gestures::THINK,
            NamedPose::Shrug => gestures::SHRUG,
            NamedPose::Sit => resting::SIT,
            NamedPose::CrossLegged => resting::CROSS_LEGGED,
            NamedPose::Kneel => resting::KNEEL,
            NamedPose::Archer => actions::ARCHER,
            NamedPose::Lunge => actions::LUNGE,
            NamedPose::Kick => actions::KICK,
            NamedPose::Fight => actions::FIGHT,
            NamedPose::Read => gestures::READ,
            NamedPose::Trudge => actions::TRUDGE,
            NamedPose::Cower => actions::COWER,
            NamedPose::Zombie => actions::ZOMBIE,
            NamedPose::Dance => actions::DANCE,
            NamedPose::Dab => gestures::DAB,
            NamedPose::Clap => gestures::CLAP,
            NamedPose::Throw => actions::THROW,
            NamedPose::Fly => resting::FLY,
            NamedPose::Recline => resting::RECLINE,
            NamedPose::Lie => resting::LIE,
            NamedPose::Faint => resting::FAINT,
        }
    }
}

impl From<NamedPose> for Pose {
    fn from(name: NamedPose) -> Pose {
        match name {
            NamedPose::Stand | NamedPose::Idle => Pose::STAND,
            NamedPose::Straight => Pose::STRAIGHT,
            _ => name.sketch_at(0.0).pose(),
        }
    }
}
