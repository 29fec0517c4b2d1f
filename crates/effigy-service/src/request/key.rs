//! Cache keys. Spec, "Common rules" 5.

use std::{fmt::Write as _, ops::Range};

use effigy_render::{
    Camera, Decoration, Filter, Framing, ImageFormat, Layers, Light, NamedPose, PictureSpec, Pose,
    Rotation, Shape,
};
use effigy_upstream::Revision;

use super::{endpoint::Endpoint, params::PictureParams};

/// Room in a key for what follows the input, in nearly all cases.
const KEY_END_BYTES: usize = 32;

/// The key of a cached file, with what the file shows.
///
/// It owns one string, which contains the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CacheKey {
    pub(crate) endpoint: Endpoint,
    text: String,
    input: Range<usize>,
    /// The inputs of the players that the file shows, unless the input is the only one.
    pub(super) players: Option<Vec<String>>,
    /// The revision of the players' files that the file shows.
    pub(crate) revision: Option<Revision>,
}

impl CacheKey {
    /// The key of a file whose only parameter is the player.
    pub(crate) fn of_player(endpoint: Endpoint, input: &str) -> Self {
        let mut key = Self::begin(endpoint, ["", "", endpoint.as_str()], input);
        key.text.push_str("default_default");
        key
    }

    /// The key of a file whose only parameter is a hash.
    pub(crate) fn of_hash(endpoint: Endpoint, hash: &str) -> Self {
        Self::of_player(endpoint, hash).showing(Vec::new())
    }

    /// A key that lacks its last two parts. The words are its first part.
    fn begin(endpoint: Endpoint, words: [&str; 3], input: &str) -> Self {
        let start = words.map(str::len).iter().sum::<usize>() + 1;
        let mut text = String::with_capacity(start + input.len() + 1 + KEY_END_BYTES);
        text.extend(words);
        text.extend(["_", input, "_"]);
        Self {
            endpoint,
            text,
            input: start..start + input.len(),
            players: None,
            revision: None,
        }
    }

    /// The same key, whose input is none of the players that the file shows.
    pub(super) fn showing(self, players: Vec<String>) -> Self {
        let players = Some(players);
        Self { players, ..self }
    }

    /// The key of the file that shows this revision of the players' files.
    pub(crate) fn at(&self, revision: Revision) -> Self {
        let prefix = format!("x-{revision}-");
        let Range { start, end } = self.input;
        Self {
            text: format!("{prefix}{}", self.text),
            input: start + prefix.len()..end + prefix.len(),
            revision: Some(revision),
            ..self.clone()
        }
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn input(&self) -> &str {
        &self.text[self.input.clone()]
    }

    /// Returns what a look-up of the player costs. A player in the folder of skins takes no call.
    pub(crate) fn look_up_cost(&self) -> u32 {
        u32::from(self.revision.is_none())
    }

    /// The inputs of all players that the file shows.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &str> + Clone {
        let one = self.players.is_none().then(|| self.input());
        let several = self.players.iter().flatten().map(String::as_str);
        one.into_iter().chain(several)
    }
}

impl PictureParams {
    /// The key of this picture of an input.
    pub(super) fn key_of(&self, prefix: &str, input: &str) -> CacheKey {
        // No specified path begins with a word that starts with `x-`.
        let (x, word) = match self.spec {
            _ if self.allows_fallback => ("", self.endpoint.as_str()),
            None => ("x-", "skin"),
            Some(spec) => ("x-", spec.view.as_str()),
        };
        let mut key = CacheKey::begin(self.endpoint, [prefix, x, word], input);
        let written = self.write_key_end(&mut key.text);
        written.expect("writing to a string does not fail");
        key
    }

    /// Writes the last two parts of the cache key. They contain no underscore, so two requests have
    /// the same key only if they mean the same picture, whatever characters the input has.
    fn write_key_end(&self, key: &mut String) -> std::fmt::Result {
        let Some(spec) = self.spec else {
            return key.write_str("default_default");
        };
        if self.allows_fallback {
            return match spec.layers {
                _ if !spec.view.is_flat() => {
                    write_camera(spec.camera, key)?;
                    write!(key, "_{}", self.size)
                }
                Layers::Base => write!(key, "{}_default", self.size),
                Layers::WithOverlay => write!(key, "{}_hat", self.size),
            };
        }
        write!(key, "{}_", spec.size.get())?;
        if !spec.view.is_flat() {
            write_scene(&spec, key)?;
        }
        write!(key, "{}", spec.layers)?;
        if let Some([width, height]) = spec.frame {
            write!(key, "-in-{}x{}", width.get(), height.get())?;
        }
        write_decoration(spec.decoration, key)?;
        match self.format {
            ImageFormat::Png => Ok(()),
            other => write!(key, "-{other}"),
        }
    }
}

/// Writes camera, pose, light and cape, leaving out what isometric views have by default.
fn write_scene(spec: &PictureSpec, key: &mut String) -> std::fmt::Result {
    write_camera(spec.camera, key)?;
    key.write_str("-")?;
    if spec.pose != Pose::STAND {
        write_pose(spec.pose, key)?;
    }
    if spec.framing != Framing::Pose {
        write!(key, "{}-", spec.framing)?;
    }
    if spec.filter == Filter::Area {
        key.write_str("area-")?;
    }
    if spec.light != Light::None {
        write!(key, "{}-", spec.light)?;
    }
    key.write_str(if spec.has_cape { "cape-" } else { "" })
}

/// Writes the direction of an isometric camera, or the angles: `right`, `yaw25pitch10`.
fn write_camera(camera: Camera, key: &mut String) -> std::fmt::Result {
    match camera {
        Camera::Isometric(facing) => write!(key, "{facing}"),
        Camera::Orthographic { yaw, pitch } => write!(key, "yaw{yaw}pitch{pitch}"),
        other => write!(key, "{other:?}"),
    }
}

/// Writes the name of a pose; if it has none, the rotations of all parts in degrees.
fn write_pose(pose: Pose, key: &mut String) -> std::fmt::Result {
    let mut names = NamedPose::ALL.iter();
    if let Some(name) = names.find(|&&name| Pose::from(name) == pose) {
        return write!(key, "{name}-");
    }
    let arms = [pose.right_arm, pose.left_arm];
    let legs = [pose.right_leg, pose.left_leg];
    let parts = [[pose.head, pose.torso], arms, legs];
    for Rotation { x, y, z } in parts.into_iter().flatten() {
        write!(key, "[{x},{y},{z}]")?;
    }
    key.write_str(if pose.is_lowered { "lowered-" } else { "-" })
}

/// Writes what is around and behind the picture, if there is anything.
fn write_decoration(decoration: Decoration, key: &mut String) -> std::fmt::Result {
    if let Some(color) = decoration.background {
        write!(key, "-on-{:08x}", u32::from_be_bytes(color))?;
    }
    if decoration.padding > 0 {
        write!(key, "-padding{}", decoration.padding)?;
    }
    if decoration.shape != Shape::Square {
        write!(key, "-{}", decoration.shape)?;
    }
    key.write_str(if decoration.has_shadow { "-shadow" } else { "" })
}
