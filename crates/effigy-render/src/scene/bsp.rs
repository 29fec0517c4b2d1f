//! Depth order by binary space partition.
//!
//! Boxes touch and, inflated, intersect one another, so no order of whole faces is right everywhere.
//! The plane of one face divides all others: fragments on the viewer's side of it can only hide the
//! ones on the far side. (Fuchs, Kedem and Naylor, "On Visible Surface Generation by A Priori Tree
//! Structures", 1980)

use crate::scene::fragment::{Fragment, Plane};
use crate::scene::projection::Viewer;
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

    /// Returns the fragments so that none is hidden from a viewer by a later one. Of two
    /// on one plane, the one whose part is nearer hides the other; of equally near ones, the later face.
    pub(crate) fn front_to_back(&self, viewer: &Viewer) -> Vec<&Fragment> {
        let mut sorted = Vec::with_capacity(512);
        self.collect(&self.root, viewer, &mut sorted);
        sorted
    }

    fn collect<'a>(
        &'a self,
        node: &'a Option<Box<Node>>,
        viewer: &Viewer,
        sorted: &mut Vec<&'a Fragment>,
    ) {
        let Some(node) = node else { return };
        let [near, far] = if node.plane.faces(viewer) {
            [&node.in_front, &node.behind]
        } else {
            [&node.behind, &node.in_front]
        };
        self.collect(near, viewer, sorted);
        let start = sorted.len();
        sorted.extend(node.coplanar.iter().rev());
        let nearness =
            |fragment: &Fragment| viewer.closeness(self.surfaces[fragment.surface].center);
        sorted[start..].sort_by(|a, b| nearness(b).total_cmp(&nearness(a)));
        self.collect(far, viewer, sorted);
    }
}

impl Node {
    fn divide(fragments: Vec<Fragment>, surfaces: &[Surface]) -> Option<Box<Node>> {
        let planes = fragments.iter().map(|fragment| {
            let surface = &surfaces[fragment.surface];
            Plane::through(surface.corners[0].point, surface.normal)
        });
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
                    let [far, near] = fragment.split(plane, normal);
                    behind.push(far);
                    in_front.push(near);
                }
                (true, false) => behind.push(fragment),
                (false, true) => in_front.push(fragment),
                (false, false) => coplanar.push(fragment),
            }
        }
        Some(Box::new(Node {
            plane,
            coplanar,
            behind: Node::divide(behind, surfaces),
            in_front: Node::divide(in_front, surfaces),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::figure::{CAPE, Figure, WHOLE};
    use crate::{Layers, Model, NamedPose};
    use glam::DVec3;

    fn body(model: Model, pose: NamedPose) -> Bsp {
        let figure = Figure {
            body: WHOLE,
            back: CAPE,
            has_ears: true,
            model,
            layers: Layers::WithOverlay,
            pose: pose.into(),
            is_upside_down: false,
        };
        Bsp::new(figure.surfaces())
    }

    fn polygon(fragment: &Fragment) -> Vec<DVec3> {
        let corners = fragment.corners.iter();
        corners.map(|corner| corner.point).collect()
    }

    fn triangles(polygon: &[DVec3]) -> impl Iterator<Item = [DVec3; 3]> {
        let pairs = polygon[1..].array_windows();
        pairs.map(|&[b, c]| [polygon[0], b, c])
    }

    fn area(polygon: &[DVec3]) -> f64 {
        let areas = triangles(polygon).map(|[a, b, c]| (b - a).cross(c - a).length() / 2.0);
        areas.sum()
    }

    #[test]
    fn fragments_cover_what_the_faces_cover() {
        for (model, pose) in [
            (Model::Classic, NamedPose::Stand),
            (Model::Slim, NamedPose::Stand),
            (Model::Classic, NamedPose::Sit),
            (Model::Slim, NamedPose::Cheer),
        ] {
            let bsp = body(model, pose);
            let mut covered = vec![0.0; bsp.surfaces.len()];
            for fragment in bsp.front_to_back(&Viewer::far(DVec3::new(-1.0, -0.9, 1.0))) {
                covered[fragment.surface] += area(&polygon(fragment));
            }
            for (surface, covered) in bsp.surfaces.iter().zip(covered) {
                let whole = area(&surface.corners.map(|corner| corner.point));
                assert!(
                    (covered - whole).abs() < 1e-6,
                    "{covered} of {whole}: {surface:?}"
                );
            }
        }
    }

    #[test]
    fn no_fragment_is_hidden_by_a_later_one() {
        let viewers = [
            [-1.0, -0.9, 1.0],
            [1.0, -0.9, -1.0],
            [0.0, 0.0, 1.0],
            [0.3, 0.8, -0.2],
            [1.0, 0.0, 0.0],
            [0.0, -1.0, 0.0],
        ];
        for (toward, pose) in viewers.into_iter().zip(NamedPose::ALL.iter().copied()) {
            let toward = DVec3::from(toward);
            let far = Viewer::far(toward);
            let near = Viewer {
                target: DVec3::Y * 16.0,
                nearness: 1.0 / 50.0,
                ..Viewer::far(toward.normalize())
            };
            for viewer in [far, near] {
                let bsp = body(Model::Classic, pose);
                let sorted = bsp.front_to_back(&viewer);
                for (index, late) in sorted.iter().enumerate() {
                    let normal = bsp.surfaces[late.surface].normal;
                    for early in &sorted[..index] {
                        // Points inside of each of its triangles.
                        for [a, b, c] in triangles(&polygon(early)) {
                            for [s, t] in [[0.3, 0.3], [0.1, 0.1], [0.8, 0.1], [0.1, 0.8]] {
                                let point = a + (b - a) * s + (c - a) * t;
                                let toward = viewer.toward_from(point);
                                let hidden = meets(&polygon(late), normal, point, toward);
                                assert!(!hidden, "from {toward:?} {late:?} hides {early:?}");
                            }
                        }
                    }
                }
            }
        }
    }

    /// Returns `true` if the ray from a point towards a viewer meets a polygon.
    fn meets(polygon: &[DVec3], normal: DVec3, point: DVec3, toward: DVec3) -> bool {
        let distance = normal.dot(polygon[0] - point) / normal.dot(toward);
        if !(distance > 1e-6 && distance.is_finite()) {
            return false;
        }
        let hit = point + toward * distance;
        let mut sides = (0..polygon.len()).map(|index| {
            let [a, b] = [polygon[index], polygon[(index + 1) % polygon.len()]];
            (b - a).cross(hit - a).dot(normal)
        });
        let first = sides.next().unwrap_or(0.0);
        first.abs() > 1e-6 && sides.all(|side| side * first > 1e-9)
    }
}
