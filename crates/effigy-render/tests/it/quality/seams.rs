//! No seam shows the background between faces or texels that meet.

use crate::support::poses::any_pose;
use crate::support::random::Noise;
use crate::support::specs::{bent, bent_in_place};
use crate::support::straightforward::Look;
use crate::support::{psnr, random};

use effigy_render::{Camera, Facing, Filter, Layers, Model, NamedPose, Pose, Skin, View};
use glam::DVec4;
use proptest::prelude::*;

/// The pixels around one that must be on the figure for the pixel to be opaque: across and down.
type Reach = [usize; 2];

/// Returns the reach of a kernel, and two pixels more: an outline may be anywhere between two
/// samples, and the gap between two limbs begins as a wedge that is narrower than their distance.
fn reach(filter: Filter) -> Reach {
    match filter {
        Filter::Lanczos3 => [5, 5],
        _ => [2, 2],
    }
}

/// The pixels whose whole kernel lies on the figure.
struct Inside {
    count: usize,
    /// The places of the pixels with less than the least alpha.
    faint: Vec<[usize; 2]>,
}

/// Finds the pixels whose whole kernel lies on the figure, and the faint pixels among them.
fn inside(
    ideal: &[DVec4],
    pixels: &[DVec4],
    width: usize,
    [across, down]: Reach,
    least_alpha: f64,
) -> Inside {
    let rows: Vec<_> = ideal.chunks_exact(width).collect();
    let mut inside = Inside {
        count: 0,
        faint: Vec::new(),
    };
    for (y, near) in (down..).zip(rows.windows(2 * down + 1)) {
        for x in across..width.saturating_sub(across) {
            let mut around = near.iter().flat_map(|row| &row[x - across..=x + across]);
            if !around.all(|pixel| pixel.w > 254.9) {
                continue;
            }
            inside.count += 1;
            if pixels[y * width + x].w < least_alpha {
                inside.faint.push([x, y]);
            }
        }
    }
    inside
}

/// Asserts that there are no gaps between faces or texels.
#[track_caller]
fn check_opaque(look: Look, skin: &Skin, sizes: &[u32], reach: Reach) {
    check_gaps(look, skin, sizes, reach, 255.0, 0);
}

/// Asserts that no more pixels than this have less than an alpha.
#[track_caller]
fn check_gaps(look: Look, skin: &Skin, sizes: &[u32], reach: Reach, least_alpha: f64, most: usize) {
    for (ideal, &size) in look.draw(skin, sizes, 480).iter().zip(sizes) {
        let pixels = psnr::render(look, skin, size);
        let inside = inside(ideal, &pixels, size as usize, reach, least_alpha);
        assert!(
            inside.count > 0 || size < 40,
            "{look:?} {size} has no inside"
        );
        let faint = inside.faint;
        assert!(faint.len() <= most, "{size}: {faint:?}");
    }
}

fn isometric(view: View, facing: Facing) -> Look {
    Look {
        camera: Camera::Isometric(facing),
        ..Look::usual(view)
    }
}

fn posed(pose: impl Into<Pose>, camera: Camera) -> Look {
    Look {
        pose: pose.into(),
        camera,
        ..Look::usual(View::Figure)
    }
}

#[test]
fn no_seam_shows_the_background_in_isometric_views() {
    let skin = random::skin(7, [64, 64], Noise::Opaque, Model::Slim);
    for view in [View::IsometricHead, View::IsometricBody] {
        let sizes = [9, 33, 40, 64, 77, 100, 120, 131, 239, 241];
        check_opaque(Look::usual(view), &skin, &sizes, reach(Filter::Lanczos3));
        let behind = isometric(view, Facing::BackLeft);
        check_opaque(
            behind,
            &skin,
            &[9, 33, 64, 120, 131],
            reach(Filter::Lanczos3),
        );
    }
}

#[test]
fn no_seam_shows_the_background_in_named_poses() {
    let skin = random::skin(7, [64, 64], Noise::Opaque, Model::Slim);
    let pitches = [10.0, -33.0, 0.0, 90.0].into_iter().cycle();
    for (&pose, pitch) in NamedPose::ALL.iter().zip(pitches) {
        for yaw in [-180.0, -61.7, 45.0] {
            let look = posed(pose, Camera::orthographic(yaw, pitch));
            check_opaque(look, &skin, &[60], reach(Filter::Area));
        }
    }
}

#[test]
fn no_seam_shows_the_background_at_bent_joints() {
    let skin = random::skin(7, [64, 64], Noise::Opaque, Model::Slim);
    for pose in [bent(), bent_in_place()] {
        for [yaw, pitch, fov] in [[20.0, 10.0, 30.0], [-75.0, -30.0, 0.0], [165.0, 25.0, 60.0]] {
            let camera = Camera::perspective(yaw, pitch, fov);
            check_opaque(posed(pose, camera), &skin, &[60, 128], reach(Filter::Area));
        }
    }
}

/// With area coverage, the color of a steep line reaches a few pixels beyond its end at another
/// line: up to half of the greatest rise of a line in a column, which is 8 pixels. A seam of a
/// joint is longer.
const BEYOND_STEEP_LINES: Reach = [2, 6];

/// The least alpha of pixels at which faces meet at any angle.
const HARDLY_LESS_THAN_OPAQUE: f64 = 245.0;

/// The number of pixels that may have a lower alpha. The ends of steep lines leave single ones; a
/// gap along a joint would leave a row of them.
const SINGLE_PIXELS: usize = 3;

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 20,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_seam_shows_the_background_in_any_pose(
        seed: u64,
        model in proptest::sample::select(Model::ALL),
        layers in proptest::sample::select(Layers::ALL),
        view in proptest::sample::select(&[View::Figure, View::Portrait][..]),
        pose in any_pose(),
        [yaw, pitch] in [-180.0..180.0, -90.0..90.0],
        fov in proptest::sample::select(&[0.0, 0.0, 1.0, 30.0, 60.0, 90.0][..]),
    ) {
        let skin = random::skin(seed, [64, 64], Noise::Opaque, model);
        let camera = Camera::perspective(yaw, pitch, fov);
        let look = Look { view, layers, ..posed(pose, camera) };
        let sizes = [64, 128, 300];
        let reach = BEYOND_STEEP_LINES;
        check_gaps(look, &skin, &sizes, reach, HARDLY_LESS_THAN_OPAQUE, SINGLE_PIXELS);
    }
}
