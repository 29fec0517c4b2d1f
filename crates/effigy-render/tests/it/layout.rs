//! Pictures in the memory of programs.

use effigy_render::{Facing, Layers, PictureSpec, PixelLayout, RenderError, Renderer};
use tiny_skia::{ColorU8, IntSize, Pixmap};

use crate::support::specs::{flat, isometric};
use crate::support::{drawn, specs};

fn all(pixels: u32) -> impl Iterator<Item = PictureSpec> {
    let layers = Layers::WithOverlay;
    let framed = flat(pixels, layers).map(|spec| spec.with_frame([specs::size(4 * pixels); 2]));
    flat(pixels, layers)
        .into_iter()
        .chain(framed)
        .chain(isometric(pixels, Facing::BackLeft, layers))
}

#[test]
fn premultiplied_pixels_are_those_of_tiny_skia() {
    let skin = drawn::named("ghost");
    let mut renderer = Renderer::new();
    let layout = PixelLayout {
        is_premultiplied: true,
        ..PixelLayout::default()
    };
    for spec in [1, 9, 100].into_iter().flat_map(all) {
        let picture = spec.picture(&skin).unwrap();
        let rgba = renderer.to_rgba(&picture).unwrap();
        let mut drawn = vec![0; rgba.len()];
        renderer.render_into(&picture, layout, &mut drawn).unwrap();
        let size = IntSize::from_wh(picture.width(), picture.height()).unwrap();
        let pixmap = Pixmap::from_vec(drawn, size).expect("no channel is above alpha");
        for (pixel, &[r, g, b, alpha]) in pixmap.pixels().iter().zip(rgba.as_chunks().0) {
            let expected = ColorU8::from_rgba(r, g, b, alpha).premultiply();
            assert_eq!(*pixel, expected, "{spec:?}");
        }
    }
}

#[test]
fn rows_have_the_distance_and_the_order_that_is_asked_for() {
    let skin = drawn::named("fox");
    let mut renderer = Renderer::new();
    // Strips have at most 1,024 rows.
    for spec in [1, 9, 700].into_iter().flat_map(all) {
        let picture = spec.picture(&skin).unwrap();
        let [width, height] = [picture.width(), picture.height()].map(|side| side as usize);
        let rgba = renderer.to_rgba(&picture).unwrap();
        let layout = PixelLayout {
            stride: Some(4 * width + 7),
            is_bgra: true,
            ..PixelLayout::default()
        };
        let mut drawn = vec![99; (4 * width + 7) * height + 3];
        renderer.render_into(&picture, layout, &mut drawn).unwrap();
        let rows = drawn.chunks_exact(4 * width + 7);
        assert_eq!(rows.remainder(), [99; 3], "{spec:?}");
        for (row, straight) in rows.zip(rgba.chunks_exact(4 * width)) {
            let (pixels, gap) = row.split_at(4 * width);
            assert_eq!(gap, [99; 7], "{spec:?}");
            let swapped = straight
                .as_chunks()
                .0
                .iter()
                .map(|&[r, g, b, a]| [b, g, r, a]);
            assert!(swapped.eq(pixels.as_chunks().0.iter().copied()), "{spec:?}");
        }
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
        let layout = PixelLayout {
            stride,
            ..PixelLayout::default()
        };
        let drawn = Renderer::new().render_into(&picture, layout, &mut vec![0; bytes]);
        let error = drawn.err().map(|error| match error {
            RenderError::ShortBuffer { bytes, needed } => (bytes, needed),
            other => panic!("{other}"),
        });
        assert_eq!(error, refused, "{stride:?} {bytes}");
    }
}
