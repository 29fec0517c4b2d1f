//! Backgrounds, padding, shapes, shadows, groups and sheets.

use std::f64::consts::PI;

use effigy_render::{
    Angle, Camera, Decoration, Facing, Framing, Light, NamedPose, PictureSpec, Place, Player, Pose,
    RenderError, Rotation, Shape, Size, Skin, View,
};
use fixtures::Image;

use crate::support::drawn;

const RED: [u8; 4] = [200, 0, 0, 255];
const NONE: Decoration = Decoration::NONE;
const SHADOW: Decoration = NONE.with_shadow(true);

fn padded(padding: u16) -> Decoration {
    NONE.with_padding(padding)
}

fn decorated(view: View, pixels: u32, decoration: Decoration) -> PictureSpec {
    PictureSpec::new(view, Size::px(pixels)).with_decoration(decoration)
}

fn image(spec: &PictureSpec, skin: &Skin) -> Image {
    let picture = spec.picture(skin).expect("a small picture");
    let size = [picture.width(), picture.height()].map(u64::from);
    assert_eq!(size, [spec.width(), spec.height()]);
    drawn::image(&picture)
}

fn places(image: &Image) -> impl Iterator<Item = [u32; 2]> {
    let width = image.width;
    (0..image.height).flat_map(move |y| (0..width).map(move |x| [x, y]))
}

fn alphas<const N: usize>(image: &Image, places: [[u32; 2]; N]) -> [u8; N] {
    places.map(|[x, y]| image.pixel(x, y)[3])
}

/// Poses with framings.
fn framed_poses() -> impl Iterator<Item = (NamedPose, Framing)> {
    let poses = NamedPose::ALL.iter();
    poses.flat_map(|pose| Framing::ALL.iter().map(|framing| (*pose, *framing)))
}

#[test]
fn a_background_fills_the_picture_and_its_padding() {
    let skin = drawn::named("knight");
    // A portrait continues to the lower edge.
    for &view in View::ALL.iter().filter(|view| **view != View::Portrait) {
        let decoration = padded(5).with_background(RED);
        let outer = image(&decorated(view, 40, decoration), &skin);
        let inner = image(&decorated(view, 40, NONE), &skin);
        let size = [inner.width + 10, inner.height + 10];
        assert_eq!([outer.width, outer.height], size);
        let inner = drawn::surrounded(&inner, size, [5, 5]);
        for [x, y] in places(&outer) {
            let [drawn, actual] = [&inner, &outer].map(|image| image.pixel(x, y));
            let share = f64::from(drawn[3]) / 255.0;
            let is_near = |channel: usize| {
                let [drawn, red] = [drawn, RED].map(|color| f64::from(color[channel]));
                let expected = drawn * share + red * (1.0 - share);
                (f64::from(actual[channel]) - expected).abs() < 2.5
            };
            let is_right = actual[3] == 255 && (0..3).all(is_near);
            assert!(is_right, "{view} {x} {y}: {actual:?} {drawn:?}");
        }
    }
}

#[test]
fn a_portrait_continues_to_the_lower_edge() {
    let skin = drawn::named("knight");
    let spec = decorated(View::Portrait, 40, padded(5));
    let portrait = image(&spec, &skin);
    assert_eq!([portrait.width, portrait.height], [50, 50]);
    assert_eq!(alphas(&portrait, [[25, 49], [25, 0], [0, 49]]), [255, 0, 0]);
    // The chest of a player who hangs from it is at the upper one.
    let hanging = image(&spec.with_upside_down(true), &skin);
    let hanging = alphas(&hanging, [[25, 0], [25, 40], [25, 49]]);
    assert_eq!(hanging, [255, 255, 0]);
    let group = spec.group(&[Some(Player::new(&skin)); 2]).unwrap();
    let group = drawn::image(&group.picture);
    assert_eq!(alphas(&group, [[25, 49], [65, 49]]), [255; 2]);
}

#[test]
fn shapes_cut_the_corners() {
    let skin = drawn::named("knight");
    // A circle of radius 32, and four corners of radius 8.
    for (shape, expected) in [
        (Shape::Square, 4096.0),
        (Shape::Circle, 1024.0 * PI),
        (Shape::Rounded, 4096.0 - 64.0 * (4.0 - PI)),
    ] {
        let spec = decorated(View::Face, 64, NONE.with_shape(shape));
        let face = image(&spec, &skin);
        let alphas = places(&face).map(|[x, y]| f64::from(face.pixel(x, y)[3]));
        let area = alphas.sum::<f64>() / 255.0;
        assert!((area - expected).abs() < 0.5, "{shape}: {area}");
        let is_cut = face.pixel(0, 0)[3] == 0;
        assert_eq!(is_cut, shape != Shape::Square, "{shape}");
    }
}

