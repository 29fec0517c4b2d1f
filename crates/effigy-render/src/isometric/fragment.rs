//! Rectangular pieces of box faces in model space.

use crate::model::{Cuboid, Face, Layer, Region};

/// The unit of every model coordinate: all corners of all boxes are whole quarters of a texel.
pub(crate) const QUARTERS_PER_TEXEL: i32 = 4;

/// A rectangular piece of a box's face, with the region of the skin that the whole face shows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Fragment {
    /// The orientation of the face.
    pub(crate) orientation: Orientation,
    /// The region of the skin that covers the whole face.
    pub(crate) region: Region,
    /// The box that the face belongs to.
    pub(crate) solid: Bounds,
    /// The piece itself, which is flat along the face's normal.
    pub(crate) bounds: Bounds,
}

/// An axis-aligned box or rectangle, in quarters of a texel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) min: [i32; 3],
    pub(crate) max: [i32; 3],
}

/// The directions of a face and of its texture.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Orientation {
    /// The outward normal.
    pub(crate) normal: Direction,
    /// The direction in which texture columns are numbered.
    pub(crate) u: Direction,
    /// The direction in which texture rows are numbered.
    pub(crate) v: Direction,
}

/// A direction along an axis of the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Direction {
    pub(crate) axis: Axis,
    /// Points towards smaller coordinates.
    pub(crate) negative: bool,
}

/// An axis of the model, as an index into coordinates.
pub(crate) type Axis = usize;

pub(crate) const X: Axis = 0;
pub(crate) const Y: Axis = 1;
pub(crate) const Z: Axis = 2;

/// The vertical axis of rotation runs through `x` = 8 texels and `z` = 0, the middle of the figure.
const CENTER_X: i32 = 8 * QUARTERS_PER_TEXEL;

impl Fragment {
    /// Returns a whole face of a part's box.
    pub(crate) fn of_face(cuboid: &Cuboid, layer: Layer, face: Face) -> Fragment {
        let solid = Bounds::of_cuboid(cuboid, layer);
        let orientation = Orientation::of_face(face);
        let Direction { axis, negative } = orientation.normal;
        let plane = if negative {
            solid.min[axis]
        } else {
            solid.max[axis]
        };
        let mut bounds = solid;
        bounds.min[axis] = plane;
        bounds.max[axis] = plane;
        Fragment {
            orientation,
            region: cuboid.region(layer, face),
            solid,
            bounds,
        }
    }

    /// Rotates the fragment by half a turn about the figure's vertical axis.
    pub(crate) fn rotate_half_turn(self) -> Fragment {
        Fragment {
            orientation: self.orientation.rotate_half_turn(),
            region: self.region,
            solid: self.solid.rotate_half_turn(),
            bounds: self.bounds.rotate_half_turn(),
        }
    }

    /// Splits the fragment at a coordinate into its lower and its upper piece.
    pub(crate) fn split(self, axis: Axis, at: i32) -> [Option<Fragment>; 2] {
        let (min, max) = (self.bounds.min[axis], self.bounds.max[axis]);
        let (mut low, mut high) = (self, self);
        low.bounds.max[axis] = max.min(at);
        high.bounds.min[axis] = min.max(at);
        [(min < at).then_some(low), (max > at).then_some(high)]
    }
}

impl Bounds {
    /// Returns the box of a part's layer.
    pub(crate) fn of_cuboid(cuboid: &Cuboid, layer: Layer) -> Bounds {
        let inflation = layer.inflation(cuboid.part);
        let [x, y, z] = cuboid.position.map(|texels| texels * QUARTERS_PER_TEXEL);
        let [w, h, d] = cuboid.size.map(|texels| texels * QUARTERS_PER_TEXEL);
        Bounds {
            min: [x, y, z].map(|least| least - inflation),
            max: [x + w, y + h, z + d].map(|greatest| greatest + inflation),
        }
    }

    /// Returns the eight corners.
    pub(crate) fn corners(self) -> impl Iterator<Item = [i32; 3]> {
        let Bounds { min, max } = self;
        (0..8).map(move |corner| {
            [X, Y, Z].map(|axis| {
                if corner >> axis & 1 == 0 {
                    min[axis]
                } else {
                    max[axis]
                }
            })
        })
    }

    fn rotate_half_turn(self) -> Bounds {
        let Bounds { min, max } = self;
        Bounds {
            min: [2 * CENTER_X - max[X], min[Y], -max[Z]],
            max: [2 * CENTER_X - min[X], max[Y], -min[Z]],
        }
    }
}

impl Orientation {
    /// Returns the orientation of a face. The textures of the sides follow one another around the
    /// box; those of top and bottom run from the back to the front.
    fn of_face(face: Face) -> Orientation {
        let along = |axis| Direction {
            axis,
            negative: false,
        };
        let against = |axis| Direction {
            axis,
            negative: true,
        };
        let (normal, u, v) = match face {
            Face::Front => (along(Z), along(X), along(Y)),
            Face::Right => (against(X), along(Z), along(Y)),
            Face::Back => (against(Z), against(X), along(Y)),
            Face::Left => (along(X), against(Z), along(Y)),
            Face::Top => (against(Y), along(X), along(Z)),
            Face::Bottom => (along(Y), along(X), along(Z)),
        };
        Orientation { normal, u, v }
    }

    /// Returns `true` if the viewer, who stands in front, above and to the player's right, sees the outer
    /// side of the face.
    pub(crate) fn is_towards_viewer(self) -> bool {
        self.normal.negative == (self.normal.axis != Z)
    }

    fn rotate_half_turn(self) -> Orientation {
        Orientation {
            normal: self.normal.rotate_half_turn(),
            u: self.u.rotate_half_turn(),
            v: self.v.rotate_half_turn(),
        }
    }
}

impl Direction {
    fn rotate_half_turn(self) -> Direction {
        Direction {
            axis: self.axis,
            negative: self.negative != (self.axis != Y),
        }
    }
}
