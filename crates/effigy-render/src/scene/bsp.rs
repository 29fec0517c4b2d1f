//! Depth order by binary space partition.
//!
//! Boxes touch and, inflated, intersect one another, so no order of whole faces is right everywhere.
//! The plane of one face divides all others: fragments on the viewer's side of it can only hide the
//! ones on the far side. (Fuchs, Kedem and Naylor, "On Visible Surface Generation by A Priori Tree
//! Structures", 1980)

use crate::scene::fragment::{Fragment, Plane};
use crate::scene::projection::Projection;
use crate::scene::solid::Surface;

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
    /// What is behind the plane, and what is in front of it.
    sides: [Option<Box<Node>>; 2],
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

    /// Returns the fragments so that none is hidden from a viewer by a later one. Of two
    /// on one plane, the one whose part is nearer hides the other; of equally near ones, the later face.
    pub(crate) fn front_to_back(&self, viewer: &Projection) -> Vec<&Fragment> {
        let nearness =
            |fragment: &Fragment| viewer.closeness(self.surfaces[fragment.surface].center);
        let (mut sorted, mut waiting) = (Vec::with_capacity(512), Vec::new());
        let mut side = &self.root;
        loop {
            if let Some(node) = side {
                let is_in_front = node.plane.facing(viewer) > 0.0;
                waiting.push((node, &node.sides[usize::from(!is_in_front)]));
                side = &node.sides[usize::from(is_in_front)];
            } else if let Some((node, far)) = waiting.pop() {
                let start = sorted.len();
                sorted.extend(node.coplanar.iter().rev());
                sorted[start..].sort_by(|a, b| nearness(b).total_cmp(&nearness(a)));
                side = far;
            } else {
                return sorted;
            }
        }
    }
}

impl Node {
    fn divide(fragments: Vec<Fragment>, surfaces: &[Surface]) -> Option<Box<Node>> {
        let planes = fragments.iter();
        let planes = planes.map(|fragment| surfaces[fragment.surface].plane());
        let count_cuts = |plane: &Plane| {
            let cut = fragments.iter().filter(|f| plane.sides(f) == (true, true));
            cut.count()
        };
        let plane = planes.min_by_key(count_cuts)?;
        let [mut coplanar, mut behind, mut in_front] = [const { Vec::new() }; 3];
        for fragment in fragments {
            match plane.sides(&fragment) {
                (true, true) => {
                    let normal = surfaces[fragment.surface].normal;
                    behind.push(fragment.in_front_of(plane.reversed(), normal));
                    in_front.push(fragment.in_front_of(plane, normal));
                }
                (true, false) => behind.push(fragment),
                (false, true) => in_front.push(fragment),
                (false, false) => coplanar.push(fragment),
            }
        }
        Some(Box::new(Node {
            plane,
            coplanar,
            sides: [behind, in_front].map(|side| Node::divide(side, surfaces)),
        }))
    }
}
