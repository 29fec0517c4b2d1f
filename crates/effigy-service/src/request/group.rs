//! Requests for several players in one picture.

use effigy_render::{Decoration, ImageFormat, PictureSpec};
use sha2::{Digest as _, Sha256};

use super::{key::CacheKey, params::PictureParams};

/// The most pixels of a picture of several players, which is drawn in memory.
const MAX_PIXELS: u64 = 1 << 24;

/// The arrangement of several players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroupLayout {
    /// Side by side, on one line.
    Line,
    /// In rows and columns.
    Sheet {
        /// The number of columns.
        columns: u32,
    },
}

/// The file that is made of an arrangement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GroupFile {
    /// The picture.
    Picture,
    /// The place of each player, in JSON.
    Places,
}

/// A request for several players in one picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRequest {
    pub(crate) spec: PictureSpec,
    pub(crate) layout: GroupLayout,
    pub(crate) file: GroupFile,
    /// The number of players, without the substitute.
    count: usize,
    pub(crate) key: CacheKey,
}

impl GroupRequest {
    /// A request for a picture of these players. Returns `None` without players or columns, and for a
    /// picture with too many pixels.
    #[must_use]
    pub fn new(spec: PictureSpec, layout: GroupLayout, players: Vec<String>) -> Option<Self> {
        let is_small = pixels(spec, layout, players.len())? <= MAX_PIXELS;
        let file = GroupFile::Picture;
        is_small.then(|| Self::of_file(spec, layout, file, players, None))
    }

    /// The request for a picture with this player in the places of those who are not available.
    #[must_use]
    pub fn with_substitute(self, player: &str) -> Self {
        let players = self.players().to_vec();
        Self::of_file(self.spec, self.layout, self.file, players, Some(player))
    }

    /// The request for the place of each player instead of the picture, in JSON.
    #[must_use]
    pub fn places(self) -> Self {
        let (players, file) = (self.players().to_vec(), GroupFile::Places);
        Self::of_file(self.spec, self.layout, file, players, self.substitute())
    }

    fn of_file(
        spec: PictureSpec,
        layout: GroupLayout,
        file: GroupFile,
        mut players: Vec<String>,
        substitute: Option<&str>,
    ) -> Self {
        let params = PictureParams::extension(spec, ImageFormat::Png);
        let (prefix, count) = (prefix(layout, file, substitute.is_some()), players.len());
        players.extend(substitute.map(str::to_owned));
        let key = params.key_of(&prefix, &hash(&players));
        Self {
            key: key.showing(players),
            spec,
            layout,
            file,
            count,
        }
    }

    /// The players as the caller gave them.
    #[must_use]
    pub fn players(&self) -> &[String] {
        &self.key.players.as_deref().unwrap_or_default()[..self.count]
    }

    /// The player in the places of those who are not available.
    pub(crate) fn substitute(&self) -> Option<&str> {
        let players = self.key.players.as_deref().unwrap_or_default();
        players.get(self.count).map(String::as_str)
    }

    /// The number of pixels, or slightly more.
    pub(crate) fn pixels(&self) -> u64 {
        pixels(self.spec, self.layout, self.count).unwrap_or(u64::MAX)
    }

    /// The parameters of each player's picture.
    #[must_use]
    pub const fn params(&self) -> PictureParams {
        PictureParams::extension(self.spec, ImageFormat::Png)
    }

    /// The key of the file in caches.
    #[must_use]
    pub fn key(&self) -> &str {
        self.key.as_str()
    }
}

/// Returns the beginning of a key. It contains no underscore, like that of every key.
fn prefix(layout: GroupLayout, file: GroupFile, has_substitute: bool) -> String {
    let layout = match layout {
        GroupLayout::Line => "x-group".to_owned(),
        GroupLayout::Sheet { columns } => format!("x-sheet{columns}"),
    };
    let file = match file {
        GroupFile::Picture => "",
        GroupFile::Places => "places-",
    };
    let substitute = if has_substitute { "default-" } else { "" };
    format!("{layout}-{file}{substitute}")
}

/// Returns a hash that no two lists of players have in common. A hundred of them are too long for a key.
fn hash(players: &[String]) -> String {
    let mut hasher = Sha256::new();
    for player in players {
        hasher.update((player.len() as u64).to_le_bytes());
        hasher.update(player);
    }
    let bytes = hasher.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns the number of pixels of an arrangement, or slightly more.
fn pixels(spec: PictureSpec, layout: GroupLayout, players: usize) -> Option<u64> {
    let players = u64::try_from(players).ok().filter(|players| *players > 0)?;
    let columns = match layout {
        GroupLayout::Line => players,
        GroupLayout::Sheet { columns } => players.min(columns.into()),
    };
    let rows = players.checked_div(columns)? + u64::from(players % columns > 0);
    let (one, padding) = (
        spec.with_decoration(Decoration::NONE),
        u64::from(spec.decoration.padding),
    );
    let side = |one: u64, count: u64| (one + padding).saturating_mul(count) + padding;
    Some(side(one.width(), columns).saturating_mul(side(one.height(), rows)))
}
