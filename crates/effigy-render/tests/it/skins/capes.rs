//! Capes: the sizes of their files, and their elytra.

use crate::support::drawn::{self, low, painted};
use effigy_render::{Cape, PictureSpec, Player, RenderError, Size, TextureError, View};
use fixtures::Image;

/// A color of its own for each texel.
fn colorful(width: u32, height: u32) -> Image {
    painted([width, height], |x, y| [low(x), low(y), low(x + y), 255])
}

/// A file's texels as the upper left part of a whole texture.
fn as_part_of_whole(file: &Image, scale: u32) -> Image {
    painted([64 * scale, 32 * scale], |x, y| {
        if x < file.width && y < file.height {
            file.pixel(x, y)
        } else {
            [0; 4]
        }
    })
}

/// The pictures that show a cape and elytra.
fn pictures(cape: &Cape) -> [Image; 3] {
    let skin = drawn::named("plain");
    let player = Player::new(&skin).with_cape(cape);
    let behind = PictureSpec::new(View::Figure, Size::px(64));
    let behind = behind.with_camera(effigy_render::Camera::perspective(160.0, 16.0, 30.0));
    let winged = behind.with_elytra(true);
    let front = drawn::image(&cape.front(Size::px(40)).unwrap());
    let [behind, winged] =
        [behind, winged].map(|spec| drawn::image(&spec.picture(player).unwrap()));
    [front, behind, winged]
}

#[test]
fn a_cape_is_the_upper_left_part_of_its_texture() {
    for (least, has_elytra) in [([64, 32], true), ([46, 22], true), ([22, 17], false)] {
        for scale in [1, 2, 3, 8, 16] {
            let [width, height] = least.map(|side| side * scale);
            let file = colorful(width, height);
            let whole = as_part_of_whole(&file, scale);
            let cape = Cape::decode(&file.encode()).unwrap();
            assert_eq!(cape.width(), 64 * scale, "{width} x {height}");
            assert_eq!(cape.has_elytra(), has_elytra, "{width} x {height}");
            let whole = Cape::decode(&whole.encode()).unwrap();
            assert!(pictures(&cape) == pictures(&whole), "{width} x {height}");
            let made = Cape::from_rgba(width, height, &file.rgba).unwrap();
            assert!(pictures(&made) == pictures(&cape), "{width} x {height}");
        }
    }
}

#[test]
fn capes_of_other_sizes_are_refused_with_the_right_ones() {
    #[rustfmt::skip]
    let sizes = [
        [0, 0], [1, 1], [22, 16], [22, 18], [23, 17], [44, 17], [46, 17], [46, 23], [46, 32], [64, 17], [64, 64],
        [64, 128], [92, 46], [355, 275], [17 * 22, 17 * 17], [17 * 46, 17 * 22], [17 * 64, 17 * 32],
    ];
    for [width, height] in sizes {
        let blank = Image::new(width, height);
        let error = Cape::from_rgba(width, height, &blank.rgba).expect_err("no size of capes");
        let is_right = matches!(error, TextureError::Dimensions { width: w, height: h, .. }
            if [w, h] == [width, height]);
        assert!(is_right, "{width} x {height}: {error:?}");
    }
    let file = Image::new(355, 275).encode();
    let message = Cape::decode(&file)
        .expect_err("no size of capes")
        .to_string();
    let expected = "this picture is 355 x 275 pixels; a cape is 64 x 32, 46 x 22 or 22 x 17, or \
                    up to 16 times as wide and high";
    assert_eq!(message, expected);
}

/// A cape whose wing has this number of texels of this alpha, from its left.
fn winged(count: usize, alpha: u8) -> Cape {
    let mut places = Vec::new();
    for x in 22..46 {
        for y in 0..22 {
            // The corners above the narrow sides belong to no face.
            if y >= 2 || (24..44).contains(&x) {
                places.push((x, y));
            }
        }
    }
    assert_eq!(places.len(), 520);
    places.truncate(count);
    let file = painted([64, 32], |x, y| {
        if places.contains(&(x, y)) {
            [200, 0, 0, alpha]
        } else if x < 22 && y < 17 {
            [0, 0, 200, 255]
        } else if x < 22 || y >= 22 {
            [9, 9, 9, 255]
        } else {
            [0; 4]
        }
    });
    Cape::decode(&file.encode()).unwrap()
}

#[test]
fn elytra_are_a_tenth_of_the_texels_of_a_wing() {
    for (count, alpha, expected) in [
        (0, 255, false),
        (1, 3, false),
        (51, 255, false),
        (52, 255, true),
        (52, 26, true),
        (52, 25, false),
        (520, 25, false),
        (520, 26, true),
    ] {
        let has_elytra = winged(count, alpha).has_elytra();
        assert_eq!(has_elytra, expected, "{count} of {alpha}");
    }
}

#[test]
fn strays_do_not_hide_the_cape() {
    let [_, without_elytra, with_elytra] = pictures(&winged(1, 3));
    assert!(with_elytra == without_elytra);
}

#[test]
fn elytra_hide_the_cape() {
    let [_, without_elytra, with_elytra] = pictures(&winged(520, 255));
    assert!(with_elytra != without_elytra);
}

#[test]
fn faint_texels_of_elytra_are_not_drawn() {
    let [faint, absent] = [25, 0].map(|alpha| {
        let file = painted([64, 32], |_, y| {
            [200, 0, 0, if y < 12 { 255 } else { alpha }]
        });
        pictures(&Cape::from_rgba(64, 32, &file.rgba).unwrap())[2].clone()
    });
    assert!(faint == absent);
}

#[test]
fn the_front_of_a_cape_keeps_its_texels() {
    let cape = Cape::decode(fixtures::cape()).unwrap();
    let file = Image::decode(fixtures::cape()).unwrap();
    let pixels = cape.front(Size::px(30)).unwrap().to_rgba().unwrap();
    let expected = painted([30, 48], |x, y| file.pixel(x / 3 + 1, y / 3 + 1));
    assert!(pixels == expected.rgba);
    let refused = cape.front(Size::px(Size::MAX)).map(drop);
    assert!(
        matches!(refused, Err(RenderError::TooLarge { .. })),
        "{refused:?}"
    );
}
