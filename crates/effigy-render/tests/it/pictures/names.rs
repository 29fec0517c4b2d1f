//! The names that turn players over or give them ears.

use effigy_render::{Model, PictureSpec, Player, Size, Skin, View};
use fixtures::Image;

use crate::support::drawn;

const RED: [u8; 4] = [200, 0, 0, 255];
const GREEN: [u8; 4] = [0, 200, 0, 255];
const BLUE: [u8; 4] = [0, 0, 200, 255];

fn spec_of(view: View, pixels: u32) -> PictureSpec {
    PictureSpec::new(view, Size::px(pixels))
}

fn image(spec: &PictureSpec, player: Player<'_>) -> Image {
    drawn::image(&spec.picture(player).expect("a small picture"))
}

/// A skin with a red head, blue legs and green ears; the rest is gray.
fn colored_skin() -> Skin {
    let image = drawn::painted([64, 64], |x, y| match (x, y) {
        (24..38, 0..7) => GREEN,
        (0..32, 0..16) => RED,
        (0..16, 16..32) | (16..32, 48..64) => BLUE,
        _ => [99, 99, 99, 255],
    });
    // The overlay is left out.
    let mut texels = image.rgba;
    for (position, texel) in texels.chunks_exact_mut(4).enumerate() {
        let x = position % 64;
        let y = position / 64;
        let is_base = y < 32 && (y >= 16 || x < 38) || y >= 48 && (16..48).contains(&x);
        if !is_base {
            texel[3] = 0;
        }
    }
    Skin::from_rgba(64, 64, &texels, Model::Classic).unwrap()
}

/// Counts the pixels of some rows that have clearly this color, however bright.
fn pixels_of(image: &Image, rows: std::ops::Range<u32>, color: [u8; 4]) -> usize {
    let channel = (0..3).find(|&channel| color[channel] > 0).unwrap();
    let mut count = 0;
    for y in rows {
        for x in 0..image.width {
            let texel = image.pixel(x, y);
            let others = (0..3).filter(|&other| other != channel);
            let strongest_other = others.map(|other| texel[other]).max().unwrap();
            if texel[3] > 200 && texel[channel] > strongest_other.saturating_add(60) {
                count += 1;
            }
        }
    }
    count
}

#[test]
fn names_change_every_view_but_the_flat_ones() {
    let skin = colored_skin();
    for &view in View::ALL {
        let spec = spec_of(view, 64);
        let plain = image(&spec, Player::new(&skin));
        for name in ["deadmau5", "Grumm", "Dinnerbone"] {
            let named = image(&spec, Player::new(&skin).named(name));
            assert_eq!(named != plain, !view.is_flat(), "{view} {name}");
        }
    }
}

#[test]
fn an_isometric_body_can_stand_on_its_head() {
    let skin = colored_skin();
    let spec = spec_of(View::IsometricBody, 64);
    let upright = image(&spec, Player::new(&skin));
    let turned = image(&spec, Player::new(&skin).named("Dinnerbone"));
    let height = upright.height;
    let quarters = [0..height / 4, 3 * height / 4..height];
    let [head, legs] = quarters.map(|rows| {
        let [red, blue] = [RED, BLUE].map(|color| pixels_of(&upright, rows.clone(), color));
        let [turned_red, turned_blue] =
            [RED, BLUE].map(|color| pixels_of(&turned, rows.clone(), color));
        [red > 100, blue > 100, turned_red > 100, turned_blue > 100]
    });
    assert_eq!(head, [true, false, false, true]);
    assert_eq!(legs, [false, true, true, false]);
    let kept = image(
        &spec.with_upside_down(false),
        Player::new(&skin).named("Grumm"),
    );
    assert!(kept == upright);
}

/// Returns the number of pixels of the ears for each pixel of the head.
fn share_of_ears(spec: &PictureSpec, skin: &Skin) -> f64 {
    let eared = image(spec, Player::new(skin).named("deadmau5"));
    let [ears, head] = [GREEN, RED].map(|color| pixels_of(&eared, 0..eared.height, color));
    f64::from(u32::try_from(ears).unwrap()) / f64::from(u32::try_from(head).unwrap())
}

#[test]
fn isometric_views_have_room_for_ears() {
    let skin = colored_skin();
    // The other views make room for everything.
    for (view, roomy) in [
        (View::IsometricHead, View::Cube),
        (View::IsometricBody, View::Figure),
    ] {
        let spec = spec_of(view, 512);
        let mut other = spec;
        other.view = roomy;
        let plain = image(&spec, Player::new(&skin));
        assert_eq!(pixels_of(&plain, 0..plain.height, GREEN), 0, "{view}");
        let share = share_of_ears(&spec, &skin);
        let expected = share_of_ears(&other, &skin);
        assert!(expected > 0.2, "{view}: {expected}");
        assert!(
            (share / expected - 1.0).abs() < 0.02,
            "{view}: {share} {expected}"
        );
    }
}
