//! Parameters that a picture does not show.

use effigy_render::{Angle, Crop, Decoration, Light, Outline};

use crate::GroupRequest;

use super::*;

/// Changes a specification.
type Change = fn(PictureSpec) -> PictureSpec;

fn key(spec: PictureSpec) -> Option<PictureSpec> {
    PictureParams::beyond_specification(spec, ImageFormat::Png).spec
}

fn with_scene(spec: PictureSpec) -> PictureSpec {
    spec.with_camera(Camera::orthographic(-25.3, 0.0))
        .with_pose(NamedPose::Walk)
        .with_light(Light::Game)
}

fn with_shadow(spec: PictureSpec) -> PictureSpec {
    spec.with_decoration(Decoration::NONE.with_shadow(true))
}

#[test]
fn parameters_out_of_sight_are_no_part_of_a_key() {
    let rows: [(View, Change); 3] = [
        // A flat view is no scene.
        (View::Bust, with_scene),
        // A portrait has no feet.
        (View::Portrait, with_shadow),
        // A cube shows no cape.
        (View::Cube, |spec| spec.with_cape(false)),
    ];
    for (view, change) in rows {
        let spec = PictureSpec::new(view, Size::px(64));
        assert_eq!(key(spec), key(change(spec)), "{view}");
        let figure = PictureSpec::new(View::Figure, Size::px(64));
        assert_ne!(key(figure), key(change(figure)), "{view}");
    }
}

#[test]
fn one_picture_of_several_words_has_one_key() {
    let figure = PictureSpec::new(View::Figure, Size::px(128));
    let portrait = PictureSpec::new(View::Portrait, Size::px(128));
    let white = Outline::new([255; 4]);
    let usual = white.with_width(2);
    let from = Some([Angle::degrees(30.0), Angle::ZERO]);
    let game = figure.with_light(Light::Game);
    let face = PictureSpec::new(View::Face, Size::px(128));
    for (spec, same) in [
        (figure.with_crop(Crop::Bust), portrait),
        (with_shadow(figure.with_crop(Crop::Bust)), portrait),
        (
            with_shadow(figure.with_crop(Crop::Head)),
            figure.with_crop(Crop::Head),
        ),
        (portrait.with_crop(Crop::Content), portrait),
        (figure.with_outline(white), figure.with_outline(usual)),
        (figure.with_outline(Outline::new([0; 4])), figure),
        (game.with_light_from(from), game),
        (face.with_light_from(from), face),
    ] {
        assert_eq!(key(spec), key(same), "{spec:?}");
    }
    let group = |spec| GroupRequest::new(spec, None, vec!["a".to_owned()]);
    assert_eq!(group(figure.with_crop(Crop::Bust)), group(portrait));
}
