//! Pictures in the memory of programs, and as tiny-skia pixmaps.

use crate::support::drawn;
use crate::support::specs::{self, flat, isometric};

use effigy_render::tiny_skia::{Color, ColorU8, Pixmap, Transform};
use effigy_render::{Facing, Layers, PictureSpec, PixelLayout, RenderError, Renderer, Size};

/// All views, and the flat ones in frames too.
fn all(pixels: u32) -> impl Iterator<Item = PictureSpec> {
    let framed = flat(pixels, Layers::WithOverlay);
    let framed = framed.map(|spec| spec.with_frame([Size::px(4 * pixels); 2]));
    specs::all(pixels).chain(framed)
}

fn places(pixmap: &Pixmap) -> impl Iterator<Item = (u32, u32)> {
    let width = pixmap.width();
    (0..pixmap.height()).flat_map(move |y| (0..width).map(move |x| (x, y)))
}

#[test]
fn premultiplied_pixels_are_those_of_tiny_skia() {
    let skin = drawn::named("ghost");
    let mut renderer = Renderer::new();
    for spec in [1, 9, 100].into_iter().flat_map(all) {
        let picture = spec.picture(&skin).unwrap();
        let pixmap = picture.to_pixmap().unwrap();
        let dimensions = [pixmap.width(), pixmap.height()];
        assert_eq!(dimensions, [picture.width(), picture.height()], "{spec:?}");
        let mut drawn = vec![0; pixmap.data().len()];
        let layout = PixelLayout::default().with_premultiplied(true);
        renderer.render_into(&picture, layout, &mut drawn).unwrap();
        assert!(drawn == pixmap.data(), "{spec:?}");
        let rgba = renderer.to_rgba(&picture).unwrap();
        let pixels = rgba.as_chunks().0.iter();
        let expected = pixels.map(|&[r, g, b, alpha]| ColorU8::from_rgba(r, g, b, alpha));
        let expected = expected.map(|color| color.premultiply());
        assert!(pixmap.pixels().iter().copied().eq(expected), "{spec:?}");
    }
}

#[test]
fn rows_have_the_given_stride_and_channel_order() {
    let skin = drawn::named("fox");
    let mut renderer = Renderer::new();
    // Strips have at most 1,024 rows.
    for spec in [1, 9, 700].into_iter().flat_map(all) {
        let picture = spec.picture(&skin).unwrap();
        let [row, height] = [4 * picture.width(), picture.height()].map(|side| side as usize);
        let layout = PixelLayout::default().with_stride(row + 7).with_bgra(true);
        let mut drawn = vec![99; (row + 7) * height + 3];
        renderer.render_into(&picture, layout, &mut drawn).unwrap();
        let mut expected = Vec::new();
        for straight in renderer.to_rgba(&picture).unwrap().chunks_exact(row) {
            for &[r, g, b, a] in straight.as_chunks().0 {
                expected.extend([b, g, r, a]);
            }
            expected.extend([99; 7]);
        }
        expected.extend([99; 3]);
        assert!(drawn == expected, "{spec:?}");
    }
}

#[test]
fn short_memory_is_refused() {
    let [face, ..] = flat(8, Layers::Base);
    let skin = drawn::named("plain");
    let picture = face.picture(&skin).unwrap();
    for (stride, bytes, refused) in [
        (None, 256, None),
        (None, 255, Some((255, 256))),
        (Some(40), 312, None),
        (Some(40), 311, Some((311, 312))),
        (Some(31), 4096, Some((31, 32))),
        (Some(0), 4096, Some((0, 32))),
        (Some(usize::MAX), 4096, Some((4096, usize::MAX))),
    ] {
        let layout = PixelLayout::default().with_stride(stride);
        let drawn = Renderer::new().render_into(&picture, layout, &mut vec![0; bytes]);
        let error = drawn.err().map(|error| match error {
            RenderError::ShortBuffer {
                bytes: given,
                needed,
            } => (given, needed),
            other => panic!("{other}"),
        });
        assert_eq!(error, refused, "{stride:?} {bytes}");
    }
}

