//! Arbitrary bytes from decoding to a picture: nothing may panic, every decoded skin can be drawn, and
//! the file has the pixels that were drawn, in a frame too. The first byte chooses the model, the view and
//! the size; the rest is the texture.
//!
//! `cargo +nightly fuzz run decode` in the folder of `effigy-render`.

#![no_main]

use effigy_render::{Facing, Layers, Model, PictureSpec, RenderError, Size, Skin, View};
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
    check(&view, skin);
    check_framed(view, frame, skin);
}

fn check_framed(view: PictureSpec, frame: [u32; 2], skin: &Skin) {
    let fits = view.width() <= frame[0].into() && view.height() <= frame[1].into();
    let frame = frame.map(|pixels| Size::new(pixels).expect("frames are not empty"));
    let framed = view.with_frame(frame);
    if fits {
        check(&framed, skin);
    } else {
        framed.picture(skin).expect_err("the frame is too small");
    }
}

/// Every view, flat ones once for each choice of layers.
fn views(size: Size) -> Vec<PictureSpec> {
    let mut views = Vec::new();
    for layers in Layers::ALL {
        let view = |view| PictureSpec::new(view, size).with_layers(layers);
        let (flat, isometric): (Vec<_>, Vec<_>) = View::ALL.into_iter().partition(|v| v.is_flat());
        views.extend(flat.into_iter().map(view));
        for facing in Facing::ALL {
            let facing = |v: &View| view(*v).with_facing(facing);
            views.extend(isometric.iter().map(facing));
        }
    }
    views
}

fn check(view: &PictureSpec, skin: &Skin) {
    let picture = view.picture(skin).expect("the picture is small");
    let png = picture.encode_png().expect("the picture is small");
    let pixels = picture.to_rgba().expect("the picture is small");
    assert!(read(&png) == pixels, "{view:?}");
    let mut svg = Vec::new();
    picture.write_svg(&mut svg).expect("a vector takes every byte");
    assert!(svg.ends_with(b"</svg>\n"), "{view:?}");
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
