//! Players on a file: `--onto` and `--at`.

use effigy_render::{Layers, Player, Skin, View};
use fixtures::{Image, skin};

use crate::support::{SkinFolder, assert_refused, drawn, of_view, text};

/// The size of the banner.
const BANNER: [u32; 2] = [90, 60];

/// The most by which a channel of a mixed pixel may differ from the exact mixture. The program
/// rounds the color of the picture, the share of the banner, and their sum.
const TOLERANCE: u8 = 2;

/// A file whose pixels all differ from their neighbors.
fn banner() -> Image {
    let mut banner = Image::new(BANNER[0], BANNER[1]);
    for y in 0..banner.height {
        for x in 0..banner.width {
            let red = u8::try_from(2 * x).unwrap();
            let green = u8::try_from(4 * y).unwrap();
            let blue = if (x + y) % 2 == 0 { 40 } else { 220 };
            banner.set_pixel(x, y, [red, green, blue, 255]);
        }
    }
    banner
}

/// A folder with skins and the file `banner.png`.
fn folder_with_banner() -> SkinFolder {
    let files = SkinFolder::new();
    files.put("banner.png", &banner().encode());
    files
}

/// Mixes a pixel with an opaque one below it: the operator "source over" of Porter and Duff.
fn over([r, g, b, alpha]: [u8; 4], below: [u8; 4]) -> [u8; 4] {
    let mixed = |front: u8, back: u8| {
        let front_part = u32::from(front) * u32::from(alpha);
        let back_part = u32::from(back) * u32::from(255 - alpha);
        u8::try_from((front_part + back_part + 127) / 255).unwrap()
    };
    [
        mixed(r, below[0]),
        mixed(g, below[1]),
        mixed(b, below[2]),
        255,
    ]
}

/// Returns the pixel of a picture that is shown at a place of the banner, if there is one.
fn pixel_at(picture: &Image, corner: [i64; 2], x: u32, y: u32) -> Option<[u8; 4]> {
    let x = u32::try_from(i64::from(x) - corner[0]).ok()?;
    let y = u32::try_from(i64::from(y) - corner[1]).ok()?;
    if x >= picture.width || y >= picture.height {
        return None;
    }
    Some(picture.pixel(x, y))
}

/// Asserts that a file is the banner with a picture over it, whose upper left corner is here.
#[track_caller]
fn assert_composed(file: &[u8], picture: &[u8], corner: [i64; 2]) {
    let file = Image::decode(file).unwrap();
    let picture = Image::decode(picture).unwrap();
    let banner = banner();
    assert_eq!([file.width, file.height], BANNER);
    for y in 0..file.height {
        for x in 0..file.width {
            let front = pixel_at(&picture, corner, x, y).unwrap_or_default();
            let expected = over(front, banner.pixel(x, y));
            let actual = file.pixel(x, y);
            let is_mixed = front[3] != 0 && front[3] != 255;
            let tolerance = if is_mixed { TOLERANCE } else { 0 };
            let is_equal = difference(actual, expected) <= tolerance;
            assert!(is_equal, "({x}, {y}): {actual:?}, not {expected:?}");
        }
    }
}

/// Returns the greatest difference of a channel.
fn difference(a: [u8; 4], b: [u8; 4]) -> u8 {
    let channels = a.into_iter().zip(b);
    let differences = channels.map(|(of_a, of_b)| of_a.abs_diff(of_b));
    differences.max().unwrap_or_default()
}

/// Draws the figure of a knight onto the banner, and asserts that it has this place.
#[track_caller]
fn assert_figure_at(place: &str, corner: [i64; 2]) {
    let files = folder_with_banner();
    let words = format!("figure knight.png --size 24 --onto banner.png {place}");
    let figure = drawn(of_view(View::Figure, 24), "knight");
    assert_composed(&files.picture(words.trim()), &figure, corner);
}

#[test]
fn pictures_are_composed_at_the_given_pixel() {
    assert_figure_at("--at 7,5", [7, 5]);
}

#[test]
fn pictures_may_exceed_the_upper_and_left_edge() {
    assert_figure_at("--at -11,-20", [-11, -20]);
}

#[test]
fn pictures_may_exceed_the_lower_and_right_edge() {
    assert_figure_at("--at 80,40", [80, 40]);
}

#[test]
fn pictures_outside_leave_the_file_as_it_is() {
    assert_figure_at("--at 90,0", [90, 0]);
    assert_figure_at("--at -1000000,1000000", [-1_000_000, 1_000_000]);
}

