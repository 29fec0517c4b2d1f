//! Draws arbitrary bytes: nothing may panic, every decoded skin can be drawn, and the file has the
//! pixels that were drawn, with a frame or without.
//!
//! The first byte chooses the model, the view and the size. The rest is the texture. A PNG can have
//! bytes after its end, so the last bytes choose the camera, the pose, the light, the crop, the
//! outline and the decoration.
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
    let views = views(Size::px([1, 9, 40][choice % 3]));
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

/// All views with all layers, from all isometric directions.
fn views(size: Size) -> Vec<PictureSpec> {
    let mut views = Vec::new();
    for &view in View::ALL {
        for &layers in Layers::ALL {
            let spec = PictureSpec::new(view, size).with_layers(layers);
            let directions = if view.is_flat() {
                &Facing::ALL[..1]
            } else {
                Facing::ALL
            };
            for &facing in directions {
                views.push(spec.with_facing(facing));
            }
        }
    }
    views
}

/// Draws a view that has a scene.
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
    let names = ["deadmau5", "Dinnerbone", "Notch"];
    let mut player = Player::new(skin).named(names[usize::from(flags / 2) % 3]);
    if let Some(cape) = cape {
        player = player.with_cape(cape);
    }
    let views = [
        View::Figure,
        View::Portrait,
        View::Cube,
        View::IsometricBody,
    ];
    let full_yaw = (degrees(yaw) + f64::from(yaw_low) / 100.0).min(180.0);
    let fov = f64::from(flags / 8) * 3.0;
    let mut spec = PictureSpec::new(views[choice / 3 % 4], Size::px([1, 7, 33][choice % 3]))
        .with_crop(Crop::ALL[usize::from(padding / 8) % Crop::ALL.len()])
        .with_camera(Camera::perspective(full_yaw, degrees(pitch) / 2.0, fov))
        .with_pose(pose_of(pose, flags, rotations))
        .with_light(Light::ALL[usize::from(light) % 3]);
    if shape & 4 != 0 {
        spec = spec.with_outline(Outline::new([light, pose, yaw_low, pitch]).with_width(padding / 16));
    }
    if shape & 8 != 0 {
        spec = spec.with_light_from([yaw_low, light].map(|byte| Angle::degrees(degrees(byte))));
    }
    let mut decoration = Decoration::NONE
        .with_shape(Shape::ALL[usize::from(shape) % 3])
        .with_shadow(flags & 64 != 0);
    if flags & 16 != 0 {
        decoration = decoration.with_background([light, pose, pitch, yaw_low]);
    }
    if flags & 32 != 0 {
        decoration = decoration.with_padding(u16::from(padding % 8));
    }
    check(&spec.with_decoration(decoration), &player);
}

/// Returns a named pose, or one whose joints the bytes turn and bend.
fn pose_of(choice: u8, flags: u8, rotations: [u8; 8]) -> Pose {
    let number = usize::from(choice) % (2 * NamedPose::ALL.len());
    if let Some(&named) = NamedPose::ALL.get(number) {
        return named.into();
    }
    let angle = |at: usize| degrees(rotations[at % rotations.len()]);
    let mut pose = Pose::STAND;
    let places = [0, 2, 1, 4, 3, 5, 6, 8];
    for (rotation, at) in pose.rotations_mut().into_iter().zip(places) {
        *rotation = Rotation::degrees(angle(at), angle(at + 1), angle(at + 2));
    }
    for (bend, at) in pose.bends_mut().into_iter().zip([7, 3, 9, 1]) {
        *bend = Angle::degrees(angle(at));
    }
    pose.lowered = flags & 1 != 0;
    pose
}

/// Converts a byte to an angle from -180 to 180 degrees.
fn degrees(byte: u8) -> f64 {
    f64::from(byte) / 255.0 * 360.0 - 180.0
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
