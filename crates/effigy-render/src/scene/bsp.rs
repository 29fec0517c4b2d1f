//! Depth order by binary space partition.
//!
//! Boxes touch and, inflated, intersect one another, so no order of whole faces is right
//! everywhere. The plane of one face divides all others: fragments on the viewer's side of it can
//! only hide the ones on the far side. (Fuchs, Kedem and Naylor, "On Visible Surface Generation by
//! A Priori Tree Structures", 1980)

use std::iter;

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
    /// Divides faces along their planes, and along the planes in which the halves of bent limbs
    /// meet.
    pub(crate) fn new(surfaces: Vec<Surface>, joints: &[Plane]) -> Bsp {
        let faces = surfaces.iter().map(Surface::plane);
        let divider = Divider {
            surfaces: &surfaces,
            planes: faces.chain(joints.iter().copied()).collect(),
        };
        let mut whole = Vec::new();
        for (surface, face) in surfaces.iter().enumerate() {
            let fragment = Fragment {
                surface,
                corners: face.corners.to_vec(),
            };
            whole.push(divider.cut_by_any_of(0..divider.planes.len(), fragment));
        }
        let root = divider.divide(whole);
        Bsp { surfaces, root }
    }

    /// Returns the fragments in an order in which a fragment can hide only later ones. Of two
    /// fragments on one plane, the one whose part is nearer hides the other; of equally near
    /// ones, the one of the later face.
    pub(crate) fn front_to_back(&self, viewer: &Projection) -> Vec<&Fragment> {
        let closeness =
            |fragment: &Fragment| viewer.closeness(self.surfaces[fragment.surface].center);
        let mut sorted = Vec::with_capacity(512);
        let mut waiting = Vec::new();
        let mut side = &self.root;
        loop {
            if let Some(node) = side {
                waiting.push(node);
                side = node.near_side(viewer);
            } else if let Some(node) = waiting.pop() {
                let start = sorted.len();
                sorted.extend(node.coplanar.iter().rev());
                sorted[start..].sort_by(|a, b| closeness(b).total_cmp(&closeness(a)));
                side = node.far_side(viewer);
            } else {
                return sorted;
            }
        }
    }
}

impl Node {
    /// Returns the side of the plane on which a viewer is.
    fn near_side(&self, viewer: &Projection) -> &Option<Box<Node>> {
        if viewer.facing(self.plane) > 0.0 {
            &self.in_front
        } else {
            &self.behind
        }
    }

    /// Returns the side of the plane on which a viewer isn't.
    fn far_side(&self, viewer: &Projection) -> &Option<Box<Node>> {
        if viewer.facing(self.plane) > 0.0 {
            &self.behind
        } else {
            &self.in_front
        }
    }
}

/// The faces that are divided.
struct Divider<'a> {
    surfaces: &'a [Surface],
    /// The planes of the faces, in their order, and then the joints.
    planes: Vec<Plane>,
}

/// A fragment, and the numbers of the planes that would cut it. No other planes cut parts of it.
struct Candidate {
    fragment: Fragment,
    cut_by: Vec<usize>,
}

impl Divider<'_> {
    /// Returns a fragment with the planes among some that would cut it.
    fn cut_by_any_of(
        &self,
        planes: impl IntoIterator<Item = usize>,
        fragment: Fragment,
    ) -> Candidate {
        let is_cut = |plane: &usize| fragment.side_of(self.planes[*plane]) == Side::Both;
        let cut_by = planes.into_iter().filter(is_cut).collect();
        Candidate { fragment, cut_by }
    }

    fn divide(&self, candidates: Vec<Candidate>) -> Option<Box<Node>> {
        let plane = self.planes[self.plane_with_fewest_cuts(&candidates)?];
        let mut coplanar = Vec::new();
        let mut behind = Vec::new();
        let mut in_front = Vec::new();
        for candidate in candidates {
            match candidate.fragment.side_of(plane) {
                Side::Behind => behind.push(candidate),
                Side::InFront => in_front.push(candidate),
                Side::On => coplanar.push(candidate.fragment),
                Side::Both => {
                    let Candidate { fragment, cut_by } = candidate;
                    let normal = self.surfaces[fragment.surface].normal;
                    let far = fragment.in_front_of(plane.reversed(), normal);
                    let near = fragment.in_front_of(plane, normal);
                    behind.push(self.cut_by_any_of(cut_by.iter().copied(), far));
                    in_front.push(self.cut_by_any_of(cut_by, near));
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

    /// Returns the number of the plane that cuts the fewest fragments: the plane of a fragment, or
    /// a joint between some. Without fragments, it returns `None`.
    fn plane_with_fewest_cuts(&self, candidates: &[Candidate]) -> Option<usize> {
        let mut cuts = vec![0; self.planes.len()];
        for candidate in candidates {
            for &plane in &candidate.cut_by {
                cuts[plane] += 1;
            }
        }
        // The plane of a face has the number of its surface.
        let planes_of_faces = candidates
            .iter()
            .map(|candidate| candidate.fragment.surface);
        let best = planes_of_faces.min_by_key(|&plane| cuts[plane])?;
        let joints = self.surfaces.len()..self.planes.len();
        let separating = joints.filter(|&joint| self.separates(joint, candidates));
        // Of equally good planes, `min_by_key` returns the first one.
        iter::once(best)
            .chain(separating)
            .min_by_key(|&plane| cuts[plane])
    }

    /// Returns `true` if fragments lie on both sides of a plane.
    fn separates(&self, plane: usize, candidates: &[Candidate]) -> bool {
        let mut is_behind = false;
        let mut is_in_front = false;
        for candidate in candidates {
            let side = candidate.fragment.side_of(self.planes[plane]);
            is_behind |= matches!(side, Side::Behind | Side::Both);
            is_in_front |= matches!(side, Side::InFront | Side::Both);
            if is_behind && is_in_front {
                return true;
            }
        }
        false
    }
}
