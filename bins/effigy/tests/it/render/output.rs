//! The files that pictures are written to.

use effigy_render::{Facing, Layers, View};
use fixtures::skin;

use crate::support::{
    Picture, SkinFolder, assert_refused, avatar, drawn, head, of_view, player, svg, text,
};

#[test]
fn one_picture_goes_to_the_output_or_a_file_of_its_own() {
    let files = SkinFolder::new();
    let base = Layers::Base;
    let with_overlay = Layers::WithOverlay;
    let figure = of_view(View::Figure, 128);
    #[rustfmt::skip]
    let rows: [(_, _, Picture, _); 9] = [
        ("head knight.png", "knight_head.png", head(base, 128).into(), "knight"),
        ("head knight.png --hat --size 40 --out x.png", "x.png", head(with_overlay, 40).into(), "knight"),
        ("avatar fox.png", "fox_avatar.png", avatar(Facing::Right, 128).into(), "fox"),
        ("head knight.png --overlay -o empty", "empty/knight_head.png", head(with_overlay, 128).into(), "knight"),
        ("head knight.png -o new/folder/x.png", "new/folder/x.png", head(base, 128).into(), "knight"),
        ("head knight.png --svg", "knight_head.svg", svg(head(base, 128)), "knight"),
        ("head knight.png --svg --hat -o new/", "new/knight_head.svg", svg(head(with_overlay, 128)), "knight"),
        ("figure knight.png", "knight_figure.png", figure.into(), "knight"),
        ("player knight.png -o figure.SVG", "figure.SVG", svg(player(base, 128)), "knight"),
    ];
    for (words, file, expected, name) in rows {
        assert_eq!(files.notices(words), format!("Wrote {file}\n"));
        assert!(files.read(file) == drawn(expected, name), "{words}");
    }
}

#[test]
fn dash_is_standard_output_without_a_notice() {
    let files = SkinFolder::new();
    let output = files.render("head knight.png -o -");
    assert!(output.stdout == drawn(head(Layers::Base, 128), "knight"));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn missing_extensions_are_added() {
    let files = SkinFolder::new();
    for (words, file) in [
        ("face fox.png -o out", "out.png"),
        ("face fox.png -o new/out --svg", "new/out.svg"),
        ("cube fox.png --size 16 -o out --turn", "out.apng"),
        ("skin fox.png -o texture", "texture.png"),
        // A device keeps its name.
        ("face fox.png -o /dev/null", "/dev/null"),
    ] {
        assert_eq!(files.notices(words), format!("Wrote {file}\n"), "{words}");
        assert!(files.path(file).exists(), "{words}");
    }
}

#[test]
fn several_pictures_go_into_a_folder() {
    let files = SkinFolder::new();
    let words = "bust knight.png fox.png --svg -o busts";
    assert_eq!(files.notices(words), "Wrote 2 pictures to busts\n");
    assert!(files.path("busts/knight_bust.svg").exists());
    assert!(files.path("busts/fox_bust.svg").exists());
}

#[test]
fn templates_name_the_files() {
    let files = SkinFolder::new();
    files.put("My Fox (1).png", skin("fox").png);
    let one = "face My%20Fox%20(1).png --file-name {stem}-{view}.{ext}";
    assert_eq!(files.notices(one), "Wrote My Fox (1)-face.png\n");
    let several = "face skins --svg --file-name {view}-{stem}.{ext} -o out";
    assert_eq!(files.notices(several), "Wrote 2 pictures to out\n");
    for file in ["face-fox.svg", "face-wizard.svg"] {
        assert!(files.path("out").join(file).exists(), "{file}");
    }
}

#[test]
fn pictures_do_not_replace_skins() {
    let files = SkinFolder::new();
    for words in [
        "face skins fox.png --file-name {stem}.{ext} -o skins",
        "face fox.png --file-name {stem}.{ext}",
        "face fox.png -o fox.png",
    ] {
        let output = files.render(words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        let errors = text(&output.stderr);
        let refused = errors.contains("the picture would replace the skin ");
        assert!(refused, "{errors}");
    }
    assert!(files.read("fox.png") == skin("fox").png);
    assert!(files.read("skins/fox.png") == skin("fox").png);
    assert!(files.read("skins/wizard.png") == skin("wizard").png);
}

/// Asserts that the program fails, and still writes two pictures into the folder `out`.
#[track_caller]
fn assert_two_written(files: &SkinFolder, words: &str, errors: &[&str]) {
    let output = files.render(&format!("{words} -o out"));
    assert_eq!(output.status.code(), Some(1));
    let lines = text(&output.stderr);
    for error in errors {
        assert!(lines.contains(error), "{error}: {lines}");
    }
    assert!(lines.contains("Wrote 2 pictures to out\n"), "{lines}");
    assert_eq!(files.count("out"), 2);
}

#[test]
fn colliding_pictures_do_not_stop_the_others() {
    let files = SkinFolder::new();
    let collision = "error: fox.png, skins/fox.png would all be written to out/fox_head.png: ";
    let end = "error: 2 of 4 pictures could not be made\n";
    assert_two_written(&files, "head fox.png knight.png skins", &[collision, end]);
}

#[test]
fn failing_pictures_do_not_stop_the_others() {
    let files = SkinFolder::new();
    let failure = "error: cannot read missing.png: ";
    let end = "error: 1 of 3 pictures could not be made\n";
    assert_two_written(
        &files,
        "head knight.png missing.png fox.png",
        &[failure, end],
    );
}

#[test]
fn unusable_folders_are_one_error() {
    let files = SkinFolder::new();
    let output = files.render("face fox.png knight.png -o /proc");
    assert_refused(&output, 1, &["error: cannot write to the folder /proc: "]);
    assert_eq!(text(&output.stderr).lines().count(), 1);
}

#[test]
fn folders_are_tried_without_a_trace() {
    let files = SkinFolder::new();
    files.notices("face fox.png knight.png -o out");
    assert_eq!(files.count("out"), 2);
}
