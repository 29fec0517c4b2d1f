//! Several players in one picture.

use crate::picture::{Picture, Placed, spec};
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
        let [width, _] = self.undecorated().outer();
        let places = (0..players.len() as u64).map(|number| [number * width, 0]);
        self.arrange(self.pictures(players)?, places.collect())
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
        if columns == 0 {
            return Err(RenderError::NoPlayers);
        }
        let padding = u64::from(self.decoration.padding);
        let steps = self.undecorated().outer().map(|side| side + padding);
        let columns = u64::from(columns);
        let places = (0..players.len() as u64)
            .map(|number| [number % columns * steps[0], number / columns * steps[1]]);
        self.arrange(self.pictures(players)?, places.collect())
    }

    /// The pictures of the players without decoration.
    fn pictures<'a>(
        &self,
        players: &[Option<Player<'a>>],
    ) -> Result<Vec<Option<Picture<'a>>>, RenderError> {
        let size = spec::checked(self.undecorated().inner())?;
        let picture = |player: &Option<Player<'a>>| {
            player.map(|player| self.bare_picture(player, &[self.pose], size))
        };
        players
            .iter()
            .map(|player| picture(player).transpose())
            .collect()
    }

    /// Puts each picture at its distance from the first place.
    fn arrange<'a>(
        &self,
        pictures: Vec<Option<Picture<'a>>>,
        distances: Vec<[u64; 2]>,
    ) -> Result<Arrangement<'a>, RenderError> {
        let padding = u64::from(self.decoration.padding);
        let one = self.undecorated().outer();
        let side = |axis: usize| {
            let furthest = distances.iter().map(|distance| distance[axis]).max();
            furthest.map(|furthest| furthest + one[axis] + 2 * padding)
        };
        let size = side(0).zip(side(1)).ok_or(RenderError::NoPlayers)?;
        let size = spec::checked(size.into())?;
        let pixels = |number| u32::try_from(number).expect("a part of the picture");
        let [width, height] = one.map(pixels);
        let places = distances.into_iter().map(|distance| {
            let [x, y] = distance.map(|distance| pixels(padding + distance));
            Place {
                x,
                y,
                width,
                height,
            }
        });
        let places: Vec<Place> = places.collect();
        let placed = pictures.into_iter().zip(&places);
        let placed = placed.filter_map(|(picture, &Place { x, y, .. })| {
            Some(Placed {
                picture: picture?,
                at: [x, y],
            })
        });
        Ok(Arrangement {
            picture: Picture::composed(size, self.decoration, placed.collect()),
            places,
        })
    }
}
