//! Keys of scenes.

use effigy_render::{Angle, Crop, Decoration, Facing, Filter, Framing, Light, Outline, Shape};

use super::*;

fn figure() -> PictureSpec {
    PictureSpec::new(View::Figure, Size::px(64))
}

fn decorated(decoration: Decoration) -> PictureSpec {
    figure().with_decoration(decoration)
}

fn seen(yaw: f64, pitch: f64) -> PictureSpec {
    figure().with_camera(Camera::orthographic(yaw, pitch))
}

fn decorations() -> Vec<PictureSpec> {
    let plain = Decoration::NONE;
    let shapes = Shape::ALL
        .iter()
        .map(|shape| plain.with_shape(*shape).with_padding(1));
    let mut decorations: Vec<Decoration> = shapes.collect();
    for background in [[0, 0, 0, 1], [0, 0, 0, 255]] {
        decorations.push(plain.with_background(background));
    }
    for padding in [10, 11] {
        decorations.push(plain.with_padding(padding));
    }
    decorations.push(plain.with_shadow(true));
    decorations.into_iter().map(decorated).collect()
}

/// Scenes that differ from one another, most of them in one parameter.
fn scenes() -> Vec<PictureSpec> {
    let isometric = PictureSpec::new(View::IsometricBody, Size::px(64));
    let portrait = PictureSpec::new(View::Portrait, Size::px(64));
    let mut scenes = decorations();
    for facing in Facing::ALL {
        scenes.push(isometric.with_facing(*facing));
    }
    for light in Light::ALL {
        scenes.push(portrait.with_light(*light));
    }
    for crop in [Crop::Bust, Crop::Head, Crop::Content] {
        scenes.push(figure().with_crop(crop));
    }
    for (color, width) in [([9; 4], None), ([8; 4], None), ([9; 4], Some(2))] {
        scenes.push(figure().with_outline(Outline { color, width }));
    }
    for (yaw, pitch) in [(0.0, 0.0), (0.1, 0.0), (0.0, 0.1)] {
        let from = [yaw, pitch].map(Angle::degrees);
        scenes.push(figure().with_light_from(from));
    }
    scenes.extend([
        figure(),
        figure().with_framing(Framing::Turning),
        figure().with_filter(Filter::Lanczos3),
        figure().with_pose(NamedPose::Walk),
        figure().with_pose(NamedPose::Sit),
        figure().with_cape(false),
        figure().with_elytra(true),
        figure().with_layers(Layers::Base),
        figure().with_model(Some(Model::Slim)),
        figure().with_upside_down(Some(true)),
        figure().with_frame(Some([Size::px(5_000), Size::px(10_000)])),
        figure().with_names(true),
        PictureSpec::new(View::Figure, Size::px(6)),
        PictureSpec::new(View::Figure, Size::px(640)),
        seen(10.0, 0.0),
        seen(10.1, 0.0),
        seen(-10.0, 0.0),
        seen(0.0, 10.0),
        seen(1.0, -1.0),
    ]);
    scenes
}

#[test]
fn different_scenes_have_different_keys() {
    let mut known = HashSet::new();
    for scene in scenes() {
        let text = picture(scene, outfit()).text();
        assert!(known.insert(text.clone()), "{text}");
    }
}

#[test]
fn formats_and_movements_have_different_keys() {
    let walk = Motion::of(NamedPose::Walk);
    let rows = [
        (ImageFormat::Png, None),
        (ImageFormat::Svg, None),
        (ImageFormat::Png, Some(Motion::TURN)),
        (ImageFormat::Png, Some(walk)),
        (ImageFormat::Png, Some(walk.turning())),
        (ImageFormat::Gif, Some(walk)),
        (ImageFormat::Gif, Some(walk.starting_at(0.25))),
    ];
    let mut known = HashSet::new();
    for (format, motion) in rows {
        let key = Key::Picture(PictureKey {
            spec: figure(),
            format,
            motion,
            outfit: outfit(),
        });
        assert!(known.insert(key.text()), "{format:?} {motion:?}");
    }
}
