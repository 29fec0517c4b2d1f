//! Several players in one picture.

use crate::picture::{Picture, spec};
use crate::{PictureSpec, Player, RenderError};

/// A picture of several players.
#[derive(Debug)]
#[non_exhaustive]
pub struct Arrangement<'a> {
    /// The whole picture.
    pub picture: Picture<'a>,
    /// The place of each player, in their order.
    pub places: Vec<Place>,
}

/// A rectangle of a picture, in pixels from the top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The distance from the left edge.
    pub x: u32,
    /// The distance from the upper edge.
    pub y: u32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

impl PictureSpec {
    /// The players side by side from left to right. A missing player leaves a place empty. Figures stand on
    /// one line. The decoration is that of the whole picture.
    ///
    /// # Errors
    ///
    /// Those of [`PictureSpec::sheet`].
    pub fn group<'a>(
        &self,
        players: &[Option<Player<'a>>],
    ) -> Result<Arrangement<'a>, RenderError> {
        self.arrange(players, players.len() as u64, 0)
    }

    /// The players in rows of this many columns. A missing player leaves a place empty. The decoration is that
    /// of the whole picture.
    ///
    /// # Errors
    ///
    /// [`RenderError::NoPlayers`] without players or columns, [`RenderError::TooLarge`] if no PNG can hold the
    /// picture, and [`RenderError::FrameTooSmall`] if the view does not fit into the frame.
    pub fn sheet<'a>(
        &self,
        players: &[Option<Player<'a>>],
        columns: u32,
    ) -> Result<Arrangement<'a>, RenderError> {
        self.arrange(players, columns.into(), self.decoration.padding.into())
    }

    /// The players in rows, with this distance between two of them in pixels.
    fn arrange<'a>(
        &self,
        players: &[Option<Player<'a>>],
        columns: u64,
        distance: u64,
    ) -> Result<Arrangement<'a>, RenderError> {
        let count = players.len() as u64;
        if count.min(columns) == 0 {
            return Err(RenderError::NoPlayers);
        }
        let (inner, outer) = (spec::checked(self.view_size())?, self.framed());
        let padding = u64::from(self.decoration.padding);
        let counts = [count.min(columns), count.div_ceil(columns)];
        let pitch = outer.map(|side| side + distance);
        let size = [0, 1].map(|axis| counts[axis] * pitch[axis] - distance + 2 * padding);
        let size = spec::checked(size)?;
        let pixels = |number| u32::try_from(number).expect("a part of the picture");
        let places = (0..count).map(|number| Place {
            x: pixels(padding + number % columns * pitch[0]),
            y: pixels(padding + number / columns * pitch[1]),
            width: pixels(outer[0]),
            height: pixels(outer[1]),
        });
        let places: Vec<Place> = places.collect();
        let mut views = Vec::new();
        let lowest = places.last().map(|place| place.y);
        for (&player, &Place { x, y, .. }) in players.iter().zip(&places) {
            if let Some(player) = player {
                let size = match lowest == Some(y) {
                    true => self.at_lower_edge(player, inner),
                    false => inner,
                };
                views.push(self.view(player, &[self.pose], size, [x, y])?);
            }
        }
        let picture = Picture {
            size,
            decoration: self.decoration,
            views,
        };
        Ok(Arrangement { picture, places })
    }
}
