//! Parameters that a picture does not show.

use effigy_render::{Decoration, Light};

use super::*;

/// Changes a specification.
type Change = fn(PictureSpec) -> PictureSpec;

fn key(spec: PictureSpec) -> Option<PictureSpec> {
    PictureParams::extension(spec, ImageFormat::Png).spec
}

fn with_scene(spec: PictureSpec) -> PictureSpec {
    spec.with_camera(Camera::orthographic(-25.3, 0.0))
        .with_pose(NamedPose::Walk)
        .with_light(Light::Game)
}

fn with_shadow(spec: PictureSpec) -> PictureSpec {
    spec.with_decoration(Decoration {
        has_shadow: true,
        ..Decoration::NONE
    })
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
