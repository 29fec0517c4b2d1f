//! Backgrounds, padding, shapes, shadows, groups and sheets.

use effigy_render::{
    Camera, Decoration, Framing, NamedPose, PictureSpec, Place, Player, RenderError, Shape, Size,
    Skin, View,
};

use crate::support::drawn;
use crate::support::specs::size;

const RED: [u8; 4] = [200, 0, 0, 255];

fn pixel(rgba: &[u8], width: u64, [x, y]: [u64; 2]) -> [u8; 4] {
    let at = usize::try_from(y * width + x).expect("a small picture");
    rgba.as_chunks().0[at]
}

#[test]
fn a_background_fills_the_picture_and_its_padding() {
    let skin = drawn::worn(fixtures::skin("knight"));
    // A portrait goes on to the lower edge.
    for &view in View::ALL.iter().filter(|view| **view != View::Portrait) {
        let plain = PictureSpec::new(view, size(40));
        let spec = plain.with_decoration(Decoration {
            background: Some(RED),
            padding: 5,
            ..Decoration::NONE
        });
        assert_eq!(
            [spec.width(), spec.height()],
            [plain.width() + 10, plain.height() + 10]
        );
        let picture = spec.picture(&skin).expect("a small picture");
        let rgba = picture.to_rgba().expect("a small picture");
        let inner = plain
            .picture(&skin)
            .and_then(|picture| picture.to_rgba())
            .expect("a small picture");
        for (x, y) in (0..spec.width()).flat_map(|x| (0..spec.height()).map(move |y| (x, y))) {
            let actual = pixel(&rgba, spec.width(), [x, y]);
            let is_inside = (5..x.max(5) + 1).contains(&x)
                && x < 5 + plain.width()
                && (5..5 + plain.height()).contains(&y);
            let drawn = if is_inside {
                pixel(&inner, plain.width(), [x - 5, y - 5])
            } else {
                [0; 4]
            };
            let over = |above: u8, below: u8| {
                (f64::from(above) * f64::from(drawn[3])
                    + f64::from(below) * f64::from(255 - drawn[3]))
                    / 255.0
            };
            assert_eq!(actual[3], 255, "{view} {x} {y}");
            for channel in 0..3 {
                let expected = over(drawn[channel], RED[channel]);
                assert!(
                    (f64::from(actual[channel]) - expected).abs() < 2.5,
                    "{view} {x} {y}: {actual:?} {drawn:?}"
                );
            }
        }
    }
}

#[test]
fn a_portrait_goes_on_to_the_lower_edge() {
    let skin = drawn::worn(fixtures::skin("knight"));
    let padded = Decoration {
        padding: 5,
        ..Decoration::NONE
    };
    let spec = PictureSpec::new(View::Portrait, size(40)).with_decoration(padded);
    assert_eq!([spec.width(), spec.height()], [50, 50]);
    let rgba = spec
        .picture(&skin)
        .and_then(|picture| picture.to_rgba())
        .expect("a small picture");
    assert_eq!(pixel(&rgba, 50, [25, 49])[3], 255);
    assert_eq!(
        [pixel(&rgba, 50, [25, 0])[3], pixel(&rgba, 50, [0, 49])[3]],
        [0, 0]
    );
}

#[test]
fn shapes_cut_the_corners() {
    let skin = drawn::worn(fixtures::skin("knight"));
    let cut = |shape| {
        let spec = PictureSpec::new(View::Head, size(64));
        let spec = spec.with_decoration(Decoration {
            shape,
            ..Decoration::NONE
        });
        spec.picture(&skin)
            .and_then(|picture| picture.to_rgba())
            .expect("a small picture")
    };
    let opaque = |shape| {
        cut(shape)
            .as_chunks::<4>()
            .0
            .iter()
            .filter(|pixel| pixel[3] == 255)
            .count()
    };
    assert_eq!(opaque(Shape::Square), 64 * 64);
    // A circle of radius 32, and four corners of radius 8.
    assert!(
        (3_100..3_217).contains(&opaque(Shape::Circle)),
        "{}",
        opaque(Shape::Circle)
    );
    assert!(
        (4_000..4_042).contains(&opaque(Shape::Rounded)),
        "{}",
        opaque(Shape::Rounded)
    );
    assert_eq!(pixel(&cut(Shape::Circle), 64, [0, 0])[3], 0);
}

