//! Pictures as tiny-skia pixmaps, and drawn into them.

use crate::support::{drawn, specs};

use crate::support::specs::{flat, isometric};
use effigy_render::tiny_skia::{Color, Pixmap, Transform};
use effigy_render::{Facing, Layers, PictureSpec, Renderer};

fn all(pixels: u32) -> impl Iterator<Item = PictureSpec> {
    let layers = Layers::WithOverlay;
    let framed = flat(pixels, layers).map(|spec| spec.with_frame([specs::size(4 * pixels); 2]));
    flat(pixels, layers)
        .into_iter()
        .chain(framed)
        .chain(isometric(pixels, Facing::BackLeft, layers))
}

#[test]
fn a_pixmap_holds_the_premultiplied_pixels() {
    let skin = drawn::named("ghost");
    for spec in [1, 9, 100].into_iter().flat_map(all) {
        let picture = spec.picture(&skin).unwrap();
        let pixmap = picture.to_pixmap().unwrap();
        let dimensions = [pixmap.width(), pixmap.height()];
        assert_eq!(dimensions, [picture.width(), picture.height()], "{spec:?}");
        let rgba = picture.to_rgba().unwrap();
        let straight = rgba.as_chunks::<4>().0;
        for (pixel, &[r, g, b, alpha]) in pixmap.pixels().iter().zip(straight) {
            assert_eq!(pixel.alpha(), alpha, "{spec:?}");
            let channels = [(pixel.red(), r), (pixel.green(), g), (pixel.blue(), b)];
            for (premultiplied, straight) in channels {
                let exact = f64::from(straight) * f64::from(alpha) / 255.0;
                assert!((f64::from(premultiplied) - exact).abs() <= 0.5, "{spec:?}");
            }
        }
    }
}

#[test]
fn a_shifted_picture_keeps_its_pixels() {
    let skin = drawn::named("fox");
    for spec in [1, 9, 64].into_iter().flat_map(all) {
        let picture = spec.picture(&skin).unwrap();
        let pixmap = picture.to_pixmap().unwrap();
        let mut canvas = Pixmap::new(picture.width() + 10, picture.height() + 5).unwrap();
        picture
            .draw_into(&mut canvas.as_mut(), Transform::from_translate(7.0, 2.0))
            .unwrap();
        for (y, x) in (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (y, x))) {
            let place = x.checked_sub(7).zip(y.checked_sub(2));
            let inside = place.filter(|&(x, y)| x < pixmap.width() && y < pixmap.height());
            let expected = inside.and_then(|(x, y)| pixmap.pixel(x, y));
            let actual = canvas.pixel(x, y).unwrap();
            let expected = expected.map_or([0; 4], |p| [p.red(), p.green(), p.blue(), p.alpha()]);
            let actual = [actual.red(), actual.green(), actual.blue(), actual.alpha()];
            assert_eq!(actual, expected, "{spec:?} at ({x}, {y})");
        }
    }
}

/// Every pixel of an enlarged flat view has a color of the view, also within a frame and in a group.
#[test]
fn flat_views_keep_their_edges() {
    let skin = drawn::named("knight");
    let [head, ..] = flat(8, Layers::WithOverlay);
    let framed = head.with_frame([specs::size(12); 2]);
    let group = head.group(&[Some((&skin).into()); 2]).unwrap().picture;
    let mut renderer = Renderer::new();
    for picture in [
        head.picture(&skin).unwrap(),
        framed.picture(&skin).unwrap(),
        group,
    ] {
        let pixmap = renderer.to_pixmap(&picture).unwrap();
        let mut canvas = Pixmap::new(3 * pixmap.width(), 3 * pixmap.height()).unwrap();
        let tripled = Transform::from_scale(3.0, 3.0);
        let drawn = renderer.draw_into(&picture, &mut canvas.as_mut(), tripled);
        drawn.unwrap();
        for (y, x) in (0..canvas.height()).flat_map(|y| (0..canvas.width()).map(move |x| (y, x))) {
            assert_eq!(canvas.pixel(x, y), pixmap.pixel(x / 3, y / 3), "({x}, {y})");
        }
    }
}

#[test]
fn a_picture_is_drawn_over_what_is_there() {
    let skin = drawn::named("knight");
    let [head, ..] = flat(8, Layers::WithOverlay);
    let [isometric_head, _] = isometric(64, Facing::Right, Layers::WithOverlay);
    let framed = head.with_frame([specs::size(16); 2]);
    for (spec, scale) in [(head, 3.0), (framed, 3.0), (isometric_head, 0.5)] {
        let picture = spec.picture(&skin).unwrap();
        let mut canvas = Pixmap::new(40, 40).unwrap();
        let ground = Color::from_rgba8(0, 0, 255, 255);
        canvas.fill(ground);
        picture
            .draw_into(&mut canvas.as_mut(), Transform::from_scale(scale, scale))
            .unwrap();
        assert!(canvas.pixels().iter().all(|pixel| pixel.alpha() == 255));
        let painted = canvas
            .pixels()
            .iter()
            .filter(|pixel| **pixel != ground.premultiply().to_color_u8());
        let painted = painted.count();
        assert!((400..=1024).contains(&painted), "{spec:?}: {painted}");
        let texels = picture.to_pixmap().unwrap();
        let is_known =
            |pixel| texels.pixels().contains(pixel) || *pixel == ground.premultiply().to_color_u8();
        // Flat views keep their colors.
        let keeps_colors = canvas.pixels().iter().all(is_known);
        assert_eq!(keeps_colors, scale > 1.0, "{spec:?}");
        let middle = canvas.pixel(12, 12).unwrap();
        assert_ne!(middle, ground.premultiply().to_color_u8(), "{spec:?}");
    }
}
