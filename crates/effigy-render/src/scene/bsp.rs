//! Depth order by binary space partition.
//!
//! Solids touch and, inflated, intersect one another, so no order of whole faces is right everywhere.
//! The plane of one face divides all others: fragments on the viewer's side of it can only hide the
//! ones on the far side. (Fuchs, Kedem and Naylor, "On Visible Surface Generation by A Priori Tree
//! Structures", 1980)

use crate::model::Layer;
use crate::scene::fragment::Fragment;
use crate::scene::geometry::Plane;
use crate::scene::projection::Projection;
use crate::scene::surface::Surface;

/// Faces, divided so that their fragments can be sorted for any viewer.
#[derive(Debug)]
pub(crate) struct Bsp {
    pub(crate) surfaces: Vec<Surface>,
    root: Tree,
}

/// The space in which faces are divided no further.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Division {
    /// On either side of the planes of all faces. The columns of Lanczos3 end at the corners of fragments, so specified
    /// pictures would change with fewer of them.
    Faces,
    /// Around one solid: its layers lie in one another, so their order is known.
    Solids,
}

#[derive(Debug)]
enum Tree {
    Empty,
    /// The layers of one solid.
    Solid(Vec<Fragment>),
    Divided(Box<Node>),
}

#[derive(Debug)]
struct Node {
    plane: Plane,
    /// The fragments on the plane, in the order of their faces.
    coplanar: Vec<Fragment>,
    behind: Tree,
    in_front: Tree,
}

impl Bsp {
    /// Divides faces. Planes may lie between them, too, such as those in which the halves of bent limbs meet.
    pub(crate) fn new(surfaces: Vec<Surface>, joints: &[Plane], division: Division) -> Bsp {
        let whole = |(surface, face): (usize, &Surface)| Fragment {
            surface,
            corners: face.corners.to_vec(),
        };
        let fragments = surfaces.iter().enumerate().map(whole).collect();
        let divider = Divider {
            surfaces: &surfaces,
            joints,
            division,
        };
        Bsp {
            root: divider.divide(fragments),
            surfaces,
        }
    }

    /// Returns the fragments so that none is hidden from a viewer by a later one.
    pub(crate) fn front_to_back(&self, viewer: &Projection) -> Vec<&Fragment> {
        let mut sorted = Vec::with_capacity(512);
        self.collect(&self.root, viewer, &mut sorted);
        sorted
    }

    fn collect<'a>(&self, tree: &'a Tree, viewer: &Projection, sorted: &mut Vec<&'a Fragment>) {
        let start = sorted.len();
        match tree {
            Tree::Empty => {}
            Tree::Solid(fragments) => {
                sorted.extend(fragments);
                sorted[start..].sort_by_key(|fragment| self.depth(fragment, viewer));
            }
            Tree::Divided(node) => {
                let is_in_front = viewer.facing(node.plane) > 0.0;
                let (near, far) = if is_in_front {
                    (&node.in_front, &node.behind)
                } else {
                    (&node.behind, &node.in_front)
                };
                self.collect(near, viewer, sorted);
                self.collect_coplanar(&node.coplanar, viewer, sorted);
                self.collect(far, viewer, sorted);
            }
        }
    }

    /// Adds fragments on one plane: the one whose part is nearer hides the other; of equally near ones, the later face.
    fn collect_coplanar<'a>(
        &self,
        coplanar: &'a [Fragment],
        viewer: &Projection,
        sorted: &mut Vec<&'a Fragment>,
    ) {
        let nearness =
            |fragment: &Fragment| viewer.closeness(self.surfaces[fragment.surface].center);
        let start = sorted.len();
        sorted.extend(coplanar.iter().rev());
        sorted[start..].sort_by(|a, b| nearness(b).total_cmp(&nearness(a)));
    }

    /// Returns the place of a fragment among those of its solid, from front to back.
    fn depth(&self, fragment: &Fragment, viewer: &Projection) -> u8 {
        let surface = &self.surfaces[fragment.surface];
        let faces_viewer = viewer.facing(surface.plane()) > 0.0;
        match (faces_viewer, surface.layer) {
            (true, Layer::Overlay) => 0,
            (true, Layer::Base) => 1,
            (false, Layer::Base) => 2,
            (false, Layer::Overlay) => 3,
        }
    }
}

/// The faces that are divided, and how.
struct Divider<'a> {
    surfaces: &'a [Surface],
    joints: &'a [Plane],
    division: Division,
}

impl Divider<'_> {
    fn divide(&self, fragments: Vec<Fragment>) -> Tree {
        let Some(plane) = self.plane(&fragments) else {
            return if fragments.is_empty() {
                Tree::Empty
            } else {
                Tree::Solid(fragments)
            };
        };
        let mut coplanar = Vec::new();
        let mut behind = Vec::new();
        let mut in_front = Vec::new();
        for fragment in fragments {
            let [lowest, highest] = fragment.heights(plane);
            if lowest < 0.0 && highest > 0.0 {
                let normal = self.surfaces[fragment.surface].normal;
                behind.push(fragment.in_front_of(plane.reversed(), normal));
                in_front.push(fragment.in_front_of(plane, normal));
            } else if lowest < 0.0 {
                behind.push(fragment);
            } else if highest > 0.0 {
                in_front.push(fragment);
            } else {
                coplanar.push(fragment);
            }
        }
        Tree::Divided(Box::new(Node {
            plane,
            coplanar,
            behind: self.divide(behind),
            in_front: self.divide(in_front),
        }))
    }

    /// Returns the plane that cuts the fewest fragments, or `None` if nothing has to be divided.
    fn plane(&self, fragments: &[Fragment]) -> Option<Plane> {
        let surface = |fragment: &Fragment| &self.surfaces[fragment.surface];
        let first = surface(fragments.first()?);
        let is_one_solid = || fragments.iter().all(|f| surface(f).is_of_same_solid(first));
        if self.division == Division::Solids && is_one_solid() {
            return None;
        }
        let mut best = None;
        let mut fewest = usize::MAX;
        let mut counted = vec![false; self.surfaces.len()];
        for fragment in fragments {
            let is_counted = std::mem::replace(&mut counted[fragment.surface], true);
            if is_counted {
                continue;
            }
            let plane = surface(fragment).plane();
            if let Some(cuts) = cuts_below(fewest, plane, fragments) {
                fewest = cuts;
                best = Some(plane);
            }
        }
        for &joint in self.joints {
            if separates(joint, fragments)
                && let Some(cuts) = cuts_below(fewest, joint, fragments)
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
    for fragment in fragments {
        let [lowest, highest] = fragment.heights(plane);
        if lowest < 0.0 && highest > 0.0 {
            cuts += 1;
            if cuts >= limit {
                return None;
            }
        }
    }
    (cuts < limit).then_some(cuts)
}

/// Returns `true` if there are fragments on both sides of a plane.
fn separates(plane: Plane, fragments: &[Fragment]) -> bool {
    let heights = fragments.iter().map(|fragment| fragment.heights(plane));
    let [lowest, highest] = heights.fold([0.0_f64; 2], |[low, high], [lowest, highest]| {
        [low.min(lowest), high.max(highest)]
    });
    lowest < 0.0 && highest > 0.0
}
