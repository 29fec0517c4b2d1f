//! Several players in one picture.

use crate::picture::{Picture, Placed, spec};
use crate::{Camera, Crop, Decoration, NamedPose, PictureSpec, Player, RenderError, Shape, Size};

/// A picture of several players.
#[derive(Debug)]
#[non_exhaustive]
pub struct Arrangement<'a> {
    /// The whole picture.
    pub picture: Picture<'a>,
    /// The place of each player, in their order. Names are below.
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
    /// stand on one line. The decoration is that of the whole picture; outlines are around each.
    ///
    /// # Errors
    ///
    /// The errors are the ones of [`PictureSpec::sheet`].
    pub fn group<'a>(
        &self,
        players: &[Option<Player<'a>>],
    ) -> Result<Arrangement<'a>, RenderError> {
        let normalized = self.normalized();
        normalized.check_several()?;
        let count = players.len() as u64;
        let size = spec::checked(self.group_size(count))?;
        let (view, whole) = (spec::checked(self.view_size())?, size.map(u64::from));
        let content = whole.map(|side| side - 2 * u64::from(self.decoration.padding));
        let (place, inner) = match self.frame {
            Some(frame) => (frame.map(Size::get), view),
            None => {
                let [width, height] = self.decoration.shape.fitted(content, whole);
                let room = [width / count.max(1), height];
                let room = [room[0], room[1].saturating_sub(self.label_height(room[0]))];
                let shares = [0, 1].map(|axis| room[axis] as f64 / f64::from(view[axis]));
                let inner = view.map(|side| scaled(side, shares[0].min(shares[1])));
                (inner, inner)
            }
        };
        let label = pixels(self.label_height(place[0].into()));
        let corner = |number| Place {
            x: (size[0] - pixels(count) * place[0]) / 2 + number * place[0],
            y: (size[1] - place[1] - label) / 2,
            width: place[0],
            height: place[1],
        };
        self.arrange(size, players, corner, self.decoration, |_, player, at| {
            let bottom = if self.names {
                at.y + at.height
            } else {
                size[1]
            };
            normalized.view(player, &[self.pose], inner, *at, 0..bottom, None)
        })
    }

    /// The players in rows of this many columns, each in a picture with the decoration. Pictures of
    /// a shape stand apart. A missing player leaves a place empty.
    ///
    /// # Errors
    ///
    /// [`RenderError::NoPlayers`] without players or columns, [`RenderError::ContentOfSeveral`] for
    /// [`Crop::Content`], [`RenderError::TooLarge`] if no PNG
    /// can hold the picture, and [`RenderError::FrameTooSmall`] if the view does not fit into the
    /// frame.
    pub fn sheet<'a>(
        &self,
        players: &[Option<Player<'a>>],
        columns: u32,
    ) -> Result<Arrangement<'a>, RenderError> {
        self.check_several()?;
        let size = spec::checked(self.sheet_size(players.len() as u64, columns))?;
        let place = self.place_on_sheet(columns)?;
        self.arrange(
            size,
            players,
            place,
            Decoration::NONE,
            |_, player, place| Ok(([place.x, place.y], self.picture(player)?)),
        )
    }

    /// All named poses in rows of this many columns, worn by these players in turn. Instead of the
    /// names of players, it shows the words of poses. With [`Camera::DEFAULT`], each pose is seen by
    /// the camera of its own.
    ///
    /// # Errors
    ///
    /// The errors are the ones of [`PictureSpec::sheet`].
    pub fn sheet_of_poses<'a>(
        &self,
        players: &[Player<'a>],
        columns: u32,
    ) -> Result<Arrangement<'a>, RenderError> {
        let mut labeled = Vec::new();
        for (pose, player) in NamedPose::ALL.iter().zip(players.iter().cycle()) {
            labeled.push(Some(player.with_label(pose.as_str())));
        }
        let size = spec::checked(self.sheet_size(labeled.len() as u64, columns))?;
        let place = self.place_on_sheet(columns)?;
        self.arrange(
            size,
            &labeled,
            place,
            Decoration::NONE,
            |number, player, place| {
                let pose = NamedPose::ALL[number];
                let mut spec = self.with_pose(pose);
                if self.camera == Camera::DEFAULT {
                    spec.camera = pose.camera();
                }
                Ok(([place.x, place.y], spec.picture(player)?))
            },
        )
    }

    /// Returns the places of players on a sheet by their numbers.
    fn place_on_sheet(&self, columns: u32) -> Result<impl Fn(u32) -> Place, RenderError> {
        let [width, height] = spec::checked(self.outer())?;
        let pitch = self.sheet_pitch().map(pixels);
        Ok(move |number| Place {
            x: number % columns * pitch[0],
            y: number / columns * pitch[1],
            width,
            height,
        })
    }

    /// Width and height of [`PictureSpec::group`] for this many players. They may be more than a
    /// PNG can hold.
    #[must_use]
    pub fn group_size(&self, players: u64) -> [u64; 2] {
        let [width, height] = self.framed();
        let content = [
            width.saturating_mul(players),
            height + self.label_height(width),
        ];
        let padding = 2 * u64::from(self.decoration.padding);
        content.map(|side| side.saturating_add(padding))
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

    /// Returns an error if places of one size cannot show the crop.
    fn check_several(&self) -> Result<(), RenderError> {
        if self.normalized().crop == Crop::Content {
            return Err(RenderError::ContentOfSeveral);
        }
        Ok(())
    }

    /// Returns the distances from a player of a sheet to the next one on the right and below.
    fn sheet_pitch(&self) -> [u64; 2] {
        let [width, height] = self.outer();
        [width, height + self.label_height(width)].map(|side| side + self.sheet_gap())
    }

    /// Returns the distance between the pictures of a sheet. Those of a shape would look like one
    /// otherwise.
    pub(crate) fn sheet_gap(&self) -> u64 {
        match self.decoration.shape {
            Shape::Square => 0,
            _ => self.outer()[0].div_ceil(16),
        }
    }

    /// Puts the views of players, and their names, at their places.
    fn arrange<'a>(
        &self,
        size: [u32; 2],
        players: &[Option<Player<'a>>],
        place: impl Fn(u32) -> Place,
        decoration: Decoration,
        view: impl Fn(usize, Player<'a>, &Place) -> Result<Placed<'a>, RenderError>,
    ) -> Result<Arrangement<'a>, RenderError> {
        if players.is_empty() || size.contains(&0) {
            return Err(RenderError::NoPlayers);
        }
        let places: Vec<Place> = (0..).map(place).take(players.len()).collect();
        let mut views = Vec::new();
        for (number, (player, at)) in players.iter().zip(&places).enumerate() {
            if let Some(player) = player {
                views.push(view(number, *player, at)?);
            }
        }
        views.extend(self.labels(players, &places));
        let picture = Picture::composed(size, decoration, views);
        Ok(Arrangement { picture, places })
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a share of the side")]
fn scaled(side: u32, share: f64) -> u32 {
    ((f64::from(side) * share) as u32).max(1)
}

/// Returns a length that is no longer than the picture.
pub(crate) fn pixels(number: u64) -> u32 {
    u32::try_from(number).expect("a part of the picture")
}
