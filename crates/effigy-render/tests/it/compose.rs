//! Backgrounds, padding, shapes, shadows, groups and sheets.

use std::f64::consts::PI;

use effigy_render::{
    Angle, Camera, Decoration, Facing, Framing, Light, NamedPose, Picture, PictureSpec, Place,
    Player, Pose, RenderError, Rotation, Shape, Size, Skin, View,
};

use crate::support::drawn;

const RED: [u8; 4] = [200, 0, 0, 255];
const NONE: Decoration = Decoration::NONE;
const SHADOW: Decoration = Decoration {
    has_shadow: true,
    ..NONE
};

fn padded(padding: u16) -> Decoration {
    Decoration { padding, ..NONE }
}

fn decorated(view: View, pixels: u32, decoration: Decoration) -> PictureSpec {
    PictureSpec::new(view, Size::px(pixels)).with_decoration(decoration)
}

fn pixel(pixels: &[[u8; 4]], width: u64, [x, y]: [u64; 2]) -> [u8; 4] {
    pixels[usize::try_from(y * width + x).expect("a small picture")]
}

fn places(spec: &PictureSpec) -> impl Iterator<Item = [u64; 2]> {
    let width = spec.width();
    (0..spec.height()).flat_map(move |y| (0..width).map(move |x| [x, y]))
}

#[test]
fn a_background_fills_the_picture_and_its_padding() {
    let skin = drawn::named("knight");
    // A portrait goes on to the lower edge.
    for &view in View::ALL.iter().filter(|view| **view != View::Portrait) {
        let plain = PictureSpec::new(view, Size::px(40));
        let (wide, high) = (plain.width(), plain.height());
        let background = Some(RED);
        let spec = plain.with_decoration(Decoration {
            background,
            ..padded(5)
        });
        assert_eq!([spec.width(), spec.height()], [wide + 10, high + 10]);
        let [outer, inner] = [spec, plain].map(|spec| drawn::pixels(&spec, &skin));
        for [x, y] in places(&spec) {
            let actual = pixel(&outer, spec.width(), [x, y]);
            let place = x.checked_sub(5).zip(y.checked_sub(5));
            let place = place.filter(|(x, y)| *x < wide && *y < high);
            let drawn = place.map_or([0; 4], |(x, y)| pixel(&inner, wide, [x, y]));
            assert_eq!(actual[3], 255, "{view} {x} {y}");
            let [alpha, actual_f, drawn_f] =
                [[drawn[3]; 4], actual, drawn].map(|p| p.map(f64::from));
            for channel in 0..3 {
                let share = alpha[0] / 255.0;
                let expected = drawn_f[channel] * share + f64::from(RED[channel]) * (1.0 - share);
                let is_near = (actual_f[channel] - expected).abs() < 2.5;
                assert!(is_near, "{view} {x} {y}: {actual:?} {drawn:?}");
            }
        }
    }
}

#[test]
fn a_portrait_goes_on_to_the_lower_edge() {
    let spec = decorated(View::Portrait, 40, padded(5));
    assert_eq!([spec.width(), spec.height()], [50, 50]);
    let pixels = drawn::pixels(&spec, &drawn::named("knight"));
    let alphas = [[25, 49], [25, 0], [0, 49]].map(|at| pixel(&pixels, 50, at)[3]);
    assert_eq!(alphas, [255, 0, 0]);
    // The chest of a player who hangs from it is at the upper one.
    let hanging = spec.with_upside_down(true);
    let pixels = drawn::pixels(&hanging, &drawn::named("knight"));
    let alphas = [[25, 0], [25, 40], [25, 49]].map(|at| pixel(&pixels, 50, at)[3]);
    assert_eq!(alphas, [255, 255, 0]);
    let skin = drawn::named("knight");
    let group = spec.group(&[Some(Player::new(&skin)); 2]);
    let rgba = group.and_then(|group| group.picture.to_rgba());
    let rgba = rgba.expect("the group is small");
    let alphas = [25, 65].map(|x| pixel(rgba.as_chunks().0, 90, [x, 49])[3]);
    assert_eq!(alphas, [255; 2]);
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
        let spec = decorated(View::Face, 64, Decoration { shape, ..NONE });
        let pixels = drawn::pixels(&spec, &skin);
        let alphas = pixels.iter().map(|pixel| f64::from(pixel[3]));
        let area = alphas.sum::<f64>() / 255.0;
        assert!((area - expected).abs() < 0.5, "{shape}: {area}");
        let is_cut = pixels[0][3] == 0;
        assert_eq!(is_cut, shape != Shape::Square, "{shape}");
    }
}

