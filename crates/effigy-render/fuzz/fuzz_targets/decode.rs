//! Arbitrary bytes from decoding to a picture: nothing may panic, every decoded skin can be drawn, and
//! the file has the pixels that were drawn, in a frame too. The first byte chooses the model, the view and
//! the size; the rest is the texture. Its last bytes, which a PNG can have after its end, choose the camera, the
//! pose, the light and the decoration.
//!
//! `cargo +nightly fuzz run decode` in the folder of `effigy-render`.

#![no_main]

use effigy_render::{
    Camera, Cape, Decoration, Facing, ImageFormat, Layers, Light, Model, NamedPose, PictureSpec,
    Player, Pose, Rotation, Shape, Size, Skin, View,
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
    let end = texture.last_chunk().copied().unwrap_or_default();
    let cape = Cape::decode(texture).ok();
    if let Ok(skin) = Skin::decode(texture, model) {
        draw(&Player::new(&skin), choice / 2);
        draw_scene(&skin, cape.as_ref(), end, choice / 2);
    }
});

fn draw(player: &Player<'_>, choice: u8) {
    let frame = [40, 100 + u32::from(choice)];
    let choice = usize::from(choice);
    let size = Size::new([1, 9, 40][choice % 3]).expect("sizes are positive");
    let mut views = views(size);
    let view = views.swap_remove(choice / 3 % views.len());
    check(&view, player);
    check_framed(view, frame, player);
}

/// Draws a view with a free camera.
fn draw_scene(skin: &Skin, cape: Option<&Cape>, end: [u8; 16], choice: u8) {
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
    let camera = Camera::perspective(yaw, degrees(pitch) / 2.0, fov);
    let turn = |at: usize| {
        let [x, y, z] = [0, 1, 2].map(|axis| degrees(rotations[(at + axis) % rotations.len()]));
        Rotation::degrees(x, y, z)
    };
    let named = NamedPose::ALL.get(usize::from(pose % 16)).copied();
    let mut own = Pose::STAND;
    own.head = turn(0);
    own.torso = turn(2);
    own.right_arm = turn(1);
    own.left_arm = turn(4);
    own.right_leg = turn(3);
    own.left_leg = turn(5);
    own.body = turn(6);
    own.is_lowered = flags & 1 != 0;
    let names = ["deadmau5", "Dinnerbone", "Notch"];
    let mut player = Player::new(skin).named(names[usize::from(flags / 2) % 3]);
    if let Some(cape) = cape {
        player = player.with_cape(cape);
    }
    let size = Size::new([1, 7, 33][usize::from(choice) % 3]).expect("sizes are positive");
    let view = [
        View::Figure,
        View::Portrait,
        View::Cube,
        View::IsometricBody,
    ][usize::from(choice / 3) % 4];
    let spec = PictureSpec::new(view, size)
        .with_camera(camera)
        .with_pose(named.map_or(own, Pose::from))
        .with_light(Light::ALL[usize::from(light) % 3])
        .with_decoration(Decoration {
            background: (flags & 16 != 0).then_some([light, pose, pitch, yaw_low]),
            padding: u16::from(padding % 8) * u16::from(flags & 32 != 0),
            shape: Shape::ALL[usize::from(shape) % 3],
            has_shadow: flags & 64 != 0,
        });
    check(&spec, &player);
}

fn check_framed(view: PictureSpec, frame: [u32; 2], player: &Player<'_>) {
    let fits = view.width() <= frame[0].into() && view.height() <= frame[1].into();
    let frame = frame.map(|pixels| Size::new(pixels).expect("frames are not empty"));
    let framed = view.with_frame(frame);
    if fits {
        check(&framed, player);
    } else {
        framed.picture(*player).expect_err("the frame is too small");
    }
}

/// Every view, flat ones once for each choice of layers.
fn views(size: Size) -> Vec<PictureSpec> {
    let mut views = Vec::new();
    for &layers in Layers::ALL {
        let view = |view| PictureSpec::new(view, size).with_layers(layers);
        let (flat, isometric): (Vec<_>, Vec<_>) =
            View::ALL.iter().copied().partition(|v| v.is_flat());
        views.extend(flat.into_iter().map(view));
        for &facing in Facing::ALL {
            let facing = |v: &View| view(*v).with_facing(facing);
            views.extend(isometric.iter().map(facing));
        }
    }
    views
}

fn check(view: &PictureSpec, player: &Player<'_>) {
    let picture = view.picture(*player).expect("the picture is small");
    let png = picture.encode_png().expect("the picture is small");
    let pixels = picture.to_rgba().expect("the picture is small");
    assert!(read(&png) == pixels, "{view:?}");
    let mut svg = Vec::new();
    picture
        .write(ImageFormat::Svg, &mut svg)
        .expect("a vector takes every byte");
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
