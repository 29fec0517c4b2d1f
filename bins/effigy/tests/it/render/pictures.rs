//! The pictures: models, several players in one picture, and moving pictures.

use effigy_render::{
    Arrangement, Decoration, Facing, ImageFormat, Layers, Motion, NamedPose, PictureSpec, Player,
    RenderError, Size, Skin, View,
};
use fixtures::skin;

use crate::support::{SkinFolder, avatar, drawn, drawn_with_cape, player};

fn of_view(view: View) -> PictureSpec {
    PictureSpec::new(view, Size::px(128))
}

fn decoded(name: &str) -> Skin {
    Skin::decode(skin(name).png, None).unwrap()
}

#[test]
fn model_of_a_file_is_guessed_unless_it_is_given() {
    let files = SkinFolder::new();
    // The expected pictures have the model of the fixture.
    assert!(skin("fox").slim && !skin("knight").slim);
    for (words, name, has_fixture_model) in [
        ("body fox.png", "fox", true),
        ("body fox.png --slim", "fox", true),
        ("body fox.png --classic", "fox", false),
        ("body knight.png", "knight", true),
        ("body knight.png --slim", "knight", false),
    ] {
        let expected = drawn(player(Layers::WithOverlay, 128), name);
        assert_eq!(
            files.picture(words) == expected,
            has_fixture_model,
            "{words}"
        );
    }
}

#[test]
fn capes_of_files_are_worn() {
    let files = SkinFolder::new();
    let picture = files.picture("avatar knight.png --facing=back-left --cape cape.png");
    let expected = avatar(Facing::BackLeft, 128).with_cape(true);
    assert!(picture == drawn_with_cape(expected, "knight"));
}

#[test]
fn groups_and_sheets_have_all_players() {
    let files = SkinFolder::new();
    let skins = ["knight", "fox", "wizard"].map(decoded);
    let players = skins.each_ref().map(|skin| Some(Player::new(skin)));
    let png = |arrangement: Result<Arrangement<'_>, RenderError>| {
        let picture = arrangement.unwrap().picture;
        picture.encode(ImageFormat::Png).unwrap()
    };
    let figures = of_view(View::Figure).with_pose(NamedPose::Wave);
    let gap = Decoration::NONE.with_padding(4);
    let faces = of_view(View::Face).with_decoration(gap);
    let busts = of_view(View::Bust).with_decoration(gap);
    #[rustfmt::skip]
    let rows = [
        ("group --pose=wave -o team", "team.png", png(figures.group(&players))),
        ("sheet", "sheet.png", png(faces.sheet(&players, 2))),
        ("sheet --view=bust --columns=3 -o all.PNG", "all.PNG", png(busts.sheet(&players, 3))),
    ];
    for (words, file, expected) in rows {
        let notices = files.notices(&format!("{words} knight.png skins"));
        assert_eq!(notices, format!("Wrote {file}\n"), "{words}");
        assert!(files.read(file) == expected, "{words}");
    }
}

#[test]
fn names_of_files_are_labels() {
    let files = SkinFolder::new();
    let name = "My skin (v1.2), #3";
    files.put(&format!("{name}.png"), skin("fox").png);
    let file = format!("{}.png", name.replace(' ', "%20"));
    let picture = files.picture(&format!("group {file} --names"));
    let fox = decoded("fox");
    let labelled = Player::new(&fox).with_label(name);
    let group = of_view(View::Figure)
        .with_names(true)
        .group(&[Some(labelled)]);
    assert!(picture == group.unwrap().picture.encode_png().unwrap());
    let notices = files.notices(&format!("head {file}"));
    assert_eq!(notices, "Wrote My skin (v1.2), #3_head.png\n");
}

#[test]
fn moving_pictures_are_apng_or_gif() {
    let files = SkinFolder::new();
    let knight = decoded("knight");
    let animation = |view, motion| {
        let spec = PictureSpec::new(view, Size::px(32));
        spec.animation(Player::new(&knight), motion).unwrap()
    };
    let walking = animation(View::Figure, Motion::of(NamedPose::Walk));
    let walking_apng = walking.encode_apng().unwrap();
    let walking_gif = walking.encode_gif().unwrap();
    let turning_apng = animation(View::Cube, Motion::TURN).encode_apng().unwrap();
    let walk = "figure --pose=walk --animate";
    for (words, file, expected) in [
        (walk, "knight_figure.apng", &walking_apng),
        (&format!("{walk} -owalk.GIF"), "walk.GIF", &walking_gif),
        ("cube --turn -ocube.png", "cube.png", &turning_apng),
        ("cube -onew/cube.apng", "new/cube.apng", &turning_apng),
        ("figure --animate", "knight_figure.apng", &walking_apng),
    ] {
        let notices = files.notices(&format!("{words} knight.png --size=32"));
        assert_eq!(notices, format!("Wrote {file}\n"), "{words}");
        assert!(files.read(file) == *expected, "{words}");
    }
}

#[test]
fn frames_are_counted() {
    let files = SkinFolder::new();
    files.notices("cube knight.png --turn --frames=3 -ofew.png");
    let file = files.read("few.png");
    let frames = file.windows(4).filter(|chunk| chunk == b"fcTL").count();
    assert_eq!(frames, 3);
}
