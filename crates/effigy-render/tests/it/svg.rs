//! SVG files, parsed and compared with the pixels.

use crate::support::{drawn, psnr, random};

use crate::support::random::Noise;
use effigy_render::{
    Facing, ImageFormat, Layers, Light, Model, NamedPose, Picture, PictureSpec, PixelLayout,
    RenderError, Renderer, Size, Skin, View,
};
use fixtures::SKINS;
use tiny_skia::{FillRule, Paint, PathBuilder, Pixmap, Transform};

fn views(pixels: u32, layers: Layers) -> [PictureSpec; 6] {
    let view = |view| PictureSpec::new(view, Size::px(pixels)).with_layers(layers);
    let bust = view(View::Bust);
    [
        view(View::Face),
        view(View::Body),
        bust,
        view(View::Combo),
        bust.with_frame([pixels + 7, pixels].map(Size::px)),
        bust.with_frame([pixels + 12, pixels + 30].map(Size::px)),
    ]
}

fn svg(view: &PictureSpec, skin: &Skin) -> String {
    let mut file = Vec::new();
    let picture = view.picture(skin).unwrap();
    picture.write(ImageFormat::Svg, &mut file).unwrap();
    String::from_utf8(file).expect("SVG files are text")
}

/// The value of an attribute of an element.
fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = element.split_once(&format!(" {name}=\""))?;
    rest.split_once('"').map(|(value, _)| value)
}

fn number(element: &str, name: &str) -> Option<u64> {
    attribute(element, name)?.parse().ok()
}

/// The four numbers of a view box.
fn view_box(element: &str) -> [u64; 4] {
    let numbers = attribute(element, "viewBox").expect("a view box");
    let numbers: Vec<u64> = numbers.split(' ').map(|n| n.parse().expect(n)).collect();
    numbers.try_into().expect("four numbers")
}