#[test]
fn only_figures_cast_shadows() {
    let skin = drawn::named("plain");
    for &view in View::ALL {
        let [plain, shadowed] =
            [NONE, SHADOW].map(|decoration| image(&decorated(view, 64, decoration), &skin));
        let casts = matches!(view, View::Figure | View::IsometricBody);
        assert_eq!(plain != shadowed, casts, "{view}");
    }
}

#[test]
fn a_sheet_has_a_place_for_everybody() {
    let skin = drawn::named("fox");
    let player = Some(Player::new(&skin));
    let decoration = padded(3).with_background(RED).with_shape(Shape::Rounded);
    let spec = decorated(View::Face, 16, decoration);
    let sheet = spec
        .sheet(&[player, None, player], 2)
        .expect("a small sheet");
    assert_eq!(spec.sheet_size(3, 2), [46, 46]);
    let rectangles = sheet
        .places
        .iter()
        .map(|at| [at.x, at.y, at.width, at.height]);
    let expected_places = [[0, 0, 22, 22], [24, 0, 22, 22], [0, 24, 22, 22]];
    assert!(rectangles.eq(expected_places), "{:?}", sheet.places);
    // Each is the picture of its player. Those of a shape stand apart.
    let alone = image(&spec, &skin);
    let expected_pixels = drawn::painted([46, 46], |x, y| match (x / 24, y / 24) {
        (0, _) if x < 22 && y % 24 < 22 => alone.pixel(x, y % 24),
        _ => [0; 4],
    });
    assert!(drawn::image(&sheet.picture) == expected_pixels);
}

#[test]
fn a_group_stands_on_one_line() {
    let skin = drawn::named("plain");
    let [plain, eared] = ["Plainly", "deadmau5"].map(|name| Some(Player::new(&skin).named(name)));
    let spec = PictureSpec::new(View::Figure, Size::px(60));
    let alike = spec.group(&[plain, None, plain]).unwrap();
    assert_eq!(alike.picture.height(), 120);
    let group = drawn::image(&spec.group(&[plain, eared, None]).unwrap().picture);
    assert_eq!(group.width, 180);
    let lowest = [0..60, 60..120].map(|columns| {
        let filled = places(&group).filter(|[x, y]| group.pixel(*x, *y)[3] > 128);
        filled
            .filter(|[x, _]| columns.contains(x))
            .last()
            .expect("a figure")[1]
    });
    assert!(lowest[0].abs_diff(lowest[1]) <= 1, "{lowest:?}");
}

#[test]
fn impossible_groups_and_sheets_are_refused() {
    let skin = drawn::named("plain");
    let spec = PictureSpec::new(View::Face, Size::px(16));
    for refused in [spec.sheet(&[], 3), spec.group(&[]), spec.sheet(&[None], 0)] {
        let refused = refused.unwrap_err();
        assert!(matches!(refused, RenderError::NoPlayers), "{refused:?}");
    }
    let widest = decorated(View::Face, Size::MAX, NONE);
    let player = Player::new(&skin);
    let padded = widest.with_decoration(padded(1)).picture(player).map(drop);
    let group = widest.group(&[Some(player), Some(player)]).map(drop);
    for refused in [padded, group] {
        let is_right = matches!(refused, Err(RenderError::TooLarge { .. }));
        assert!(is_right, "{refused:?}");
    }
}

/// Returns the distances of visible pixels from the left, upper, right and lower edges.
fn margins(spec: &PictureSpec, skin: &Skin) -> [u32; 4] {
    let image = image(spec, skin);
    let visible = places(&image).filter(|[x, y]| image.pixel(*x, *y)[3] > 0);
    let distances = visible.map(|[x, y]| [x, y, image.width - 1 - x, image.height - 1 - y]);
    let least = |a: [u32; 4], b: [u32; 4]| [0, 1, 2, 3].map(|edge| a[edge].min(b[edge]));
    distances.reduce(least).expect("something is visible")
}

