//! Keys of files. Spec, "Common rules" 5.

use std::{fmt::Debug, sync::Arc};

use effigy_player::{Edition, Model, PlayerId, lower_case, short_xuid};
use effigy_render::{Camera, Layers};
use effigy_upstream::{Revision, SkinSource};
use sha2::{Digest as _, Sha256};
use smallvec::SmallVec;
use twox_hash::XxHash3_128;

use super::{AllowedSkin, FileSpec, GroupRequest, PictureParams};

/// The key of a file: what it shows, with the files of its players in the folder of skins as they were when the key was
/// made. A changed skin makes another file, which every process with the same folder finds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    spec: Arc<FileSpec>,
    revision: Option<Revision>,
}

impl Key {
    pub(crate) fn new(spec: &Arc<FileSpec>, source: &dyn SkinSource, ignores_case: bool) -> Self {
        Self {
            revision: revision(spec, source),
            spec: if ignores_case {
                spec.folded()
            } else {
                Arc::clone(spec)
            },
        }
    }

    /// Returns `true` if files that show it may change at any time.
    pub(crate) const fn may_change(&self) -> bool {
        self.revision.is_some()
    }

    /// Returns `true` if the players' skins are still those that the file shows.
    pub(crate) fn is_current(&self, source: &dyn SkinSource) -> bool {
        revision(&self.spec, source) == self.revision
    }

    /// Returns the key in the store.
    pub(crate) fn text(&self) -> String {
        match self.revision {
            Some(revision) => format!("x-{revision:032x}-{}", self.spec.key()),
            None => self.spec.key(),
        }
    }
}

/// Returns an input in lower case, an XUID without the zeros that tell nothing, unless it is written so.
fn folded(input: &str) -> Option<String> {
    let mut bytes = input.bytes();
    if bytes.all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        short_xuid(input)
    } else {
        Some(lower_case(input))
    }
}

/// Returns the revision of all players together, or `None` if none of them is in the folder of skins.
fn revision(spec: &FileSpec, source: &dyn SkinSource) -> Option<Revision> {
    let inputs = spec.players();
    let all: SmallVec<[_; 1]> = inputs.map(|input| source.revision(input)).collect();
    let is_local = all.iter().any(Option::is_some);
    is_local.then(|| XxHash3_128::oneshot(format!("{all:?}").as_bytes()))
}

impl FileSpec {
    /// Returns the file of the same players in their one spelling, if it does not show how they are written.
    fn folded(self: &Arc<Self>) -> Arc<Self> {
        let file = match &**self {
            Self::Picture(params, input) => folded(input).map(|one| Self::Picture(*params, one)),
            // Nobody but the client tells how a gamertag is written.
            Self::Profile(input) if PlayerId::edition_of(input) == Edition::Java => {
                folded(input).map(Self::Profile)
            }
            Self::Cape(input, size) => folded(input).map(|one| Self::Cape(one, *size)),
            Self::Group(group) if !group.is_places && !group.spec.has_names => {
                let one = |input: &String| folded(input).unwrap_or_else(|| input.clone());
                Some(Self::Group(GroupRequest {
                    players: group.players.iter().map(one).collect(),
                    substitute: group.substitute.as_ref().map(one),
                    ..group.clone()
                }))
            }
            Self::Profile(_) | Self::Group(_) | Self::Texture(..) => None,
        };
        file.map_or_else(|| Arc::clone(self), Arc::new)
    }

    /// Returns the key in the store, if no player is in the folder of skins. Spec, "Common rules" 5.
    #[must_use]
    pub fn key(&self) -> String {
        // No specified path begins with a word that starts with `x-`.
        match self {
            Self::Picture(params, input) => params.key("", input),
            Self::Texture(params, hash, Model::Classic) => params.key("x-classic-", hash.as_str()),
            Self::Texture(params, hash, Model::Slim) => params.key("x-slim-", hash.as_str()),
            // A hundred players are too long for a key.
            Self::Group(group) => group.params().key("x-group-", &digest(group)),
            Self::Profile(input) => format!("x-profile_{input}_default_default"),
            Self::Cape(input, size) => {
                let size = size.map_or("default".to_owned(), |size| size.get().to_string());
                format!("x-cape_{input}_{size}_default")
            }
        }
    }
}

impl PictureParams {
    /// Returns the key of this picture of an input. The prefix is the start of its first word.
    fn key(&self, prefix: &str, input: &str) -> String {
        let x = match self.skin {
            AllowedSkin::Own => "x-own-",
            AllowedSkin::Default => "x-",
            AllowedSkin::Fallback => "",
        };
        let word = match self.spec {
            Some(spec) if !x.is_empty() => spec.view.as_str(),
            _ => self.endpoint.as_str(),
        };
        format!("{prefix}{x}{word}_{input}_{}", self.key_end())
    }

