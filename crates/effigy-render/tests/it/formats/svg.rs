//! SVG files, parsed and compared with the pixels.

use crate::support::{drawn, psnr, random};

use crate::support::random::Noise;
use crate::support::specs::flat;
use effigy_render::{
    Angle, Camera, Crop, Facing, ImageFormat, Layers, Light, Model, NamedPose, Outline, Picture,
    PictureSpec, Pose, RenderError, Rotation, Size, Skin, View,
};
use fixtures::Image;
use glam::DVec4;
use tiny_skia::{FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

fn views(pixels: u32, layers: Layers) -> impl Iterator<Item = PictureSpec> {
    let flat = flat(pixels, layers);
    let [_, _, bust, _] = flat;
    let frames = [[pixels + 7, pixels], [pixels + 12, pixels + 30]];
    let framed = frames.map(|frame| bust.with_frame(frame.map(Size::px)));
    flat.into_iter().chain(framed)
}

fn svg(view: &PictureSpec, skin: &Skin) -> String {
    let file = view.picture(skin).unwrap().encode(ImageFormat::Svg);
    String::from_utf8(file.unwrap()).expect("SVG files are text")
}

/// The value of an attribute of an element.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

/// The values of attributes that are numbers. An attribute that an element lacks is 0.
fn numbers<const N: usize>(element: &str, names: [&str; N]) -> [u64; N] {
    names.map(|name| {
        let value = attribute(element, name).unwrap_or("0");
        value.parse().expect(element)
    })
}

/// The four numbers of a view box.
fn view_box(element: &str) -> [u64; 4] {
    let numbers = attribute(element, "viewBox").expect("a view box");
    let numbers: Vec<u64> = numbers.split(' ').map(|n| n.parse().expect(n)).collect();
    numbers.try_into().expect("four numbers")
}

/// The straight pixels of a file. A pixel shows the rectangle under its center.
fn shown(file: &str) -> Image {
    let elements: Vec<&str> = file.lines().collect();
    let outer = elements[0];
    assert_eq!(
        attribute(outer, "xmlns"),
        Some("http://www.w3.org/2000/svg")
    );
    let [width, height] = numbers(outer, ["width", "height"]);
    let mut grid = outer;
    if elements[1].starts_with("<svg") {
        assert_eq!(view_box(outer), [0, 0, width, height]);
        grid = elements[1];
    }
    assert_eq!(attribute(grid, "preserveAspectRatio"), Some("none"));
    assert_eq!(attribute(grid, "shape-rendering"), Some("crispEdges"));
    let [left, top, wide, high] = numbers(grid, ["x", "y", "width", "height"]);
    let [0, 0, columns, rows] = view_box(grid) else {
        panic!("{grid}");
    };

    let rectangles = elements.iter().filter(|line| line.starts_with("<rect"));
    let texels = texels([columns, rows].map(small), rectangles.copied());
    let across = Axis {
        start: left,
        pixels: wide,
        texels: columns,
    };
    let down = Axis {
        start: top,
        pixels: high,
        texels: rows,
    };
    drawn::painted([width, height].map(small), |x, y| {
        match (across.texel_under(x), down.texel_under(y)) {
            (Some(column), Some(row)) => texels.pixel(column, row),
            _ => [0; 4],
        }
    })
}

fn small(number: u64) -> u32 {
    u32::try_from(number).expect("a small picture")
}

/// Returns the texels that rectangles paint.
fn texels<'a>([columns, rows]: [u32; 2], rectangles: impl Iterator<Item = &'a str>) -> Image {
    let mut image = Image::new(columns, rows);
    for rectangle in rectangles {
        let [left, top, width, height] =
            numbers(rectangle, ["x", "y", "width", "height"]).map(small);
        for y in top..top + height {
            for x in left..left + width {
                assert_eq!(image.pixel(x, y), [0; 4], "{rectangle} covers another one");
                image.set_pixel(x, y, color(rectangle));
            }
        }
    }
    image
}

/// The pixels of a grid along one axis of a picture, and the number of its texels there.
struct Axis {
    start: u64,
    pixels: u64,
    texels: u64,
}

impl Axis {
    /// Returns the texel under the center of a pixel, unless the pixel lies outside the grid.
    fn texel_under(&self, pixel: u32) -> Option<u32> {
        let distance = u64::from(pixel).checked_sub(self.start)?;
        if distance >= self.pixels {
            return None;
        }
        Some(small((2 * distance + 1) * self.texels / (2 * self.pixels)))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "an opacity is at most 1")]
