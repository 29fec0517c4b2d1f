//! Cache keys. Spec, "Common rules" 5.

use std::{fmt::Write as _, ops::Range};

use effigy_render::{Decoration, ImageFormat, Layers, Light, PictureSpec, Pose, Shape, View};
use effigy_upstream::Revision;

use super::params::{Content, PictureParams};
use crate::Endpoint;

/// Room in a key for what follows the input, in nearly all cases.
const KEY_END_BYTES: usize = 32;

/// A file that is cached under a key.
///
/// It owns one string, the key, which contains the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) endpoint: Endpoint,
    pub(crate) key: String,
    pub(super) input: Range<usize>,
    /// The inputs of the players of a file that shows several, and of their substitute.
    pub(super) players: Vec<String>,
    /// The revision of the players' files that the file shows.
    pub(crate) revision: Option<Revision>,
}

impl Entry {
    /// The entry of a file whose only parameter is the input.
    pub(crate) fn new(endpoint: Endpoint, input: &str) -> Self {
        let mut entry = Self::begin(endpoint, "", endpoint.word(), input);
        entry.key.push_str("default_default");
        entry
    }

    /// An entry whose key lacks its last two parts.
    pub(super) fn begin(endpoint: Endpoint, prefix: &str, word: &str, input: &str) -> Self {
        let start = prefix.len() + word.len() + 1;
        let mut key = String::with_capacity(start + input.len() + 1 + KEY_END_BYTES);
        key.extend([prefix, word, "_", input, "_"]);
        Self {
            endpoint,
            key,
            input: start..start + input.len(),
            players: Vec::new(),
            revision: None,
        }
    }

    /// The entry of the file that shows this revision of the players' files.
    pub(crate) fn at(&self, revision: Revision) -> Self {
        let prefix = format!("x-{revision}-");
        let Range { start, end } = self.input;
        Self {
            key: format!("{prefix}{}", self.key),
            input: start + prefix.len()..end + prefix.len(),
            revision: Some(revision),
            ..self.clone()
        }
    }

    /// The inputs of all players that the file shows.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &str> + Clone {
        let one = self.players.is_empty().then(|| self.input());
        one.into_iter()
            .chain(self.players.iter().map(String::as_str))
    }

    pub(crate) fn input(&self) -> &str {
        &self.key[self.input.clone()]
    }
}

impl PictureParams {
    /// The cache entry of this picture of an input.
    pub(super) fn entry_of(&self, prefix: &str, input: &str) -> Entry {
        let mut entry = Entry::begin(self.endpoint, prefix, self.key_word(), input);
        self.write_key_end(&mut entry.key)
            .expect("writing to a string does not fail");
        entry
    }

    /// The first part of the cache key.
    const fn key_word(&self) -> &'static str {
        // No specified path begins with a word that starts with `x-`.
        let spec = match self.content {
            Content::Texture {
                allows_fallback: false,
            } => return "x-skin",
            Content::Texture { .. } | Content::Specified { .. } => return self.endpoint.word(),
            Content::Extension { spec, .. } => spec,
        };
        match spec.view {
            View::Head => "x-head",
            View::Bust => "x-bust",
            View::Body => "x-body",
            View::Combo => "x-combo",
            View::IsometricHead => "x-isometric-head",
            View::IsometricBody => "x-isometric-body",
            View::Figure => "x-figure",
            View::Portrait => "x-portrait",
            View::HeadCube => "x-cube",
        }
    }

    /// Writes the last two parts of the cache key. They contain no underscore, so two requests have
    /// the same key only if they mean the same picture, whatever characters the input has.
    fn write_key_end(&self, key: &mut String) -> std::fmt::Result {
        match self.content {
            Content::Texture { .. } => key.write_str("default_default"),
            Content::Specified { default, size } => match default.layers {
                _ if !default.view.is_flat() => write!(key, "{}_{size}", default.camera),
                Layers::Base => write!(key, "{size}_default"),
                Layers::WithOverlay => write!(key, "{size}_hat"),
            },
            Content::Extension { spec, format } => {
                write!(key, "{}_", spec.size.get())?;
                if !spec.view.is_flat() {
                    write_scene(&spec, key)?;
                }
                write!(key, "{}", spec.layers)?;
                if let Some([width, height]) = spec.frame {
                    write!(key, "-in-{}x{}", width.get(), height.get())?;
                }
                write_decoration(spec.decoration, key)?;
                match format {
                    ImageFormat::Png => Ok(()),
                    ImageFormat::Svg => key.write_str("-svg"),
                }
            }
        }
    }
}

/// Writes camera, pose, light and cape, leaving out what isometric views have by default.
fn write_scene(spec: &PictureSpec, key: &mut String) -> std::fmt::Result {
    write!(key, "{}-", spec.camera)?;
    if spec.pose != Pose::STAND {
        write!(key, "{}-", spec.pose)?;
    }
    if spec.light != Light::None {
        write!(key, "{}-", spec.light)?;
    }
    if spec.has_cape {
        key.write_str("cape-")?;
    }
    Ok(())
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
    if decoration.has_shadow {
        key.write_str("-shadow")?;
    }
    Ok(())
}
