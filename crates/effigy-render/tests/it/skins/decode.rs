//! Decoding: every encoding and dimension, the rules for legacy skins, and files that are not
//! skins.

use crate::support::drawn::{self, low, painted};
use effigy_render::{Facing, Layers, Model, PictureSpec, Size, Skin, TextureError, View};
use fixtures::{Image, SKINS, broken, encodings, skin};

type Texel = [u8; 4];

/// A copied region: x and y, distance to the right and down, width and height.
type Copy = (&'static str, [u32; 2], [i32; 2], [u32; 2]);

/// The regions that the game copies, mirrored, when it loads a legacy skin.
const COPIES: [Copy; 12] = [
    ("leg top", [4, 16], [16, 32], [4, 4]),
    ("leg bottom", [8, 16], [16, 32], [4, 4]),
    ("leg right face", [0, 20], [24, 32], [4, 12]),
    ("leg front", [4, 20], [16, 32], [4, 12]),
    ("leg left face", [8, 20], [8, 32], [4, 12]),
    ("leg back", [12, 20], [16, 32], [4, 12]),
    ("arm top", [44, 16], [-8, 32], [4, 4]),
    ("arm bottom", [48, 16], [-8, 32], [4, 4]),
    ("arm right face", [40, 20], [0, 32], [4, 12]),
    ("arm front", [44, 20], [-8, 32], [4, 12]),
    ("arm left face", [48, 20], [-16, 32], [4, 12]),
    ("arm back", [52, 20], [-8, 32], [4, 12]),
];

/// Left, top, right and bottom of the regions that the game shows without their alpha.
const OPAQUE: [[u32; 4]; 3] = [[0, 0, 32, 16], [0, 16, 64, 32], [16, 48, 48, 64]];

const HAT: [u32; 4] = [32, 0, 64, 16];

const HAT_FRONT: [u32; 4] = [40, 8, 48, 16];

/// The texels that an image must become: by the rules of the game, except that only a hat whose
/// front is of one color is hidden.
fn worn(picture: &Image) -> Vec<Texel> {
    let scale = picture.width / 64;
    let mut worn = painted([picture.width; 2], |x, y| {
        if y < picture.height {
            picture.pixel(x, y)
        } else {
            [0; 4]
        }
    });
    if picture.height < picture.width {
        for (_, from, by, size) in COPIES {
            copy_mirrored(&mut worn, from, by, size, scale);
        }
        let first = picture.pixel(40 * scale, 8 * scale);
        let is_blank = inside(HAT_FRONT, scale).all(|(x, y)| picture.pixel(x, y) == first);
        if first[3] == 255 && is_blank {
            for (x, y) in inside(HAT, scale) {
                worn.set_pixel(x, y, [0; 4]);
            }
        }
    }
    for (x, y) in OPAQUE.into_iter().flat_map(|area| inside(area, scale)) {
        let [r, g, b, _] = worn.pixel(x, y);
        worn.set_pixel(x, y, [r, g, b, 255]);
    }
    let (texels, _) = worn.rgba.as_chunks();
    texels.to_vec()
}

fn copy_mirrored(image: &mut Image, from: [u32; 2], by: [i32; 2], size: [u32; 2], scale: u32) {
    let [x, y, w, h] = [from[0], from[1], size[0], size[1]].map(|texels| texels * scale);
    let [right, down] = by.map(|texels| texels * scale.cast_signed());
    for (i, j) in (0..h).flat_map(|j| (0..w).map(move |i| (i, j))) {
        let texel = image.pixel(x + i, y + j);
        let target = (x + w - 1 - i).checked_add_signed(right);
        let target = target.expect("the copy lies on the skin");
        image.set_pixel(target, y + j + down.cast_unsigned(), texel);
    }
}

fn inside([left, top, right, bottom]: [u32; 4], scale: u32) -> impl Iterator<Item = (u32, u32)> {
    (top * scale..bottom * scale)
        .flat_map(move |y| (left * scale..right * scale).map(move |x| (x, y)))
}

fn decode(png: &[u8]) -> Result<Skin, TextureError> {
    Skin::decode(png, Model::Classic)
}

#[test]
fn every_encoding_gives_its_texels() {
    for encoding in encodings() {
        let name = encoding.name;
        let expected = &encoding.expected;
        let skin = decode(encoding.png).expect(name);
        assert_eq!(skin.side(), expected.width, "{name}");
        assert!(skin.texels() == worn(expected), "{name}");
    }
}

#[test]
fn a_legacy_hat_with_a_blank_front_is_dropped() {
    const BLANK: Texel = [200, 10, 10, 255];
    type Hat = fn(u32, u32) -> Texel;
    #[rustfmt::skip]
    let table: [(&str, [u32; 2], Hat, bool); 12] = [
        ("one color", [64, 32], |_, _| BLANK, false),
        ("black", [64, 32], |_, _| [0, 0, 0, 255], false),
        ("one color, fine", [128, 64], |_, _| BLANK, false),
        ("one color, finest", [1024, 512], |_, _| BLANK, false),
        ("one color, modern", [64, 64], |_, _| BLANK, true),
        ("glass of one color", [64, 32], |_, _| [9, 9, 9, 254], true),
        ("strays on a side", [64, 32], |x, _| if x == 63 { [0, 0, 0, 255] } else { BLANK }, false),
        ("another first texel", [64, 32], |x, y| if (x, y) == (32, 0) { [1, 1, 1, 255] } else { BLANK }, false),
        ("a hole at the end", [64, 32], |x, y| if (x, y) == (63, 15) { [0; 4] } else { BLANK }, false),
        ("a stray in front, at the start", [64, 32], |x, y| if (x, y) == (40, 8) { [1, 1, 1, 255] } else { BLANK }, true),
        ("a stray in front, at the end", [64, 32], |x, y| if (x, y) == (47, 15) { [0; 4] } else { BLANK }, true),
        ("a fine stray in front", [128, 64], |x, y| if (x, y) == (95, 31) { [1, 1, 1, 255] } else { BLANK }, true),
    ];
    for (what, size, hat, kept) in table {
        let scale = size[0] / 64;
        let picture = painted(size, |x, y| match (x / scale, y / scale) {
            (32.., ..16) => hat(x, y),
            _ => [50, 60, 70, 255],
        });
        let skin = decode(&picture.encode()).expect(what);
        for (x, y) in inside(HAT, scale) {
            let expected = if kept { picture.pixel(x, y) } else { [0; 4] };
            let texel = skin.texels()[(y * size[0] + x) as usize];
            assert_eq!(texel, expected, "{what}: {x}, {y}");
        }
    }
}

#[test]
fn skins_are_64_wide_or_a_multiple_and_square_or_half_as_high() {
    for side in (1..=16).map(|scale| 64 * scale) {
        for size in [[side; 2], [side, side / 2]] {
            let picture = painted(size, |x, y| [low(x), low(y), 0, 255]);
            let skin = decode(&picture.encode()).expect("a skin of this size");
            assert_eq!(skin.side(), side, "{size:?}");
            assert_eq!(skin.texels().len(), (side * side) as usize, "{size:?}");
        }
    }
}

#[test]
fn other_dimensions_are_refused() {
    #[rustfmt::skip]
    let sizes = [
        [1, 1], [32, 32], [32, 64], [63, 64], [64, 16], [64, 31], [64, 33], [64, 63], [64, 65], [64, 128], [65, 65],
        [96, 96], [96, 48], [100, 100], [128, 32], [128, 96], [128, 127], [1024, 256], [1088, 544], [1088, 1088],
        [2048, 1024],
    ];
    for size in sizes {
        let image = Image::new(size[0], size[1]);
        let made = Skin::from_rgba(size[0], size[1], &image.rgba, Model::Classic);
        for result in [decode(&image.encode()), made] {
            let Err(TextureError::Dimensions { width, height, .. }) = result else {
                panic!("{size:?}: {result:?}");
            };
            assert_eq!([width, height], size);
        }
    }
}

#[test]
fn the_given_model_wears_the_skin() {
    let png = skin("uv_slim").png;
    let [slim, classic] = [Model::Slim, Model::Classic].map(|model| {
        let skin = Skin::decode(png, model).unwrap();
        assert_eq!(skin.model(), model);
        skin
    });
    assert!(slim.texels() == classic.texels());
    let view = PictureSpec::new(View::IsometricBody, Size::px(64));
    let body = |skin: &Skin| drawn::pixels(&view, skin);
    assert!(body(&slim) != body(&classic));
    assert!(body(&slim.with_model(Model::Classic)) == body(&classic));
}

/// The outer columns of an arm's back belong to the classic model alone. A slim skin that has
/// nothing else in its overlay shows them if a picture draws it on the classic model.
#[test]
fn a_picture_shows_the_overlay_of_the_model_it_draws() {
    let mut image = painted([64; 2], |_, y| {
        if y > 15 && y < 32 {
            [90, 90, 90, 255]
        } else {
            [0; 4]
        }
    });
    image.set_pixel(55, 40, [255, 0, 0, 255]);
    let slim = Skin::decode(&image.encode(), Model::Slim).unwrap();
    let back = PictureSpec::new(View::IsometricBody, Size::px(64)).with_facing(Facing::BackLeft);
    let drawn_as_classic = drawn::pixels(&back.with_model(Model::Classic), &slim);
    let classic = slim.with_model(Model::Classic);
    assert!(drawn_as_classic == drawn::pixels(&back, &classic));
    let without_overlay = drawn::pixels(&back.with_layers(Layers::Base), &classic);
    assert!(drawn_as_classic != without_overlay);
}

#[test]
fn broken_files_are_refused_with_the_reason() {
    let lenient = ["zlib bomb", "index out of palette"];
    let sized = |name: &str| name.split('x').all(|side| side.parse::<u32>().is_ok());
    for (name, file) in broken() {
        match decode(&file) {
            Ok(_) => assert!(lenient.contains(&name), "{name} is a skin"),
            // No PNG has zero pixels. Other wrong dimensions are reported.
            Err(TextureError::Dimensions { .. }) => assert!(sized(name) && name != "0x0", "{name}"),
            Err(TextureError::NotPng { .. }) => assert!(!sized(name) || name == "0x0", "{name}"),
            Err(other) => panic!("{name}: {other:?}"),
        }
    }
    if let Some(peak) = drawn::peak_memory() {
        // Other tests draw meanwhile.
        assert!(peak < 256 << 10, "a bomb went off: {peak} KiB");
    }
}

#[test]
fn bytes_after_the_end_of_a_png_are_ignored() {
    let mut file = skin("fox").png.to_vec();
    file.resize(Skin::MAX_BYTES, 0);
    assert!(decode(&file).is_ok());
}

#[test]
fn no_part_of_a_file_is_a_skin() {
    let png = skin("uv_classic").png;
    // After the pixels there is only the empty chunk that ends the file.
    for length in 0..png.len() - 16 {
        let error = decode(&png[..length]).expect_err("a part is no skin");
        assert!(
            matches!(error, TextureError::NotPng { .. }),
            "{length}: {error:?}"
        );
    }
}

#[test]
fn a_changed_byte_is_survived() {
    let png = skin("uv_classic").png;
    let intact = decode(png).expect("uv_classic");
    for at in 0..png.len() {
        let mut changed = png.to_vec();
        changed[at] ^= 0x41;
        // Either the checksums detect the change, or the byte does not matter.
        if let Ok(skin) = decode(&changed) {
            assert!(skin.texels() == intact.texels(), "byte {at}");
        }
    }
}

#[test]
fn errors_say_what_they_mean_and_keep_their_cause() {
    use std::error::Error;
    let table = [
        (Vec::new(), "the file is not a PNG, or it is damaged", true),
        (
            Image::new(63, 64).encode(),
            "this picture is 63 x 64 pixels; a skin is 64 x 64 or 64 x 32, or a multiple of that up to 1024 wide",
            false,
        ),
        (
            vec![0; Skin::MAX_BYTES + 1],
            "a texture of 8388609 bytes is longer than 8388608",
            false,
        ),
    ];
    for (file, message, caused) in table {
        let error = decode(&file).expect_err(message);
        assert_eq!(error.to_string(), message);
        assert_eq!(error.source().is_some(), caused, "{message}");
        let mut causes = error.source().into_iter();
        assert!(causes.all(|cause| !message.contains(&cause.to_string())));
    }
}

#[test]
fn pixels_make_the_skin_that_their_file_makes() {
    for fixture in SKINS {
        let image = Image::decode(fixture.png).expect(fixture.name);
        let made = Skin::from_rgba(image.width, image.height, &image.rgba, Model::Slim);
        let made = made.expect(fixture.name);
        let decoded = Skin::decode(fixture.png, Model::Classic).expect(fixture.name);
        assert!(made.texels() == decoded.texels(), "{}", fixture.name);
        assert_eq!(made.model(), Model::Slim);
    }
}

#[test]
fn pixels_of_another_number_are_refused() {
    let none = Skin::from_rgba(0, 0, &[], Model::Classic);
    assert!(
        matches!(none, Err(TextureError::Dimensions { .. })),
        "{none:?}"
    );
    let expected = 64 * 64 * 4;
    for bytes in [0, expected - 1, expected + 4] {
        let refused = Skin::from_rgba(64, 64, &vec![0; bytes], Model::Classic);
        assert!(
            matches!(refused, Err(TextureError::WrongLength { bytes: b, expected: e })
                if (b, e) == (bytes, expected)),
            "{refused:?}"
        );
    }
}

#[test]
fn the_model_is_guessed_from_the_arms() {
    for fixture in SKINS {
        let guessed = Skin::decode(fixture.png, None).expect("a skin");
        let expected = drawn::worn(fixture).model();
        assert_eq!(guessed.model(), expected, "{}", fixture.name);
    }
}

/// The areas of the arms that only the classic model shows, as x, y, width and height: next to the
/// top and bottom faces and behind the back face, of the right arm and of the left.
const RIGHT_TOP: [u32; 4] = [50, 16, 2, 4];
const RIGHT_BACK: [u32; 4] = [54, 20, 2, 12];
const LEFT_TOP: [u32; 4] = [42, 48, 2, 4];
const LEFT_BACK: [u32; 4] = [46, 52, 2, 12];

/// Guesses the model of a skin whose texels are gray, except for some areas.
fn guessed(areas: &[[u32; 4]], color: [u8; 4]) -> Model {
    let image = painted([64, 64], |x, y| {
        let is_inside = |[left, top, width, height]: &[u32; 4]| {
            (*left..left + width).contains(&x) && (*top..top + height).contains(&y)
        };
        if areas.iter().any(is_inside) {
            color
        } else {
            [99, 99, 99, 255]
        }
    });
    let made = Skin::from_rgba(64, 64, &image.rgba, None);
    made.expect("a skin").model()
}

#[test]
fn arms_with_unused_areas_are_slim() {
    let clear = [0; 4];
    let rows: [&[[u32; 4]]; 5] = [
        &[RIGHT_TOP, RIGHT_BACK],
        &[LEFT_TOP, LEFT_BACK],
        &[RIGHT_TOP, LEFT_TOP],
        &[RIGHT_BACK, LEFT_BACK],
        &[RIGHT_TOP, RIGHT_BACK, LEFT_TOP, LEFT_BACK],
    ];
    for areas in rows {
        assert_eq!(guessed(areas, clear), Model::Slim, "{areas:?}");
        // A color says nothing unless it is in all areas.
        if areas.len() < 4 {
            assert_eq!(guessed(areas, [0, 0, 0, 255]), Model::Classic, "{areas:?}");
        }
        // Nearly transparent texels are used ones.
        assert_eq!(guessed(areas, [0, 0, 0, 1]), Model::Classic, "{areas:?}");
    }
}

#[test]
fn arms_with_fewer_unused_areas_are_classic() {
    let rows: [&[[u32; 4]]; 7] = [
        &[],
        &[RIGHT_TOP],
        &[RIGHT_BACK],
        &[LEFT_TOP],
        &[LEFT_BACK],
        &[RIGHT_TOP, LEFT_BACK],
        &[RIGHT_BACK, LEFT_TOP],
    ];
    for areas in rows {
        assert_eq!(guessed(areas, [0; 4]), Model::Classic, "{areas:?}");
    }
}

#[test]
fn black_or_white_unused_areas_are_slim() {
    let all = [RIGHT_TOP, RIGHT_BACK, LEFT_TOP, LEFT_BACK];
    for (color, model) in [
        ([0, 0, 0, 255], Model::Slim),
        ([255, 255, 255, 255], Model::Slim),
        ([1, 0, 0, 255], Model::Classic),
        ([254, 255, 255, 255], Model::Classic),
        ([0, 0, 0, 254], Model::Classic),
        ([255, 255, 255, 254], Model::Classic),
    ] {
        assert_eq!(guessed(&all, color), model, "{color:?}");
        assert_eq!(guessed(&all[..3], color), Model::Classic, "{color:?}");
    }
}

#[test]
fn one_stray_texel_makes_no_slim_skin_classic() {
    let slim = Image::decode(skin("uv_slim").png).expect("uv_slim");
    for (x, y) in [(50, 16), (51, 19), (54, 20), (55, 31), (42, 48), (47, 63)] {
        let mut image = slim.clone();
        image.set_pixel(x, y, [0, 0, 0, 1]);
        let made = Skin::from_rgba(image.width, image.height, &image.rgba, None);
        assert_eq!(made.expect("a skin").model(), Model::Slim, "{x}, {y}");
    }
}
