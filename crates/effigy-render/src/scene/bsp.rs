//! Depth order by binary space partition.
//!
//! Boxes touch and, inflated, intersect one another, so no order of whole faces is right everywhere.
//! The plane of one face divides all others: fragments on the viewer's side of it can only hide the
//! ones on the far side. (Fuchs, Kedem and Naylor, "On Visible Surface Generation by A Priori Tree
//! Structures", 1980)

use crate::scene::fragment::{Fragment, Plane, Sides};
use crate::scene::solid::Surface;
use crate::scene::vec3::Vec3;

/// Faces, divided so that their fragments can be sorted for any viewer.
#[derive(Debug)]
pub(crate) struct Bsp {
    pub(crate) surfaces: Vec<Surface>,
    root: Option<Box<Node>>,
}

#[derive(Debug)]
struct Node {
    plane: Plane,
    /// The fragments on the plane, in the order of their faces.
    coplanar: Vec<Fragment>,
    behind: Option<Box<Node>>,
    in_front: Option<Box<Node>>,
}

impl Bsp {
    pub(crate) fn new(surfaces: Vec<Surface>) -> Bsp {
        let whole = |(surface, face): (usize, &Surface)| Fragment {
            surface,
            corners: face.corners.to_vec(),
        };
        let fragments = surfaces.iter().enumerate().map(whole).collect();
        Bsp {
            root: Node::divide(fragments, &surfaces),
            surfaces,
        }
    }

    /// Returns the fragments so that none is hidden by a later one from a viewer in this direction. Of two
    /// on one plane, the one whose part is nearer hides the other; of equally near ones, the later face.
    pub(crate) fn front_to_back(&self, toward: Vec3) -> Vec<&Fragment> {
        let mut sorted = Vec::new();
        if let Some(root) = &self.root {
            root.collect(toward, &self.surfaces, &mut sorted);
        }
        sorted
    }
}

impl Node {
    fn divide(fragments: Vec<Fragment>, surfaces: &[Surface]) -> Option<Box<Node>> {
        let planes = fragments.iter().map(|f| Plane::of(&surfaces[f.surface]));
        let count_cuts = |plane: &Plane| fragments.iter().filter(|f| plane.sides(f) == CUT).count();
        let plane = planes.min_by_key(count_cuts)?;
        let [mut coplanar, mut behind, mut in_front] = [const { Vec::new() }; 3];
        for fragment in fragments {
            match plane.sides(&fragment) {
                CUT => {
                    let normal = surfaces[fragment.surface].normal;
                    let [far, near] = fragment.split(plane, normal);
                    behind.push(far);
                    in_front.push(near);
                }
                Sides { in_front: true, .. } => in_front.push(fragment),
                Sides { behind: true, .. } => behind.push(fragment),
                _ => coplanar.push(fragment),
            }
        }
        Some(Box::new(Node {
            plane,
            coplanar,
            behind: Node::divide(behind, surfaces),
            in_front: Node::divide(in_front, surfaces),
        }))
    }

    fn collect<'a>(&'a self, toward: Vec3, surfaces: &[Surface], sorted: &mut Vec<&'a Fragment>) {
        let [near, far] = if self.plane.normal.dot(toward) > 0.0 {
            [&self.in_front, &self.behind]
        } else {
            [&self.behind, &self.in_front]
        };
        if let Some(near) = near {
            near.collect(toward, surfaces, sorted);
        }
        let start = sorted.len();
        sorted.extend(self.coplanar.iter().rev());
        let nearness = |fragment: &Fragment| surfaces[fragment.surface].center.dot(toward);
        sorted[start..].sort_by(|a, b| nearness(b).total_cmp(&nearness(a)));
        if let Some(far) = far {
            far.collect(toward, surfaces, sorted);
        }
    }
}

/// The sides of a fragment that a plane cuts.
const CUT: Sides = Sides {
    behind: true,
    in_front: true,
};
