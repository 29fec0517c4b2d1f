//! Spec, "Render details", checked against the texels of the drawn skins themselves.

use crate::support::{Server, picture_of};
use fixtures::{Image, skin};

/// A part of the flat figure: where it stands, and its base and overlay on a modern skin.
struct Part {
    at: (u32, u32),
    size: (u32, u32),
    base: (u32, u32),
    overlay: (u32, u32),
}

/// The front of the figure, 16 x 32 texels. The viewer's left is the player's right.
const FIGURE: [Part; 6] = [
    part((4, 0), (8, 8), (8, 8), (40, 8)),
    part((4, 8), (8, 12), (20, 20), (20, 36)),
    part((0, 8), (4, 12), (44, 20), (44, 36)),
    part((12, 8), (4, 12), (36, 52), (52, 52)),
    part((4, 20), (4, 12), (4, 20), (4, 36)),
    part((8, 20), (4, 12), (20, 52), (4, 52)),
];

const fn part(at: (u32, u32), size: (u32, u32), base: (u32, u32), overlay: (u32, u32)) -> Part {
    Part {
        at,
        size,
        base,
        overlay,
    }
}

fn texture(name: &str) -> Image {
    Image::decode(skin(name).png).unwrap()
}

/// The base texel, made opaque as the game does, and the overlay's over it.
fn worn(base: [u8; 4], overlay: Option<[u8; 4]>) -> [u8; 4] {
    let [r, g, b, _] = base;
    let [or, og, ob, alpha] = overlay.unwrap_or_default();
    let mix = |below: u8, above: u8| {
        let (below, above, alpha) = (u32::from(below), u32::from(above), u32::from(alpha));
        u8::try_from((above * alpha + below * (255 - alpha) + 127) / 255).unwrap()
    };
    [mix(r, or), mix(g, og), mix(b, ob), 255]
}

/// The texels of a flat view of a modern skin with arms of four texels.
fn flat(name: &str, parts: &[Part], origin: (u32, u32), size: (u32, u32), hat: bool) -> Image {
    let texture = texture(name);
    let mut figure = Image::new(size.0, size.1);
    for part in parts {
        for y in 0..part.size.1 {
            for x in 0..part.size.0 {
                let base = texture.pixel(part.base.0 + x, part.base.1 + y);
                let overlay = texture.pixel(part.overlay.0 + x, part.overlay.1 + y);
                let (x, y) = (part.at.0 + x - origin.0, part.at.1 + y - origin.1);
                let texel = worn(base, hat.then_some(overlay));
                figure.set_pixel(x, y, texel);
            }
        }
    }
    figure
}

/// Enlarges by taking the texel under the center of each pixel.
fn enlarged(texels: &Image, width: u32, height: u32) -> Image {
    let mut image = Image::new(width, height);
    for y in 0..height {
        for x in 0..width {
            let under =
                |pixel: u32, pixels: u32, texels: u32| (2 * pixel + 1) * texels / (2 * pixels);
            let texel = texels.pixel(
                under(x, width, texels.width),
                under(y, height, texels.height),
            );
            image.set_pixel(x, y, texel);
        }
    }
    image
}

#[track_caller]
fn assert_same(expected: &Image, actual: &Image, tolerance: u8, what: &str) {
    if let Err(mismatch) = fixtures::compare(expected, actual, tolerance) {
        panic!("{what}: {mismatch}");
    }
}

fn mirrored(image: &Image) -> Image {
    let mut mirror = Image::new(image.width, image.height);
    for y in 0..image.height {
        for x in 0..image.width {
            mirror.set_pixel(x, y, image.pixel(image.width - 1 - x, y));
        }
    }
    mirror
}

#[test]
fn the_head_is_the_face_enlarged_with_hard_edges() {
    let server = Server::start();
    for (option, hat) in [("", false), ("/hat", true)] {
        let face = flat("knight", &FIGURE[..1], (4, 0), (8, 8), hat);
        for size in [1, 3, 8, 12, 64, 100, 128] {
            let path = format!("/head/Gwendolin/{size}{option}");
            let head = picture_of(&server.get(&path));
            assert_same(&enlarged(&face, size, size), &head, 0, &path);
        }
    }
}

#[test]
fn the_body_is_built_from_six_parts() {
    let server = Server::start();
    for (player, name) in [("Gwendolin", "knight"), ("UvClassic", "uv_classic")] {
        for (option, hat) in [("", false), ("/hat", true)] {
            let figure = flat(name, &FIGURE, (0, 0), (16, 32), hat);
            for size in [16, 20, 64, 128] {
                let path = format!("/player/{player}/{size}{option}");
                let body = picture_of(&server.get(&path));
                assert_same(&enlarged(&figure, size, size * 2), &body, 0, &path);
            }
        }
    }
}

