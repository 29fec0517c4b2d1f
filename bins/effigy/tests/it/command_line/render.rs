//! `effigy render`: which pictures it writes, to which files.

use std::{
    fs,
    process::{Command, Output},
};

use effigy_render::{Facing, Layers};
use fixtures::{FakeUpstream, skin};
use tempfile::TempDir;

use super::honesty::services;
use crate::support::{assert_refused, avatar, effigy, head, player, svg, text, without_overlay};

/// A folder with three skins, a file that is no skin, and an empty folder.
fn files() -> TempDir {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, content: &[u8]| fs::write(folder.path().join(name), content).unwrap();
    for name in ["knight", "wizard", "fox"] {
        write(&format!("{name}.png"), skin(name).png);
    }
    write("text.png", b"no picture");
    fs::create_dir(folder.path().join("out")).unwrap();
    folder
}

fn command(folder: &TempDir, arguments: &[&str]) -> Command {
    let mut command = effigy();
    command.current_dir(folder).arg("render").args(arguments);
    command
}

fn render(folder: &TempDir, arguments: &str) -> Output {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    command(folder, &arguments).output().unwrap()
}

/// Draws with the fake upstream as all four services.
fn render_players(folder: &TempDir, upstream: &FakeUpstream, arguments: &[&str]) -> Output {
    let mut command = command(folder, arguments);
    command.args(services(upstream).split_whitespace());
    command.output().unwrap()
}

fn read(folder: &TempDir, file: &str) -> Vec<u8> {
    fs::read(folder.path().join(file)).unwrap()
}

#[test]
fn a_picture_goes_to_the_file_that_is_named_or_one_of_its_own() {
    let folder = files();
    let (base, worn) = (Layers::Base, Layers::WithOverlay);
    let behind = avatar(Facing::BackLeft, 128);
    #[rustfmt::skip]
    let rows = [
        ("head knight.png", "knight_head.png", head(base, 128), "knight"),
        ("head knight.png --hat --size 40 -o x.png", "x.png", head(worn, 40), "knight"),
        ("player fox.png --hat --slim", "fox_player.png", player(worn, 128), "fox"),
        ("avatar fox.png --facing=back-left", "fox_avatar.png", behind, "fox"),
        ("avatar fox.png --facing=back-left --no-overlay", "fox_avatar.png", without_overlay(behind), "fox"),
        ("head knight.png --overlay -o out", "out/knight_head.png", head(worn, 128), "knight"),
        ("head knight.png -o new/folder/x.png", "new/folder/x.png", head(base, 128), "knight"),
        ("face knight.png --out x.png -s 40 --no-hat", "x.png", head(base, 40), "knight"),
        ("face knight.png", "knight_face.png", head(worn, 128), "knight"),
        ("head knight.png --svg", "knight_head.svg", svg(head(base, 128)), "knight"),
        ("head knight.png --svg --hat -o out/", "out/knight_head.svg", svg(head(worn, 128)), "knight"),
        ("player knight.png -o figure.SVG", "figure.SVG", svg(player(base, 128)), "knight"),
    ];
    for (arguments, file, expected, name) in rows {
        let output = render(&folder, arguments);
        assert_eq!(text(&output.stderr), format!("Wrote {file}\n"));
        assert!(
            read(&folder, file) == expected.of(skin(name)),
            "{arguments}"
        );
    }
    // A dash is standard output, and nothing else is said.
    let output = render(&folder, "head knight.png -o -");
    assert!(output.stdout == head(base, 128).of(skin("knight")));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn a_player_is_looked_up() {
    let (folder, upstream) = (files(), FakeUpstream::start());
    let drawn = |arguments: &str| {
        let arguments: Vec<&str> = arguments.split(' ').chain(["-o", "-"]).collect();
        let output = render_players(&folder, &upstream, &arguments);
        assert_eq!(text(&output.stderr), "", "{arguments:?}");
        output.stdout
    };
    let face = head(Layers::Base, 128);
    assert!(drawn("head Gwendolin") == face.of(skin("knight")));
    assert!(drawn("head .Bluejay") == face.of(skin("diver")));
    assert!(drawn("skin Gwendolin") == skin("knight").png);
    let unknown = render_players(&folder, &upstream, &["head", "Nobody"]);
    assert_refused(&unknown, 1, &["Nobody"]);
}

#[test]
fn many_pictures_go_into_a_folder() {
    let (folder, upstream) = (files(), FakeUpstream::start());
    let inputs = ["knight.png", "wizard.png", "Reynard", ".Two Words"];
    let arguments = [&["head"], &inputs[..], &["-o", "new/faces"]].concat();
    let output = render_players(&folder, &upstream, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "Wrote 4 pictures to new/faces\n");
    assert_eq!(text(&output.stdout), "");
    for (file, name) in [
        ("knight_head.png", "knight"),
        ("wizard_head.png", "wizard"),
        ("Reynard_head.png", "fox"),
        (".Two_Words_head.png", "scientist"),
    ] {
        let expected = head(Layers::Base, 128).of(skin(name));
        assert!(
            read(&folder, &format!("new/faces/{file}")) == expected,
            "{file}"
        );
    }
    let output = render(&folder, "bust knight.png wizard.png --svg -o busts");
    assert_eq!(text(&output.stderr), "Wrote 2 pictures to busts\n");
    assert!(folder.path().join("busts/wizard_bust.svg").exists());
}

#[test]
fn a_picture_that_fails_does_not_stop_the_others() {
    let folder = files();
    let output = render(&folder, "head knight.png missing.png wizard.png");
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    for line in [
        "error: cannot read missing.png: ",
        "Wrote 2 pictures to .\n",
        "error: 1 of 3 pictures could not be made\n",
    ] {
        assert!(errors.contains(line), "{errors}");
    }
    assert!(folder.path().join("wizard_head.png").exists());
}

#[test]
fn a_terminal_shows_the_progress() {
    let folder = files();
    let command = concat!(
        env!("CARGO_BIN_EXE_effigy"),
        " render head knight.png wizard.png"
    );
    let mut script = Command::new("script");
    script.args(["-qec", command, "/dev/null"]);
    let shown = text(&script.current_dir(&folder).output().unwrap().stdout);
    assert!(shown.contains("█ 2/2"), "{shown}");
    assert!(shown.ends_with("Wrote 2 pictures to .\r\n"), "{shown}");
}

#[test]
fn a_picture_that_cannot_be_made_is_one_sentence() {
    let folder = files();
    for (arguments, code, words) in [
        ("head missing.png", 1, "missing.png"),
        ("head text.png", 1, "text.png is not a skin"),
        ("head missing.jpg", 1, "cannot read missing.jpg"),
        ("head notch.png.bak", 1, "cannot read notch.png.bak"),
        (
            "head knight.png -o text.png/out.png",
            1,
            "cannot create the folder text.png",
        ),
        ("player knight.png --size 2147483647", 1, "drawn"),
        ("skin knight.png --svg", 2, "a skin file cannot be svg"),
        ("skin knight.png -ox.svg", 2, "a skin file cannot be svg"),
        ("head knight.png wizard.png -o knight.png", 2, "--output"),
        ("head knight.png ./knight.png", 2, "knight_head.png"),
    ] {
        assert_refused(&render(&folder, arguments), code, &[words]);
    }
    assert_eq!(folder.path().read_dir().unwrap().count(), 5);
}