#[test]
fn a_picture_larger_than_memory_is_refused() {
    let skin = drawn::named("plain");
    // More bytes than a processor can address.
    let [face, ..] = flat(20_000_000, Layers::Base);
    let picture = face.picture(&skin).unwrap();
    let mut canvas = Pixmap::new(1, 1).unwrap();
    for refused in [
        picture.to_rgba().map(drop),
        picture.to_pixmap().map(drop),
        picture.draw_into(&mut canvas.as_mut(), Transform::identity()),
    ] {
        assert!(matches!(refused, Err(RenderError::OutOfMemory)));
    }
}

#[test]
fn a_shifted_picture_keeps_its_pixels() {
    let skin = drawn::named("fox");
    for spec in [1, 9, 64].into_iter().flat_map(all) {
        let picture = spec.picture(&skin).unwrap();
        let pixmap = picture.to_pixmap().unwrap();
        let mut canvas = Pixmap::new(picture.width() + 10, picture.height() + 5).unwrap();
        let shifted = Transform::from_translate(7.0, 2.0);
        picture.draw_into(&mut canvas.as_mut(), shifted).unwrap();
        let transparent = Color::TRANSPARENT.premultiply().to_color_u8();
        let columns = 7..7 + pixmap.width();
        let rows = 2..2 + pixmap.height();
        for (x, y) in places(&canvas) {
            let expected = if columns.contains(&x) && rows.contains(&y) {
                pixmap.pixel(x - 7, y - 2)
            } else {
                Some(transparent)
            };
            assert_eq!(canvas.pixel(x, y), expected, "{spec:?} {x} {y}");
        }
    }
}

/// Every pixel of an enlarged flat view has a color of the view, also within a frame and in a
/// group.
#[test]
fn flat_views_keep_their_edges() {
    let skin = drawn::named("knight");
    let [head, ..] = flat(8, Layers::WithOverlay);
    let framed = head.with_frame([Size::px(12); 2]);
    let group = head.group(&[Some((&skin).into()); 2]).unwrap().picture;
    let [head, framed] = [head, framed].map(|spec| spec.picture(&skin).unwrap());
    let mut renderer = Renderer::new();
    for picture in [head, framed, group] {
        let pixmap = renderer.to_pixmap(&picture).unwrap();
        let mut canvas = Pixmap::new(3 * pixmap.width(), 3 * pixmap.height()).unwrap();
        let tripled = Transform::from_scale(3.0, 3.0);
        let drawn = renderer.draw_into(&picture, &mut canvas.as_mut(), tripled);
        drawn.unwrap();
        for (x, y) in places(&canvas) {
            assert_eq!(canvas.pixel(x, y), pixmap.pixel(x / 3, y / 3), "({x}, {y})");
        }
    }
}

#[test]
fn a_picture_is_composed_over_the_pixmap() {
    let skin = drawn::named("knight");
    let [head, ..] = flat(8, Layers::WithOverlay);
    let [isometric_head, _] = isometric(64, Facing::Right, Layers::WithOverlay);
    let framed = head.with_frame([Size::px(16); 2]);
    let ground = Color::from_rgba8(0, 0, 255, 255);
    let blue = ground.premultiply().to_color_u8();
    for (spec, scale) in [(head, 3.0), (framed, 3.0), (isometric_head, 0.5)] {
        let picture = spec.picture(&skin).unwrap();
        let mut canvas = Pixmap::new(40, 40).unwrap();
        canvas.fill(ground);
        let scaled = Transform::from_scale(scale, scale);
        picture.draw_into(&mut canvas.as_mut(), scaled).unwrap();
        assert!(canvas.pixels().iter().all(|pixel| pixel.alpha() == 255));
        let painted = canvas.pixels().iter().filter(|pixel| **pixel != blue);
        let painted = painted.count();
        assert!((400..=1024).contains(&painted), "{spec:?}: {painted}");
        let texels = picture.to_pixmap().unwrap();
        let is_known = |pixel| texels.pixels().contains(pixel) || *pixel == blue;
        // Flat views keep their colors.
        let keeps_colors = canvas.pixels().iter().all(is_known);
        assert_eq!(keeps_colors, scale > 1.0, "{spec:?}");
        assert_ne!(canvas.pixel(12, 12), Some(blue), "{spec:?}");
    }
}