#[expect(clippy::cast_sign_loss, reason = "and at least 0")]
fn color(rectangle: &str) -> [u8; 4] {
    let fill = attribute(rectangle, "fill").expect(rectangle);
    let [_, r, g, b] = u32::from_str_radix(fill.trim_start_matches('#'), 16)
        .expect(rectangle)
        .to_be_bytes();
    let opacity = attribute(rectangle, "fill-opacity").unwrap_or("1");
    let opacity: f64 = opacity.parse().expect(rectangle);
    [r, g, b, (opacity * 255.0).round() as u8]
}

#[track_caller]
fn check(view: &PictureSpec, skin: &Skin) {
    let mut picture = drawn::image(&view.picture(skin).unwrap());
    // Transparent pixels have no color in an SVG.
    for pixel in picture.rgba.as_chunks_mut().0 {
        *pixel = if pixel[3] == 0 { [0; 4] } else { *pixel };
    }
    assert!(shown(&svg(view, skin)) == picture, "{view:?}");
}

#[test]
fn files_show_the_pixels() {
    let noise = Noise::ALL.map(|noise| random::skin(5, [128, 64], noise, Model::Slim));
    for skin in noise.iter().chain(&["uv_slim", "ghost"].map(drawn::named)) {
        for &layers in Layers::ALL {
            let sizes = [1, 8, 13, 64, 180].into_iter();
            for view in sizes.flat_map(|pixels| views(pixels, layers)) {
                check(&view, skin);
            }
        }
    }
}

/// A face of one color under a hat with a window takes the fewest rectangles.
#[test]
fn texels_of_one_color_are_one_rectangle() {
    let skin_under = |hat: fn(u32, u32) -> u8| {
        let image = drawn::painted([64, 64], |x, y| match (x, y) {
            (40..48, 8..16) => [255, 0, 0, hat(x - 40, y - 8)],
            _ => [90, 60, 30, 255],
        });
        Skin::decode(&image.encode(), Model::Classic).expect("a skin of 64 x 64")
    };
    let head = PictureSpec::new(View::Face, Size::px(64));
    for (skin, expected) in [
        (skin_under(|_, _| 0), 1),
        (skin_under(|_, y| if y < 2 { 255 } else { 0 }), 2),
        (skin_under(|x, y| if (x, y) == (3, 4) { 0 } else { 255 }), 5),
    ] {
        let file = svg(&head, &skin);
        assert_eq!(file.matches("<rect").count(), expected, "{file}");
        check(&head, &skin);
    }
    let file = svg(&head, &skin_under(|_, _| 255));
    let rectangle = r##"<rect x="0" y="0" width="8" height="8" fill="#ff0000"/>"##;
    assert_eq!(file.lines().nth(1), Some(rectangle));
}

/// Draws the paths of a file, enlarged, as a browser does.
fn paint(file: &str, spec: &PictureSpec, zoom: f32) -> Pixmap {
    let [width, height] = [spec.width(), spec.height()].map(|side| side as f32 * zoom);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a small picture"
    )]
    let mut pixmap = Pixmap::new(width as u32, height as u32).expect("a small picture");
    let is_mirrored = file.contains("matrix(-1");
    let zoomed = Transform::from_scale(zoom, zoom);
    let transform = if is_mirrored {
        zoomed.post_scale(-1.0, 1.0).post_translate(width, 0.0)
    } else {
        zoomed
    };
    for element in file.lines().filter(|line| line.starts_with("<path ")) {
        let path = path_of(element).transform(transform);
        let path = path.expect("the path has an area");
        let [r, g, b, alpha] = color(element);
        let mut fill = Paint::default();
        fill.set_color_rgba8(r, g, b, alpha);
        let identity = Transform::identity();
        pixmap.fill_path(&path, &fill, FillRule::Winding, identity, None);
        if let Some(stroke_width) = attribute(element, "stroke-width") {
            assert_eq!(attribute(element, "stroke-linejoin"), Some("round"));
            let stroke = Stroke {
                width: stroke_width.parse::<f32>().expect("a number") * zoom,
                line_join: LineJoin::Round,
                ..Stroke::default()
            };
            pixmap.stroke_path(&path, &fill, &stroke, identity, None);
        }
    }
    pixmap
}

/// Returns the polygons of a path element.
fn path_of(element: &str) -> Path {
    let mut path = PathBuilder::new();
    let data = attribute(element, "d").expect("a path has data");
    // A polygon begins with a step from the start of the polygon before it.
    let mut start = [0.0; 2];
    for polygon in data.split_terminator('z') {
        let mut at: [f32; 2] = start;
        for (number, line) in polygon.trim_start_matches('m').split('l').enumerate() {
            let (right, down) = line.split_once(' ').expect("a step");
            let step = [right, down].map(|text| text.parse::<f32>().expect("a number"));
            at = [at[0] + step[0], at[1] + step[1]];
            if number == 0 {
                start = at;
                path.move_to(at[0], at[1]);
            } else {
                path.line_to(at[0], at[1]);
            }
        }
        path.close();
    }
    path.finish().expect("a path has corners")
}