/// The figure is 24 pixels wide and 48 high.
#[test]
fn figures_stand_in_the_middle_of_the_bottom_edge() {
    assert_figure_at("", [(90 - 24) / 2, 60 - 48]);
}

#[test]
fn faces_are_in_the_middle() {
    let files = folder_with_banner();
    let picture = files.picture("face knight.png --size 24 --onto banner.png");
    let face = drawn(of_view(View::Face, 24), "knight");
    assert_composed(&picture, &face, [(90 - 24) / 2, (60 - 24) / 2]);
}

#[test]
fn groups_are_drawn_as_a_whole() {
    let files = folder_with_banner();
    let skins = ["knight", "fox"].map(|name| Skin::decode(skin(name).png, None).unwrap());
    let players = skins.each_ref().map(|skin| Some(Player::new(skin)));
    let group = of_view(View::Figure, 20).group(&players).unwrap().picture;
    let words = "group knight.png fox.png --size 20 --onto banner.png --at 3,4";
    assert_composed(&files.picture(words), &group.encode_png().unwrap(), [3, 4]);
}

#[test]
fn capes_are_drawn_onto_files() {
    let files = folder_with_banner();
    let cape = files.picture("cape cape.png --size 20");
    let picture = files.picture("cape cape.png --size 20 --onto banner.png --at 3,4");
    assert_composed(&picture, &cape, [3, 4]);
}

#[test]
fn translucent_files_stay_translucent() {
    let files = SkinFolder::new();
    let mut glass = Image::new(40, 40);
    glass.set_pixel(1, 1, [255, 51, 0, 100]);
    files.put("glass.png", &glass.encode());
    let picture = files.picture("face knight.png --size 8 --onto glass.png --at 32,32");
    let picture = Image::decode(&picture).unwrap();
    let face = Image::decode(&drawn(of_view(View::Face, 8), "knight")).unwrap();
    assert_eq!(picture.pixel(0, 0), [0; 4]);
    assert_eq!(picture.pixel(1, 1), [255, 51, 0, 100]);
    assert_eq!(picture.pixel(32, 32), face.pixel(0, 0));
}

/// The banner in the folder is not taken for a skin.
#[test]
fn every_skin_of_a_folder_is_drawn_onto_a_copy() {
    let files = SkinFolder::new();
    files.put("skins/banner.png", &banner().encode());
    let words = "head skins --size 16 --onto skins/banner.png --at 5,6 -o out";
    assert_eq!(files.notices(words), "Wrote 2 pictures to out\n");
    for name in ["fox", "wizard"] {
        let face = of_view(View::Face, 16).with_layers(Layers::Base);
        let file = files.read(&format!("out/{name}_head.png"));
        assert_composed(&file, &drawn(face, name), [5, 6]);
    }
}

#[test]
fn pictures_do_not_replace_the_file_below_them() {
    let files = SkinFolder::new();
    files.put("fox.png", &banner().encode());
    for words in [
        "face skins --onto fox.png --file-name {stem}.{ext}",
        "face skins/fox.png --onto fox.png -o fox.png",
    ] {
        let output = files.render(words);
        assert_eq!(output.status.code(), Some(1), "{words}");
        let errors = text(&output.stderr);
        let refused = "the picture would replace the --onto file ";
        assert!(errors.contains(refused), "{errors}");
    }
    assert!(files.read("fox.png") == banner().encode());
}

#[test]
fn unusable_files_are_named() {
    let files = SkinFolder::new();
    files.put("large.png", &Image::new(16_777_217, 1).encode());
    let whole = banner().encode();
    files.put("damaged.png", &whole[..whole.len() / 2]);
    for (file, error) in [
        ("missing.png", "cannot read missing.png: "),
        (
            "skins/notes.txt",
            "cannot draw onto skins/notes.txt: the file is not a PNG",
        ),
        (
            "damaged.png",
            "cannot draw onto damaged.png: the file is not a PNG, or it is damaged",
        ),
        (
            "large.png",
            "cannot draw onto large.png: 16777217 x 1 pixels are too large; a picture may have \
             16777216 pixels",
        ),
    ] {
        let words = format!("face knight.png fox.png --onto {file} -o out");
        assert_refused(&files.render(&words), 1, &[error]);
        assert!(!files.path("out").exists(), "{file}");
    }
}