#[test]
fn only_figures_cast_shadows() {
    let skin = drawn::named("plain");
    for &view in View::ALL {
        let [plain, shadowed] =
            [NONE, SHADOW].map(|decoration| drawn::pixels(&decorated(view, 64, decoration), &skin));
        let casts = matches!(view, View::Figure | View::IsometricBody);
        assert_eq!(plain != shadowed, casts, "{view}");
    }
}

/// The straight pixels of a picture.
fn pixels(picture: &Picture<'_>) -> Vec<[u8; 4]> {
    let rgba = picture.to_rgba().expect("a small picture");
    rgba.as_chunks().0.to_vec()
}

#[test]
fn a_sheet_has_a_place_for_everybody() {
    let skin = drawn::named("fox");
    let player = Some(Player::new(&skin));
    let decoration = Decoration {
        background: Some(RED),
        shape: Shape::Rounded,
        ..padded(3)
    };
    let spec = decorated(View::Face, 16, decoration);
    let sheet = spec.sheet(&[player, None, player], 2);
    let sheet = sheet.expect("a small sheet");
    assert_eq!([sheet.picture.width(), sheet.picture.height()], [46, 46]);
    assert_eq!(spec.sheet_size(3, 2), [46, 46]);
    let rectangle = |place: &Place| [place.x, place.y, place.width, place.height];
    let corners = [[0, 0], [24, 0], [0, 24], [24, 24_u64]];
    assert_eq!(
        sheet.places.iter().map(rectangle).collect::<Vec<_>>(),
        [[0, 0, 22, 22], [24, 0, 22, 22], [0, 24, 22, 22]]
    );
    let pixels = pixels(&sheet.picture);
    let filled = corners.map(|at| pixel(&pixels, 46, at.map(|at| at + 11))[3] == 255);
    assert_eq!(filled, [true, false, true, false]);
    // Those of a shape stand apart.
    let gap = [22, 23].map(|y| pixel(&pixels, 46, [11, y])[3]);
    assert_eq!(gap, [0; 2]);
    // Each is the picture of its player.
    let alone = drawn::pixels(&spec, &skin);
    let [_, _, below] = sheet.places[..] else {
        panic!("three players have three places");
    };
    for [x, y] in places(&spec) {
        let at = [x + u64::from(below.x), y + u64::from(below.y)];
        assert_eq!(pixel(&pixels, 46, at), pixel(&alone, 22, [x, y]), "{x} {y}");
    }
}

#[test]
fn a_group_stands_on_one_line() {
    let skin = drawn::named("plain");
    let [plain, eared] = ["Plainly", "deadmau5"].map(|name| Some(Player::new(&skin).named(name)));
    let spec = PictureSpec::new(View::Figure, Size::px(60));
    let alike = spec.group(&[plain, None, plain]).unwrap();
    assert_eq!(alike.picture.height(), 120);
    let group = spec.group(&[plain, eared, None]).unwrap().picture;
    assert_eq!(group.width(), 180);
    let pixels = pixels(&group);
    let lowest = |columns: std::ops::Range<u64>| {
        let is_filled = |y: &u64| {
            columns
                .clone()
                .any(|x| pixel(&pixels, 180, [x, *y])[3] > 128)
        };
        (0..u64::from(group.height()))
            .rfind(is_filled)
            .expect("a figure")
    };
    let lowest = [lowest(0..60), lowest(60..120)];
    assert!(lowest[0].abs_diff(lowest[1]) <= 1, "{lowest:?}");
}

#[test]
fn what_cannot_be_is_refused() {
    let skin = drawn::named("plain");
    let spec = PictureSpec::new(View::Face, Size::px(16));
    for refused in [spec.sheet(&[], 3), spec.group(&[]), spec.sheet(&[None], 0)] {
        let refused = refused.unwrap_err();
        assert!(matches!(refused, RenderError::NoPlayers), "{refused:?}");
    }
    let widest = decorated(View::Face, Size::MAX, NONE);
    let player = Player::new(&skin);
    let padded = widest.with_decoration(padded(1));
    let padded = padded.picture(player).map(drop);
    let group = widest.group(&[Some(player), Some(player)]).map(drop);
    for refused in [padded, group].map(Result::unwrap_err) {
        assert!(
            matches!(refused, RenderError::TooLarge { .. }),
            "{refused:?}"
        );
    }
}