#[test]
fn legacy_limbs_are_mirrored_copies() {
    let server = Server::start();
    let body = picture_of(&server.get("/player/UvLegacy/16"));
    let texture = texture("uv_legacy");
    assert_eq!((texture.width, texture.height), (64, 32));
    // Arms at 0 and 12, legs at 4 and 8, each from the one limb of its kind.
    for (left, right, top, (u, v)) in [(0, 12, 8, (44, 20)), (4, 8, 20, (4, 20))] {
        for y in 0..12 {
            for x in 0..4 {
                let texel = worn(texture.pixel(u + x, v + y), None);
                assert_eq!(body.pixel(left + x, top + y), texel, "{left} {x} {y}");
                let mirrored = body.pixel(right + 3 - x, top + y);
                assert_eq!(mirrored, texel, "{right} {x} {y}");
            }
        }
    }
}

#[test]
fn slim_arms_touch_the_torso() {
    let server = Server::start();
    let body = picture_of(&server.get("/player/UvSlim/16"));
    for y in 8..20 {
        assert_eq!(body.pixel(0, y)[3], 0, "{y}");
        assert_eq!(body.pixel(15, y)[3], 0, "{y}");
        assert_eq!(
            (body.pixel(1, y)[3], body.pixel(14, y)[3]),
            (255, 255),
            "{y}"
        );
    }
}

#[test]
fn a_hat_that_is_not_there_is_skipped() {
    let server = Server::start();
    for player in ["OldBarley", "UvLegacy", "HighRes"] {
        for path in [
            format!("/head/{player}/64/hat"),
            format!("/player/{player}/64/hat"),
        ] {
            assert_eq!(server.get(&path).status, 200, "{path}");
        }
    }
}

#[test]
fn left_is_the_exact_mirror_of_right() {
    let server = Server::start();
    for player in ["UvClassic", "UvSlim", "UvLegacy", "Gwendolin"] {
        for view in ["avatar", "ioshead", "iosbody"] {
            for size in ["", "/101"] {
                let left = picture_of(&server.get(&format!("/{view}/{player}/left{size}")));
                let right = picture_of(&server.get(&format!("/{view}/{player}/right{size}")));
                let what = format!("{view} of {player} {size}");
                assert_same(&mirrored(&right), &left, 0, &what);
                assert_ne!(left, right, "{what}");
            }
        }
    }
}

#[test]
fn avatar_and_iosbody_are_identical_for_equal_arguments() {
    let server = Server::start();
    for size in [64, 128, 200] {
        let avatar = server.get(&format!("/avatar/UvClassic/left/{size}"));
        let iosbody = server.get(&format!("/iosbody/UvClassic/left/{size}"));
        assert_eq!(avatar.body, iosbody.body, "{size}");
        // Each has a key of its own.
        assert_eq!(iosbody.header("x-cache"), Some("miss"), "{size}");
    }
}

#[test]
fn isometric_sizes() {
    let server = Server::start();
    // round(size * 2.04)
    let rows = [
        (1, 2),
        (10, 20),
        (64, 131),
        (100, 204),
        (128, 261),
        (512, 1044),
    ];
    for (size, height) in rows {
        for view in ["avatar", "iosbody"] {
            let path = format!("/{view}/UvClassic/right/{size}");
            let body = picture_of(&server.get(&path));
            assert_eq!((body.width, body.height), (size, height), "{path}");
        }
        let head = picture_of(&server.get(&format!("/ioshead/UvClassic/right/{size}")));
        assert_eq!((head.width, head.height), (size, size));
    }
}

#[test]
fn isometric_views_always_have_the_overlay() {
    let server = Server::start();
    // The hat's colors are in the picture: the knight's helmet closes over the face.
    let texture = texture("knight");
    let hat = |x: u32, y: u32| texture.pixel(40 + x, 8 + y);
    let opaque: Vec<[u8; 4]> = (0..64)
        .map(|at| hat(at % 8, at / 8))
        .filter(|texel| texel[3] == 255)
        .collect();
    assert!(!opaque.is_empty());
    let head = picture_of(&server.get("/ioshead/Gwendolin/right/512"));
    let near = |pixel: [u8; 4], texel: [u8; 4]| (0..4).all(|at| pixel[at].abs_diff(texel[at]) <= 2);
    let shown =
        |texel: [u8; 4]| (0..512 * 512).any(|at| near(head.pixel(at % 512, at / 512), texel));
    assert!(opaque.into_iter().any(shown));
}