    /// Returns the last two parts of the key. They contain no underscore, so two requests have
    /// the same key only if they mean the same picture, whatever characters the input has.
    fn key_end(&self) -> String {
        let Some(spec) = self.spec else {
            return "default_default".to_owned();
        };
        if self.skin != AllowedSkin::Fallback {
            let (size, digest) = (spec.size.get(), digest(&(spec, self.format, self.motion)));
            return format!("{size}_{digest}");
        }
        let size = self
            .size
            .map_or("default".to_owned(), |pixels| pixels.to_string());
        match (spec.camera, spec.layers) {
            (Camera::Isometric(facing), _) if !spec.view.is_flat() => format!("{facing}_{size}"),
            (_, Layers::Base) => format!("{size}_default"),
            _ => format!("{size}_hat"),
        }
    }
}

/// Returns 128 bits, in hexadecimal digits, of a hash that nobody finds two values of. Other versions may have
/// another one for the same value.
fn digest(value: &impl Debug) -> String {
    let hash: [u8; 32] = Sha256::digest(format!("{value:?}")).into();
    let half = hash.first_chunk().expect("it has 32 bytes");
    format!("{:032x}", u128::from_be_bytes(*half))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use effigy_render::{PictureSpec, Size, View};

    use super::*;

    #[test]
    fn an_input_has_one_spelling() {
        let uuid = format!("{:032}", 25);
        let rows = [
            ("notch", "notch"),
            ("Notch", "notch"),
            (".Two Words", ".two words"),
            (".\u{c9}COLE", ".\u{e9}cole"),
            // Others have the same small letter.
            (".\u{212a}arl", ".\u{212a}arl"),
            ("\u{212a}NIGHT", "\u{212a}night"),
            (".\u{2126}\u{130}", ".\u{2126}\u{130}"),
            (
                "069A79F444E94726A5BEFCA90E38AAF5",
                "069a79f444e94726a5befca90e38aaf5",
            ),
            ("00002535", "00002535"),
            ("00000000002535", "00002535"),
            ("0000", "0000"),
            ("00000", "00000"),
            ("0042", "0042"),
            (&uuid, &uuid),
        ];
        for (input, expected) in rows {
            let found = folded(input);
            assert_eq!(found.as_deref().unwrap_or(input), expected, "{input}");
        }
    }

    #[test]
    fn files_that_show_how_a_player_is_written_have_each_its_own_key() {
        let group = |names| {
            let spec = PictureSpec::new(View::Face, Size::px(8)).with_names(names);
            move |player: &str| {
                let request = GroupRequest::new(spec, None, vec![player.to_owned()]);
                FileSpec::Group(request.expect("one player"))
            }
        };
        let profile = |player: &str| FileSpec::Profile(player.to_owned());
        type Spec<'a> = &'a dyn Fn(&str) -> FileSpec;
        let rows: [(Spec<'_>, &str, &str, bool); 5] = [
            (&profile, "Notch", "NOTCH", true),
            (&profile, ".Tag", ".TAG", false),
            (&group(false), ".Tag", ".TAG", true),
            (&group(true), ".Tag", ".TAG", false),
            (&group(true), "00002535", "000002535", false),
        ];
        for (spec, one, other, is_same) in rows {
            let [one, other] = [one, other].map(|player| Arc::new(spec(player)).folded());
            assert_eq!(one == other, is_same, "{one:?}");
        }
    }

    /// The folder of skins may have the fallback's.
    #[test]
    fn a_file_may_show_the_fallback() {
        let rows: [(PictureParams, &str, &[&str]); 4] = [
            (PictureParams::SKIN, ".Tag", &[".Tag", "Steve"]),
            (PictureParams::SKIN, "00001", &["00001", "Steve"]),
            (PictureParams::SKIN, "Notch", &["Notch"]),
            (PictureParams::OWN_SKIN, ".Tag", &[".Tag"]),
        ];
        for (params, input, expected) in rows {
            let spec = params.of_player(input).spec;
            assert!(spec.players().eq(expected.iter().copied()), "{input}");
        }
    }

    #[test]
    fn keys_of_several_players() {
        let head = PictureSpec::new(View::Face, Size::new(64).unwrap());
        let request = |columns, players: &[&str]| {
            let players = players.iter().map(|&name| name.to_owned()).collect();
            GroupRequest::new(head, columns, players).unwrap()
        };
        let places_of = |request| GroupRequest {
            is_places: true,
            ..request
        };
        let (group, sheet) = (None, Some);
        let requests = [
            request(group, &["a", "b"]),
            places_of(request(group, &["a", "b"])),
            request(group, &["b", "a"]),
            request(group, &["ab"]),
            request(group, &["a,b"]),
            request(group, &["a", "b", "a"]),
            request(sheet(1), &["a", "b"]),
            request(sheet(2), &["a", "b"]),
            places_of(request(sheet(2), &["a", "b"])),
            request(sheet(11), &["a", "b"]),
        ];
        let mut keys = HashSet::new();
        for request in requests {
            let key = FileSpec::Group(request).key();
            assert!(key.starts_with("x-") && key.contains("_64_"), "{key}");
            assert_eq!(key.matches('_').count(), 3, "{key}");
            assert!(keys.insert(key.clone()), "{key}");
        }
    }
}
