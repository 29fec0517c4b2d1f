//! Bytes that claim to be a skin, all the way to a picture: nothing may panic, whatever decodes can be
//! drawn, and the file holds what was drawn. The first byte chooses the model, the view and the size,
//! the rest is the texture.
//!
//! `cargo +nightly fuzz run decode` in the folder of `effigy-render`.

#![no_main]

use effigy_render::{
    Body, Facing, Head, IsometricBody, IsometricHead, Layers, Model, Size, Skin, View,
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
        draw(&skin, usize::from(choice / 2));
    }
});

fn draw(skin: &Skin, choice: usize) {
    let layers = Layers::WithOverlay;
    let size = Size::new([1, 9, 40][choice / 5 % 3]).expect("sizes are positive");
    let views: [&dyn View; 5] = [
        &Head { size, layers },
        &Body { size, layers },
        &Body {
            size,
            layers: Layers::Base,
        },
        &IsometricHead {
            size,
            facing: Facing::Left,
            layers: Layers::Base,
        },
        &IsometricBody {
            size,
            facing: Facing::Right,
            layers,
        },
    ];
    let view = views[choice % 5];
    let render = view.render(skin).expect("the picture is small");
    let png = render.encode_png().expect("the picture is small");
    let pixels = render.to_rgba().expect("the picture is small");
    assert!(read(&png) == pixels, "{view:?}");
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
