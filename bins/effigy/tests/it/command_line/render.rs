//! `effigy render`: which pictures it writes, to which files.

use std::process::Command;

use effigy_render::{Facing, Layers, View};
use fixtures::{FakeUpstream, skin};

use super::honesty::{files, read, render};
use crate::support::{
    Picture, assert_refused, avatar, drawn, drawn_with_cape, head, of_view, player, services, svg,
    text,
};

#[test]
fn a_picture_goes_to_the_file_that_is_named_or_one_of_its_own() {
    let folder = files();
    let (base, worn) = (Layers::Base, Layers::WithOverlay);
    let figure = of_view(View::Figure, 128);
    #[rustfmt::skip]
    let rows: [(_, _, Picture, _); 9] = [
        ("head knight.png", "knight_head.png", head(base, 128).into(), "knight"),
        ("head knight.png --hat --size 40 --out x.png", "x.png", head(worn, 40).into(), "knight"),
        ("avatar fox.png", "fox_avatar.png", avatar(Facing::Right, 128).into(), "fox"),
        ("head knight.png --overlay -o empty", "empty/knight_head.png", head(worn, 128).into(), "knight"),
        ("head knight.png -o new/folder/x.png", "new/folder/x.png", head(base, 128).into(), "knight"),
        ("head knight.png --svg", "knight_head.svg", svg(head(base, 128)), "knight"),
        ("head knight.png --svg --hat -o new/", "new/knight_head.svg", svg(head(worn, 128)), "knight"),
        ("figure knight.png", "knight_figure.png", figure.into(), "knight"),
        ("player knight.png -o figure.SVG", "figure.SVG", svg(player(base, 128)), "knight"),
    ];
    for (arguments, file, expected, name) in rows {
        let output = render(&folder, arguments);
        assert_eq!(text(&output.stderr), format!("Wrote {file}\n"));
        assert!(read(&folder, file) == drawn(expected, name), "{arguments}");
    }
    let caped = avatar(Facing::BackLeft, 128).with_cape(true);
    let output = render(
        &folder,
        "avatar knight.png --facing=back-left --cape cape.png -o -",
    );
    assert!(output.stdout == drawn_with_cape(caped, "knight"));
    // A dash is standard output, and nothing else is said.
    let output = render(&folder, "head knight.png -o -");
    assert!(output.stdout == drawn(head(base, 128), "knight"));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn players_are_looked_up_and_many_pictures_go_into_a_folder() {
    let (folder, upstream) = (files(), FakeUpstream::start());
    let render_players = |words: &str| {
        let services = services(&upstream).join(" ");
        render(&folder, &format!("{words} {services}"))
    };
    let words = "head knight.png skins/wizard.png Reynard .Two%20Words -o new/faces";
    let output = render_players(words);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "Wrote 4 pictures to new/faces\n");
    assert_eq!(text(&output.stdout), "");
    for (file, name) in [
        ("knight_head.png", "knight"),
        ("wizard_head.png", "wizard"),
        ("Reynard_head.png", "fox"),
        (".Two_Words_head.png", "scientist"),
    ] {
        let expected = drawn(head(Layers::Base, 128), name);
        let drawn = read(&folder, &format!("new/faces/{file}"));
        assert!(drawn == expected, "{file}");
    }
    let skin_file = render_players("skin Gwendolin -o -");
    assert!(skin_file.stdout == skin("knight").png);
    assert_refused(&render_players("head Nobody"), 1, &["Nobody"]);
    let output = render(&folder, "bust knight.png fox.png --svg -o busts");
    assert_eq!(text(&output.stderr), "Wrote 2 pictures to busts\n");
    assert!(folder.path().join("busts/fox_bust.svg").exists());
}

#[test]
fn a_picture_that_fails_does_not_stop_the_others() {
    let folder = files();
    let output = render(&folder, "head knight.png missing.png fox.png");
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    for line in [
        "error: cannot read missing.png: ",
        "Wrote 2 pictures to .\n",
        "error: 1 of 3 pictures could not be made\n",
    ] {
        assert!(errors.contains(line), "{errors}");
    }
    assert!(folder.path().join("fox_head.png").exists());
}

#[test]
fn a_terminal_shows_the_progress() {
    let folder = files();
    let command = concat!(
        env!("CARGO_BIN_EXE_effigy"),
        " render head knight.png fox.png"
    );
    let mut script = Command::new("script");
    script.args(["-qec", command, "/dev/null"]);
    let shown = text(&script.current_dir(&folder).output().unwrap().stdout);
    assert!(shown.contains("█ 2/2"), "{shown}");
    assert!(shown.ends_with("Wrote 2 pictures to .\r\n"), "{shown}");
}
