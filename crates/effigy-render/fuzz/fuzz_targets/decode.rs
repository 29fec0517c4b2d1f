//! Arbitrary bytes from decoding to a picture: nothing may panic, every decoded skin can be drawn, and
//! the file has the pixels that were drawn, in a frame too. The first byte chooses the model, the view and
//! the size; the rest is the texture. Its last bytes, which a PNG can have after its end, choose the camera, the
//! pose, the light, the crop, the outline and the decoration.
//!
//! `cargo +nightly fuzz run decode` in the folder of `effigy-render`.

#![no_main]

use effigy_render::{
    Angle, Camera, Cape, Crop, Decoration, Facing, ImageFormat, Layers, Light, Model, NamedPose,
    Outline, PictureSpec, Player, Pose, Rotation, Shape, Size, Skin, View,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((&choice, texture)) = input.split_first() else {
        return;
    };
    let choice = usize::from(choice);
    let end = texture.last_chunk().copied().unwrap_or_default();
    let cape = Cape::decode(texture).ok();
    if let Ok(skin) = Skin::decode(texture, Model::ALL[choice % 2]) {
        draw(&Player::new(&skin), choice / 2);
        draw_scene(&skin, cape.as_ref(), end, choice / 2);
    }
});

/// Draws a view as it is, and in a frame.
fn draw(player: &Player<'_>, choice: usize) {
    let size = Size::px([1, 9, 40][choice % 3]);
    let mut views = Vec::new();
    for (&view, &layers) in View::ALL
        .iter()
        .flat_map(|view| Layers::ALL.iter().map(move |layers| (view, layers)))
    {
        let spec = PictureSpec::new(view, size).with_layers(layers);
        let facings = Facing::ALL.iter().map(|&facing| spec.with_facing(facing));
        views.extend(facings.take(if view.is_flat() { 1 } else { Facing::ALL.len() }));
    }
    let view = views[choice / 3 % views.len()];
    check(&view, player);
    let frame = [40, 100 + choice as u32];
    let framed = view.with_frame(frame.map(Size::px));
    if view.width() <= frame[0].into() && view.height() <= frame[1].into() {
        check(&framed, player);
    } else {
        framed.picture(*player).expect_err("the frame is too small");
    }
}

/// Draws a view with a free camera.
fn draw_scene(skin: &Skin, cape: Option<&Cape>, end: [u8; 16], choice: usize) {
    let [
        yaw,
        yaw_low,
        pitch,
        pose,
        light,
        flags,
        padding,
        shape,
        rotations @ ..,
    ] = end;
    let degrees = |byte: u8| f64::from(byte) / 255.0 * 360.0 - 180.0;
    let yaw = (degrees(yaw) + f64::from(yaw_low) / 100.0).min(180.0);
    let fov = f64::from(flags / 8) * 3.0;
    let mut own = Pose::STAND;
    for (rotation, at) in own
        .rotations_mut()
        .into_iter()
        .zip([0, 2, 1, 4, 3, 5, 6, 8])
    {
        let [x, y, z] = [0, 1, 2].map(|axis| degrees(rotations[(at + axis) % rotations.len()]));
        *rotation = Rotation::degrees(x, y, z);
    }
    for (bend, at) in own.bends_mut().into_iter().zip([7, 3, 9, 1]) {
        *bend = Angle::degrees(degrees(rotations[at % rotations.len()]));
    }
    own.lowered = flags & 1 != 0;
    let named = NamedPose::ALL.get(usize::from(pose % 16)).copied();
    let names = ["deadmau5", "Dinnerbone", "Notch"];
    let mut player = Player::new(skin).named(names[usize::from(flags / 2) % 3]);
    if let Some(cape) = cape {
        player = player.with_cape(cape);
    }
    let size = Size::px([1, 7, 33][choice % 3]);
    let views = [
        View::Figure,
        View::Portrait,
        View::Cube,
        View::IsometricBody,
    ];
    let outline = Outline {
        color: [light, pose, yaw_low, pitch],
        width: Some(padding / 16),
    };
    let from = [yaw_low, light].map(|byte| Angle::degrees(degrees(byte)));
    let spec = PictureSpec::new(views[choice / 3 % 4], size)
        .with_crop(Crop::ALL[usize::from(padding / 8) % Crop::ALL.len()])
        .with_outline((shape & 4 != 0).then_some(outline))
        .with_light_from((shape & 8 != 0).then_some(from))
        .with_camera(Camera::perspective(yaw, degrees(pitch) / 2.0, fov))
        .with_pose(named.map_or(own, Pose::from))
        .with_light(Light::ALL[usize::from(light) % 3])
        .with_decoration(Decoration::NONE.with_background((flags & 16 != 0).then_some([light, pose, pitch, yaw_low])).with_padding(u16::from(padding % 8) * u16::from(flags & 32 != 0)).with_shape(Shape::ALL[usize::from(shape) % 3]).with_shadow(flags & 64 != 0));
    check(&spec, &player);
}

fn check(view: &PictureSpec, player: &Player<'_>) {
    let picture = view.picture(*player).expect("the picture is small");
    let png = picture.encode_png().expect("the picture is small");
    let pixels = picture.to_rgba().expect("the picture is small");
    assert!(read(&png) == pixels, "{view:?}");
    let svg = picture.encode(ImageFormat::Svg).expect("the file is short");
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
