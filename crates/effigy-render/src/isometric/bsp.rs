//! Depth order by binary space partition.
//!
//! Boxes touch and, inflated, intersect one another, so no order of whole faces is right everywhere.
//! The plane of one face divides all others: fragments on the viewer's side of it can only hide the
//! ones on the far side. The recursion over both sides builds a BSP tree and walks it at once.
//! (Fuchs, Kedem and Naylor, "On Visible Surface Generation by A Priori Tree Structures", 1980)

use crate::isometric::fragment::{Axis, Fragment, Z};

/// Splits fragments where needed and sorts them so that none is hidden by a later one.
///
/// Fragments come in paint order: of two on one plane, the later one is nearer to the viewer.
pub(crate) fn sort_front_to_back(fragments: Vec<Fragment>) -> Vec<Fragment> {
    let count_cuts = |plane: &Plane| fragments.iter().filter(|f| plane.cuts(f)).count();
    let Some(plane) = fragments.iter().map(Plane::of).min_by_key(count_cuts) else {
        return Vec::new();
    };
    let Partition {
        in_front,
        coplanar,
        behind,
    } = plane.partition(fragments);
    let mut sorted = sort_front_to_back(in_front);
    sorted.extend(coplanar.into_iter().rev());
    sorted.extend(sort_front_to_back(behind));
    sorted
}

/// A plane perpendicular to an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plane {
    axis: Axis,
    at: i32,
}

/// Fragments divided by a plane, as the viewer sees it. Each list keeps the paint order.
#[derive(Default)]
struct Partition {
    in_front: Vec<Fragment>,
    coplanar: Vec<Fragment>,
    behind: Vec<Fragment>,
}

impl Plane {
    fn of(fragment: &Fragment) -> Plane {
        let axis = fragment.orientation.normal.axis;
        Plane {
            axis,
            at: fragment.bounds.min[axis],
        }
    }

    fn cuts(self, fragment: &Fragment) -> bool {
        let (min, max) = self.extent(fragment);
        min < self.at && self.at < max
    }

    fn contains(self, fragment: &Fragment) -> bool {
        self.extent(fragment) == (self.at, self.at)
    }

    fn extent(self, fragment: &Fragment) -> (i32, i32) {
        let bounds = &fragment.bounds;
        (bounds.min[self.axis], bounds.max[self.axis])
    }

    fn partition(self, fragments: Vec<Fragment>) -> Partition {
        let mut partition = Partition::default();
        for fragment in fragments {
            if self.contains(&fragment) {
                partition.coplanar.push(fragment);
            } else {
                let [behind, in_front] = self.split(fragment);
                partition.behind.extend(behind);
                partition.in_front.extend(in_front);
            }
        }
        partition
    }

    /// Splits a fragment into the pieces behind and in front of the plane. The viewer stands in
    /// front, above and to the player's right.
    fn split(self, fragment: Fragment) -> [Option<Fragment>; 2] {
        let [low, high] = fragment.split(self.axis, self.at);
        if self.axis == Z {
            [low, high]
        } else {
            [high, low]
        }
    }
}
