//! Movements, moment by moment.

use super::*;
use crate::scene::geometry::range;

/// The number of moments of a movement, which is also the number that scripts draw.
const MOMENTS: u32 = 64;

const PARTS: [Part; 6] = [
    Part::Head,
    Part::Torso,
    Part::RightArm,
    Part::LeftArm,
    Part::RightLeg,
    Part::LeftLeg,
];

const WALKING: [NamedPose; 4] = [
    NamedPose::Walk,
    NamedPose::Run,
    NamedPose::March,
    NamedPose::Zombie,
];

fn moving() -> impl Iterator<Item = NamedPose> {
    NamedPose::ALL
        .iter()
        .copied()
        .filter(|name| name.is_moving())
}

fn moment(name: NamedPose, number: u32) -> Pose {
    name.at(f64::from(number % MOMENTS) / f64::from(MOMENTS))
}

/// Returns the corners of a part with its overlay.
fn corners(pose: Pose, part: Part) -> Vec<DVec3> {
    let layers = part.layers(Layers::WithOverlay);
    let inflation = layers.last().expect("a part has layers").inflation(part);
    let solids = Skeleton::new(&pose, false).solids(&part.cuboid(Model::Classic), inflation);
    solids.iter().flat_map(|solid| solid.corners).collect()
}

/// Returns the height of the lowest point of some parts. The axis points down.
fn lowest(pose: Pose, parts: &[Part]) -> f64 {
    let corners = parts.iter().flat_map(|&part| corners(pose, part));
    let [_, lowest] = range(corners.map(|corner| corner.y));
    lowest
}

/// Returns points of a part that show how it turns and rolls, whether it bends or not: three at its
/// upper end, and the corners of its lower one.
fn marks(pose: Pose, part: Part) -> Vec<DVec3> {
    let skeleton = Skeleton::new(&pose, false);
    let solids = skeleton.solids(&part.cuboid(Model::Classic), DVec3::ZERO);
    let first = &solids[0].corners;
    let last = &solids[solids.len() - 1].corners;
    vec![
        first[0], first[1], first[4], last[2], last[3], last[6], last[7],
    ]
}

/// Returns the middle of a sole.
fn sole(pose: Pose, leg: Part) -> DVec3 {
    let solids = Skeleton::new(&pose, false).solids(&leg.cuboid(Model::Classic), DVec3::ZERO);
    let lower = solids.last().expect("a leg has a lower half");
    let ends = [2, 3, 6, 7].map(|corner| lower.corners[corner]);
    ends.iter().sum::<DVec3>() / 4.0
}

#[test]
fn moving_poses_have_a_cycle_and_others_have_none() {
    for &name in NamedPose::ALL {
        // Idle players only glance to the side while they breathe.
        let is_drawn_in_motion = name.is_moving() && name != NamedPose::Idle;
        let changes = name.sketch_at(0.1).pose() != name.sketch_at(0.0).pose();
        assert_eq!(changes, is_drawn_in_motion, "{name}");
    }
}

#[test]
fn the_moving_poses_are_known() {
    let words: Vec<&str> = moving().map(NamedPose::as_str).collect();
    let expected = "idle walk run march wave cheer kick fight zombie dance clap";
    assert_eq!(words.join(" "), expected);
}

#[test]
fn a_movement_begins_and_ends_with_its_pose() {
    for name in moving() {
        assert_eq!(name.at(0.0), Pose::from(name), "{name}");
        assert_eq!(name.at(1.0), Pose::from(name), "{name}");
    }
}

#[test]
fn a_foot_on_the_ground_moves_back_evenly() {
    for name in WALKING {
        for leg in [Part::RightLeg, Part::LeftLeg] {
            let mut speeds = Vec::new();
            for number in 0..MOMENTS {
                let [before, after] = [number, number + 1].map(|number| moment(name, number));
                let is_planted = |pose| {
                    let ground = lowest(pose, &PARTS);
                    lowest(pose, &[leg]) > ground - 1e-9
                };
                if is_planted(before) && is_planted(after) {
                    speeds.push(sole(before, leg).z - sole(after, leg).z);
                }
            }
            assert!(speeds.len() > 25, "{name} {leg:?}: {}", speeds.len());
            let mean = speeds.iter().sum::<f64>() / speeds.len() as f64;
            let shares: Vec<f64> = speeds.iter().map(|speed| speed / mean).collect();
            let [least, greatest] = range(shares.iter().copied());
            assert!(
                least > 0.8 && greatest < 1.2,
                "{name} {leg:?}: {shares:.2?}"
            );
        }
    }
}

#[test]
fn one_foot_after_the_other_is_on_the_ground() {
    for name in WALKING {
        let mut planted = [0, 0];
        for number in 0..MOMENTS {
            let pose = moment(name, number);
            let ground = lowest(pose, &PARTS);
            let heights = [Part::RightLeg, Part::LeftLeg].map(|leg| ground - lowest(pose, &[leg]));
            // A foot in the air is well above the ground, unless it comes down or leaves the
            // ground.
            for (foot, height) in heights.into_iter().enumerate() {
                if height < 0.5 {
                    planted[foot] += 1;
                }
            }
            assert!(heights[0].min(heights[1]) < 1e-9, "{name} {number}");
        }
        for count in planted {
            assert!((32..44).contains(&count), "{name}: {planted:?}");
        }
    }
}

#[test]
fn no_moment_is_like_another() {
    for name in moving() {
        for number in 0..MOMENTS {
            for other in 0..number {
                assert_ne!(
                    moment(name, number),
                    moment(name, other),
                    "{name} {number} {other}"
                );
            }
        }
    }
}

#[test]
fn no_part_jumps_from_a_moment_to_the_next() {
    let mut jumps = Vec::new();
    for name in moving() {
        for number in 0..MOMENTS {
            let [before, after] = [number, number + 1].map(|number| moment(name, number));
            for part in PARTS {
                let pairs = marks(before, part).into_iter().zip(marks(after, part));
                let [_, distance] = range(pairs.map(|(from, to)| (to - from).length()));
                if distance > 2.0 {
                    jumps.push(format!("{name} {number}: {part:?} {distance:.2}"));
                }
            }
        }
    }
    assert!(jumps.is_empty(), "{jumps:#?}");
}

#[test]
fn movements_are_smooth() {
    let mut jerks = Vec::new();
    for name in moving() {
        for number in 0..MOMENTS {
            let poses = [number, number + 1, number + 2].map(|number| moment(name, number));
            for part in PARTS {
                let [first, second, third] = poses.map(|pose| marks(pose, part));
                for mark in 0..first.len() {
                    let before = second[mark] - first[mark];
                    let after = third[mark] - second[mark];
                    let change = (after - before).length();
                    if change > 0.5 {
                        jerks.push(format!("{name} {number}: {part:?} {change:.2}"));
                    }
                }
            }
        }
    }
    assert!(jerks.is_empty(), "{jerks:#?}");
}
