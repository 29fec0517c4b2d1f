//! Crops of figures.

use effigy_player::word_enum;
use glam::{DVec2, DVec3};

use crate::picture::shadow::Shadow;
use crate::scene::Scene;
use crate::scene::surface::Surface;

word_enum! {
    #[non_exhaustive]
    /// The part of a figure that a picture shows. The other views have no crop.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum Crop {
        /// The whole figure: `size` pixels wide and twice as high.
        #[default]
        Full = "full",
        /// The upper part of the figure: `size` x `size` pixels, the picture of
        /// [`View::Portrait`](crate::View::Portrait).
        Bust = "bust",
        /// The head in the middle, with its surroundings: `size` x `size` pixels. Like a portrait,
        /// the body continues through the padding.
        Head = "head",
        /// The whole figure, cut to the visible part of it, its outline and its shadow: `size`
        /// pixels along the longer side. A flat body or bust is cut to the columns of the model:
        /// 16, or 14 of a slim one.
        Content = "content",
    }
}

/// The visible part of a picture, which can be enlarged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Content {
    /// The part with the figure.
    figure: Bounds,
    /// The part with the shadow, if there is one.
    shadow: Option<Bounds>,
}

/// The least and the greatest places along both axes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bounds {
    min: DVec2,
    max: DVec2,
}

/// The way in which a scene is enlarged until its content fills a picture.
pub(crate) struct Enlargement {
    /// The factor by which the scene becomes larger.
    pub(crate) factor: f64,
    /// The distance in pixels by which the enlarged scene is moved.
    pub(crate) distance: DVec2,
}

/// The width in pixels of the rim of a shadow that is cut off. There, most pixels are transparent.
const SHADOW_RIM: f64 = 0.75;

impl Content {
    /// Width and height of the pictures in which contents are measured. All contents are measured
    /// in pictures of one size, so that they can be united.
    pub(crate) const MEASURED_SIZE: [u32; 2] = [1024, 2048];

    /// The content of a scene.
    pub(crate) fn of(scene: &Scene<'_>) -> Content {
        let mut figure = Bounds::NONE;
        for surface in scene.figure.surfaces() {
            if scene.shows(&surface) {
                figure = figure.union(visible_bounds(scene, &surface, figure));
            }
        }
        Content {
            figure,
            shadow: Shadow::of(scene, [0, 0]).and_then(Bounds::of_shadow),
        }
    }

    /// Returns `true` if a shadow is visible.
    pub(crate) fn has_shadow(&self) -> bool {
        self.shadow.is_some()
    }

    /// Returns the content of two pictures that lie on one another.
    pub(crate) fn union(self, other: Content) -> Content {
        let shadow = match (self.shadow, other.shadow) {
            (Some(own), Some(others)) => Some(own.union(others)),
            (own, others) => own.or(others),
        };
        Content {
            figure: self.figure.union(other.figure),
            shadow,
        }
    }

    /// Returns the width and height of a picture that is cut to the content and its outline, and
    /// has this longer side.
    #[expect(clippy::cast_possible_truncation, reason = "at most the longer side")]
    pub(crate) fn size(&self, longer_side: u32, outline: f64) -> [u64; 2] {
        /// A side that is longer by less is not rounded up.
        const TOLERANCE: f64 = 1e-6;
        let factor = self.factor(DVec2::splat(longer_side.into()), outline);
        let Bounds { min, max } = self.enlarged(factor, outline);
        let sides = (max - min).to_array();
        sides.map(|side| ((side - TOLERANCE).ceil() as u64).clamp(1, longer_side.into()))
    }

    /// Returns the enlargement with which the content fills a picture, in its middle.
    pub(crate) fn enlargement(&self, picture: [u32; 2], outline: f64) -> Enlargement {
        let picture = DVec2::from(picture.map(f64::from));
        let factor = self.factor(picture, outline);
        let Bounds { min, max } = self.enlarged(factor, outline);
        Enlargement {
            factor,
            distance: (picture - min - max) / 2.0,
        }
    }

