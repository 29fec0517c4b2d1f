//! `effigy render` of views from any side, of several players and of moving ones.

use super::inputs::{files, read, render};
use crate::support::{drawn, drawn_with_cape, ioshead, services, text};
use effigy_render::{
    Arrangement, Camera, Facing, ImageFormat, Motion, NamedPose, PictureSpec, Player, RenderError,
    Size, Skin, View,
};
use fixtures::{FakeUpstream, skin};

fn of_view(view: View) -> PictureSpec {
    PictureSpec::new(view, Size::px(128))
}

fn turned(view: View, yaw: f64, pitch: f64) -> PictureSpec {
    of_view(view).with_camera(Camera::perspective(yaw, pitch, 30.0))
}

#[test]
fn a_player_wears_the_cape() {
    let folder = files();
    let upstream = FakeUpstream::start();
    let services = services(&upstream).join(" ");
    let words = format!("figure Corvina --yaw 160 -o - {services}");
    let expected = turned(View::Figure, 160.0, 16.0);
    let output = render(&folder, &words);
    assert!(output.stdout == drawn_with_cape(expected, "wizard"));
    let bare = render(&folder, &format!("{words} --no-cape"));
    assert!(bare.stdout == drawn(expected, "wizard"));
    // Three calls for each look-up, and one for the cape.
    assert_eq!(upstream.total_calls(), 7);
    assert!(
        render(&folder, &words.replace("figure", "cube"))
            .status
            .success()
    );
    assert_eq!(upstream.total_calls(), 10, "a cube shows no cape");
}

#[test]
fn a_folder_is_all_skins_in_it() {
    let folder = files();
    let output = render(&folder, "ioshead skins -o out");
    assert_eq!(text(&output.stderr), "Wrote 2 pictures to out\n");
    for name in ["fox", "wizard"] {
        let expected = drawn(ioshead(Facing::Right, 64), name);
        let file = format!("out/{name}_ioshead.png");
        assert!(read(&folder, &file) == expected, "{name}");
    }
}

#[test]
fn several_players_are_in_one_picture() {
    let folder = files();
    let decoded = |name| Skin::decode(skin(name).png, None).unwrap();
    let skins = ["knight", "fox", "wizard"].map(decoded);
    let players = skins.each_ref().map(|skin| Some(Player::new(skin)));
    let png = |arrangement: Result<Arrangement<'_>, RenderError>| {
        let picture = arrangement.unwrap().picture;
        picture.encode(ImageFormat::Png).unwrap()
    };
    let figures = of_view(View::Figure).with_pose(NamedPose::Wave);
    let [faces, busts] = [View::Face, View::Bust].map(of_view);
    #[rustfmt::skip]
    let rows = [
        ("group --pose=wave -o team", "team.png", png(figures.group(&players))),
        ("sheet", "sheet.png", png(faces.sheet(&players, 2))),
        ("sheet --view=bust --columns=3 -o all.PNG", "all.PNG", png(busts.sheet(&players, 3))),
    ];
    for (words, file, expected) in rows {
        let output = render(&folder, &format!("{words} knight.png skins"));
        assert_eq!(text(&output.stderr), format!("Wrote {file}\n"), "{words}");
        assert!(read(&folder, file) == expected, "{words}");
    }
}

#[test]
fn a_figure_moves() {
    let folder = files();
    let skin = Skin::decode(skin("knight").png, None).unwrap();
    let animation = |view, motion| {
        let spec = PictureSpec::new(view, Size::px(32));
        spec.animation(Player::new(&skin), motion).unwrap()
    };
    let walk = animation(View::Figure, Motion::of(NamedPose::Walk));
    let walking = walk.encode_apng().unwrap();
    let walking_gif = walk.encode_gif().unwrap();
    let turn = animation(View::Cube, Motion::TURN);
    let turning = turn.encode_apng().unwrap();
    let walk = "figure --pose=walk --animate";
    for (words, file, expected) in [
        (walk, "knight_figure.apng", walking.clone()),
        (&format!("{walk} -owalk.GIF"), "walk.GIF", walking_gif),
        ("cube --turn -ocube.png", "cube.png", turning.clone()),
        ("cube -onew/cube.apng", "new/cube.apng", turning),
        ("figure --animate", "knight_figure.apng", walking),
    ] {
        let output = render(&folder, &format!("{words} knight.png --size=32"));
        assert_eq!(text(&output.stderr), format!("Wrote {file}\n"), "{words}");
        assert!(read(&folder, file) == expected, "{words}");
    }
    render(&folder, "cube knight.png --turn --frames=3 -ofew.png");
    let file = read(&folder, "few.png");
    let frames = file.windows(4).filter(|chunk| chunk == b"fcTL").count();
    assert_eq!(frames, 3);
}
