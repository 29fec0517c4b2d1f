//! Several players in one picture.

use crate::compose::shadow::Shadow;
use crate::compose::{Composition, Placed};
use crate::picture::{Picture, spec};
use crate::{PictureSpec, Player, RenderError};

/// A picture of several players.
#[derive(Debug)]
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
    /// The players side by side from left to right. Where one is missing, a place stays empty. Figures stand on
    /// one line. The decoration is that of the whole picture.
    ///
    /// # Errors
    ///
    /// Those of [`PictureSpec::sheet`].
    pub fn group<'a>(
        &self,
        players: &[Option<Player<'a>>],
    ) -> Result<Arrangement<'a>, RenderError> {
        let pictures = self.pictures(players)?;
        let grounds: Vec<Option<f32>> = pictures.iter().map(ground).collect();
        let lowest = grounds.iter().flatten().copied().fold(0.0, f32::max);
        let [width, height] = spec::checked(self.undecorated().outer())?;
        let padding = u32::from(self.decoration.padding);
        let mut places = Vec::with_capacity(players.len());
        for (number, ground) in (0..).zip(grounds) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a part of the height"
            )]
            let lower = ground.map_or(0, |ground| (lowest - ground).round() as u32);
            places.push(Place {
                x: position(u64::from(padding) + number * u64::from(width))?,
                y: padding + lower,
                width,
                height,
            });
        }
        self.arrange(pictures, places)
    }

    /// The players in rows of so many columns. Where one is missing, a place stays empty. The decoration is that
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
        let [width, height] = spec::checked(self.undecorated().outer())?;
        let padding = u64::from(self.decoration.padding);
        let mut places = Vec::with_capacity(players.len());
        for number in 0..players.len() as u64 {
            let [column, row] = [number % u64::from(columns), number / u64::from(columns)];
            places.push(Place {
                x: position(padding + column * (u64::from(width) + padding))?,
                y: position(padding + row * (u64::from(height) + padding))?,
                width,
                height,
            });
        }
        self.arrange(self.pictures(players)?, places)
    }

    /// The pictures of the players without decoration.
    fn pictures<'a>(
        &self,
        players: &[Option<Player<'a>>],
    ) -> Result<Vec<Option<Picture<'a>>>, RenderError> {
        let spec = self.undecorated();
        let picture = |player: &Option<Player<'a>>| player.map(|player| spec.picture(player));
        players
            .iter()
            .map(|player| picture(player).transpose())
            .collect()
    }

    fn arrange<'a>(
        &self,
        pictures: Vec<Option<Picture<'a>>>,
        places: Vec<Place>,
    ) -> Result<Arrangement<'a>, RenderError> {
        let padding = u64::from(self.decoration.padding);
        let right = places
            .iter()
            .map(|place| u64::from(place.x) + u64::from(place.width))
            .max();
        let bottom = places
            .iter()
            .map(|place| u64::from(place.y) + u64::from(place.height))
            .max();
        let [right, bottom] = right
            .zip(bottom)
            .map(<[u64; 2]>::from)
            .ok_or(RenderError::NoPlayers)?;
        let size = spec::checked([right + padding, bottom + padding])?;
        let placed = pictures
            .into_iter()
            .zip(&places)
            .filter_map(|(picture, place)| {
                Some(Placed {
                    picture: picture?,
                    at: [place.x, place.y],
                })
            });
        let composition = Composition {
            size,
            decoration: self.decoration,
            pictures: placed.collect(),
        };
        Ok(Arrangement {
            picture: composition.into(),
            places,
        })
    }
}

/// Returns the distance of the ground from the top of a picture, if it has one.
fn ground(picture: &Option<Picture<'_>>) -> Option<f32> {
    Some(Shadow::below(picture.as_ref()?)?.center[1])
}

/// Returns the position of a place, unless it is beyond all pictures.
fn position(pixels: u64) -> Result<u32, RenderError> {
    u32::try_from(pixels).map_err(|_| RenderError::TooLarge {
        width: pixels,
        height: pixels,
    })
}
