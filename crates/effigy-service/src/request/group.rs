//! Requests for several players in one picture.

use effigy_render::{ImageFormat, PictureSpec};

use super::{FILE_BYTES, PictureParams};

/// The most pixels of a picture of several players, which is drawn in memory.
const MAX_PIXELS: u64 = 1 << 24;

/// A request for several players in one picture.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroupRequest {
    pub(crate) spec: PictureSpec,
    /// The columns of a sheet. In a group, all players stand on one line.
    pub(crate) columns: Option<u32>,
    /// `true` if the file is not the picture, but the place of each player.
    pub is_places: bool,
    pub(crate) players: Vec<String>,
    /// The player in the places of those who are not available.
    pub substitute: Option<String>,
}

impl GroupRequest {
    /// A request for a picture of these players: in rows of so many columns, or side by side on one line.
    /// Returns `None` without players, for no columns, and for a picture with too many pixels.
    #[must_use]
    pub fn new(spec: PictureSpec, columns: Option<u32>, players: Vec<String>) -> Option<Self> {
        let request = Self {
            spec,
            columns,
            is_places: false,
            players,
            substitute: None,
        };
        (request.pixels()? <= MAX_PIXELS).then_some(request)
    }

    /// The parameters of each player's picture.
    #[must_use]
    pub const fn params(&self) -> PictureParams {
        PictureParams::extension(self.spec, ImageFormat::Png)
    }

    /// Returns the memory that the picture takes while it is drawn.
    pub(crate) fn drawing_bytes(&self) -> u64 {
        let columns = (self.columns).map_or(self.players.len() as u64, u64::from);
        self.spec.drawing_bytes(columns).saturating_add(FILE_BYTES)
    }

    /// Returns the number of pixels. Returns `None` without players or columns.
    pub(crate) fn pixels(&self) -> Option<u64> {
        let players = self.players.len() as u64;
        let [width, height] = match self.columns {
            None => self.spec.group_size(players),
            Some(columns) => self.spec.sheet_size(players, columns),
        };
        let pixels = width.saturating_mul(height);
        (players > 0 && pixels > 0).then_some(pixels)
    }
}

#[cfg(test)]
mod tests {
    use effigy_render::{Size, View};

    use super::*;
    use crate::FileSpec;

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
        for (index, request) in requests.iter().enumerate() {
            let key = FileSpec::Group(request.clone()).key();
            assert!(key.starts_with("x-") && key.contains("_64_"), "{key}");
            assert_eq!(key.matches('_').count(), 3, "{key}");
            let earlier = requests[..index]
                .iter()
                .find(|other| FileSpec::Group((*other).clone()).key() == key);
            assert_eq!(earlier, None, "{key}");
        }
    }
}
