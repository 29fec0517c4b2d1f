//! Crops of figures.

use effigy_render::{
    Angle, Camera, Cape, Crop, Decoration, Framing, ImageFormat, Layers, Model, Motion, NamedPose,
    Outline, PictureSpec, Player, RenderError, Renderer, Shape, Size, Skin, View,
};
use fixtures::Image;

use crate::support::drawn;

const WHITE: Outline = Outline::new([255; 4]);

fn figure(pixels: u32, crop: Crop) -> PictureSpec {
    PictureSpec::new(View::Figure, Size::px(pixels)).with_crop(crop)
}

fn with_shadow(spec: PictureSpec) -> PictureSpec {
    let mut shadowed = spec;
    shadowed.decoration.shadow = true;
    shadowed
}

fn walk(turns: bool) -> Motion {
    let walk = Motion::of(NamedPose::Walk);
    if turns { walk.turning() } else { walk }
}

/// Returns the left, upper, right and lower ends of the pixels of a kind, if there are any.
fn bounds(image: &Image, is_shown: impl Fn([u8; 4]) -> bool) -> Option<[u32; 4]> {
    let mut found: Option<[u32; 4]> = None;
    for y in 0..image.height {
        for x in 0..image.width {
            if is_shown(image.pixel(x, y)) {
                let [left, top, right, bottom] = found.unwrap_or([x, y, x + 1, y + 1]);
                found = Some([left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]);
            }
        }
    }
    found
}

fn is_visible(pixel: [u8; 4]) -> bool {
    pixel[3] > 0
}

#[test]
fn a_portrait_is_a_figure_cropped_to_the_bust() {
    let skin = drawn::named("knight");
    let cape = Cape::decode(fixtures::cape()).unwrap();
    let player = Player::new(&skin).with_cape(&cape);
    let decoration = Decoration::NONE
        .with_background([1, 2, 3, 255])
        .with_padding(9)
        .with_shape(Shape::Circle)
        .with_shadow(true);
    let changes: [fn(PictureSpec) -> PictureSpec; 5] = [
        |spec| spec,
        |spec| spec.with_pose(NamedPose::Sit).with_framing(Framing::All),
        |spec| spec.with_upside_down(true).with_outline(WHITE),
        |spec| spec.with_camera(Camera::orthographic(-100.0, 30.0)),
        |spec| spec.with_names(true),
    ];
    for change in changes {
        let of_view = |spec: PictureSpec| change(spec).with_decoration(decoration);
        let portrait = of_view(PictureSpec::new(View::Portrait, Size::px(60)));
        let bust = of_view(figure(60, Crop::Bust));
        assert_eq!(bust.normalized(), portrait.normalized());
        assert_eq!([bust.width(), bust.height()], [78, 78]);
        for format in [ImageFormat::Png, ImageFormat::Svg, ImageFormat::Gif] {
            let [bust, portrait] = [bust, portrait].map(|spec| {
                let picture = spec.picture(player).unwrap();
                picture.encode(format).unwrap()
            });
            assert!(bust == portrait, "{format}");
        }
        let [bust, portrait] = [bust, portrait].map(|spec| {
            let group = spec.group(&[Some(player); 2]).unwrap();
            let moment = spec.moment(player, walk(true), 0.3).unwrap();
            [&group.picture, &moment].map(drawn::image)
        });
        assert!(bust == portrait);
    }
}

/// A skin with a red head and a blue body.
fn two_colors() -> Skin {
    let image = drawn::painted([64, 64], |x, y| match (x, y) {
        (0..32, 0..16) => [255, 0, 0, 255],
        (32..64, 0..16) => [0; 4],
        _ => [0, 0, 255, 255],
    });
    Skin::decode(&image.encode(), Model::Classic).unwrap()
}