    /// Returns the greatest factor at which the content and its outline fit into a picture. The
    /// outline has the same width at every factor.
    fn factor(&self, picture: DVec2, outline: f64) -> f64 {
        let mut factor = f64::MAX;
        for (low, low_outline) in self.parts(outline) {
            for (high, high_outline) in self.parts(outline) {
                let room = picture - low_outline - high_outline;
                for axis in [0, 1] {
                    let length = high.max[axis] - low.min[axis];
                    if length > 0.0 {
                        factor = factor.min(room[axis] / length);
                    }
                }
            }
        }
        factor
    }

    /// Returns the bounds of the enlarged content with its outline.
    fn enlarged(&self, factor: f64, outline: f64) -> Bounds {
        let mut bounds = Bounds::NONE;
        for (part, width) in self.parts(outline) {
            bounds = bounds.union(Bounds {
                min: part.min * factor - width,
                max: part.max * factor + width,
            });
        }
        bounds
    }

    /// Returns the figure and the shadow, each with the width by which the picture has to be larger
    /// on every side.
    fn parts(&self, outline: f64) -> Vec<(Bounds, f64)> {
        let mut parts = vec![(self.figure, outline)];
        if let Some(shadow) = self.shadow {
            parts.push((shadow, -SHADOW_RIM));
        }
        parts
    }
}

impl Bounds {
    /// The bounds of nothing.
    const NONE: Bounds = Bounds {
        min: DVec2::MAX,
        max: DVec2::MIN,
    };

    /// The visible part of a shadow. A viewer close to the ground hardly sees one.
    fn of_shadow(shadow: Shadow) -> Option<Bounds> {
        /// The least height of a shadow as a share of its width.
        const LEAST: f32 = 1.0 / 32.0;
        let [across, down] = shadow.radii;
        if down < across * LEAST {
            return None;
        }
        let [x, y] = shadow.center;
        let center = DVec2::new(x.into(), y.into());
        let reach = DVec2::new(across.into(), down.into()) * Shadow::VISIBLE;
        Some(Bounds {
            min: center - reach,
            max: center + reach,
        })
    }

    fn of_points(points: impl Iterator<Item = DVec2>) -> Bounds {
        let mut bounds = Bounds::NONE;
        for point in points {
            bounds.min = bounds.min.min(point);
            bounds.max = bounds.max.max(point);
        }
        bounds
    }

    /// Returns the bounds of both together.
    fn union(self, other: Bounds) -> Bounds {
        Bounds {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Returns the bounds of the area that both share.
    fn intersection(self, other: Bounds) -> Bounds {
        Bounds {
            min: self.min.max(other.min),
            max: self.max.min(other.max),
        }
    }

    fn contains(self, other: Bounds) -> bool {
        self.min.cmple(other.min).all() && self.max.cmpge(other.max).all()
    }
}

/// Returns the bounds of the texels of a face that are not transparent, or of nothing if they lie
/// within known bounds.
fn visible_bounds(scene: &Scene<'_>, surface: &Surface, known: Bounds) -> Bounds {
    let place = |point: DVec3| scene.projection.point(point);
    let face = Bounds::of_points(surface.corners.iter().map(|corner| place(corner.point)));
    if known.contains(face) {
        return Bounds::NONE;
    }
    let texels = scene.texels(surface.part);
    let least_alpha = scene.least_alpha(surface.part);
    let scale = f64::from(texels.scale);
    let [[left, top], [columns, rows]] = surface.region.scaled(texels.scale);
    let corner = |column: usize, row: usize| {
        let across = surface.point_on_line(0, column as f64 / scale);
        let down = surface.point_on_line(1, row as f64 / scale);
        place(across + down - surface.origin)
    };
    let mut bounds = Bounds::NONE;
    for row in 0..rows {
        let start = (top + row) * texels.width() + left;
        let shown = &texels.all[start..][..columns];
        let first = shown.iter().position(|texel| texel[3] >= least_alpha);
        let last = shown.iter().rposition(|texel| texel[3] >= least_alpha);
        if let (Some(first), Some(last)) = (first, last) {
            let corners = [
                corner(first, row),
                corner(first, row + 1),
                corner(last + 1, row),
                corner(last + 1, row + 1),
            ];
            bounds = bounds.union(Bounds::of_points(corners.into_iter()));
        }
    }
    // An oblique end cuts texels.
    bounds.intersection(face)
}