#[test]
fn figures_stand_on_the_lower_edge_and_fill_the_picture() {
    let skin = drawn::named("knight");
    for &pose in NamedPose::ALL {
        for yaw in [0.0, 25.0, -90.0, 130.0] {
            let camera = Camera::orthographic(yaw, 10.0);
            let spec = decorated(View::Figure, 64, NONE)
                .with_pose(pose)
                .with_camera(camera);
            let still = margins(&spec, &skin);
            let turning = margins(&spec.with_framing(Framing::Turning), &skin);
            // The cape has room whether it is worn or not.
            let is_low = still[3] <= 4 && still[1] <= turning[1] + turning[3] + 1;
            let is_wide = still[0] + still[2] <= turning[0] + turning[2] + 1;
            assert!(is_low && is_wide, "{pose} {yaw}: {still:?} {turning:?}");
        }
    }
}

#[test]
fn a_turning_figure_keeps_its_height() {
    let skin = drawn::named("plain");
    // The lowest edges are level from every side.
    let mut step_pose = Pose::STRAIGHT;
    step_pose.right_leg = Rotation::degrees(28.0, 0.0, 0.0);
    // The head looks at the viewer, and goes forward.
    for pose in [step_pose, NamedPose::Crouch.into()] {
        let spec = decorated(View::Figure, 300, NONE).with_pose(pose);
        let heights = (-8..9).map(|step| {
            let camera = Camera::orthographic(f64::from(step) * 22.5, 0.0);
            let spec = spec.with_framing(Framing::Turning).with_camera(camera);
            let [_, top, _, bottom] = margins(&spec, &skin);
            [top, bottom]
        });
        let mut heights: Vec<_> = heights.collect();
        heights.dedup();
        assert_eq!(heights.len(), 1, "{heights:?}");
    }
}

#[test]
fn framing_for_all_poses_leaves_room_for_them() {
    let skin = drawn::named("plain");
    let figure = decorated(View::Figure, 100, NONE).with_framing(Framing::All);
    let mut lying = Pose::STRAIGHT;
    lying.body = Rotation::degrees(-90.0, 0.0, 0.0);
    let side = figure.with_camera(Camera::orthographic(90.0, 0.0));
    let [left, _, right, _] = margins(&side.with_pose(lying), &skin);
    assert!(left > 0 && right > 0, "{left} {right}");
    // The eye is near, but it has to keep its distance from other poses, which reach further.
    for (pitch, fov) in [(-70.0, 90.0), (70.0, 90.0), (50.0, 75.0)] {
        let figure = figure.with_camera(Camera::perspective(20.0, pitch, fov));
        for (pose, framing) in framed_poses() {
            let spec = figure.with_framing(framing).with_pose(pose);
            let [beside_left, _, beside_right, _] = margins(&spec, &skin);
            assert!(
                beside_left + beside_right < 75,
                "{pose} {framing} {pitch}: {beside_left} {beside_right}"
            );
        }
    }
}

#[test]
fn a_body_that_turns_is_a_viewer_who_goes_around_it() {
    let skin = drawn::named("uv_classic");
    let spec = decorated(View::Portrait, 64, NONE)
        .with_light(Light::None)
        .with_framing(Framing::Turning);
    let mut ahead = Pose::STRAIGHT;
    ahead.gaze = Angle::degrees(40.0);
    let mut turned = ahead;
    turned.body = Rotation::degrees(0.0, 30.0, 0.0);
    let pixels = |yaw, pose: Pose| {
        let camera = Camera::orthographic(yaw, 10.0);
        image(&spec.with_camera(camera).with_pose(pose), &skin).rgba
    };
    let by_body = pixels(70.0, turned);
    let by_viewer = pixels(40.0, ahead);
    let pairs = by_body.iter().zip(&by_viewer);
    let differs = pairs.filter(|(a, b)| a.abs_diff(**b) > 32).count();
    assert!(differs < 20, "{differs}");
}

#[test]
fn a_mirrored_figure_has_a_mirrored_shadow() {
    let skin = drawn::named("plain");
    let crouching = decorated(View::IsometricBody, 100, SHADOW).with_pose(NamedPose::Crouch);
    for pair in [
        [Facing::Left, Facing::Right],
        [Facing::BackRight, Facing::BackLeft],
    ] {
        let [left, right] = pair.map(|facing| image(&crouching.with_facing(facing), &skin));
        for [x, y] in places(&left) {
            let alpha = left.pixel(x, y)[3];
            let mirrored = right.pixel(99 - x, y)[3];
            assert!(alpha.abs_diff(mirrored) <= 1, "{pair:?} {x} {y}");
        }
    }
}