#[test]
fn a_head_is_in_the_middle_in_every_pose() {
    let skin = two_colors();
    let is_of_head = |[r, _, b, alpha]: [u8; 4]| alpha > 0 && r > b;
    for &pose in NamedPose::ALL {
        // From other sides, the body may hide the head of a figure that lies or flies.
        let [own_yaw, own_pitch, _] = pose.camera().angles().unwrap().map(Angle::to_degrees);
        let mut sides = vec![[own_yaw, own_pitch]];
        if pose.camera() == Camera::DEFAULT {
            sides.extend([[0.0, 16.0], [-120.0, 16.0]]);
        }
        for [yaw, pitch] in sides {
            for fov in [0.0, 30.0, 80.0] {
                let spec = figure(100, Crop::Head)
                    .with_pose(pose)
                    .with_camera(Camera::perspective(yaw, pitch, fov));
                let image = drawn::image(&spec.picture(&skin).unwrap());
                assert_eq!([image.width, image.height], [100, 100]);
                let [left, top, right, bottom] = bounds(&image, is_of_head).unwrap();
                let what = format!("{pose} {yaw} {fov}: {left} {top} {right} {bottom}");
                // The picture has room for the hat, and arms may hide a part of the head.
                assert!(right - left > 45 && bottom - top > 45, "{what}");
                assert!((left + right).abs_diff(100) < 24, "{what}");
                assert!((top + bottom).abs_diff(100) < 24, "{what}");
            }
        }
    }
}

#[test]
fn the_body_below_a_head_continues_through_the_padding() {
    let skin = two_colors();
    let is_of_body = |[r, _, b, alpha]: [u8; 4]| alpha > 0 && b > r;
    let mut spec = figure(80, Crop::Head);
    spec.decoration.padding = 20;
    for (is_upside_down, end) in [(false, 119), (true, 0)] {
        let spec = spec.with_upside_down(is_upside_down);
        let image = drawn::image(&spec.picture(&skin).unwrap());
        assert_eq!([image.width, image.height], [120, 120]);
        let row = (0..120).map(|x| image.pixel(x, end));
        assert!(row.into_iter().any(is_of_body), "{is_upside_down}");
        let [_, top, _, bottom] = bounds(&image, |[r, _, b, _]| r > b).unwrap();
        assert!((top + bottom).abs_diff(120) < 20, "{top} {bottom}");
    }
}

#[test]
fn a_moving_head_keeps_its_place() {
    let skin = two_colors();
    let spec = figure(64, Crop::Head).with_pose(NamedPose::Walk);
    for turns in [false, true] {
        for (frame, _) in spec.animation(&skin, walk(turns)).unwrap() {
            let image = drawn::image(&frame);
            let [left, top, right, bottom] = bounds(&image, |[r, _, b, _]| r > b).unwrap();
            assert!((left + right).abs_diff(64) < 16, "{left} {right}");
            assert!((top + bottom).abs_diff(64) < 16, "{top} {bottom}");
        }
    }
}

/// Pictures of a figure that are cut to their content.
fn cut_figures(pixels: u32) -> Vec<PictureSpec> {
    let mut specs = Vec::new();
    for &pose in NamedPose::ALL {
        for camera in [
            Camera::DEFAULT,
            Camera::orthographic(90.0, 0.0),
            Camera::perspective(-150.0, -40.0, 70.0),
        ] {
            let spec = figure(pixels, Crop::Content)
                .with_pose(pose)
                .with_camera(camera);
            let wide = WHITE.with_width(7);
            specs.extend([spec, with_shadow(spec), spec.with_outline(WHITE)]);
            specs.push(with_shadow(spec.with_outline(wide)).with_framing(Framing::All));
        }
    }
    specs
}

#[test]
fn content_touches_all_edges() {
    let cape = Cape::decode(fixtures::cape()).unwrap();
    for name in ["knight", "ghost"] {
        let skin = drawn::named(name);
        let player = Player::new(&skin).with_cape(&cape);
        for spec in cut_figures(90) {
            let image = drawn::image(&spec.picture(player).unwrap());
            let [width, height] = [image.width, image.height];
            assert_eq!(width.max(height), 90, "{spec:?}");
            let shown = bounds(&image, is_visible);
            assert_eq!(shown, Some([0, 0, width, height]), "{spec:?}");
        }
    }
}

