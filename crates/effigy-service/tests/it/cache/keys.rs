//! Cache keys. Spec, "Common rules" 5, and the decisions on parsing.

use std::collections::HashMap;

use crate::support::specified;
use effigy_player::Model;
use effigy_render::{
    Angle, Camera, Decoration, Facing, Filter, Framing, ImageFormat, Layers, Light, Motion,
    NamedPose, PictureSpec, Shape, Size, View,
};
use effigy_service::{FileRequest, FileSpec, GroupRequest, PictureParams};
use effigy_upstream::TextureHash;

fn head(size: Option<u32>, has_overlay: bool) -> PictureParams {
    let layers = [Layers::Base, Layers::WithOverlay][usize::from(has_overlay)];
    specified::head(size, layers)
}

fn key(picture: PictureParams, input: &str) -> String {
    picture.of_player(input).spec.key()
}

#[test]
fn keys_are_those_of_the_specification() {
    let (left, right) = (Facing::Left, Facing::Right);
    let player = |layers, size| specified::player(size, layers);
    let ioshead = specified::ioshead(None, right);
    let rows = [
        (head(Some(64), true), "head_Notch_64_hat"),
        (head(None, false), "head_Notch_default_default"),
        // The default and its number have different keys: only one of them follows a change.
        (head(Some(128), false), "head_Notch_128_default"),
        (player(Layers::Base, None), "player_Notch_default_default"),
        (player(Layers::WithOverlay, Some(64)), "player_Notch_64_hat"),
        (specified::avatar(Some(64), left), "avatar_Notch_left_64"),
        (ioshead, "ioshead_Notch_right_default"),
        (specified::iosbody(None, left), "iosbody_Notch_left_default"),
        (PictureParams::SKIN, "skin_Notch_default_default"),
        (PictureParams::DOWNLOAD, "download_Notch_default_default"),
    ];
    for (picture, expected) in rows {
        assert_eq!(key(picture, "Notch"), expected, "{picture:?}");
    }
}

#[test]
fn keys_beyond_the_specification_begin_as_none_of_a_specified_path() {
    for view in View::ALL {
        let spec = PictureSpec::new(*view, Size::px(64));
        let key = key(PictureParams::extension(spec, ImageFormat::Png), "Notch");
        assert!(key.starts_with(&format!("x-{view}_Notch_64_")), "{key}");
    }
    // The other files, some with a specified picture's own key after a prefix.
    let hash = TextureHash::parse(&"ab".repeat(32)).unwrap();
    let on = |model| head(None, true).of_texture(hash.clone(), model);
    let own = key(head(None, true), hash.as_str());
    let [skin, own_skin] = [PictureParams::OWN_SKIN, PictureParams::SKIN.of_own_skin()];
    let cape = |size| FileSpec::Cape("Notch".to_owned(), size).into();
    let profile = FileSpec::Profile("Notch".to_owned()).into();
    let rows: [(FileRequest, &str); 7] = [
        (on(Model::Classic), &format!("x-classic-{own}")),
        (on(Model::Slim), &format!("x-slim-{own}")),
        (skin.of_player("Notch"), "x-skin_Notch_default_default"),
        (
            own_skin.of_player("Notch"),
            "x-own-skin_Notch_default_default",
        ),
        (profile, "x-profile_Notch_default_default"),
        (cape(None), "x-cape_Notch_default_default"),
        (cape(Some(Size::px(64))), "x-cape_Notch_64_default"),
    ];
    for (request, expected) in rows {
        assert_eq!(request.spec.key(), expected);
    }
}

#[test]
fn what_is_out_of_sight_is_no_part_of_a_key() {
    let with_shadow = Decoration {
        has_shadow: true,
        ..Decoration::NONE
    };
    let scene = |spec: PictureSpec| {
        spec.with_camera(Camera::orthographic(-25.3, 0.0))
            .with_pose(NamedPose::Walk)
            .with_light(Light::Game)
    };
    let shadow = |spec: PictureSpec| spec.with_decoration(with_shadow);
    let cape = |spec: PictureSpec| spec.with_cape(false);
    let key = |spec| key(PictureParams::extension(spec, ImageFormat::Png), "Notch");
    let rows: [(View, &dyn Fn(PictureSpec) -> PictureSpec); 3] = [
        // A flat view is no scene.
        (View::Bust, &scene),
        // A portrait has no feet.
        (View::Portrait, &shadow),
        // A cube shows no cape.
        (View::Cube, &cape),
    ];
    for (view, change) in rows {
        for (view, is_same) in [(view, true), (View::Figure, false)] {
            let spec = PictureSpec::new(view, Size::px(64));
            assert_eq!(key(spec) == key(change(spec)), is_same, "{view:?}");
        }
    }
}

