//! The players of pictures, and their places.

use std::ops::Range;

use crate::flat::{FlatView, Grid, layout};
use crate::model::Part;
use crate::picture::crop::{Content, Enlargement};
use crate::picture::outline::Stroke;
use crate::picture::spec::checked;
use crate::picture::{Drawing, Picture, PlacedPicture};
use crate::scene::Scene;
use crate::scene::figure::{self, Figure};
use crate::scene::projection::Projection;
use crate::{
    Crop, Framing, Model, Outline, PictureSpec, Place, Player, Pose, RenderError, Size, View,
};

/// A player, and the room that a picture has for it.
#[derive(Clone, Copy)]
pub(crate) struct Subject<'a, 'p> {
    pub(crate) player: Player<'a>,
    /// The poses for which there is room.
    pub(crate) poses: &'p [Pose],
    /// The part of the view to which the picture is cut, unless it shows all of it.
    pub(crate) content: Option<Content>,
}

impl PictureSpec {
    /// The picture of a player, with room for all these poses.
    pub(crate) fn picture_with_room<'a>(
        &self,
        player: Player<'a>,
        poses: &[Pose],
    ) -> Result<Picture<'a>, RenderError> {
        self.picture_of(Subject {
            player,
            poses,
            content: self.content(player, poses),
        })
    }

    /// The picture of a subject.
    pub(crate) fn picture_of<'a>(
        &self,
        subject: Subject<'a, '_>,
    ) -> Result<Picture<'a>, RenderError> {
        let spec = self.normalized();
        let full_view_size = match subject.content {
            Some(content) => content.size(spec.size.get(), spec.outline_width().into()),
            None => spec.full_view_size_of(subject.player),
        };
        let view_size = checked(spec.view_size_in_shape(full_view_size))?;
        let picture_size = checked(spec.picture_size_around(full_view_size))?;
        let [width, height] = match spec.frame {
            Some(frame) => frame.map(Size::get),
            None => view_size,
        };
        let frame = Place {
            x: (picture_size[0] - width) / 2,
            y: (picture_size[1] - height) / 2,
            width,
            height,
        };
        let all_rows = 0..picture_size[1];
        let placed_view = spec.view(subject, view_size, frame, all_rows)?;
        let views = vec![placed_view];
        Ok(Picture::composed(picture_size, spec.decoration, views))
    }

    /// Returns the visible part of a player, with room for all these poses, if the picture is cut
    /// to it.
    pub(crate) fn content(&self, player: Player<'_>, poses: &[Pose]) -> Option<Content> {
        let spec = self.normalized();
        if spec.crop != Crop::Content || spec.view.is_flat() {
            return None;
        }
        let whole = PictureSpec {
            crop: Crop::Full,
            ..spec
        };
        let subject = Subject {
            player,
            poses,
            content: None,
        };
        let scene = whole.scene(subject, Content::MEASURED_SIZE, 0);
        Some(Content::of(&scene))
    }

    /// Returns the full width and height of the view of a player, if it isn't cut to its content.
    fn full_view_size_of(&self, player: Player<'_>) -> [u64; 2] {
        let [width, height] = self.full_view_size();
        if self.is_narrow(player) {
            return [(width * 14 + 8) / 16, height];
        }
        [width, height]
    }

    /// Returns `true` for a flat view without the empty columns next to the arms of a slim player.
    fn is_narrow(&self, player: Player<'_>) -> bool {
        let is_cut = self.view.narrows() && self.crop == Crop::Content;
        is_cut && self.model_of(player) == Model::Slim
    }

    fn model_of(&self, player: Player<'_>) -> Model {
        self.model.unwrap_or(player.skin.model())
    }

    fn is_upside_down(&self, player: Player<'_>) -> bool {
        !self.view.is_flat() && self.upside_down.unwrap_or(player.upside_down)
    }

    /// Returns the view of a subject in the middle of its frame, with this width and height. Views
    /// that show a part of a figure may continue to the first or the last one of `all_rows`. The
    /// specification is normalized.
    pub(crate) fn view<'a>(
        &self,
        subject: Subject<'a, '_>,
        view_size: [u32; 2],
        frame: Place,
        all_rows: Range<u32>,
    ) -> Result<PlacedPicture<'a>, RenderError> {
        let [width, height] = view_size;
        if width > frame.width || height > frame.height {
            return Err(RenderError::FrameTooSmall {
                width,
                height,
                frame: [frame.width, frame.height],
            });
        }
        let left = frame.x + (frame.width - width) / 2;
        let top = frame.y + (frame.height - height) / 2;
        let shown_rows = self.shown_rows(subject.player, top..top + height, all_rows);
        let size = [width, shown_rows.end - shown_rows.start];
        // At least a pixel stays between the lines on both sides.
        let widest = (width.min(height) - 1) / 2;
        let margin = u32::from(self.outline_width()).min(widest);
        let player_picture = self.player_picture(subject, size, margin);
        Ok(PlacedPicture {
            at: [left, shown_rows.start],
            picture: self.outlined(player_picture, size, margin),
        })
    }

    /// Returns the rows that a view fills: its own, or more if it shows a part of a figure, which
    /// would end in the air otherwise.
    fn shown_rows(
        &self,
        player: Player<'_>,
        own_rows: Range<u32>,
        all_rows: Range<u32>,
    ) -> Range<u32> {
        let shows_part = self.view == View::Portrait || self.crop == Crop::Head;
        if !shows_part || self.frame.is_some() {
            return own_rows;
        }
        if self.is_upside_down(player) {
            all_rows.start..own_rows.end
        } else {
            own_rows.start..all_rows.end
        }
    }

    /// Returns a picture of this width and height with the outline of a player's picture.
    fn outlined<'a>(&self, player: Picture<'a>, size: [u32; 2], width: u32) -> Picture<'a> {
        let Some(Outline { color, .. }) = self.outline else {
            return player;
        };
        if width == 0 {
            return player;
        }
        let at = [0, 1].map(|axis| (size[axis] - player.size[axis]) / 2);
        let placed = PlacedPicture {
            at,
            picture: player,
        };
        Picture {
            size,
            drawing: Drawing::Outlined(Stroke { color, width }, Box::new(placed)),
        }
    }

    /// Returns the picture of a player without its outline, for which the margin leaves room. A
    /// scene is as large as the whole; a flat view is smaller by the margin.
    fn player_picture<'a>(
        &self,
        subject: Subject<'a, '_>,
        size: [u32; 2],
        margin: u32,
    ) -> Picture<'a> {
        if let Some(grid) = self.flat_grid(subject.player) {
            return Picture {
                size: size.map(|side| side - 2 * margin),
                drawing: Drawing::Flat(grid),
            };
        }
        let scene = self.scene(subject, size, margin);
        Picture {
            size,
            drawing: Drawing::Scene(Box::new(scene)),
        }
    }

    /// Returns the texels of a flat view, or `None` for a scene.
    fn flat_grid(&self, player: Player<'_>) -> Option<Grid> {
        let is_narrow = self.is_narrow(player);
        let flat = match self.view {
            View::Face => FlatView::FACE,
            View::Bust if is_narrow => FlatView::NARROW_BUST,
            View::Bust => FlatView::BUST,
            View::Body if is_narrow => FlatView::NARROW_BODY,
            View::Body => FlatView::BODY,
            View::BodyBack => FlatView::BODY_BACK,
            View::BodyLeft => FlatView::BODY_LEFT,
            View::BodyRight => FlatView::BODY_RIGHT,
            View::Combo => FlatView::COMBO,
            View::Layout => return Some(layout(player.skin, self.layers)),
            View::IsometricHead | View::IsometricBody => return None,
            View::Figure | View::Portrait | View::Cube => return None,
        };
        let model = self.model_of(player);
        Some(flat.compose(player.skin, model, self.layers, self.least_alpha()))
    }

    /// Returns the scene of a subject, of this width and height and with room for a margin.
    fn scene<'a>(&self, subject: Subject<'a, '_>, size: [u32; 2], margin: u32) -> Scene<'a> {
        let player = subject.player;
        let figure = self.figure(player);
        let casts_shadow = self.decoration.shadow && self.sees_ground(&figure);
        let shows_shadow = match subject.content {
            Some(content) => content.has_shadow(),
            None => true,
        };
        let viewer = self.camera.projection();
        Scene {
            player,
            figure,
            projection: self.subject_projection(subject, figure, casts_shadow, size, margin),
            lighting: self
                .light
                .lighting(self.brightness, self.light_from, &viewer),
            filter: self.filter,
            camera: self.camera,
            has_shadow: casts_shadow && shows_shadow,
            least_alpha: self.least_alpha(),
            size,
        }
    }

    /// Returns the projection of a subject on a picture of this width and height, inside a margin.
    /// There is room for the subject's poses, for everything that `figure` may have on its back, and
    /// for a shadow if it casts one.
    fn subject_projection(
        &self,
        subject: Subject<'_, '_>,
        figure: Figure,
        casts_shadow: bool,
        size: [u32; 2],
        margin: u32,
    ) -> Projection {
        let margin = f64::from(margin);
        let roomy_figure = self.with_room_on_back(figure);
        let poses = self.poses_with_room(subject.player, subject.poses);
        let Some(content) = subject.content else {
            return self.projection(&roomy_figure, &poses, casts_shadow, size, margin);
        };
        // Enlarge the projection with which the content was measured. It had no margin.
        let no_margin = 0.0;
        let measured = self.projection(
            &roomy_figure,
            &poses,
            casts_shadow,
            Content::MEASURED_SIZE,
            no_margin,
        );
        let Enlargement { factor, distance } = content.enlargement(size, margin);
        measured.zoomed(factor).moved(distance)
    }

    /// Returns the parts of a player that the view shows, in their positions.
    pub(crate) fn figure(&self, player: Player<'_>) -> Figure {
        let body = match self.view {
            View::IsometricHead | View::Cube => figure::HEAD,
            _ => figure::WHOLE,
        };
        let model = self.model_of(player);
        let least_alpha = self.least_alpha();
        Figure {
            body,
            back: self.parts_on_back(player),
            has_ears: player.ears,
            model,
            layers: player
                .skin
                .visible_layers(self.layers, model, body, least_alpha),
            pose: self.looking(self.pose, player),
            is_upside_down: self.is_upside_down(player),
        }
    }

    fn parts_on_back(&self, player: Player<'_>) -> &'static [Part] {
        let Some(cape) = player.cape else {
            return &[];
        };
        if !self.cape || !self.view.shows_cape() {
            return &[];
        }
        if self.elytra && cape.has_elytra() {
            figure::ELYTRA
        } else {
            figure::CAPE
        }
    }

    /// Returns a figure with everything on its back for which the picture has room.
    fn with_room_on_back(&self, figure: Figure) -> Figure {
        let has_elytra = figure.back == figure::ELYTRA;
        let may_have_elytra = self.elytra && self.framing == Framing::All;
        let back = if figure.body == figure::HEAD {
            &[]
        } else if has_elytra || may_have_elytra {
            figure::ELYTRA
        } else {
            figure::CAPE
        };
        Figure { back, ..figure }
    }

    /// Returns the poses with all directions in which the head may look.
    fn poses_with_room(&self, player: Player<'_>, poses: &[Pose]) -> Vec<Pose> {
        let mut all = Vec::new();
        for &pose in poses {
            match self.framing {
                Framing::Pose => all.push(self.looking(pose, player)),
                // The picture has to be framed alike from every yaw.
                _ => all.extend(self.posed(pose).looking_around()),
            }
        }
        all
    }

    /// Returns a pose of this view with the head turned toward the viewer.
    pub(crate) fn looking(&self, pose: Pose, player: Player<'_>) -> Pose {
        // For a figure that is upside down, a viewer on the right is on the left.
        let side = if self.is_upside_down(player) {
            -1.0
        } else {
            1.0
        };
        // The cosine and the sine of the viewer's yaw are in its `x` and `z`.
        let right = self.camera.projection().right.normalize();
        self.posed(pose).looking_at([right.x, right.z * side])
    }
}