/// Width, height and straight pixels of a file. A pixel shows the rectangle under its center.
fn shown(file: &str) -> (u64, u64, Vec<[u8; 4]>) {
    let elements: Vec<&str> = file.lines().collect();
    let outer = elements[0];
    assert_eq!(
        attribute(outer, "xmlns"),
        Some("http://www.w3.org/2000/svg")
    );
    let [width, height] = ["width", "height"].map(|name| number(outer, name).expect(outer));
    let mut grid = outer;
    if elements[1].starts_with("<svg") {
        assert_eq!(view_box(outer), [0, 0, width, height]);
        grid = elements[1];
    }
    assert_eq!(attribute(grid, "preserveAspectRatio"), Some("none"));
    assert_eq!(attribute(grid, "shape-rendering"), Some("crispEdges"));
    let [left, top] = ["x", "y"].map(|name| number(grid, name).unwrap_or(0));
    let [wide, high] = ["width", "height"].map(|name| number(grid, name).expect(grid));
    let [0, 0, columns, rows] = view_box(grid) else {
        panic!("{grid}");
    };

    let mut texels = vec![[0; 4]; usize::try_from(columns * rows).expect("a small grid")];
    for rectangle in elements
        .iter()
        .filter(|element| element.starts_with("<rect"))
    {
        let [x, y, w, h] =
            ["x", "y", "width", "height"].map(|name| number(rectangle, name).expect(rectangle));
        assert!(x + w <= columns && y + h <= rows, "{rectangle}");
        for at in (y..y + h).flat_map(|y| (x..x + w).map(move |x| y * columns + x)) {
            let texel = &mut texels[usize::try_from(at).expect("a small grid")];
            assert_eq!(*texel, [0; 4], "{rectangle} covers another one");
            *texel = color(rectangle);
        }
    }
    let under = |at: u64, from: u64, pixels: u64, texels: u64| {
        let at = at.checked_sub(from).filter(|&at| at < pixels)?;
        Some((2 * at + 1) * texels / (2 * pixels))
    };
    let pixels = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let pixels = pixels.map(|(x, y)| {
        let place = under(x, left, wide, columns).zip(under(y, top, high, rows));
        place.map_or([0; 4], |(x, y)| {
            texels[usize::try_from(y * columns + x).expect("a small grid")]
        })
    });
    (width, height, pixels.collect())
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
fn check(name: &str, view: &PictureSpec, skin: &Skin) {
    let (width, height, pixels) = shown(&svg(view, skin));
    assert_eq!(
        (width, height),
        (view.width(), view.height()),
        "{name}: {view:?}"
    );
    let picture = view.picture(skin).unwrap();
    let expected = picture.to_rgba().unwrap();
    for (at, (actual, expected)) in pixels.iter().zip(expected.as_chunks::<4>().0).enumerate() {
        // Transparent pixels have no color in an SVG.
        let expected = if expected[3] == 0 { [0; 4] } else { *expected };
        let place = (at as u64 % width, at as u64 / width);
        assert_eq!(*actual, expected, "{name}: {view:?} at {place:?}");
    }
}

#[test]
fn files_show_the_pixels() {
    let noise = Noise::ALL.map(|noise| random::skin(5, [128, 64], noise, Model::Slim));
    let noise = noise.into_iter().map(|skin| ("noise", skin));
    let drawn = SKINS
        .iter()
        .map(|fixture| (fixture.name, drawn::worn(fixture)));
    for (name, skin) in drawn.chain(noise) {
        for layers in [Layers::Base, Layers::WithOverlay] {
            for view in [1, 8, 13, 64, 180]
                .into_iter()
                .flat_map(|n| views(n, layers))
            {
                check(name, &view, &skin);
            }
        }
    }
}

/// A face of one color under a hat with a window takes the fewest rectangles.
#[test]
fn texels_of_one_color_are_one_rectangle() {
    let skin = |hat: fn(u32, u32) -> [u8; 4]| {
        let mut image = fixtures::Image::new(64, 64);
        for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
            image.set_pixel(8 + x, 8 + y, [90, 60, 30, 255]);
            image.set_pixel(40 + x, 8 + y, hat(x, y));
        }
        Skin::decode(&image.encode(), Model::Classic).expect("a skin of 64 x 64")
    };
    let head = PictureSpec::new(View::Face, Size::px(64));
    let window = skin(|x, y| [255, 0, 0, if (x, y) == (3, 4) { 0 } else { 255 }]);
    let brim = skin(|_, y| [255, 0, 0, if y < 2 { 255 } else { 0 }]);
    for (skin, expected) in [(skin(|_, _| [0; 4]), 1), (brim, 2), (window, 5)] {
        let file = svg(&head, &skin);
        assert_eq!(file.matches("<rect").count(), expected, "{file}");
        check("hat", &head, &skin);
    }
    let file = svg(&head, &skin(|_, _| [255, 0, 0, 255]));
    let rectangle = r##"<rect x="0" y="0" width="8" height="8" fill="#ff0000"/>"##;
    assert_eq!(file.lines().nth(1), Some(rectangle));
    assert_eq!(color(rectangle), [255, 0, 0, 255]);
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
        let mut path = PathBuilder::new();
        let data = attribute(element, "d").expect("a path has data");
        // Steps from the point before, and from the start of the polygon before.
        let mut start = [0.0; 2];
        for polygon in data.split_terminator('z') {
            let mut at: [f32; 2] = start;
            for (number, step) in polygon.trim_start_matches('m').split('l').enumerate() {
                let (x, y) = step.split_once(' ').expect("a step");
                let steps = [x, y].map(|step| step.parse::<f32>().expect("a number"));
                at = [0, 1].map(|axis| at[axis] + steps[axis]);
                if number == 0 {
                    start = at;
                    path.move_to(at[0], at[1]);
                } else {
                    path.line_to(at[0], at[1]);
                }
            }
            path.close();
        }
        let path = path.finish().and_then(|path| path.transform(transform));
        let path = path.expect("the path has an area");
        let [r, g, b, alpha] = color(element);
        let mut fill = Paint::default();
        fill.set_color_rgba8(r, g, b, alpha);
        let identity = Transform::identity();
        pixmap.fill_path(&path, &fill, FillRule::Winding, identity, None);
    }
    pixmap
}

