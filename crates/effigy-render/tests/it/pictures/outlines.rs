//! Lines around silhouettes.

use effigy_render::{
    Decoration, Facing, ImageFormat, Motion, NamedPose, Outline, PictureSpec, Player, Renderer,
    Shape, Size, View,
};
use fixtures::Image;

use crate::support::drawn;

/// A color that no test skin has.
const GREEN: [u8; 4] = [0, 255, 0, 255];

fn outlined(view: View, pixels: u32, width: Option<u8>) -> PictureSpec {
    let color = GREEN;
    PictureSpec::new(view, Size::px(pixels)).with_outline(Outline { color, width })
}

fn image(spec: &PictureSpec) -> Image {
    let skin = drawn::named("knight");
    drawn::image(&spec.picture(&skin).unwrap())
}

fn places(image: &Image) -> impl Iterator<Item = [u32; 2]> {
    let width = image.width;
    (0..image.height).flat_map(move |y| (0..width).map(move |x| [x, y]))
}

/// Returns the neighbors of a pixel within an image.
fn around(image: &Image, [x, y]: [u32; 2]) -> Vec<[u8; 4]> {
    let mut pixels = Vec::new();
    for row in y.saturating_sub(1)..image.height.min(y + 2) {
        for column in x.saturating_sub(1)..image.width.min(x + 2) {
            pixels.push(image.pixel(column, row));
        }
    }
    pixels
}

#[test]
fn a_line_around_a_face_has_its_width() {
    for (size, width, expected) in [(128, Some(8), 8), (128, None, 2), (40, Some(32), 10)] {
        let face = image(&outlined(View::Face, size, width));
        assert_eq!([face.width, face.height], [size; 2]);
        let middle = size / 2;
        for at in 0..size {
            let is_line = at < expected || at >= size - expected;
            for pixel in [face.pixel(at, middle), face.pixel(middle, at)] {
                assert_eq!(pixel == GREEN, is_line, "{size} {at}: {pixel:?}");
            }
        }
    }
}

#[test]
fn corners_of_a_line_are_round_and_smooth() {
    let face = image(&outlined(View::Face, 128, Some(20)));
    let corner = places(&face).filter(|[x, y]| *x < 20 && *y < 20);
    let mut opacity = 0.0;
    let mut partial = 0;
    for [x, y] in corner {
        let pixel = face.pixel(x, y);
        let distance = (19.5 - f64::from(x)).hypot(19.5 - f64::from(y));
        if distance < 19.0 {
            assert_eq!(pixel, GREEN, "{x} {y}");
        } else if distance > 21.0 {
            assert_eq!(pixel, [0; 4], "{x} {y}");
        }
        opacity += f64::from(pixel[3]) / 255.0;
        partial += u32::from((1..255).contains(&pixel[3]));
    }
    // A quarter of a circle.
    let area = std::f64::consts::PI * 100.0;
    assert!((opacity - area).abs() < 6.0, "{opacity}");
    assert!(partial > 20, "{partial}");
}

#[test]
fn a_line_surrounds_the_player_in_every_view() {
    for &view in View::ALL {
        for size in [24, 100] {
            let plain = PictureSpec::new(view, Size::px(size));
            let spec = outlined(view, size, Some(3));
            let image = image(&spec);
            let frame = [plain.width(), plain.height()];
            assert_eq!([image.width, image.height].map(u64::from), frame, "{view}");
            let mut lines = 0;
            for [x, y] in places(&image) {
                let [r, g, b, alpha] = image.pixel(x, y);
                let is_line = g > 0 && [r, b] == [0; 2];
                lines += u32::from(is_line);
                if is_line || alpha == 0 {
                    continue;
                }
                assert_eq!(alpha, 255, "{view} {x} {y}");
                let touches_nothing = around(&image, [x, y]).iter().any(|other| other[3] == 0);
                assert!(!touches_nothing, "{view} {x} {y}");
                // The line also lies inside the edges; only a portrait is cut off.
                let is_at_side = x == 0 || y == 0 || x == image.width - 1;
                let is_at_edge = is_at_side || y == image.height - 1 && view != View::Portrait;
                assert!(!is_at_edge, "{view} {x} {y}");
            }
            assert!(lines > size, "{view}: {lines}");
        }
    }
}

#[test]
fn the_facing_mirrors_the_line() {
    let body = |facing| image(&outlined(View::IsometricBody, 90, Some(4)).with_facing(facing));
    let [left, right] = [Facing::Left, Facing::Right].map(body);
    for [x, y] in places(&left) {
        let [mine, other] = [left.pixel(x, y), right.pixel(89 - x, y)];
        assert_eq!(mine, other, "{x} {y}");
    }
}