#[test]
fn only_figures_cast_shadows() {
    let skin = drawn::worn(fixtures::skin("plain"));
    let with_shadow = Decoration {
        has_shadow: true,
        ..Decoration::NONE
    };
    for &view in View::ALL {
        let spec = PictureSpec::new(view, size(64));
        let pixels = |spec: PictureSpec| {
            let picture = spec.picture(&skin).expect("a small picture");
            picture.to_pixmap().expect("a small picture")
        };
        let differs = pixels(spec) != pixels(spec.with_decoration(with_shadow));
        assert_eq!(
            differs,
            matches!(view, View::Figure | View::IsometricBody),
            "{view}"
        );
    }
}

#[test]
fn a_sheet_has_a_place_for_everybody() {
    let skin = drawn::worn(fixtures::skin("fox"));
    let spec = PictureSpec::new(View::Head, size(16)).with_decoration(Decoration {
        padding: 3,
        ..Decoration::NONE
    });
    let player = Some(Player::new(&skin));
    let sheet = spec
        .sheet(&[player, None, player], 2)
        .expect("a small sheet");
    assert_eq!([sheet.picture.width(), sheet.picture.height()], [41, 41]);
    let place = |x, y| Place {
        x,
        y,
        width: 16,
        height: 16,
    };
    assert_eq!(sheet.places, [place(3, 3), place(22, 3), place(3, 22)]);
    let rgba = sheet.picture.to_rgba().expect("a small sheet");
    let filled = |x: u64, y: u64| pixel(&rgba, 41, [x + 8, y + 8])[3] == 255;
    assert_eq!(
        [filled(3, 3), filled(22, 3), filled(3, 22), filled(22, 22)],
        [true, false, true, false]
    );
}

#[test]
fn a_group_stands_on_one_line() {
    let skin = drawn::worn(fixtures::skin("plain"));
    let [plain, eared] = ["Plainly", "deadmau5"].map(|name| Some(Player::new(&skin).named(name)));
    let spec = PictureSpec::new(View::Figure, size(60));
    let group = spec.group(&[plain, eared, None]).expect("a small group");
    assert_eq!(group.picture.width(), 180);
    let alike = spec.group(&[plain, None, plain]).expect("a small group");
    assert_eq!(alike.picture.height(), 120);
    let rgba = group.picture.to_rgba().expect("a small group");
    let lowest = |columns: std::ops::Range<u64>| {
        let is_filled = |y: &u64| columns.clone().any(|x| pixel(&rgba, 180, [x, *y])[3] > 128);
        (0..u64::from(group.picture.height()))
            .rev()
            .find(is_filled)
            .expect("a figure")
    };
    assert!(
        lowest(0..60).abs_diff(lowest(60..120)) <= 1,
        "{} {}",
        lowest(0..60),
        lowest(60..120)
    );
}

#[test]
fn what_cannot_be_is_refused() {
    let skin = drawn::worn(fixtures::skin("plain"));
    let spec = PictureSpec::new(View::Head, size(16));
    for refused in [spec.sheet(&[], 3), spec.group(&[]), spec.sheet(&[None], 0)] {
        assert!(
            matches!(refused, Err(RenderError::NoPlayers)),
            "{refused:?}"
        );
    }
    let widest = PictureSpec::new(View::Head, Size::try_from(Size::MAX).expect("a size"));
    let padded = widest.with_decoration(Decoration {
        padding: 1,
        ..Decoration::NONE
    });
    let player = Player::new(&skin);
    for refused in [
        padded.picture(player).map(drop),
        widest.group(&[Some(player), Some(player)]).map(drop),
    ] {
        assert!(
            matches!(refused, Err(RenderError::TooLarge { .. })),
            "{refused:?}"
        );
    }
}

/// Returns the distances of what is at all visible from the left, upper, right and lower edges.
fn margins(spec: &PictureSpec, skin: &Skin) -> [u64; 4] {
    let (width, height) = (spec.width(), spec.height());
    let rgba = spec.picture(skin).and_then(|picture| picture.to_rgba());
    let rgba = rgba.expect("a small picture");
    let visible = (0..height)
        .flat_map(|y| (0..width).map(move |x| [x, y]))
        .filter(|&at| pixel(&rgba, width, at)[3] > 0);
    visible.fold(
        [width, height, width, height],
        |[left, top, right, bottom], [x, y]| {
            [
                left.min(x),
                top.min(y),
                right.min(width - 1 - x),
                bottom.min(height - 1 - y),
            ]
        },
    )
}