/// Returns the distances of what is at all visible from the left, upper, right and lower edges.
fn margins(spec: &PictureSpec, skin: &Skin) -> [u64; 4] {
    let (width, height) = (spec.width(), spec.height());
    let pixels = drawn::pixels(spec, skin);
    let visible = places(spec).filter(|&at| pixel(&pixels, width, at)[3] > 0);
    let distances = visible.map(|[x, y]| [x, y, width - 1 - x, height - 1 - y]);
    let least = |a: [u64; 4], b: [u64; 4]| [0, 1, 2, 3].map(|edge| a[edge].min(b[edge]));
    distances.reduce(least).expect("something is visible")
}

#[test]
fn figures_stand_on_the_lower_edge_and_fill_what_they_can() {
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
        let heights = (-8..9).map(|step| {
            let spec = decorated(View::Figure, 300, NONE)
                .with_pose(pose)
                .with_framing(Framing::Turning)
                .with_camera(Camera::orthographic(f64::from(step) * 22.5, 0.0));
            let [_, top, _, bottom] = margins(&spec, &skin);
            [top, bottom]
        });
        let mut heights: Vec<_> = heights.collect();
        heights.dedup();
        assert_eq!(heights.len(), 1, "{heights:?}");
    }
}

#[test]
fn a_figure_is_as_large_as_the_eye_and_other_poses_allow() {
    let skin = drawn::named("plain");
    let figure = decorated(View::Figure, 100, NONE).with_framing(Framing::All);
    let mut lying = Pose::STRAIGHT;
    lying.body = Rotation::degrees(-90.0, 0.0, 0.0);
    let side = figure.with_camera(Camera::orthographic(90.0, 0.0));
    let [left, _, right, _] = margins(&side.with_pose(lying), &skin);
    assert!(left > 0 && right > 0, "{left} {right}");
    // The eye is near, and other poses reach further than this one.
    for (pitch, fov) in [(-70.0, 90.0), (70.0, 90.0), (50.0, 75.0)] {
        for (&pose, &framing) in NamedPose::ALL
            .iter()
            .flat_map(|pose| Framing::ALL.iter().map(move |framing| (pose, framing)))
        {
            let spec = figure.with_framing(framing).with_pose(pose);
            let spec = spec.with_camera(Camera::perspective(20.0, pitch, fov));
            let [left, _, right, _] = margins(&spec, &skin);
            assert!(
                left + right < 75,
                "{pose} {framing} {pitch}: {left} {right}"
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
    let (mut turned, mut differs) = (ahead, 0);
    turned.body = Rotation::degrees(0.0, 30.0, 0.0);
    let views = [(70.0, turned), (40.0, ahead)];
    let [turned, around] = views.map(|(yaw, pose)| {
        let camera = Camera::orthographic(yaw, 10.0);
        drawn::pixels(&spec.with_camera(camera).with_pose(pose), &skin)
    });
    for (a, b) in turned.iter().flatten().zip(around.iter().flatten()) {
        differs += usize::from(a.abs_diff(*b) > 32);
    }
    assert!(differs < 20, "{differs}");
}

#[test]
fn a_mirrored_figure_has_a_mirrored_shadow() {
    let skin = drawn::named("plain");
    let crouching = decorated(View::IsometricBody, 100, SHADOW).with_pose(NamedPose::Crouch);
    for [one, other] in [
        [Facing::Left, Facing::Right],
        [Facing::BackRight, Facing::BackLeft],
    ] {
        let [left, mut right] =
            [one, other].map(|facing| drawn::pixels(&crouching.with_facing(facing), &skin));
        right.chunks_exact_mut(100).for_each(<[_]>::reverse);
        let far = |(a, b): (&[u8; 4], &[u8; 4])| a[3].abs_diff(b[3]) > 1;
        let differ = left.iter().zip(&right).filter(|pair| far(*pair)).count();
        assert_eq!(differ, 0, "{one}");
    }
}

#[test]
fn the_memory_of_no_player_is_known() {
    let spec = decorated(View::Figure, 64, NONE);
    assert!(spec.drawing_bytes(0) <= spec.drawing_bytes(1));
}

/// With a shadow, nothing of a figure's surroundings is darkest at an edge.
#[test]
fn a_shadow_is_never_cut() {
    let skin = drawn::named("plain");
    let poses = NamedPose::ALL.iter();
    for (&pose, &framing) in poses.flat_map(|pose| Framing::ALL.iter().map(move |f| (pose, f))) {
        for view in [View::Figure, View::IsometricBody] {
            let spec = decorated(view, 100, SHADOW)
                .with_pose(pose)
                .with_framing(framing);
            let pixels = drawn::pixels(&spec, &skin);
            let (right, bottom) = (spec.width() - 1, spec.height() - 1);
            for [x, y] in places(&spec).filter(|[x, y]| [0, right].contains(x) || *y == bottom) {
                let [r, g, b, alpha] = pixel(&pixels, right + 1, [x, y]);
                let is_cut = [r, g, b] == [0; 3] && alpha >= 16;
                assert!(!is_cut, "{view} {pose} {framing} {x} {y}: {alpha}");
            }
        }
    }
}

#[test]
fn a_circle_is_round() {
    let shape = Shape::Circle;
    for (view, side) in [(View::Figure, 106), (View::Combo, 82), (View::Face, 56)] {
        let spec = decorated(view, 50, Decoration { shape, ..padded(3) });
        assert_eq!([spec.width(), spec.height()], [side; 2], "{view}");
    }
}

#[test]
fn what_a_view_shows_lies_inside_the_shape() {
    let skin = drawn::named("plain");
    // The left half of a combo is opaque.
    for (shape, padding, reaches) in [
        (Shape::Circle, 0, true),
        (Shape::Circle, 10, true),
        (Shape::Rounded, 0, true),
        (Shape::Rounded, 10, false),
    ] {
        let decoration = Decoration {
            shape,
            ..padded(padding)
        };
        let spec = decorated(View::Combo, 100, decoration);
        let pixels = drawn::pixels(&spec, &skin);
        let at = places(&spec).find(|at| pixel(&pixels, spec.width(), *at)[3] > 0);
        let corner = at.expect("a face");
        let alpha = pixel(&pixels, spec.width(), corner)[3];
        let [x, y] = corner.map(|side| side as f64);
        let [width, height] = [spec.width(), spec.height()].map(|side| side as f64);
        let radius = match shape {
            Shape::Circle => width / 2.0,
            _ => width.min(height) / 8.0,
        };
        let distance = (radius - x).max(0.0).hypot((radius - y).max(0.0));
        let what = format!("{shape} {padding}: {distance} of {radius}");
        assert_eq!(alpha, 255, "{what}");
        assert!(distance <= radius, "{what}");
        assert_eq!(distance > radius - 2.0, reaches, "{what}");
    }
    // The places of a group too.
    let shape = Shape::Circle;
    let group = decorated(View::Face, 40, Decoration { shape, ..NONE });
    let group = group.group(&[Some(Player::new(&skin)); 3]).unwrap();
    let size = [group.picture.width(), group.picture.height()];
    assert_eq!(size, [120, 40]);
    let place = &group.places[0];
    let pixels = pixels(&group.picture);
    assert_eq!(place.width, place.height);
    let corner = [place.x, place.y].map(u64::from);
    assert_eq!(pixel(&pixels, 120, corner)[3], 255);
    assert_eq!(pixel(&pixels, 120, corner.map(|side| side - 1))[3], 0);
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
            let (without, with) = (without.unwrap(), with.unwrap());
            assert_eq!(without.places, with.places);
            let [before, after] = [&without, &with].map(|group| pixels(&group.picture));
            let side = u64::from(with.picture.width());
            let below = with.picture.height() - without.picture.height();
            assert_eq!(below, 11 * (width / 64).max(1));
            let shown = with.places.iter().map(|place| {
                let top = u64::from(place.y + place.height);
                let columns = u64::from(place.x)..u64::from(place.x + place.width);
                let mut rows = (top..top + u64::from(below))
                    .flat_map(|y| columns.clone().map(move |x| [x, y]));
                rows.any(|at| pixel(&after, side, at) == [255; 4])
            });
            assert_eq!(
                shown.collect::<Vec<_>>(),
                [true, false, false, true],
                "{width}"
            );
            // Nothing else changes.
            let place = with.places[0];
            let [x, y] = [place.x, place.y].map(u64::from);
            for [x, y] in [[x, y], [x + u64::from(width) / 2, y + u64::from(width)]] {
                assert_eq!(pixel(&before, side, [x, y]), pixel(&after, side, [x, y]));
            }
        }
    }
}