#[test]
fn scenes_look_like_their_pixels_at_any_zoom() {
    for (name, spec) in [
        (
            "knight",
            PictureSpec::new(View::IsometricBody, Size::px(100)),
        ),
        (
            "fox",
            PictureSpec::new(View::IsometricHead, Size::px(100)).with_facing(Facing::BackRight),
        ),
        (
            "queen",
            PictureSpec::new(View::Figure, Size::px(100)).with_pose(NamedPose::Sit),
        ),
        (
            "ghost",
            PictureSpec::new(View::Portrait, Size::px(100)).with_pose(NamedPose::Wave),
        ),
        (
            "plain",
            PictureSpec::new(View::Cube, Size::px(100)).with_light(Light::Game),
        ),
    ] {
        let skin = drawn::named(name);
        for (size, zoom, least) in [(100, 1, 31.7), (100, 3, 36.5), (24, 12, 35.5)] {
            let [mut spec, mut enlarged] = [spec; 2];
            (spec.size, enlarged.size) = (Size::px(size), Size::px(size * zoom));
            let file = svg(&spec, &skin);
            // Not all programs know strokes that do not grow with the zoom.
            assert!(!file.contains("stroke"), "{name}");
            let picture = enlarged.picture(&skin).unwrap();
            let mut expected = Pixmap::new(picture.width(), picture.height()).unwrap();
            let layout = PixelLayout {
                is_premultiplied: true,
                ..PixelLayout::default()
            };
            let drawn = Renderer::new().render_into(&picture, layout, expected.data_mut());
            drawn.unwrap();
            let actual = paint(&file, &spec, zoom as f32);
            let pixels = |pixmap: &Pixmap| -> Vec<[f64; 4]> {
                let channels = pixmap.data().as_chunks::<4>().0;
                channels.iter().map(|pixel| pixel.map(f64::from)).collect()
            };
            let likeness = psnr::likeness(&pixels(&expected), &pixels(&actual));
            assert!(likeness > least, "{name} {size} x {zoom}: {likeness:.1} dB");
            // Nothing shines through where two polygons meet, and the outline is where it should be.
            let alphas = |pixmap: &Pixmap| -> Vec<u8> {
                pixmap.pixels().iter().map(|pixel| pixel.alpha()).collect()
            };
            let pairs = alphas(&expected).into_iter().zip(alphas(&actual));
            let opaque = pairs.clone().filter(|(one, _)| *one == 255);
            let gaps = opaque.clone().filter(|(_, other)| *other < 250).count();
            let beyond = pairs.filter(|&(one, other)| one == 0 && other > 5);
            let (opaque, beyond) = (opaque.count(), beyond.count());
            assert!(
                gaps * 30 < opaque && beyond * 100 < opaque,
                "{name} x {zoom}: {gaps} and {beyond} of {opaque}"
            );
        }
    }
}

/// Skins of every width in all views, with a color of its own for each texel.
#[test]
fn only_files_of_the_largest_skins_are_too_long() {
    for (width, view, is_short) in [
        (64, View::Figure, true),
        (256, View::Figure, true),
        (512, View::Cube, true),
        (1024, View::Combo, true),
        (1024, View::Figure, false),
    ] {
        let skin = random::skin(3, [width, width], Noise::Opaque, Model::Classic);
        let picture = PictureSpec::new(view, Size::px(64)).picture(&skin);
        let written = picture.and_then(|picture| picture.encode(ImageFormat::Svg));
        match written {
            Ok(file) => assert!(
                is_short && file.len() <= Picture::MAX_SVG_BYTES,
                "{width} {view}"
            ),
            Err(refused) => assert!(
                !is_short && matches!(refused, RenderError::SvgTooLong),
                "{width} {view}: {refused:?}"
            ),
        }
    }
}