/// A shadow that reaches an edge of the picture would look cut off.
#[test]
fn a_shadow_is_never_cut() {
    let skin = drawn::named("plain");
    for (pose, framing) in framed_poses() {
        for view in [View::Figure, View::IsometricBody] {
            let spec = decorated(view, 100, SHADOW)
                .with_pose(pose)
                .with_framing(framing);
            let image = image(&spec, &skin);
            for [x, y] in places(&image) {
                let is_at_side = x == 0 || x == image.width - 1;
                if !is_at_side && y != image.height - 1 {
                    continue;
                }
                let [r, g, b, alpha] = image.pixel(x, y);
                let is_cut = [r, g, b] == [0; 3] && alpha >= 16;
                assert!(!is_cut, "{view} {pose} {framing} {x} {y}: {alpha}");
            }
        }
    }
}

#[test]
fn a_circle_is_as_wide_as_the_longer_side() {
    for (view, side) in [(View::Figure, 106), (View::Combo, 82), (View::Face, 56)] {
        let spec = decorated(view, 50, padded(3).with_shape(Shape::Circle));
        assert_eq!([spec.width(), spec.height()], [side; 2], "{view}");
    }
}

#[test]
fn a_view_lies_inside_its_shape() {
    let skin = drawn::named("plain");
    // The left half of a combo is opaque.
    for (shape, padding, reaches) in [
        (Shape::Circle, 0, true),
        (Shape::Circle, 10, true),
        (Shape::Rounded, 0, true),
        (Shape::Rounded, 10, false),
    ] {
        let decoration = padded(padding).with_shape(shape);
        let image = image(&decorated(View::Combo, 100, decoration), &skin);
        let mut visible = places(&image).filter(|[x, y]| image.pixel(*x, *y)[3] > 0);
        let [x, y] = visible.next().expect("a face");
        let [width, height] = [image.width, image.height].map(f64::from);
        let radius = match shape {
            Shape::Circle => width / 2.0,
            _ => width.min(height) / 8.0,
        };
        let [across, down] = [x, y].map(|side| (radius - f64::from(side)).max(0.0));
        let distance = across.hypot(down);
        let what = format!("{shape} {padding}: {distance} of {radius}");
        assert_eq!(image.pixel(x, y)[3], 255, "{what}");
        assert!(distance <= radius, "{what}");
        assert_eq!(distance > radius - 2.0, reaches, "{what}");
    }
}

#[test]
fn the_places_of_a_group_lie_inside_its_shape() {
    let skin = drawn::named("plain");
    let group = decorated(View::Face, 40, NONE.with_shape(Shape::Circle));
    let group = group.group(&[Some(Player::new(&skin)); 3]).unwrap();
    let image = drawn::image(&group.picture);
    assert_eq!([image.width, image.height], [120, 40]);
    let place = &group.places[0];
    assert_eq!(place.width, place.height);
    let corners = [[place.x, place.y], [place.x - 1, place.y - 1]];
    assert_eq!(alphas(&image, corners), [255, 0]);
}

#[test]
fn names_are_below_the_players() {
    let skin = drawn::named("plain");
    let named = |name| Some(Player::new(&skin).with_label(name));
    let players = [named("Abc"), None, named(""), named("a_much_longer_name")];
    for width in [16, 64, 200] {
        let plain = decorated(View::Figure, width, padded(4));
        let spec = plain.with_names(true);
        for (without, with) in [
            (plain.group(&players), spec.group(&players)),
            (plain.sheet(&players, 4), spec.sheet(&players, 4)),
        ] {
            let plain_group = without.unwrap();
            let named_group = with.unwrap();
            assert_eq!(plain_group.places, named_group.places);
            let before = drawn::image(&plain_group.picture);
            let after = drawn::image(&named_group.picture);
            assert_eq!(after.height - before.height, 11 * (width / 64).max(1));
            let is_named = |at: &Place| {
                let columns = at.x..at.x + at.width;
                let mut below = drawn::places([columns, at.y + at.height..after.height]);
                below.any(|[x, y]| after.pixel(x, y) == [255; 4])
            };
            let shown: Vec<_> = named_group.places.iter().map(is_named).collect();
            assert_eq!(shown, [true, false, false, true], "{width}");
            // Nothing else changes.
            let first = &named_group.places[0];
            for [right, down] in [[0, 0], [width / 2, width]] {
                let pixel = |image: &Image| image.pixel(first.x + right, first.y + down);
                assert_eq!(pixel(&before), pixel(&after));
            }
        }
    }
}
