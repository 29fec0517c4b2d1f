//! `effigy render`: which pictures it writes, to which files.

use std::fs;
use std::process::{Command, Stdio};

use effigy_render::{Cape, Facing, Layers, Player, Size, Skin, View};
use fixtures::{FakeUpstream, Image, skin};

use super::inputs::{files, read, render};
use crate::support::{
    Picture, assert_refused, avatar, drawn, drawn_with_cape, effigy, head, of_view, player,
    services, svg, text,
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
        (".Two Words_head.png", "scientist"),
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
fn a_template_names_the_files() {
    let folder = files();
    fs::copy(
        folder.path().join("fox.png"),
        folder.path().join("My Fox (1).png"),
    )
    .unwrap();
    let output = render(
        &folder,
        "face My%20Fox%20(1).png --file-name {stem}-{view}.{ext}",
    );
    assert_eq!(text(&output.stderr), "Wrote My Fox (1)-face.png\n");
    let words = "face skins --svg --file-name {view}-{stem}.{ext} -o out";
    let output = render(&folder, words);
    assert_eq!(text(&output.stderr), "Wrote 2 pictures to out\n");
    for file in ["face-fox.svg", "face-wizard.svg"] {
        assert!(folder.path().join("out").join(file).exists(), "{file}");
    }
}

#[test]
fn pictures_of_one_file_do_not_stop_the_others() {
    let folder = files();
    let output = render(&folder, "head fox.png knight.png skins -o out");
    assert_eq!(output.status.code(), Some(1));
    let errors = text(&output.stderr);
    for line in [
        "error: fox.png, skins/fox.png would all be written to out/fox_head.png: ",
        "Wrote 2 pictures to out\n",
        "error: 2 of 4 pictures could not be made\n",
    ] {
        assert!(errors.contains(line), "{errors}");
    }
    let written = fs::read_dir(folder.path().join("out")).unwrap().count();
    assert_eq!(written, 2);
}

#[test]
fn a_template_replaces_no_skin() {
    let folder = files();
    let words = "face skins fox.png --file-name {stem}.{ext} -o skins";
    for words in [words, "face fox.png --file-name {stem}.{ext}"] {
        let output = render(&folder, words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        let errors = text(&output.stderr);
        assert!(
            errors.contains("the picture would replace the skin "),
            "{errors}"
        );
    }
    for file in ["fox.png", "skins/fox.png"] {
        assert!(read(&folder, file) == skin("fox").png, "{file}");
    }
    assert!(read(&folder, "skins/wizard.png") == skin("wizard").png);
}

#[test]
fn a_missing_extension_is_added() {
    let folder = files();
    for (words, file) in [
        ("face fox.png -o out", "out.png"),
        ("face fox.png -o new/out --svg", "new/out.svg"),
        ("cube fox.png --size 16 -o out --turn", "out.apng"),
        ("skin fox.png -o texture", "texture.png"),
    ] {
        let output = render(&folder, words);
        assert_eq!(text(&output.stderr), format!("Wrote {file}\n"), "{words}");
        assert!(folder.path().join(file).exists(), "{words}");
    }
    // A device is no file without an extension.
    let output = render(&folder, "face fox.png -o /dev/null");
    assert_eq!(text(&output.stderr), "Wrote /dev/null\n");
}

#[test]
fn an_unusable_folder_is_one_error() {
    let folder = files();
    let output = render(&folder, "face fox.png knight.png -o /proc");
    let errors = text(&output.stderr);
    assert_eq!(errors.lines().count(), 1, "{errors}");
    // Nothing is left of the try.
    render(&folder, "face fox.png knight.png -o out");
    let written = fs::read_dir(folder.path().join("out")).unwrap().count();
    assert_eq!(written, 2);
}

#[test]
fn capes_are_drawn_as_by_the_service() {
    let folder = files();
    let cape = Cape::decode(fixtures::cape()).unwrap();
    let drawn = |width| cape.front(Size::px(width)).unwrap().encode_png().unwrap();
    let output = render(&folder, "cape cape.png");
    assert_eq!(text(&output.stderr), "Wrote cape_cape.png\n");
    assert!(read(&folder, "cape_cape.png") == drawn(128));
    let upstream = FakeUpstream::start();
    let services = services(&upstream).join(" ");
    let output = render(&folder, &format!("cape Corvina --size 40 -o - {services}"));
    assert!(output.stdout == drawn(40), "{}", text(&output.stderr));
    let output = render(&folder, &format!("cape Reynard -o - {services}"));
    assert_refused(
        &output,
        1,
        &["cannot get the cape of Reynard: the player has no cape"],
    );
}

#[test]
fn a_closed_pipe_ends_the_command_quietly() {
    let folder = files();
    for words in [
        &["render", "figure", "fox.png", "-o", "-"][..],
        &["man"],
        &["completions", "bash"],
    ] {
        let mut command = effigy();
        command.current_dir(&folder).args(words);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(text(&output.stderr), "", "{words:?}");
        assert_eq!(output.status.code(), Some(0), "{words:?}");
    }
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

#[test]
fn subfolders_are_left_out_and_counted() {
    let folder = files();
    fs::create_dir_all(folder.path().join("skins/old/older")).unwrap();
    fs::create_dir(folder.path().join("skins/.git")).unwrap();
    for (words, count) in [("skins", "1 subfolder"), (".", "2 subfolders")] {
        let output = render(&folder, &format!("head {words} -o new/faces"));
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let notice = format!("Left out {count}; --recursive takes them\n");
        let errors = text(&output.stderr);
        assert!(errors.starts_with(&notice), "{errors}");
        assert!(
            errors.ends_with("Wrote 2 pictures to new/faces\n"),
            "{errors}"
        );
        fs::remove_dir_all(folder.path().join("new")).unwrap();
    }
    let output = render(&folder, "group . -o group.png");
    assert!(text(&output.stderr).starts_with("Left out 2 subfolders;"));
    let output = render(&folder, "head empty");
    assert_refused(
        &output,
        1,
        &["the folder empty has no skin: no file ends in .png"],
    );
    fs::create_dir(folder.path().join("empty/full")).unwrap();
    let output = render(&folder, "head empty");
    let only = "the folder empty has no skin itself, only 1 subfolder: add --recursive";
    assert_refused(&output, 1, &[only]);
    let output = render(&folder, "head empty --recursive");
    assert_refused(
        &output,
        1,
        &["the folder empty has no skin: no file ends in .png"],
    );
}

#[test]
fn recursive_pictures_go_to_subfolders_of_the_same_names() {
    let folder = files();
    fs::create_dir_all(folder.path().join("skins/old/older")).unwrap();
    fs::create_dir(folder.path().join("skins/.hidden")).unwrap();
    for file in ["old/fox.png", "old/older/fox.png", ".hidden/fox.png"] {
        fs::write(folder.path().join("skins").join(file), skin("fox").png).unwrap();
    }
    // A link that leads back.
    std::os::unix::fs::symlink("..", folder.path().join("skins/old/back")).unwrap();
    let expected = drawn(head(Layers::Base, 128), "fox");
    // The pictures of the first time are no skins of the second one.
    for _ in 0..2 {
        let output = render(&folder, "head skins --recursive -o skins/faces");
        assert_eq!(text(&output.stderr), "Wrote 4 pictures to skins/faces\n");
        for file in ["fox", "old/fox", "old/older/fox"] {
            let file = format!("skins/faces/{file}_head.png");
            assert!(read(&folder, &file) == expected, "{file}");
        }
    }
    let output = render(&folder, "sheet skins/old --recursive -o sheet.png");
    assert_eq!(text(&output.stderr), "Wrote sheet.png\n");
    // The faces of two files, side by side.
    let sheet = Image::decode(&read(&folder, "sheet.png")).unwrap();
    assert_eq!([sheet.width, sheet.height], [2 * 128, 128]);
}

#[test]
fn names_of_files_are_shown_as_they_are() {
    let folder = files();
    let name = "My skin (v1.2), #3";
    fs::write(folder.path().join(format!("{name}.png")), skin("fox").png).unwrap();
    let words = format!("group {}.png --names -o x.png", name.replace(' ', "%20"));
    let output = render(&folder, &words);
    assert_eq!(text(&output.stderr), "Wrote x.png\n");
    let fox = Skin::decode(skin("fox").png, None).unwrap();
    let labelled = Player::new(&fox).with_label(name);
    let spec = of_view(View::Figure, 128).with_names(true);
    let group = spec.group(&[Some(labelled)]).unwrap();
    assert!(read(&folder, "x.png") == group.picture.encode_png().unwrap());
    let words = format!("head {}.png", name.replace(' ', "%20"));
    let output = render(&folder, &words);
    assert_eq!(text(&output.stderr), "Wrote My skin (v1.2), #3_head.png\n");
}

#[test]
fn damage_is_told_in_words() {
    let folder = files();
    let write = |png: &[u8]| fs::write(folder.path().join("x.png"), png).unwrap();
    let good = skin("knight").png;
    let mut header = good.to_vec();
    header[8 + 4 + 4 + 13] ^= 1;
    let mut twice = good[..33].to_vec();
    twice.extend(&good[8..]);
    for (file, words) in [
        (header, "the checksum of its IHDR chunk is wrong"),
        (twice, "its IHDR chunk can't be read"),
        (good[..200].to_vec(), "it ends too early"),
        (
            b"GIF89a, more or less".to_vec(),
            "it doesn't begin like a PNG",
        ),
    ] {
        write(&file);
        let output = render(&folder, "head x.png");
        let expected =
            format!("x.png is not a skin: the file is not a PNG, or it is damaged: {words}");
        assert_refused(&output, 1, &[&expected]);
    }
    write(&Image::new(355, 275).encode());
    let output = render(&folder, "figure fox.png --cape x.png");
    let size = "x.png is not a cape: this picture is 355 x 275 pixels; a cape is 64 x 32, ";
    assert_refused(&output, 1, &[size]);
}
