//! Names below players, in letters that resemble the game's name tags.

use crate::flat::Grid;
use crate::picture::arrangement::{Place, pixels};
use crate::picture::{Drawing, PlacedPicture};
use crate::{Picture, PictureSpec, Player};

/// The letters, a line for each: its rows from the top, seven above the baseline and one below.
const FONT: &str = include_str!("../../assets/font.txt");

/// Capitals that have no room for their accents, and the letters that are drawn instead.
const ACCENTED: [(&str, char); 8] = [
    ("ÀÁÂÃÄÅ", 'A'),
    ("Ç", 'C'),
    ("ÈÉÊË", 'E'),
    ("ÌÍÎÏ", 'I'),
    ("Ñ", 'N'),
    ("ÒÓÔÕÖØ", 'O'),
    ("ÙÚÛÜ", 'U'),
    ("ÝŸ", 'Y'),
];

/// The letter that stands for all letters without a shape.
const REPLACEMENT: char = '\u{fffd}';

/// The least number of dots across a place, which limits the size of a dot. A name that is wider
/// gets smaller dots.
const DOTS_OF_WIDTH: u64 = 64;

/// The rows of a plate: eight rows of letters, one above them and one below.
const ROWS: u32 = 10;

/// The rows between a player and the plate.
const GAP: u32 = 1;

/// The columns on either side of the letters.
const MARGIN: usize = 2;

const LETTERS: [u8; 4] = [255; 4];
const PLATE: [u8; 4] = [0, 0, 0, 153];

impl PictureSpec {
    /// Returns the height of the names below places of this width.
    pub(crate) fn label_height(&self, width: u64) -> u64 {
        if self.names {
            u64::from(GAP + ROWS) * largest_dot(width)
        } else {
            0
        }
    }

    /// Returns the names below the places of players. Their letters are of one size, at which the
    /// longest name fits. A name that doesn't fit even at the smallest size is cut.
    pub(crate) fn labels(
        &self,
        players: &[Option<Player<'_>>],
        places: &[Place],
    ) -> Vec<PlacedPicture<'static>> {
        let Some(&Place { width, .. }) = places.first() else {
            return Vec::new();
        };
        if !self.names {
            return Vec::new();
        }
        let mut plates = Vec::new();
        for (player, place) in players.iter().zip(places) {
            let Some(player) = player else {
                continue;
            };
            // The smallest dot is one pixel, so a place has at most one column for each pixel.
            let most_columns = width as usize;
            if let Some(grid) = plate(player.name, most_columns) {
                plates.push((grid, place));
            }
        }
        let widest = plates.iter().map(|(grid, _)| grid.columns as u64).max();
        let fitting = u64::from(width) / widest.unwrap_or(1);
        let dot = pixels(fitting.min(largest_dot(width.into())));
        plates
            .into_iter()
            .map(|(grid, place)| placed_below(grid, place, dot))
            .collect()
    }
}

/// Returns the picture of a plate in the middle below a place, with dots of this size.
fn placed_below(grid: Grid, place: &Place, dot: u32) -> PlacedPicture<'static> {
    let width = pixels(grid.columns as u64) * dot;
    let left = place.x + (place.width - width) / 2;
    let top = place.y + place.height + GAP * dot;
    PlacedPicture {
        at: [left, top],
        picture: Picture {
            size: [width, ROWS * dot],
            drawing: Drawing::Flat(grid),
        },
    }
}

/// Returns the greatest side in pixels of a dot below a place of this width. Letters consist of
/// dots.
fn largest_dot(width: u64) -> u64 {
    (width / DOTS_OF_WIDTH).max(1)
}

/// Returns the rows of a letter.
fn letter(letter: char) -> impl Iterator<Item = &'static str> + Clone {
    let find = |first: char| FONT.lines().find_map(|line| line.strip_prefix(first));
    let own = find(letter);
    let plain = || without_accent(letter).and_then(find);
    let rows = own.or_else(plain).or_else(|| find(REPLACEMENT));
    rows.unwrap_or_default().split_whitespace()
}

/// Returns the letter that is drawn instead of a capital with an accent.
fn without_accent(letter: char) -> Option<char> {
    let same = ACCENTED.iter().find(|(all, _)| all.contains(letter));
    same.map(|(_, plain)| *plain)
}

/// Returns the width of a letter with the column after it.
fn advance(of: char) -> usize {
    letter(of).next().map_or(0, str::len) + 1
}

/// Returns the columns of the plate with a name.
fn columns(name: &str) -> usize {
    2 * MARGIN + name.chars().map(advance).sum::<usize>().saturating_sub(1)
}

/// Returns a name on a plate of at most this many columns, unless nothing of it fits.
fn plate(name: &str, most_columns: usize) -> Option<Grid> {
    let shown = shortened(name, most_columns)?;
    if shown.is_empty() {
        return None;
    }
    let mut grid = Grid::blank(columns(&shown), ROWS as usize);
    grid.texels.fill(PLATE);
    let mut left = MARGIN;
    for character in shown.chars() {
        for (y, row) in (1..).zip(letter(character)) {
            for (x, _) in row.match_indices('#') {
                grid.texels[y * grid.columns + left + x] = LETTERS;
            }
        }
        left += advance(character);
    }
    Some(grid)
}

/// Returns a name if its plate has at most this many columns. Otherwise, returns its first letters
/// with three dots after them, or `None` if there is no room for a letter.
fn shortened(name: &str, most_columns: usize) -> Option<String> {
    const CUT: &str = "...";
    if columns(name) <= most_columns {
        return Some(name.to_owned());
    }
    let mut room = most_columns.checked_sub(columns(CUT))?;
    let mut shown = String::new();
    for character in name.chars() {
        let Some(rest) = room.checked_sub(advance(character)) else {
            break;
        };
        room = rest;
        shown.push(character);
    }
    if shown.is_empty() {
        return None;
    }
    Some(shown + CUT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_a_name_is_drawn() {
        let others = "áàâäãåæÆçéèêëíìîïñóòôöõøœŒúùûüýÿßðÐþÞ\u{fffd}";
        let letters = (' '..='~').chain(others.chars());
        for shown in letters {
            let line = FONT.lines().find(|line| line.starts_with(shown));
            let rows: Vec<&str> = line.map(|_| letter(shown).collect()).unwrap_or_default();
            assert!(matches!(rows.len(), 1..=8), "{shown}");
            assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{shown}");
        }
    }

    #[test]
    fn other_letters_are_replaced() {
        for (other, drawn) in [('Ä', 'A'), ('É', 'E'), ('Ø', 'O'), ('Ж', REPLACEMENT)] {
            assert!(letter(other).eq(letter(drawn)), "{other}");
        }
    }

    #[test]
    fn letters_differ() {
        let letters: Vec<Vec<&str>> = FONT
            .lines()
            .map(|line| line.split_whitespace().rev().take(8).collect())
            .collect();
        for (index, rows) in letters.iter().enumerate() {
            assert!(!letters[..index].contains(rows), "{rows:?}");
        }
    }

    #[test]
    fn long_names_are_cut() {
        let width = |name: &str| plate(name, 40).map(|grid| grid.columns);
        assert_eq!(width("Ada"), Some(columns("Ada")));
        assert_eq!(width("WWWWWWWWWWWWWWWW"), Some(columns("WWWWW...")));
        assert_eq!(width(""), None);
        // In a time that does not grow with the square of the length.
        assert_eq!(width(&"W".repeat(1 << 20)), width("WWWWWWWWWWWWWWWW"));
        assert!(plate("WW", 5).is_none());
    }
}
