//! The parts that turn, and the joints that bend.

use effigy_player::word_enum;

word_enum! {
    #[non_exhaustive]
    /// A part of a figure that turns, for [`Pose::turn`](crate::Pose::turn). Sides are the player's
    /// own.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Limb {
        /// The head, with its ears.
        Head = "head",
        /// The torso, with the cape.
        Torso = "torso",
        /// The right arm.
        RightArm = "right-arm",
        /// The left arm.
        LeftArm = "left-arm",
        /// The right leg.
        RightLeg = "right-leg",
        /// The left leg.
        LeftLeg = "left-leg",
        /// The whole figure, about the middle of the hips.
        Body = "body",
        /// The upper body, about the middle of the hips.
        Waist = "waist",
    }
}

word_enum! {
    #[non_exhaustive]
    /// A joint that bends, for [`Pose::bend`](crate::Pose::bend). Sides are the player's own.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Joint {
        /// The right elbow, which moves the hand to the front.
        RightElbow = "right-elbow",
        /// The left elbow.
        LeftElbow = "left-elbow",
        /// The right knee, which moves the foot to the back.
        RightKnee = "right-knee",
        /// The left knee.
        LeftKnee = "left-knee",
    }
}
