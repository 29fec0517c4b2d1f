//! Several players in one picture.

use crate::picture::spec::checked;
use crate::picture::spec::drawing::Subject;
use crate::picture::{Picture, PlacedPicture};
use crate::{Camera, Crop, Decoration, NamedPose, PictureSpec, Player, RenderError, Shape, Size};

/// A picture of several players.
#[derive(Debug)]
#[non_exhaustive]
pub struct Arrangement<'a> {
    /// The whole picture.
    pub picture: Picture<'a>,
    /// The place of each player, in the order of the players. Names are below their places.
    pub places: Vec<Place>,
}

/// A rectangle of a picture, in pixels from the top left corner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
    /// The players side by side from left to right. A missing player leaves a place empty. Figures
    /// stand on one line. The decoration surrounds all players together, an outline each of them.
    ///
    /// # Errors
    ///
    /// The errors of [`PictureSpec::sheet`].
    pub fn group<'a>(
        &self,
        players: &[Option<Player<'a>>],
    ) -> Result<Arrangement<'a>, RenderError> {
        let spec = self.normalized();
        spec.check_crop_of_several()?;
        let size = checked(spec.group_size(players.len() as u64))?;
        let full_view_size = checked(spec.full_view_size())?;
        check_players(players, size)?;
        let layout = spec.group_layout(players.len(), size, full_view_size);
        let draw = |_, player, place: Place| {
            // The body of a portrait continues to the end of the picture, or to the name below it.
            let bottom = if spec.names {
                place.y + place.height
            } else {
                size[1]
            };
            let subject = Subject {
                player,
                poses: &[spec.pose],
                content: None,
            };
            spec.view(subject, layout.view_size, place, 0..bottom)
        };
        spec.arrange(size, players, layout.places, spec.decoration, draw)
    }

    /// The players in rows of this many columns, each in a picture with the decoration. If the
    /// decoration has a shape, the pictures stand apart. A missing player leaves a place empty.
    ///
    /// # Errors
    ///
    /// [`RenderError::NoPlayers`] without players or columns, [`RenderError::ContentOfSeveral`] for
    /// [`Crop::Content`], [`RenderError::TooLarge`] if no PNG can hold the picture, and
    /// [`RenderError::FrameTooSmall`] if the view does not fit into the frame.
    pub fn sheet<'a>(
        &self,
        players: &[Option<Player<'a>>],
        columns: u32,
    ) -> Result<Arrangement<'a>, RenderError> {
        self.sheet_of(players, columns, |_| *self)
    }

    /// All named poses in rows of this many columns, worn by these players in turn. Instead of the
    /// names of players, it shows the words of poses. With [`Camera::DEFAULT`], each pose is seen
    /// by its own camera.
    ///
    /// # Errors
    ///
    /// The errors of [`PictureSpec::sheet`].
    pub fn sheet_of_poses<'a>(
        &self,
        players: &[Player<'a>],
        columns: u32,
    ) -> Result<Arrangement<'a>, RenderError> {
        let mut labeled = Vec::new();
        for (pose, player) in NamedPose::ALL.iter().zip(players.iter().cycle()) {
            labeled.push(Some(player.with_label(pose.as_str())));
        }
        self.sheet_of(&labeled, columns, |number| {
            let pose = NamedPose::ALL[number];
            let mut spec = self.with_pose(pose);
            if self.camera == Camera::DEFAULT {
                spec.camera = pose.camera();
            }
            spec
        })
    }

    /// Returns a sheet of players, each with a specification by its number.
    fn sheet_of<'a>(
        &self,
        players: &[Option<Player<'a>>],
        columns: u32,
        spec_of: impl Fn(usize) -> PictureSpec,
    ) -> Result<Arrangement<'a>, RenderError> {
        self.check_crop_of_several()?;
        let size = checked(self.sheet_size(players.len() as u64, columns))?;
        let place_size = checked(self.picture_size())?;
        check_players(players, size)?;
        let places = self.sheet_places(players.len(), columns, place_size);
        let draw = |number, player, place: Place| {
            Ok(PlacedPicture {
                at: [place.x, place.y],
                picture: spec_of(number).picture(player)?,
            })
        };
        self.arrange(size, players, places, Decoration::NONE, draw)
    }

    /// Puts the views of players, and their names, at their places.
    fn arrange<'a>(
        &self,
        size: [u32; 2],
        players: &[Option<Player<'a>>],
        places: Vec<Place>,
        decoration: Decoration,
        draw: impl Fn(usize, Player<'a>, Place) -> Result<PlacedPicture<'a>, RenderError>,
    ) -> Result<Arrangement<'a>, RenderError> {
        let mut views = Vec::new();
        for (number, (player, place)) in players.iter().zip(&places).enumerate() {
            if let Some(player) = player {
                views.push(draw(number, *player, *place)?);
            }
        }
        views.extend(self.labels(players, &places));
        let picture = Picture::composed(size, decoration, views);
        Ok(Arrangement { picture, places })
    }

    /// Width and height of [`PictureSpec::group`] for this many players. They may be more than a
    /// PNG can hold.
    #[must_use]
    pub fn group_size(&self, players: u64) -> [u64; 2] {
        let [width, height] = self.frame_size();
        let content = [
            width.saturating_mul(players),
            height + self.label_height(width),
        ];
        let padding = 2 * u64::from(self.decoration.padding);
        content.map(|side| side.saturating_add(padding))
    }

    /// Returns the places of players in a group of this width and height. Without a frame, views
    /// become smaller if the shape leaves less room for them than their full size.
    fn group_layout(
        &self,
        players: usize,
        size: [u32; 2],
        full_view_size: [u32; 2],
    ) -> GroupLayout {
        let view_size = match self.frame {
            Some(_) => full_view_size,
            None => self.fitting_view_size(players as u64, size, full_view_size),
        };
        let [width, height] = match self.frame {
            Some(frame) => frame.map(Size::get),
            None => view_size,
        };
        let label = pixels(self.label_height(width.into()));
        let width_of_all = pixels(players as u64 * u64::from(width));
        let left = (size[0] - width_of_all) / 2;
        let top = (size[1] - height - label) / 2;
        let mut places = Vec::new();
        for number in 0..players as u64 {
            places.push(Place {
                x: left + pixels(number * u64::from(width)),
                y: top,
                width,
                height,
            });
        }
        GroupLayout { view_size, places }
    }

    /// Returns the size at which the views of a group fit into its shape.
    fn fitting_view_size(&self, players: u64, size: [u32; 2], full: [u32; 2]) -> [u32; 2] {
        let whole = size.map(u64::from);
        let padding = 2 * u64::from(self.decoration.padding);
        let inside_padding = whole.map(|side| side - padding);
        let [width, height] = self.decoration.shape.fitted(inside_padding, whole);
        let view_width = width / players;
        // The final views may be narrower. Then the names below them are no higher than these.
        let view_height = height.saturating_sub(self.label_height(view_width));
        let across = view_width as f64 / f64::from(full[0]);
        let down = view_height as f64 / f64::from(full[1]);
        full.map(|side| scaled(side, across.min(down)))
    }

    /// Width and height of [`PictureSpec::sheet`] for this many players. They may be more than a
    /// PNG can hold.
    #[must_use]
    pub fn sheet_size(&self, players: u64, columns: u32) -> [u64; 2] {
        let columns = players.min(columns.into());
        let rows = players.div_ceil(columns.max(1));
        let [width, height] = self.sheet_pitch();
        [width.saturating_mul(columns), height.saturating_mul(rows)]
            .map(|side| side.saturating_sub(self.sheet_gap()))
    }

    /// Returns the places of players on a sheet.
    fn sheet_places(&self, players: usize, columns: u32, size: [u32; 2]) -> Vec<Place> {
        let [width, height] = size;
        let columns = u64::from(columns);
        let pitch = self.sheet_pitch();
        let mut places = Vec::new();
        for number in 0..players as u64 {
            places.push(Place {
                x: pixels(number % columns * pitch[0]),
                y: pixels(number / columns * pitch[1]),
                width,
                height,
            });
        }
        places
    }

    /// Returns the distances from a player of a sheet to the next one on the right and below.
    fn sheet_pitch(&self) -> [u64; 2] {
        let [width, height] = self.picture_size();
        [width, height + self.label_height(width)].map(|side| side + self.sheet_gap())
    }

    /// The distance in pixels between the pictures of a [`sheet`](PictureSpec::sheet). It is 0
    /// unless the decoration has a shape: shapes that touch would look like one.
    #[must_use]
    pub fn sheet_gap(&self) -> u64 {
        match self.decoration.shape {
            Shape::Square => 0,
            _ => self.picture_size()[0].div_ceil(16),
        }
    }

    /// Returns an error if places of one size cannot show the crop.
    fn check_crop_of_several(&self) -> Result<(), RenderError> {
        if self.normalized().crop == Crop::Content {
            return Err(RenderError::ContentOfSeveral);
        }
        Ok(())
    }
}

/// The places of the players of a group.
struct GroupLayout {
    /// Width and height of the view in each place.
    view_size: [u32; 2],
    places: Vec<Place>,
}

/// Returns an error if a picture of this width and height has no place for a player.
fn check_players(players: &[Option<Player<'_>>], size: [u32; 2]) -> Result<(), RenderError> {
    if players.is_empty() || size.contains(&0) {
        return Err(RenderError::NoPlayers);
    }
    Ok(())
}

#[expect(clippy::cast_possible_truncation, reason = "a share of the side")]
fn scaled(side: u32, share: f64) -> u32 {
    ((f64::from(side) * share) as u32).max(1)
}

/// Converts the length of a part of a picture.
pub(crate) fn pixels(length: u64) -> u32 {
    u32::try_from(length).expect("a part of the picture")
}