/// Returns the premultiplied pixels of a picture and of its SVG file, which is enlarged.
fn pixels_and_shapes(mut spec: PictureSpec, skin: &Skin, zoom: u32) -> [Vec<DVec4>; 2] {
    let file = svg(&spec, skin);
    let painted = paint(&file, &spec, zoom as f32);
    spec.size = Size::px(spec.size.get() * zoom);
    if let Some(outline) = &mut spec.outline {
        outline.width = outline.width.map(|width| width * zoom.to_le_bytes()[0]);
    }
    let expected = spec.picture(skin).unwrap().to_pixmap().unwrap();
    [premultiplied(&expected), premultiplied(&painted)]
}

/// Returns the premultiplied pixels of a pixmap.
fn premultiplied(pixmap: &Pixmap) -> Vec<DVec4> {
    let pixels = pixmap.data().as_chunks::<4>().0.iter();
    pixels
        .map(|pixel| DVec4::from(pixel.map(f64::from)))
        .collect()
}

#[test]
fn outlines_look_like_their_pixels_at_any_zoom() {
    let outline = Outline::new([255, 240, 200, 255]).with_width(4);
    let shadowless = |view| PictureSpec::new(view, Size::px(100)).with_outline(outline);
    for (name, spec) in [
        ("knight", shadowless(View::IsometricBody)),
        ("queen", shadowless(View::Figure).with_pose(NamedPose::Sit)),
        ("ghost", shadowless(View::Portrait)),
        ("plain", shadowless(View::Cube)),
        ("robot", shadowless(View::Figure).with_crop(Crop::Head)),
    ] {
        let skin = drawn::named(name);
        for (zoom, least) in [(1, 31.0), (3, 35.0)] {
            let [expected, actual] = pixels_and_shapes(spec, &skin, zoom);
            let likeness = psnr::likeness(&expected, &actual);
            assert!(likeness > least, "{name} x {zoom}: {likeness:.1} dB");
        }
    }
}

#[test]
fn scenes_look_like_their_pixels_at_any_zoom() {
    let view = |view| PictureSpec::new(view, Size::px(100));
    let head = view(View::IsometricHead).with_facing(Facing::BackRight);
    let mut bent = Pose::from(NamedPose::Sit);
    bent.waist = Rotation::degrees(20.0, 15.0, -10.0);
    for (bend, degrees) in bent.bends_mut().into_iter().zip([90.0, 40.0, 80.0, 60.0]) {
        *bend = Angle::degrees(degrees);
    }
    // From below, the end of a torso that leans is seen, a parallelogram without right angles.
    let mut leaning = Pose::STRAIGHT;
    leaning.waist = Rotation::degrees(35.0, 150.0, -40.0);
    let below = Camera::perspective(-20.0, -60.0, 30.0);
    for (name, mut spec) in [
        ("knight", view(View::IsometricBody)),
        ("fox", head),
        ("queen", view(View::Figure).with_pose(NamedPose::Sit)),
        ("ghost", view(View::Portrait).with_pose(NamedPose::Wave)),
        ("plain", view(View::Cube).with_light(Light::Game)),
        ("robot", view(View::Figure).with_pose(bent)),
        (
            "queen",
            view(View::Portrait).with_pose(leaning).with_camera(below),
        ),
    ] {
        let skin = drawn::named(name);
        for (size, zoom, least) in [(100, 1, 31.7), (100, 3, 36.5), (24, 12, 35.9)] {
            spec.size = Size::px(size);
            // Not all programs know strokes that do not grow with the zoom.
            assert!(!svg(&spec, &skin).contains("stroke"), "{name}");
            let [expected, actual] = pixels_and_shapes(spec, &skin, zoom);
            let likeness = psnr::likeness(&expected, &actual);
            assert!(likeness > least, "{name} {size} x {zoom}: {likeness:.1} dB");
            check_coverage(&format!("{name} x {zoom}"), &expected, &actual);
        }
    }
}

/// Asserts that the background hardly shines through where polygons meet, and that hardly anything
/// is painted outside of the figure.
#[track_caller]
fn check_coverage(name: &str, expected: &[DVec4], actual: &[DVec4]) {
    let mut opaque = 0;
    let mut gaps = 0;
    let mut outside = 0;
    for (drawn, painted) in expected.iter().zip(actual) {
        if drawn.w == 255.0 {
            opaque += 1;
            gaps += u32::from(painted.w < 250.0);
        } else if drawn.w == 0.0 {
            outside += u32::from(painted.w > 5.0);
        }
    }
    assert!(gaps * 30 < opaque, "{name}: {gaps} gaps of {opaque}");
    assert!(outside * 100 < opaque, "{name}: {outside} of {opaque}");
}

