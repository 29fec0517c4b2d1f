//! Names below players, in letters of pixels like those of the game's name tags.

use crate::flat::Grid;
use crate::picture::arrangement::{Place, pixels};
use crate::picture::{Drawing, Placed};
use crate::{Picture, PictureSpec, Player};

/// The letters: each with its rows from the top, seven above the line and one below.
const FONT: &str = include_str!("../../assets/font.txt");

/// The letter for all others.
const REPLACEMENT: char = '\u{fffd}';

/// The width of a place, in pixels of letters, at which a pixel of a letter is as large as
/// possible.
const COLUMNS: u64 = 64;

/// The rows of a plate: those of the letters, one above and one below.
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
            u64::from(GAP + ROWS) * largest(width)
        } else {
            0
        }
    }

    /// Returns the names below the places of players. All have one size, at which the longest one
    /// fits. A name that does not fit even at the smallest size is cut.
    pub(crate) fn labels(
        &self,
        players: &[Option<Player<'_>>],
        places: &[Place],
    ) -> Vec<Placed<'static>> {
        let (true, Some(&Place { width, .. })) = (self.names, places.first()) else {
            return Vec::new();
        };
        let plate_of = |player: &Option<Player<'_>>| plate((*player)?.name, width as usize);
        let grids: Vec<Option<Grid>> = players.iter().map(plate_of).collect();
        let columns = grids.iter().flatten().map(|grid| grid.columns as u64);
        let fitting = u64::from(width) / columns.max().unwrap_or(1);
        let scale = pixels(fitting.min(largest(width.into())));
        let label = |(grid, place): (Option<Grid>, &Place)| {
            let grid = grid?;
            let size = [pixels(grid.columns as u64) * scale, ROWS * scale];
            let left = place.x + (width - size[0]) / 2;
            let drawing = Drawing::Flat(grid);
            let top = place.y + place.height + GAP * scale;
            Some(([left, top], Picture { size, drawing }))
        };
        grids.into_iter().zip(places).filter_map(label).collect()
    }
}

/// Returns the pixels of a letter's pixel at most, below a place of this width.
fn largest(width: u64) -> u64 {
    (width / COLUMNS).max(1)
}

/// Returns the rows of a letter.
fn letter(letter: char) -> impl Iterator<Item = &'static str> + Clone {
    let find = |first: char| FONT.lines().find_map(|line| line.strip_prefix(first));
    let rows = find(letter).or_else(|| find(REPLACEMENT));
    rows.unwrap_or_default().split_whitespace()
}

/// Returns the width of a letter with the column after it.
fn advance(of: char) -> usize {
    letter(of).next().map_or(0, str::len) + 1
}

/// Returns the columns of the plate with a name.
fn columns(name: &str) -> usize {
    2 * MARGIN + name.chars().map(advance).sum::<usize>().saturating_sub(1)
}

/// Returns a name on a plate of at most this many columns, unless there is none.
fn plate(name: &str, most: usize) -> Option<Grid> {
    const CUT: &str = "...";
    let name = if columns(name) <= most {
        name.to_owned()
    } else {
        let room = most.checked_sub(columns(CUT))?;
        let fitting = name.chars().scan(room, |left, letter| {
            *left = left.checked_sub(advance(letter))?;
            Some(letter)
        });
        fitting.chain(CUT.chars()).collect()
    };
    if name.is_empty() || name == CUT {
        return None;
    }
    let mut grid = Grid::blank(columns(&name), ROWS as usize);
    grid.texels.fill(PLATE);
    let mut left = MARGIN;
    for shown in name.chars() {
        for (y, row) in (1..).zip(letter(shown)) {
            for (x, _) in row.match_indices('#') {
                grid.texels[y * grid.columns + left + x] = LETTERS;
            }
        }
        left += advance(shown);
    }
    Some(grid)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_a_name_is_drawn() {
        let letters = ('A'..='Z')
            .chain('a'..='z')
            .chain('0'..='9')
            .chain("_.-# \u{fffd}".chars());
        for shown in letters {
            let line = FONT.lines().find(|line| line.starts_with(shown));
            let rows: Vec<&str> = line.map(|_| letter(shown).collect()).unwrap_or_default();
            assert!(matches!(rows.len(), 1..=8), "{shown}");
            assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{shown}");
        }
        assert!(letter('é').eq(letter(REPLACEMENT)));
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
