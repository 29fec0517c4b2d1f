//! Depth order by binary space partition.
//!
//! Boxes touch and, inflated, intersect one another, so no order of whole faces is right
//! everywhere. The plane of one face divides all others: fragments on the viewer's side of it can
//! only hide the ones on the far side. (Fuchs, Kedem and Naylor, "On Visible Surface Generation by
//! A Priori Tree Structures", 1980)

use crate::scene::fragment::{Fragment, Side};
use crate::scene::geometry::Plane;
use crate::scene::projection::Projection;
use crate::scene::surface::Surface;

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
    /// Divides faces along their planes, and along others that lie between them, such as those in
    /// which the halves of bent limbs meet.
    pub(crate) fn new(surfaces: Vec<Surface>, joints: &[Plane]) -> Bsp {
        let whole = |(surface, face): (usize, &Surface)| Fragment {
            surface,
            corners: face.corners.to_vec(),
        };
        let fragments = surfaces.iter().enumerate().map(whole).collect();
        let planes: Vec<Plane> = surfaces.iter().map(Surface::plane).collect();
        let divider = Divider {
            surfaces: &surfaces,
            planes: &planes,
            joints,
        };
        let root = divider.divide(fragments);
        Bsp { surfaces, root }
    }

    /// Returns the fragments so that none is hidden from a viewer by a later one. Of two on one
    /// plane, the one whose part is nearer hides the other; of equally near ones, the later face.
    pub(crate) fn front_to_back(&self, viewer: &Projection) -> Vec<&Fragment> {
        let nearness =
            |fragment: &Fragment| viewer.closeness(self.surfaces[fragment.surface].center);
        let mut sorted = Vec::with_capacity(512);
        let mut waiting = Vec::new();
        let mut side = &self.root;
        loop {
            if let Some(node) = side {
                let is_in_front = viewer.facing(node.plane) > 0.0;
                let (near, far) = if is_in_front {
                    (&node.in_front, &node.behind)
                } else {
                    (&node.behind, &node.in_front)
                };
                waiting.push((node, far));
                side = near;
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

/// The faces that are divided.
struct Divider<'a> {
    surfaces: &'a [Surface],
    /// Their planes.
    planes: &'a [Plane],
    joints: &'a [Plane],
}

impl Divider<'_> {
    fn divide(&self, fragments: Vec<Fragment>) -> Option<Box<Node>> {
        let plane = self.plane_with_fewest_cuts(&fragments)?;
        let mut coplanar = Vec::new();
        let mut behind = Vec::new();
        let mut in_front = Vec::new();
        for fragment in fragments {
            match fragment.side_of(plane) {
                Side::Behind => behind.push(fragment),
                Side::InFront => in_front.push(fragment),
                Side::On => coplanar.push(fragment),
                Side::Both => {
                    let normal = self.surfaces[fragment.surface].normal;
                    behind.push(fragment.in_front_of(plane.reversed(), normal));
                    in_front.push(fragment.in_front_of(plane, normal));
                }
            }
        }
        Some(Box::new(Node {
            plane,
            coplanar,
            behind: self.divide(behind),
            in_front: self.divide(in_front),
        }))
    }

    /// Returns the plane that cuts the fewest fragments: that of a fragment, or a joint between
    /// some. Without fragments there is none.
    fn plane_with_fewest_cuts(&self, fragments: &[Fragment]) -> Option<Plane> {
        let mut best = None;
        let mut fewest = usize::MAX;
        let mut is_counted = vec![false; self.planes.len()];
        for fragment in fragments {
            if is_counted[fragment.surface] {
                continue;
            }
            is_counted[fragment.surface] = true;
            let plane = self.planes[fragment.surface];
            if let Some(cuts) = cuts_below(fewest, plane, fragments) {
                fewest = cuts;
                best = Some(plane);
            }
        }
        for &joint in self.joints {
            if let Some(cuts) = cuts_below(fewest, joint, fragments)
                && separates(joint, fragments)
            {
                fewest = cuts;
                best = Some(joint);
            }
        }
        best
    }
}

/// Returns the number of fragments that a plane cuts, if it is below a limit.
fn cuts_below(limit: usize, plane: Plane, fragments: &[Fragment]) -> Option<usize> {
    let mut cuts = 0;
    if limit == 0 {
        return None;
    }
    for fragment in fragments {
        if fragment.side_of(plane) == Side::Both {
            cuts += 1;
            if cuts == limit {
                return None;
            }
        }
    }
    Some(cuts)
}

/// Returns `true` if there are fragments on both sides of a plane.
fn separates(plane: Plane, fragments: &[Fragment]) -> bool {
    let sides = || fragments.iter().map(|fragment| fragment.side_of(plane));
    sides().any(|side| side == Side::Both)
        || sides().any(|side| side == Side::Behind) && sides().any(|side| side == Side::InFront)
}
