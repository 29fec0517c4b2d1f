//! The players of pictures, and their places.

use std::ops::Range;

use crate::flat::{
    BACK, COMBO, FACE, FIGURE, LEFT_SIDE, Pane, RIGHT_SIDE, SLIM_FIGURE, compose, layout,
};
use crate::model::Part;
use crate::picture::crop::{Content, Enlargement};
use crate::picture::outline::Line;
use crate::picture::spec::checked;
use crate::picture::{Drawing, Picture, Placed};
use crate::scene::Scene;
use crate::scene::figure::{self, Figure};
use crate::{
    Crop, Framing, Model, Outline, PictureSpec, Place, Player, Pose, RenderError, Size, View,
};

impl PictureSpec {
    /// The picture of a player, with room for all these poses.
    pub(crate) fn picture_with_room<'a>(
        &self,
        player: Player<'a>,
        poses: &[Pose],
    ) -> Result<Picture<'a>, RenderError> {
        self.picture_of(player, poses, self.content(player, poses))
    }

    /// The picture of a player, with room for all these poses, and cut to a content if there is
    /// one.
    pub(crate) fn picture_of<'a>(
        &self,
        player: Player<'a>,
        poses: &[Pose],
        content: Option<Content>,
    ) -> Result<Picture<'a>, RenderError> {
        let spec = self.normalized();
        let view_size = match content {
            Some(content) => content.size(spec.size.get(), spec.outline_width().into()),
            None => spec.view_size_of(player),
        };
        let view = checked(spec.fitted(view_size))?;
        let size = checked(spec.surrounded(view_size))?;
        let [width, height] = spec.frame.map_or(view, |frame| frame.map(Size::get));
        let place = Place {
            x: (size[0] - width) / 2,
            y: (size[1] - height) / 2,
            width,
            height,
        };
        let view = spec.view(player, poses, view, place, 0..size[1], content)?;
        Ok(Picture::composed(size, spec.decoration, vec![view]))
    }

    /// Returns what is seen of a player, with room for all these poses, if the picture is cut to
    /// that.
    pub(crate) fn content(&self, player: Player<'_>, poses: &[Pose]) -> Option<Content> {
        let spec = self.normalized();
        if spec.crop != Crop::Content || spec.view.is_flat() {
            return None;
        }
        let whole = PictureSpec {
            crop: Crop::Full,
            ..spec
        };
        let scene = whole.scene(figure::WHOLE, player, poses, Content::PICTURE, 0, None);
        Some(Content::of(&scene))
    }

    /// Returns the width and height of the view of a player, unless it depends on what is seen.
    fn view_size_of(&self, player: Player<'_>) -> [u64; 2] {
        let [width, height] = self.view_size();
        if self.is_narrow(player) {
            return [(width * 14 + 8) / 16, height];
        }
        [width, height]
    }

    /// Returns `true` for a flat view without the columns beside the arms of a slim player.
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

    /// The view of a player in the middle of its place: of this width and height, and with room for
    /// these poses. A portrait without a frame goes on to the end of these rows instead of ending
    /// in the air, and to their start if it is upside down. The specification is normalized.
    pub(crate) fn view<'a>(
        &self,
        player: Player<'a>,
        poses: &[Pose],
        [width, height]: [u32; 2],
        place: Place,
        rows: Range<u32>,
        content: Option<Content>,
    ) -> Result<Placed<'a>, RenderError> {
        if width > place.width || height > place.height {
            return Err(RenderError::FrameTooSmall {
                width,
                height,
                frame: [place.width, place.height],
            });
        }
        let left = place.x + (place.width - width) / 2;
        let top = place.y + (place.height - height) / 2;
        let is_of_part = self.view == View::Portrait || self.crop == Crop::Head;
        let is_cut = is_of_part && self.frame.is_none();
        let shown = match (is_cut, self.is_upside_down(player)) {
            (true, false) => top..rows.end,
            (true, true) => rows.start..top + height,
            _ => top..top + height,
        };
        let size = [width, shown.end - shown.start];
        // At least a pixel stays between the lines on both sides.
        let margin = u32::from(self.outline_width()).min((width.min(height) - 1) / 2);
        let mut picture = self.player_picture(player, poses, size, margin, content);
        if let Some(Outline { color, .. }) = self.outline
            && margin > 0
        {
            let line = Line {
                color,
                width: margin,
            };
            let at = [0, 1].map(|axis| (size[axis] - picture.size[axis]) / 2);
            let drawing = Drawing::Outlined(line, Box::new((at, picture)));
            picture = Picture { size, drawing };
        }
        Ok(([left, shown.start], picture))
    }

    /// Returns the picture of a player without the line for which the margin has room. A scene has
    /// this width and height; a flat view is smaller by the margin.
    fn player_picture<'a>(
        &self,
        player: Player<'a>,
        poses: &[Pose],
        size: [u32; 2],
        margin: u32,
        content: Option<Content>,
    ) -> Picture<'a> {
        let of_grid = |grid| Picture {
            size: size.map(|side| side - 2 * margin),
            drawing: Drawing::Flat(grid),
        };
        let flat = |cells: [usize; 2], panes: &[Pane]| {
            let model = self.model_of(player);
            let alpha = self.least_alpha();
            of_grid(compose(
                cells,
                panes,
                player.skin,
                model,
                self.layers,
                alpha,
            ))
        };
        let body = match self.view {
            View::Face => return flat([8, 8], &[FACE]),
            View::Bust if self.is_narrow(player) => return flat([14, 16], &[SLIM_FIGURE]),
            View::Body if self.is_narrow(player) => return flat([14, 32], &[SLIM_FIGURE]),
            View::Bust => return flat([16, 16], &[FIGURE]),
            View::Body => return flat([16, 32], &[FIGURE]),
            View::BodyBack => return flat([16, 32], &[BACK]),
            View::BodyLeft => return flat([16, 32], &[LEFT_SIDE]),
            View::BodyRight => return flat([16, 32], &[RIGHT_SIDE]),
            View::Combo => return flat([49, 32], &COMBO),
            View::Layout => return of_grid(layout(player.skin, self.layers)),
            View::IsometricHead | View::Cube => figure::HEAD,
            View::IsometricBody | View::Figure | View::Portrait => figure::WHOLE,
        };
        let scene = self.scene(body, player, poses, size, margin, content);
        Picture {
            size,
            drawing: Drawing::Scene(Box::new(scene)),
        }
    }

    /// Returns the scene of a player with this body, of this width and height and with room for
    /// these poses and a margin, or enlarged so that the content fills it.
    fn scene<'a>(
        &self,
        body: &'static [Part],
        player: Player<'a>,
        poses: &[Pose],
        size: [u32; 2],
        margin: u32,
        content: Option<Content>,
    ) -> Scene<'a> {
        let figure = self.figure(body, player);
        let framed = self.with_room_on_back(figure);
        let poses = self.poses_with_room(player, poses);
        let mut has_shadow = self.decoration.shadow && self.sees_ground(&figure);
        let margin = f64::from(margin);
        let projection = if let Some(content) = content {
            let whole = self.projection(&framed, &poses, has_shadow, Content::PICTURE, 0.0);
            has_shadow &= content.has_shadow();
            let Enlargement { factor, distance } = content.enlargement(size, margin);
            whole.zoomed(factor).moved(distance)
        } else {
            self.projection(&framed, &poses, has_shadow, size, margin)
        };
        let viewer = self.camera.projection();
        Scene {
            player,
            figure,
            projection,
            room: self.light.room(self.brightness, self.light_from, &viewer),
            filter: self.filter,
            camera: self.camera,
            has_shadow,
            least_alpha: self.least_alpha(),
            size,
        }
    }

    fn figure(&self, body: &'static [Part], player: Player<'_>) -> Figure {
        let shows_cape = self.cape && self.view.shows_cape();
        let back = match player.cape.filter(|_| shows_cape) {
            Some(cape) if self.elytra && cape.has_elytra() => figure::ELYTRA,
            Some(_) => figure::CAPE,
            None => &[],
        };
        Figure {
            body,
            back,
            has_ears: player.ears,
            model: self.model_of(player),
            layers: player
                .skin
                .visible_layers(self.layers, body, self.least_alpha()),
            pose: self.looking(self.pose, player),
            is_upside_down: self.is_upside_down(player),
        }
    }

    /// Returns a figure with all on its back that has room, whether it is there or not.
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
                // The same from every yaw.
                _ => all.extend(self.posed(pose).looking_around()),
            }
        }
        all
    }

    /// Returns what a pose is in this view while the viewer is looked at.
    fn looking(&self, pose: Pose, player: Player<'_>) -> Pose {
        let upwards = if self.is_upside_down(player) {
            -1.0
        } else {
            1.0
        };
        // Cosine and sine of the angle by which the model is turned to the right of the picture.
        let right = self.camera.projection().right.normalize();
        self.posed(pose).looking_at([right.x, right.z * upwards])
    }
}