#[test]
fn figures_stand_on_the_lower_edge_and_fill_what_they_can() {
    let skin = drawn::worn(fixtures::skin("knight"));
    for &pose in NamedPose::ALL {
        for yaw in [0.0, 25.0, -90.0, 130.0] {
            let camera = Camera::orthographic(yaw, 10.0);
            let spec = PictureSpec::new(View::Figure, size(64))
                .with_pose(pose)
                .with_camera(camera);
            let [left, top, right, bottom] = margins(&spec, &skin);
            // The cape has room whether it is worn or not.
            assert!(bottom <= 4, "{pose} {yaw}: {bottom}");
            let turning = margins(&spec.with_framing(Framing::Turning), &skin);
            assert!(
                top <= turning[1] + turning[3] + 1 && left + right <= turning[0] + turning[2] + 1,
                "{pose} {yaw}: {left} {top} {right} {turning:?}"
            );
        }
    }
}

#[test]
fn a_turning_figure_keeps_its_height() {
    let skin = drawn::worn(fixtures::skin("plain"));
    let heights = (-4..5).map(|step| {
        let camera = Camera::orthographic(f64::from(step) * 45.0, 0.0);
        let spec = PictureSpec::new(View::Figure, size(64))
            .with_pose(NamedPose::Walk)
            .with_framing(Framing::Turning)
            .with_camera(camera);
        let [_, top, _, bottom] = margins(&spec, &skin);
        (top, bottom)
    });
    let mut heights: Vec<_> = heights.collect();
    heights.dedup();
    assert_eq!(heights.len(), 1, "{heights:?}");
}

/// With a shadow, nothing of a figure's surroundings is darkest at an edge.
#[test]
fn a_shadow_is_never_cut() {
    let skin = drawn::worn(fixtures::skin("plain"));
    for view in [View::Figure, View::IsometricBody] {
        for (&pose, &framing) in NamedPose::ALL
            .iter()
            .flat_map(|pose| Framing::ALL.iter().map(move |framing| (pose, framing)))
        {
            let spec = PictureSpec::new(view, size(100))
                .with_pose(pose)
                .with_framing(framing)
                .with_decoration(Decoration {
                    has_shadow: true,
                    ..Decoration::NONE
                });
            let rgba = spec.picture(&skin).and_then(|picture| picture.to_rgba());
            let rgba = rgba.expect("a small picture");
            let (width, height) = (spec.width(), spec.height());
            let lower = (0..width).map(|x| [x, height - 1]);
            let sides = (0..height).flat_map(|y| [[0, y], [width - 1, y]]);
            for at in lower.chain(sides) {
                let [r, g, b, alpha] = pixel(&rgba, width, at);
                assert!(
                    [r, g, b] != [0; 3] || alpha < 12,
                    "{view} {pose} {framing} {at:?}: {alpha}"
                );
            }
        }
    }
}

#[test]
fn a_circle_is_round() {
    let skin = drawn::worn(fixtures::skin("plain"));
    let circle = Decoration {
        shape: Shape::Circle,
        padding: 3,
        ..Decoration::NONE
    };
    for (view, side) in [(View::Figure, 106), (View::Combo, 82), (View::Head, 56)] {
        let spec = PictureSpec::new(view, size(50)).with_decoration(circle);
        assert_eq!([spec.width(), spec.height()], [side; 2], "{view}");
    }
    // Nothing of a figure is cut off.
    let spec = PictureSpec::new(View::Figure, size(50)).with_decoration(circle);
    let uncut = spec.with_decoration(Decoration {
        padding: 0,
        ..circle
    });
    let opaque = |spec: PictureSpec| {
        let rgba = spec.picture(&skin).and_then(|picture| picture.to_rgba());
        let rgba = rgba.expect("a small picture");
        rgba.as_chunks::<4>()
            .0
            .iter()
            .filter(|pixel| pixel[3] == 255)
            .count()
    };
    assert_eq!(opaque(spec), opaque(uncut));
}
