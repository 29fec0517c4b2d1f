//! Folders of skins as inputs.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;

use effigy_render::{Facing, Layers, Motion, PictureSpec, Player, Size, Skin, View};
use fixtures::{Image, skin};

use crate::support::{SkinFolder, assert_refused, drawn, head, ioshead, text};

#[test]
fn folders_stand_for_their_skins() {
    let files = SkinFolder::new();
    let words = "ioshead skins -o out";
    // Capes and other files are left out.
    assert_eq!(files.notices(words), "Wrote 2 pictures to out\n");
    for name in ["fox", "wizard"] {
        let expected = drawn(ioshead(Facing::Right, 64), name);
        let file = format!("out/{name}_ioshead.png");
        assert!(files.read(&file) == expected, "{name}");
    }
}

#[test]
fn pictures_of_folders_can_be_gifs() {
    let files = SkinFolder::new();
    let words = "cube skins --gif --size 16 -o out";
    assert_eq!(files.notices(words), "Wrote 2 pictures to out\n");
    for name in ["fox", "wizard"] {
        let skin = Skin::decode(skin(name).png, None).unwrap();
        let cube = PictureSpec::new(View::Cube, Size::px(16));
        let turning = cube.animation(Player::new(&skin), Motion::TURN).unwrap();
        let file = files.read(&format!("out/{name}_cube.gif"));
        assert!(file == turning.encode_gif().unwrap(), "{name}");
    }
}

#[test]
fn capes_of_folders_are_drawn_alone() {
    let files = SkinFolder::new();
    let cape = files.picture("cape cape.png");
    assert_eq!(
        files.notices("cape skins -o out"),
        "Wrote 2 pictures to out\n"
    );
    for name in ["fox.cape", "Cape"] {
        assert!(
            files.read(&format!("out/{name}_cape.png")) == cape,
            "{name}"
        );
    }
    // Skins of other folders are left out, too.
    assert_eq!(
        files.notices("cape . --recursive -o all"),
        "Wrote 3 pictures to all\n"
    );
    // Without the names of capes, all PNG files are taken for capes.
    fs::create_dir(files.path("capes")).unwrap();
    files.put("capes/gold.png", fixtures::cape());
    assert_eq!(
        files.notices("cape capes -o out"),
        "Wrote 1 picture to out\n"
    );
    assert!(files.read("out/gold_cape.png") == cape);
}

/// The name of a picture is readable, but other bytes than those of UTF-8 are replaced in it.
#[test]
fn names_of_skins_need_not_be_utf_8() {
    let files = SkinFolder::new();
    fs::create_dir(files.path("old")).unwrap();
    let name = OsStr::from_bytes(b"b\xe4r.png");
    fs::write(files.path("old").join(name), skin("fox").png).unwrap();
    assert_eq!(files.notices("head old -o out"), "Wrote 1 picture to out\n");
    let expected = drawn(head(Layers::Base, 128), "fox");
    assert!(files.read("out/b\u{fffd}r_head.png") == expected);
}

#[test]
fn folders_without_skins_are_refused() {
    let files = SkinFolder::new();
    let no_skin = "the folder empty has no skin: no file ends in .png, except for capes";
    assert_refused(&files.render("head empty"), 1, &[no_skin]);
    files.put("empty/cape.png", fixtures::cape());
    assert_refused(&files.render("head empty"), 1, &[no_skin]);
    fs::create_dir(files.path("empty/full")).unwrap();
    let only_subfolder = "the folder empty has no skin itself, only 1 subfolder: add --recursive";
    assert_refused(&files.render("head empty"), 1, &[only_subfolder]);
    assert_refused(&files.render("head empty --recursive"), 1, &[no_skin]);
}

#[test]
fn subfolders_are_left_out_and_counted() {
    let files = SkinFolder::new();
    fs::create_dir_all(files.path("skins/old/older")).unwrap();
    fs::create_dir(files.path("skins/.git")).unwrap();
    for (words, count) in [("skins", "1 subfolder"), (".", "2 subfolders")] {
        let notices = files.notices(&format!("head {words} -o new/faces"));
        let left_out = format!("Left out {count}; --recursive takes them\n");
        assert_eq!(notices, left_out + "Wrote 2 pictures to new/faces\n");
        fs::remove_dir_all(files.path("new")).unwrap();
    }
    let group = files.render("group . -o group.png");
    assert!(text(&group.stderr).starts_with("Left out 2 subfolders;"));
}

#[test]
fn recursive_pictures_go_to_subfolders_of_the_same_names() {
    let files = SkinFolder::new();
    fs::create_dir_all(files.path("skins/old/older")).unwrap();
    fs::create_dir(files.path("skins/.hidden")).unwrap();
    for file in ["old/fox.png", "old/older/fox.png", ".hidden/fox.png"] {
        files.put(&format!("skins/{file}"), skin("fox").png);
    }
    // Links are not followed, because they may lead back.
    symlink("..", files.path("skins/old/back")).unwrap();
    let expected = drawn(head(Layers::Base, 128), "fox");
    // The second time, the pictures of the first time are not taken for skins.
    for _ in 0..2 {
        let notices = files.notices("head skins --recursive -o skins/faces");
        assert_eq!(notices, "Wrote 4 pictures to skins/faces\n");
        for file in ["fox", "old/fox", "old/older/fox"] {
            let file = format!("skins/faces/{file}_head.png");
            assert!(files.read(&file) == expected, "{file}");
        }
    }
}

#[test]
fn recursive_sheets_have_the_skins_of_subfolders() {
    let files = SkinFolder::new();
    fs::create_dir_all(files.path("skins/old/older")).unwrap();
    for file in ["old/fox.png", "old/older/fox.png"] {
        files.put(&format!("skins/{file}"), skin("fox").png);
    }
    let words = "sheet skins/old --recursive -o sheet.png";
    assert_eq!(files.notices(words), "Wrote sheet.png\n");
    // Two faces are side by side, with a gap of 4 pixels around each.
    let sheet = Image::decode(&files.read("sheet.png")).unwrap();
    assert_eq!([sheet.width, sheet.height], [2 * 136, 136]);
}
