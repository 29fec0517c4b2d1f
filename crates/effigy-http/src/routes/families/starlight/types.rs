//! The types of Starlight's pictures, and the poses that stand for them.

use effigy_render::NamedPose;

use super::Crop;

/// The way in which a type is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Figure,
    Head,
    Isometric,
    Flat,
    /// The texture itself.
    Skin,
    /// A type that has no picture here.
    NotDrawn,
}

/// A type of picture.
#[derive(Debug)]
pub(super) struct Type {
    /// The words of the type. The first one is that of the service.
    words: &'static str,
    pub(super) kind: Kind,
    /// The part that is shown if the path names none.
    pub(super) crop: Crop,
}

impl Type {
    const fn new(words: &'static str, kind: Kind, crop: Crop) -> Self {
        Self { words, kind, crop }
    }

    pub(super) fn has(&self, word: &str) -> bool {
        self.words.split(' ').any(|known| known == word)
    }

    /// Returns the word of the service.
    pub(super) fn word(&self) -> &'static str {
        self.words.split(' ').next().unwrap_or_default()
    }
}

#[rustfmt::skip]
pub(super) const TYPES: [Type; 32] = [
    Type::new("default", Kind::Figure, Crop::Full),
    Type::new("ultimate", Kind::Figure, Crop::Full),
    Type::new("marching", Kind::Figure, Crop::Full),
    Type::new("walking", Kind::Figure, Crop::Full),
    Type::new("crouching", Kind::Figure, Crop::Full),
    Type::new("crossed", Kind::Figure, Crop::Full),
    Type::new("criss_cross crisscross criss-cross", Kind::Figure, Crop::Full),
    Type::new("cheering", Kind::Figure, Crop::Full),
    Type::new("relaxing", Kind::Figure, Crop::Full),
    Type::new("trudging", Kind::Figure, Crop::Full),
    Type::new("cowering", Kind::Figure, Crop::Full),
    Type::new("pointing", Kind::Figure, Crop::Full),
    Type::new("lunging", Kind::Figure, Crop::Full),
    Type::new("dungeons", Kind::Figure, Crop::Full),
    Type::new("facepalm", Kind::Figure, Crop::Full),
    Type::new("sleeping", Kind::Figure, Crop::Full),
    Type::new("dead", Kind::Figure, Crop::Full),
    Type::new("archer", Kind::Figure, Crop::Full),
    Type::new("kicking", Kind::Figure, Crop::Full),
    Type::new("mojavatar mojoavatar", Kind::Figure, Crop::Bust),
    Type::new("reading", Kind::Figure, Crop::Full),
    Type::new("high_ground", Kind::Figure, Crop::Full),
    Type::new("clown", Kind::Figure, Crop::Full),
    Type::new("profile", Kind::Figure, Crop::Bust),
    Type::new("isometric", Kind::Isometric, Crop::Full),
    Type::new("head", Kind::Head, Crop::Full),
    Type::new("pixel", Kind::Flat, Crop::Full),
    Type::new("skin", Kind::Skin, Crop::Full),
    Type::new("custom", Kind::NotDrawn, Crop::Full),
    Type::new("wallpaper", Kind::NotDrawn, Crop::Full),
    Type::new("bitzel", Kind::NotDrawn, Crop::Full),
    Type::new("ornament", Kind::NotDrawn, Crop::Full),
];

/// The poses of the types, each with the nearest ones for a renderer that lacks it. The others
/// stand.
#[rustfmt::skip]
pub(super) const POSES: [(&str, &str); 19] = [
    ("marching", "march walk"),
    ("walking", "walk"),
    ("crouching", "crouch"),
    ("crossed", "arms-crossed"),
    ("criss_cross", "cross-legged sit"),
    ("cheering", "cheer"),
    ("relaxing", "recline sit"),
    ("trudging", "trudge walk"),
    ("cowering", "cower crouch"),
    ("pointing", "point"),
    ("lunging", "lunge run"),
    ("dungeons", "lunge run"),
    ("facepalm", "facepalm"),
    ("sleeping", "lie straight"),
    ("dead", "faint straight"),
    ("archer", "archer point"),
    ("kicking", "kick run"),
    ("reading", "read"),
    ("high_ground", "hands-on-hips"),
];

/// Returns the first of some poses that the renderer has.
pub(super) fn drawn_pose(poses: &'static str) -> Option<&'static str> {
    poses
        .split(' ')
        .find(|pose| pose.parse::<NamedPose>().is_ok())
}
