//! Bytes that claim to be a skin, all the way to a picture: nothing may panic, whatever decodes can be
//! drawn, and the file holds what was drawn, in a frame too. The first byte chooses the model, the view
//! and the size, the rest is the texture.
//!
//! `cargo +nightly fuzz run decode` in the folder of `effigy-render`.

#![no_main]

use effigy_render::{
    Body, Bust, Combo, Facing, Framed, Head, IsometricBody, IsometricHead, Layers, Model,
    RenderError, Size, Skin, View,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&choice, texture)) = input.split_first() else {
        return;
    };
    let model = if choice % 2 == 0 {
        Model::Classic
    } else {
        Model::Slim
    };
    if let Ok(skin) = Skin::decode(texture, model) {
        draw(&skin, choice / 2);
    }
});

fn draw(skin: &Skin, choice: u8) {
    let frame = [40, 100 + u32::from(choice)];
    let choice = usize::from(choice);
    let size = Size::new([1, 9, 40][choice % 3]).expect("sizes are positive");
    let mut views = views(size);
    let view = views.swap_remove(choice / 3 % views.len());
    check(&*view, skin);
    check_framed(view, frame, skin);
}

fn check_framed(view: Box<dyn View>, frame: [u32; 2], skin: &Skin) {
    let fits = view.width() <= frame[0] && view.height() <= u64::from(frame[1]);
    let [width, height] = frame.map(|pixels| Size::new(pixels).expect("frames are not empty"));
    let framed = Framed {
        view,
        width,
        height,
    };
    if fits {
        check(&framed, skin);
    } else {
        framed.render(skin).expect_err("the frame is too small");
    }
}

/// Every view.
fn views(size: Size) -> Vec<Box<dyn View>> {
    let mut views: Vec<Box<dyn View>> = Vec::new();
    for layers in [Layers::Base, Layers::WithOverlay] {
        views.push(Box::new(Head { size, layers }));
        views.push(Box::new(Body { size, layers }));
        views.push(Box::new(Bust { size, layers }));
        views.push(Box::new(Combo { size, layers }));
        for facing in [
            Facing::Left,
            Facing::Right,
            Facing::BackLeft,
            Facing::BackRight,
        ] {
            views.push(Box::new(IsometricHead {
                size,
                facing,
                layers,
            }));
            views.push(Box::new(IsometricBody {
                size,
                facing,
                layers,
            }));
        }
    }
    views
}

fn check(view: &dyn View, skin: &Skin) {
    let render = view.render(skin).expect("the picture is small");
    let png = render.encode_png().expect("the picture is small");
    let pixels = render.to_rgba().expect("the picture is small");
    assert!(read(&png) == pixels, "{view:?}");
    let mut svg = Vec::new();
    match render.write_svg(&mut svg) {
        Ok(()) => assert!(svg.ends_with(b"</svg>\n"), "{view:?}"),
        Err(error) => assert!(matches!(error, RenderError::NotFlat), "{view:?}: {error:?}"),
    }
}

/// The straight RGBA pixels of a file.
fn read(png: &[u8]) -> Vec<u8> {
    let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
    decoder.set_transformations(
        png::Transformations::normalize_to_color8() | png::Transformations::ALPHA,
    );
    let mut reader = decoder.read_info().expect("a header");
    let mut pixels = vec![0; reader.output_buffer_size().expect("the picture is small")];
    reader.next_frame(&mut pixels).expect("pixels");
    pixels
}