#[test]
fn content_has_the_proportions_of_the_full_figure() {
    let skin = drawn::named("knight");
    for pose in [NamedPose::Sit, NamedPose::Wave] {
        let full = figure(400, Crop::Full).with_pose(pose);
        let content = figure(400, Crop::Content).with_pose(pose);
        let [full, content] =
            [full, content].map(|spec| drawn::image(&spec.picture(&skin).unwrap()));
        let [left, top, right, bottom] = bounds(&full, is_visible).unwrap();
        let expected = f64::from(right - left) / f64::from(bottom - top);
        let found = f64::from(content.width) / f64::from(content.height);
        assert!((found / expected - 1.0).abs() < 0.02, "{found} {expected}");
    }
}

#[test]
fn content_has_its_padding() {
    let skin = drawn::named("knight");
    let mut spec = figure(100, Crop::Content).with_outline(WHITE);
    spec.decoration.padding = 6;
    let image = drawn::image(&spec.picture(&skin).unwrap());
    let [width, height] = [image.width, image.height];
    assert_eq!(height, 112);
    let shown = bounds(&image, is_visible);
    assert_eq!(shown, Some([6, 6, width - 6, height - 6]));
}

#[test]
fn content_lies_inside_its_shape() {
    let skin = drawn::named("knight");
    let mut spec = figure(100, Crop::Content).with_outline(WHITE);
    spec.decoration.padding = 6;
    spec.decoration.shape = Shape::Circle;
    let image = drawn::image(&spec.picture(&skin).unwrap());
    assert_eq!([image.width, image.height], [112, 112]);
    for y in 0..112 {
        for x in 0..112 {
            let distance = (f64::from(x) - 55.5).hypot(f64::from(y) - 55.5);
            let is_outside = distance > 51.0;
            assert!(!is_outside || image.pixel(x, y)[3] == 0, "{x} {y}");
        }
    }
}

#[test]
fn flat_content_has_the_columns_of_the_model() {
    let skin = fixtures::skin("knight").png;
    for (view, pixels, rows) in [(View::Body, 64, 32), (View::Bust, 32, 16)] {
        let full = PictureSpec::new(view, Size::px(32));
        let cut = PictureSpec::new(view, Size::px(pixels)).with_crop(Crop::Content);
        for (model, columns) in [(Model::Classic, 16), (Model::Slim, 14)] {
            let skin = Skin::decode(skin, model).unwrap();
            let whole = drawn::image(&full.picture(&skin).unwrap());
            let image = drawn::image(&cut.picture(&skin).unwrap());
            assert_eq!([image.width, image.height], [2 * columns, 2 * rows]);
            let left = (whole.width - image.width) / 2;
            for y in 0..image.height {
                for x in 0..image.width {
                    assert_eq!(
                        image.pixel(x, y),
                        whole.pixel(left + x, y),
                        "{view} {x} {y}"
                    );
                }
            }
        }
    }
    let other = PictureSpec::new(View::Face, Size::px(8)).with_crop(Crop::Content);
    assert_eq!(other.normalized().crop, Crop::Full);
}

#[test]
fn all_frames_are_cut_to_their_common_content() {
    let skin = drawn::named("knight");
    let spec = with_shadow(figure(50, Crop::Content).with_outline(WHITE));
    for motion in [walk(false), walk(true)] {
        let frames = spec.animation(&skin, motion).unwrap().frames;
        let mut all = [u32::MAX, u32::MAX, 0, 0];
        let (first, _) = &frames[0];
        let size = [first.width(), first.height()];
        for (frame, _) in &frames {
            assert_eq!([frame.width(), frame.height()], size);
            let [left, top, right, bottom] = bounds(&drawn::image(frame), is_visible).unwrap();
            all = [
                all[0].min(left),
                all[1].min(top),
                all[2].max(right),
                all[3].max(bottom),
            ];
        }
        assert_eq!(all, [0, 0, size[0], size[1]]);
        assert_eq!(size[0].max(size[1]), 50);
        let moment = spec.moment(&skin, motion, 0.25).unwrap();
        assert_eq!([moment.width(), moment.height()], size);
    }
}

