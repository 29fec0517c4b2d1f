//! Bytes that claim to be a skin, all the way to pictures: nothing may panic, and whatever decodes
//! can be drawn. The first byte is the model, the rest is the texture.
//!
//! `cargo +nightly fuzz run decode` in the folder of `effigy-render`.

#![no_main]

use effigy_render::{
    Body, Facing, Head, IsometricBody, IsometricHead, Layers, Model, Size, Skin, View,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&model, texture)) = input.split_first() else {
        return;
    };
    let model = if model % 2 == 0 {
        Model::Classic
    } else {
        Model::Slim
    };
    if let Ok(skin) = Skin::decode(texture, model) {
        draw(&skin);
    }
});

fn draw(skin: &Skin) {
    let layers = Layers::WithOverlay;
    for pixels in [1, 9, 40] {
        let size = Size::new(pixels).expect("sizes are positive");
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
            },
            &IsometricBody {
                size,
                facing: Facing::Right,
            },
        ];
        for view in views {
            let render = view.render(skin).expect("the picture is small");
            let png = render.encode_png().expect("the picture is small");
            assert!(png.starts_with(b"\x89PNG"));
        }
    }
}