#[test]
fn a_shadow_has_no_line() {
    let shadow = Decoration::NONE.with_shadow(true);
    for view in [View::Figure, View::IsometricBody] {
        let image = image(&outlined(view, 200, None).with_decoration(shadow));
        let is_shadow = |pixel: [u8; 4]| pixel[3] > 0 && pixel[..3] == [0; 3];
        let mut ends = 0;
        for place in places(&image) {
            let is_outside = image.pixel(place[0], place[1]) == [0; 4];
            ends += u32::from(is_outside && around(&image, place).into_iter().any(is_shadow));
        }
        assert!(ends > 40, "{view}: {ends}");
    }
}

#[test]
fn a_translucent_line_lets_the_ground_through() {
    let spec = outlined(View::Face, 64, Some(8))
        .with_outline(Outline::new([0, 255, 0, 128]).with_width(8));
    assert_eq!(image(&spec).pixel(4, 32), [0, 255, 0, 128]);
    let ground = Decoration::NONE.with_background([255, 0, 0, 255]);
    let [r, g, b, alpha] = image(&spec.with_decoration(ground)).pixel(4, 32);
    assert!(r.abs_diff(127) < 2 && g.abs_diff(128) < 2, "{r} {g}");
    assert_eq!([b, alpha], [0, 255]);
}

#[test]
fn an_invisible_line_changes_nothing() {
    for &view in View::ALL {
        let plain = PictureSpec::new(view, Size::px(50));
        let invisible = plain.with_outline(Outline::new([1, 2, 3, 0]));
        assert!(image(&plain) == image(&invisible), "{view}");
        // The picture has no room for a line.
        let tiny = PictureSpec::new(view, Size::px(3));
        assert!(image(&tiny) == image(&tiny.with_outline(Outline::new(GREEN))));
    }
}

#[test]
fn lines_lie_inside_shapes_and_groups() {
    let skin = drawn::named("knight");
    let players = [Some(Player::new(&skin)), None, Some(Player::new(&skin))];
    for &view in View::ALL {
        let spec = outlined(view, 64, Some(4))
            .with_decoration(Decoration::NONE.with_shape(Shape::Circle).with_padding(2));
        let lines = |image: &Image| {
            let pixels = places(image).map(|[x, y]| image.pixel(x, y));
            pixels.filter(|pixel| *pixel == GREEN).count()
        };
        let alone = lines(&image(&spec));
        let sheet = drawn::image(&spec.sheet(&players, 2).unwrap().picture);
        assert_eq!(lines(&sheet), 2 * alone, "{view}");
        let group = drawn::image(&spec.group(&players).unwrap().picture);
        assert!(lines(&group) > alone, "{view}");
    }
}

#[test]
fn moving_pictures_have_lines_in_every_frame() {
    let skin = drawn::named("knight");
    let spec = outlined(View::Figure, 40, Some(2)).with_pose(NamedPose::Run);
    let motion = Motion::of(NamedPose::Run);
    let frames = spec.animation(&skin, motion).unwrap().frames;
    for (frame, _) in &frames {
        let image = drawn::image(frame);
        let mut pixels = places(&image).map(|[x, y]| image.pixel(x, y));
        assert!(pixels.any(|pixel| pixel == GREEN));
    }
    for format in [ImageFormat::Png, ImageFormat::Gif] {
        let mut file = Vec::new();
        let mut renderer = Renderer::new();
        renderer
            .write_frames(&frames[..3], format, &mut file)
            .unwrap();
        assert!(file.len() > 500, "{format}");
    }
}

#[test]
fn flat_views_are_stroked_in_svg() {
    let skin = drawn::named("knight");
    let spec = outlined(View::Face, 128, Some(8));
    let file = spec.picture(&skin).unwrap().encode(ImageFormat::Svg);
    let file = String::from_utf8(file.unwrap()).unwrap();
    let line = r##"<path fill="#00ff00" stroke="#00ff00" stroke-width="16""##;
    let square = r#" stroke-linejoin="round" d="m8 8l112 0l0 112l-112 0z"/>"#;
    assert_eq!(file.lines().nth(1), Some(&*format!("{line}{square}")));
    let face = r#"<svg x="8" y="8" width="112" height="112" viewBox="0 0 8 8""#;
    assert!(file.lines().nth(2).unwrap().starts_with(face), "{file}");
}
