//! The types of Starlight's pictures, and the poses that stand for them.

use effigy_render::{Crop, NamedPose};

/// The part of a player that a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Bust,
    /// The head and its surroundings.
    Face,
    Head,
}

impl Part {
    pub(super) fn find(word: &str) -> Option<Self> {
        match &*word.to_ascii_lowercase() {
            "full" => Some(Self::Whole),
            "bust" => Some(Self::Bust),
            "face" => Some(Self::Face),
            "head" => Some(Self::Head),
            _ => None,
        }
    }

    /// Returns the crop of a figure that shows the part.
    pub(super) const fn crop(self) -> Crop {
        match self {
            Self::Whole => Crop::Content,
            Self::Bust => Crop::Bust,
            Self::Face | Self::Head => Crop::Head,
        }
    }
}

/// The way in which a type is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Figure(NamedPose),
    /// A figure seen by a camera without a lens.
    Isometric,
    Head,
    Flat,
    /// The texture itself.
    Skin,
    /// A type that has no picture here.
    NotDrawn,
}

/// A type of picture.
#[derive(Debug)]
pub(super) struct Type {
    /// The words for the type, with spaces between them. Starlight itself uses the first one.
    words: &'static str,
    pub(super) kind: Kind,
    /// The part that is shown by default.
    pub(super) part: Part,
}

impl Type {
    const fn new(words: &'static str, kind: Kind) -> Self {
        Self::of_part(words, kind, Part::Whole)
    }

    const fn posed(words: &'static str, pose: NamedPose) -> Self {
        Self::new(words, Kind::Figure(pose))
    }

    const fn of_part(words: &'static str, kind: Kind, part: Part) -> Self {
        Self { words, kind, part }
    }

    /// Finds the type by a word in lower case.
    pub(super) fn find(word: &str) -> Option<&'static Self> {
        let mut types = TYPES.iter();
        types.find(|row| row.words.split(' ').any(|known| known == word))
    }

    /// Returns the word that Starlight uses.
    pub(super) fn word(&self) -> &'static str {
        self.words.split(' ').next().unwrap_or_default()
    }

    /// Returns the pose of a figure.
    pub(super) const fn pose(&self) -> NamedPose {
        match self.kind {
            Kind::Figure(pose) => pose,
            _ => NamedPose::Straight,
        }
    }
}

#[rustfmt::skip]
const TYPES: [Type; 32] = [
    Type::posed("default", NamedPose::Stand),
    Type::posed("ultimate", NamedPose::Stand),
    Type::posed("marching", NamedPose::March),
    Type::posed("walking", NamedPose::Walk),
    Type::posed("crouching", NamedPose::Crouch),
    Type::posed("crossed", NamedPose::ArmsCrossed),
    Type::posed("criss_cross crisscross criss-cross", NamedPose::CrossLegged),
    Type::posed("cheering", NamedPose::Cheer),
    Type::posed("relaxing", NamedPose::Recline),
    Type::posed("trudging", NamedPose::Trudge),
    Type::posed("cowering", NamedPose::Cower),
    Type::posed("pointing", NamedPose::Point),
    Type::posed("lunging", NamedPose::Lunge),
    Type::posed("dungeons", NamedPose::Lunge),
    Type::posed("facepalm", NamedPose::Facepalm),
    Type::posed("sleeping", NamedPose::Lie),
    Type::posed("dead", NamedPose::Faint),
    Type::posed("archer", NamedPose::Archer),
    Type::posed("kicking", NamedPose::Kick),
    Type::posed("reading", NamedPose::Read),
    Type::posed("high_ground highground high-ground", NamedPose::HandsOnHips),
    Type::posed("clown", NamedPose::Shrug),
    Type::of_part("mojavatar mojoavatar", Kind::Figure(NamedPose::Stand), Part::Bust),
    Type::of_part("profile", Kind::Figure(NamedPose::Stand), Part::Bust),
    Type::new("isometric", Kind::Isometric),
    Type::new("head", Kind::Head),
    Type::new("pixel", Kind::Flat),
    Type::new("skin", Kind::Skin),
    Type::new("custom", Kind::NotDrawn),
    Type::new("wallpaper", Kind::NotDrawn),
    Type::new("bitzel", Kind::NotDrawn),
    Type::new("ornament", Kind::NotDrawn),
];