/// Asserts that the background doesn't shine through a picture, and that its colors are near those
/// of the pixels. The outline is left out, because its pixels are partly empty in the PNG as well.
fn check_inside(name: &str, spec: &PictureSpec, skin: &Skin) {
    let drawn = drawn::image(&spec.picture(skin).unwrap());
    let painted = paint(&svg(spec, skin), spec, 1.0);
    let is_opaque = |x: u32, y: u32| drawn.pixel(x, y)[3] == 255;
    let mut inside = 0;
    let mut gaps = 0;
    let mut difference = 0;
    for [x, y] in drawn::places([1..drawn.width - 1, 1..drawn.height - 1]) {
        let mut around = drawn::places([x - 1..x + 2, y - 1..y + 2]);
        if !around.all(|[column, row]| is_opaque(column, row)) {
            continue;
        }
        let pixel = painted.pixel(x, y).unwrap().demultiply();
        assert!(pixel.alpha() >= 235, "{name} at {x}, {y}: {pixel:?}");
        inside += 1;
        gaps += u32::from(pixel.alpha() < 250);
        let [r, g, b, _] = drawn.pixel(x, y);
        difference += u32::from(pixel.red().abs_diff(r));
        difference += u32::from(pixel.green().abs_diff(g));
        difference += u32::from(pixel.blue().abs_diff(b));
    }
    assert!(
        inside > 0 && gaps * 40 < inside,
        "{name}: {gaps} of {inside}"
    );
    assert!(
        difference < 3 * 20 * inside,
        "{name}: {difference} of {inside}"
    );
}

#[test]
fn texels_smaller_than_a_pixel_are_not_see_through() {
    for (width, view, size) in [
        (128, View::Figure, 64),
        (128, View::IsometricBody, 40),
        (256, View::Portrait, 64),
        (512, View::IsometricHead, 64),
        (512, View::Cube, 64),
        (512, View::Cube, 20),
    ] {
        for noise in Noise::ALL {
            let skin = random::skin(11, [width, width], noise, Model::Classic);
            let spec = PictureSpec::new(view, Size::px(size));
            check_inside(&format!("{width} {view} {size} {noise:?}"), &spec, &skin);
        }
    }
}

/// Texels of other colors must not change the color of large areas near them.
#[test]
fn small_texels_keep_their_colors() {
    let image = drawn::painted([512, 512], |x, y| {
        let [r, g, b] = if x % 128 < 64 {
            [0, 0, 120]
        } else {
            [250, 250, 200]
        };
        // Neighboring texels differ, so each is a rectangle of its own.
        let step = u8::try_from((x + y) % 5).expect("less than 5");
        [r + step, g + step, b + step, 255]
    });
    let skin = Skin::decode(&image.encode(), Model::Classic).expect("a skin of 512");
    let spec = PictureSpec::new(View::Cube, Size::px(64)).with_layers(Layers::Base);
    let spec = spec.with_light(Light::None);
    let painted = paint(&svg(&spec, &skin), &spec, 1.0);
    let has = |near: [u8; 3]| {
        painted.pixels().iter().any(|pixel| {
            let channels = [pixel.red(), pixel.green(), pixel.blue()];
            channels.iter().zip(near).all(|(a, b)| a.abs_diff(b) < 8)
        })
    };
    assert!(has([2, 2, 122]), "no blue one");
    assert!(has([252, 252, 202]), "no yellow one");
}

/// Skins of every width in all views, with a color of its own for each texel.
#[test]
fn only_files_of_the_largest_skins_are_too_long() {
    for (width, view, size, is_short) in [
        (64, View::Figure, 64, true),
        (256, View::Figure, 512, true),
        (512, View::Cube, 512, true),
        (1024, View::Combo, 64, true),
        // Texels smaller than a pixel are painted once.
        (1024, View::Figure, 64, true),
        (1024, View::Figure, 1024, false),
    ] {
        let skin = random::skin(3, [width, width], Noise::Opaque, Model::Classic);
        let picture = PictureSpec::new(view, Size::px(size)).picture(&skin);
        let written = picture.and_then(|picture| picture.encode(ImageFormat::Svg));
        let is_right = match &written {
            Ok(file) => is_short && file.len() <= Picture::MAX_SVG_BYTES,
            Err(refused) => !is_short && matches!(refused, RenderError::SvgTooLong),
        };
        assert!(
            is_right,
            "{width} {view} {size}: {:?}",
            written.map(|file| file.len())
        );
    }
}