/// The base layer is always opaque, so every figure is visible.
#[test]
fn a_transparent_skin_has_content() {
    let image = drawn::painted([64, 64], |_, _| [0; 4]);
    let skin = Skin::decode(&image.encode(), Model::Slim).unwrap();
    for size in [1, 2, 40, 3000] {
        let spec = figure(size, Crop::Content).with_layers(Layers::Base);
        let picture = spec.picture(&skin).unwrap();
        assert_eq!(picture.height(), size);
        assert!((1..=size).contains(&picture.width()));
    }
}

#[test]
fn several_players_are_not_cut_to_their_content() {
    let skin = drawn::named("knight");
    let players = [Some(Player::new(&skin)); 2];
    let spec = figure(30, Crop::Content);
    for refused in [spec.group(&players), spec.sheet(&players, 2)] {
        assert!(matches!(refused, Err(RenderError::ContentOfSeveral)));
    }
    // Other views have no crop.
    let face = PictureSpec::new(View::Face, Size::px(30)).with_crop(Crop::Content);
    assert!(face.group(&players).is_ok());
}

#[test]
fn sheet_of_poses_is_not_cut_to_its_content() {
    let skin = drawn::named("knight");
    let spec = figure(30, Crop::Content);
    let refused = spec.sheet_of_poses(&[Player::new(&skin)], 6);
    assert!(matches!(refused, Err(RenderError::ContentOfSeveral)));
}

/// Every view with every crop and shape, with an outline and without one.
fn combinations(pixels: u32) -> Vec<PictureSpec> {
    let mut specs = Vec::new();
    for &view in View::ALL {
        for &crop in Crop::ALL {
            for &shape in Shape::ALL {
                let mut spec = PictureSpec::new(view, Size::px(pixels)).with_crop(crop);
                spec.decoration.shape = shape;
                spec.decoration.shadow = true;
                specs.extend([spec, spec.with_outline(WHITE)]);
            }
        }
    }
    specs
}

#[test]
fn pictures_have_the_size_of_their_specification() {
    let skin = drawn::named("fox");
    for spec in [1, 2, 5, 17].into_iter().flat_map(combinations) {
        let picture = spec.picture(&skin).unwrap();
        let most = [spec.width(), spec.height()];
        let found = [picture.width(), picture.height()].map(u64::from);
        assert!(found[0] <= most[0] && found[1] <= most[1], "{spec:?}");
        let may_be_smaller = matches!(spec.view, View::Figure | View::Body | View::Bust);
        if spec.crop != Crop::Content || !may_be_smaller {
            assert_eq!(found, most, "{spec:?}");
        }
    }
}

#[test]
fn every_combination_can_be_encoded() {
    let skin = drawn::named("fox");
    let mut renderer = Renderer::new();
    for spec in [1, 2, 5, 17].into_iter().flat_map(combinations) {
        let picture = spec.picture(&skin).unwrap();
        for format in [ImageFormat::Png, ImageFormat::Svg] {
            renderer.encode(&picture, format).unwrap();
        }
        if spec.view.is_free() {
            let moment = spec.moment(&skin, walk(true), 0.5).unwrap();
            renderer.encode(&moment, ImageFormat::Gif).unwrap();
        }
    }
}

#[test]
fn every_combination_of_several_is_drawn_or_refused() {
    let skin = drawn::named("fox");
    let players = [Some(Player::new(&skin)), None];
    let mut renderer = Renderer::new();
    for spec in [1, 2, 5, 17].into_iter().flat_map(combinations) {
        for several in [spec.group(&players), spec.sheet(&players, 1)] {
            match several {
                Ok(drawn) => {
                    renderer.encode(&drawn.picture, ImageFormat::Png).unwrap();
                }
                Err(error) => {
                    assert!(matches!(error, RenderError::ContentOfSeveral), "{spec:?}");
                }
            }
        }
    }
}