/// Scenes that differ from one another, most of them in one parameter.
fn scenes() -> Vec<PictureSpec> {
    let views = [View::Figure, View::IsometricBody, View::Portrait];
    let [figure, isometric, portrait] = views.map(|view| PictureSpec::new(view, Size::px(64)));
    let seen = |yaw, pitch| figure.with_camera(Camera::orthographic(yaw, pitch));
    let plain = Decoration::NONE;
    let with = |background, padding, shape, has_shadow| {
        figure.with_decoration(Decoration {
            background,
            padding,
            shape,
            has_shadow,
        })
    };
    let facings = Facing::ALL
        .iter()
        .map(|facing| isometric.with_facing(*facing));
    let lights = Light::ALL.iter().map(|light| portrait.with_light(*light));
    let shapes = Shape::ALL.iter().map(|shape| with(None, 1, *shape, false));
    let others = [
        figure,
        figure.with_framing(Framing::Turning),
        figure.with_filter(Filter::Lanczos3),
        figure.with_pose(NamedPose::Walk),
        figure.with_pose(NamedPose::Sit),
        figure.with_cape(false),
        figure.with_elytra(true),
        figure.with_layers(Layers::Base),
        figure.with_model(Some(Model::Slim)),
        figure.with_upside_down(Some(true)),
        figure.with_frame(Some([Size::px(5_000), Size::px(10_000)])),
        figure.with_names(true),
        PictureSpec::new(View::Figure, Size::px(6)),
        PictureSpec::new(View::Figure, Size::px(640)),
        with(Some([0, 0, 0, 1]), 0, plain.shape, false),
        with(Some([0, 0, 0, 255]), 0, plain.shape, false),
        with(None, 10, plain.shape, false),
        with(None, 11, plain.shape, false),
        with(None, 0, plain.shape, true),
        seen(10.0, 0.0),
        seen(10.1, 0.0),
        seen(-10.0, 0.0),
        seen(0.0, 10.0),
        seen(1.0, -1.0),
    ];
    facings.chain(lights).chain(shapes).chain(others).collect()
}

/// Neither another parameter nor an input that looks like the rest of a key leads to the key of another picture.
#[test]
fn different_requests_have_different_keys() {
    let scenes = scenes().into_iter();
    let (png, svg, gif) = (ImageFormat::Png, ImageFormat::Svg, ImageFormat::Gif);
    let scenes = scenes.map(|spec| PictureParams::extension(spec, png));
    let [face, figure] =
        [View::Face, View::Figure].map(|view| PictureSpec::new(view, Size::px(64)));
    let moving = |turns, cycle, start, format| {
        let motion = Motion {
            turns,
            cycle,
            start,
        };
        PictureParams::moving(figure, motion, format)
    };
    let (zero, walk) = (Angle::ZERO, Some(NamedPose::Walk));
    let others = [
        PictureParams::extension(face, png),
        PictureParams::extension(face, svg),
        moving(true, None, zero, png),
        moving(false, walk, zero, png),
        moving(false, walk, zero, gif),
        moving(false, walk, Angle::degrees(90.0), gif),
    ];
    let specified = [(Some(64), true), (None, true), (None, false)];
    let specified = specified.map(|(size, has_overlay)| head(size, has_overlay));
    let pictures: Vec<PictureParams> = scenes.chain(others).chain(specified).collect();
    let inputs = "a A A_B A_64 A_64_hat _ 64 _overlay -cape x-figure_ x-figure_a_64";
    let requests = pictures.iter().flat_map(|picture| {
        let requests = inputs.split(' ').map(|input| (*picture, input));
        requests.collect::<Vec<_>>()
    });
    let mut known = HashMap::new();
    for (picture, input) in requests {
        let other = known.insert(key(picture, input), (picture, input));
        assert_eq!(other, None, "{picture:?} {input}");
    }
    // No input completes another request to one of these keys.
    for picture in pictures {
        let form = key(picture, "|");
        let (begin, end) = form.split_once('|').unwrap();
        for (key, request) in &known {
            let rest = key.strip_prefix(begin);
            if let Some(input) = rest.and_then(|rest| rest.strip_suffix(end)) {
                assert_eq!(*request, (picture, input), "{key}");
            }
        }
    }
}

#[test]
fn pictures_of_several_players_are_bounded() {
    let players = |count| vec!["a".to_owned(); count];
    let spec = |pixels| PictureSpec::new(View::Face, Size::new(pixels).unwrap());
    let sheet = Some;
    let rows = [
        (128, sheet(10), 100, true),
        (409, sheet(10), 100, true),
        (410, sheet(10), 100, false),
        (2048, sheet(100), 4, true),
        (2048, sheet(100), 5, false),
        (2048, None, 4, true),
        (64, sheet(0), 1, false),
        (64, None, 0, false),
        (2_147_483_647, sheet(1), 1, false),
    ];
    for (pixels, layout, count, expected) in rows {
        let request = GroupRequest::new(spec(pixels), layout, players(count));
        assert_eq!(request.is_some(), expected, "{pixels} {layout:?} {count}");
    }
}
