//! Inputs and outputs that cannot be used.

use fixtures::{Image, skin};

use crate::support::{SkinFolder, assert_refused};

/// Words of `effigy render`, the exit code, and a part of the error. The crate of the command line
/// tests words that are refused without a look at the files.
#[rustfmt::skip]
const REFUSED: [(&str, i32, &str); 25] = [
    ("face knight.png -o out.webp", 2, "error: --output: \"out.webp\" must end in .png or .svg"),
    ("skin fox.png --svg", 2, "skin and cape are PNG files"),
    ("figure fox.png --cape fox.png", 1, "fox.png is not a cape"),
    ("figure fox.png --cape missing.png", 1, "cannot read missing.png"),
    ("group fox.png missing.png", 1, "cannot read missing.png"),
    ("face fox.png knight.png -o one.svg", 2, "effigy render group"),
    ("face fox.png knight.png -o knight.png", 2, "effigy render group"),
    ("face fox.png knight.png -o -", 2, "effigy render group"),
    ("head missing.png", 1, "cannot read missing.png"),
    ("head skins/notes.txt", 1, "skins/notes.txt is not a skin"),
    ("head missing.jpg", 1, "cannot read missing.jpg"),
    ("head notch.png.bak", 1, "cannot read notch.png.bak"),
    ("head fox.png -o knight.png/out.png", 1, "cannot create the folder knight.png"),
    ("player fox.png --size 2147483647", 1, "the picture of fox.png cannot be drawn"),
    ("head nowhere/", 1, "there is no folder nowhere/"),
    ("head fox.png nowhere/", 1, "there is no folder nowhere/"),
    ("head fox.png --file-name {stem}.{ext} -o x.png", 2, "--file-name cannot name it"),
    ("head fox.png --file-name {stem}", 2, "end it in .{ext}"),
    ("head fox.png --skins nowhere", 2, "error: --skins: the folder \"nowhere\" cannot be read"),
    ("cape fox.png", 1, "fox.png is not a cape"),
    ("cape missing.png", 1, "cannot read missing.png"),
    ("cape cape.png -o x.svg", 2, "skin and cape are PNG files"),
    ("figure knight.png --turn -o x.svg", 2, "a moving picture is .apng or .gif"),
    ("face knight.png --onto fox.png -o x.svg", 2, "end it in .png, or leave out --onto"),
    ("face knight.png -o x.gif", 2, "only figures, portraits and cubes move"),
];

#[test]
fn unusable_files_are_one_sentence_and_nothing_is_written() {
    let files = SkinFolder::new();
    let before = files.count(".");
    for (words, code, error) in REFUSED {
        assert_refused(&files.render(words), code, &[error]);
        assert_eq!(files.count("."), before, "{words}");
    }
}

#[test]
fn damage_of_skins_is_described() {
    let files = SkinFolder::new();
    let good = skin("knight").png;
    let mut wrong_checksum = good.to_vec();
    wrong_checksum[8 + 4 + 4 + 13] ^= 1;
    let mut header_twice = good[..33].to_vec();
    header_twice.extend(&good[8..]);
    let cut_off = good[..200].to_vec();
    let gif = b"GIF89a, more or less".to_vec();
    for (file, damage) in [
        (wrong_checksum, "the checksum of its IHDR chunk is wrong"),
        (header_twice, "its IHDR chunk can't be read"),
        (cut_off, "it ends too early"),
        (gif, "it doesn't begin like a PNG"),
    ] {
        files.put("x.png", &file);
        let expected =
            format!("x.png is not a skin: the file is not a PNG, or it is damaged: {damage}");
        assert_refused(&files.render("head x.png"), 1, &[&expected]);
    }
}

#[test]
fn every_unusable_skin_of_a_sheet_is_named() {
    let files = SkinFolder::new();
    files.put("damaged.png", b"not a skin");
    let problems = [
        "error: cannot read missing.png",
        "; damaged.png is not a skin: ",
    ];
    let words = "sheet missing.png fox.png damaged.png -o new.png";
    assert_refused(&files.render(words), 1, &problems);
    assert!(!files.path("new.png").exists());
}

#[test]
fn sizes_of_capes_are_explained() {
    let files = SkinFolder::new();
    files.put("x.png", &Image::new(355, 275).encode());
    let expected = "x.png is not a cape: this picture is 355 x 275 pixels; a cape is 64 x 32, ";
    assert_refused(&files.render("figure fox.png --cape x.png"), 1, &[expected]);
}
