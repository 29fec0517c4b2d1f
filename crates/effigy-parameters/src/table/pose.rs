//! The position of the body.

use effigy_render::{Angle, Framing, NamedPose, Rotation, View};

use crate::{Control, Form, Parameter, PictureSettings, Unit, Views};

/// The heading of options for the direction and the pose of a player.
pub(super) const HEADING: &str = "Direction and pose";

/// The sentences about the angles of the head.
const ANGLES: &str = "The angles about the axes x, y and z of the game replace the rotation of \
    the pose. A positive x moves the lower end of a limb to the back, y turns its front to the \
    player's right, and z moves the lower end to the player's right. In a moving picture, this \
    part does not move.";

/// The sentence about the angles of the other parts.
const ANGLES_AS_OF_HEAD: &str = "The angles mean the same as for `head`.";

/// The sentences about the bends.
const OF_ELBOW: &str =
    "It moves the hand to the front. In a moving picture, the limb keeps this bend.";
const OF_KNEE: &str =
    "It moves the foot to the back. In a moving picture, the limb keeps this bend.";

pub(super) const PARAMETERS: &[Parameter] = &[
    POSE,
    PHASE,
    HEAD,
    TORSO,
    RIGHT_ARM,
    LEFT_ARM,
    RIGHT_LEG,
    LEFT_LEG,
    BODY,
    WAIST,
    RIGHT_ELBOW,
    LEFT_ELBOW,
    RIGHT_KNEE,
    LEFT_KNEE,
    UPSIDE_DOWN,
    FIT,
];

const POSE: Parameter = Parameter::word("pose", NamedPose::WORDS, |picture, word| {
    picture.set_pose(NamedPose::ALL[word], picture.phase);
})
.views(Views::Free)
.default("stand")
.help("The pose of a figure, portrait or cube", "")
.value_synonyms(POSES)
.example("walk")
.heading(HEADING)
.common()
.control(Control::Gallery {
    label: "Pose",
    view: View::Figure,
    groups: &[STANDING, GESTURES, MOVING, ACTIONS, RESTING],
    group_of,
});

/// The headings of the poses on the page.
const STANDING: &str = "Standing";
const GESTURES: &str = "Gestures";
const MOVING: &str = "Moving";
const ACTIONS: &str = "Actions";
const RESTING: &str = "Resting and lying";

/// Returns the heading of a pose. Poses without another heading are actions.
fn group_of(pose: &str) -> &'static str {
    match pose {
        "stand" | "idle" | "straight" | "arms-crossed" | "hands-on-hips" | "think" | "read" => {
            STANDING
        }
        "wave" | "salute" | "point" | "cheer" | "facepalm" | "shrug" | "dab" | "clap" => GESTURES,
        "walk" | "run" | "march" | "trudge" | "zombie" | "dance" | "fly" => MOVING,
        "sit" | "cross-legged" | "kneel" | "crouch" | "cower" | "recline" | "lie" | "faint" => {
            RESTING
        }
        _ => ACTIONS,
    }
}

/// The words that people type for poses.
const POSES: &[(&str, &str)] = &[
    ("standing", "stand"),
    ("walking", "walk"),
    ("running sprinting", "run"),
    ("marching", "march"),
    ("waving", "wave"),
    ("saluting", "salute"),
    ("pointing", "point"),
    ("cheering", "cheer"),
    ("crossed crossed-arms arms_crossed", "arms-crossed"),
    ("hands_on_hips", "hands-on-hips"),
    ("facepalming", "facepalm"),
    ("thinking", "think"),
    ("shrugging", "shrug"),
    ("sitting", "sit"),
    ("criss_cross criss-cross cross_legged", "cross-legged"),
    ("kneeling", "kneel"),
    ("crouching sneaking sneak", "crouch"),
    ("archery", "archer"),
    ("lunging", "lunge"),
    ("kicking", "kick"),
    ("fighting", "fight"),
    ("reading", "read"),
    ("trudging", "trudge"),
    ("cowering", "cower"),
    ("dancing", "dance"),
    ("dabbing", "dab"),
    ("clapping", "clap"),
    ("throwing", "throw"),
    ("flying", "fly"),
    ("relaxing reclining", "recline"),
    ("sleeping lying", "lie"),
    ("dead fainting", "faint"),
];

const PHASE: Parameter = Parameter::number("phase", 0..=1, Unit::None, |picture, phase| {
    picture.set_pose(picture.pose, phase);
})
.views(Views::Free)
.default("0")
.help("The moment of the pose's movement", "")
.example("0.25")
.requires("pose")
.heading(HEADING);

const HEAD: Parameter = Parameter::angles("head", |picture, rotation| {
    picture.spec.pose.head = rotation;
    // A turned head doesn't follow the viewer with its gaze.
    picture.spec.pose.gaze = Angle::ZERO;
})
.views(Views::Free)
.help("The rotation of the head, in degrees", ANGLES)
.example("0,25,0")
.heading(HEADING)
.control(Control::Limb {
    label: "Head",
    limits: [90, 90, 45],
});

const TORSO: Parameter = Parameter::angles("torso", |picture, rotation| {
    picture.spec.pose.torso = rotation;
})
.views(Views::Free)
.help(
    "The rotation of the torso with the cape, in degrees",
    ANGLES_AS_OF_HEAD,
)
.example("5,0,0")
.heading(HEADING);

const RIGHT_ARM: Parameter = limb("right-arm", "Right arm", |picture, rotation| {
    picture.spec.pose.right_arm = rotation;
})
.help(
    "The rotation of the player's right arm, in degrees",
    ANGLES_AS_OF_HEAD,
)
.example("-90,0,0");

const LEFT_ARM: Parameter = limb("left-arm", "Left arm", |picture, rotation| {
    picture.spec.pose.left_arm = rotation;
})
.help(
    "The rotation of the player's left arm, in degrees",
    ANGLES_AS_OF_HEAD,
)
.example("0,0,-90");

const RIGHT_LEG: Parameter = limb("right-leg", "Right leg", |picture, rotation| {
    picture.spec.pose.right_leg = rotation;
})
.help(
    "The rotation of the player's right leg, in degrees",
    ANGLES_AS_OF_HEAD,
)
.example("-30,0,0");

const LEFT_LEG: Parameter = limb("left-leg", "Left leg", |picture, rotation| {
    picture.spec.pose.left_leg = rotation;
})
.help(
    "The rotation of the player's left leg, in degrees",
    ANGLES_AS_OF_HEAD,
)
.example("30,0,0");

/// The greatest angles of the sliders of an arm or a leg.
const LIMB: [i32; 3] = [180, 90, 180];

/// The rotation of a limb.
const fn limb(
    name: &'static str,
    label: &'static str,
    set: fn(&mut PictureSettings, Rotation),
) -> Parameter {
    Parameter::angles(name, set)
        .views(Views::Free)
        .heading(HEADING)
        .control(Control::Limb {
            label,
            limits: LIMB,
        })
}

const BODY: Parameter = Parameter::angles("body", |picture, rotation| {
    picture.spec.pose.body = rotation;
})
.views(Views::Free)
.help(
    "The rotation of the whole player about the hips, in degrees",
    "A positive x leans forward. The other angles mean the same as for `head`.",
)
.example("15,0,0")
.heading(HEADING);

const WAIST: Parameter = Parameter::angles("waist", |picture, rotation| {
    picture.spec.pose.waist = rotation;
})
.views(Views::Free)
.help(
    "The rotation of the upper body about the hips, in degrees",
    "The legs stay in place. A positive x leans forward and z leans to the sides, by at most 45 \
     degrees. The angle y means the same as for `head`.",
)
.example("20,15,0")
.heading(HEADING)
.control(Control::Limb {
    label: "Waist",
    limits: [45, 90, 45],
});

const RIGHT_ELBOW: Parameter = bend("right-elbow", "Right elbow", |picture, degrees| {
    picture.spec.pose.right_elbow = Angle::degrees(degrees);
})
.help("The bend of the player's right elbow, in degrees", OF_ELBOW);

const RIGHT_KNEE: Parameter = bend("right-knee", "Right knee", |picture, degrees| {
    picture.spec.pose.right_knee = Angle::degrees(degrees);
})
.help("The bend of the player's right knee, in degrees", OF_KNEE);

const LEFT_ELBOW: Parameter = bend("left-elbow", "Left elbow", |picture, degrees| {
    picture.spec.pose.left_elbow = Angle::degrees(degrees);
})
.help("The bend of the player's left elbow, in degrees", OF_ELBOW);

const LEFT_KNEE: Parameter = bend("left-knee", "Left knee", |picture, degrees| {
    picture.spec.pose.left_knee = Angle::degrees(degrees);
})
.help("The bend of the player's left knee, in degrees", OF_KNEE);

/// The bend of a limb in its middle.
const fn bend(
    name: &'static str,
    label: &'static str,
    set: fn(&mut PictureSettings, f64),
) -> Parameter {
    Parameter::number(name, 0..=135, Unit::Degrees, set)
        .views(Views::Free)
        .example("60")
        .heading(HEADING)
        .control(Control::Bend { label })
}

const UPSIDE_DOWN: Parameter = Parameter::switch("upside-down", |picture, on| {
    picture.spec.upside_down = Some(on);
})
.views(Views::Lit)
.by_default("only `Dinnerbone` and `Grumm` are")
.help("Draw the player upside down", "")
.form(Form::Switch(Some(
    "Draw the player upright, even one whose name turns players upside down",
)))
.heading(HEADING);

const FIT: Parameter = Parameter::word("fit", Framing::WORDS, |picture, word| {
    picture.spec.framing = Framing::ALL[word];
})
.views(Views::Free)
.default("pose")
.help(
    "The poses and directions that share one size in a figure, portrait or cube",
    "With `pose`, the player fills the picture. With `turn`, size and place are the same from \
     every yaw. With `all`, the size is the same for all poses and directions, except that `fly`, \
     `recline`, `lie` and `faint`, which take more room, are smaller.",
)
.example("turn")
.heading(HEADING);
