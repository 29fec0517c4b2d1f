//! Tests of strips.

use super::*;
use crate::picture::painter::Painter;
use crate::scene::figure_cache::FigureCache;
use crate::skin::test_skin;
use crate::{Facing, PictureSpec, Player, Shape, Size, Skin, View};

fn group(skin: &Skin) -> Picture<'_> {
    let spec = PictureSpec::new(View::Figure, Size::px(30)).with_decoration(Decoration {
        background: Some([90, 70, 50, 130]),
        padding: 7,
        shape: Shape::Rounded,
        shadow: true,
    });
    let players = ["Plain", "deadmau5"].map(|name| Some(Player::new(skin).named(name)));
    spec.group(&players).unwrap().picture
}

/// Returns the strips of this height.
fn strips(picture: &Picture<'_>, height: usize) -> Vec<Vec<[u8; 4]>> {
    let [width, end] = picture.size.map(|side| side as usize);
    let mut painter = Painter::new(picture, &FigureCache::default()).unwrap();
    let strip = |start: usize| {
        let rows = start..end.min(start.saturating_add(height));
        let mut pixels = vec![[0; 4]; width * rows.len()];
        let drawn = painter.draw(&mut Vec::new(), rows, &mut pixels);
        drawn.expect("the picture is small");
        pixels
    };
    (0..end).step_by(height).map(strip).collect()
}

#[test]
fn the_height_of_strips_does_not_change_the_picture() {
    let skin = test_skin(128);
    let body = |width, facing| {
        let spec = PictureSpec::new(View::IsometricBody, Size::px(width));
        spec.with_facing(facing).picture(&skin).unwrap()
    };
    let framed = PictureSpec::new(View::Bust, Size::px(33)).with_frame([50, 71].map(Size::px));
    for picture in [
        body(1, Facing::Right),
        body(64, Facing::Left),
        body(150, Facing::BackLeft),
        group(&skin),
        framed.picture(&skin).unwrap(),
    ] {
        let whole = strips(&picture, usize::MAX).concat();
        let area = picture.width() * picture.height();
        assert_eq!(whole.len(), area as usize);
        for height in [1, 2, 7, 16, 100] {
            let strips = strips(&picture, height).concat();
            assert!(strips == whole, "{picture:?} in strips of {height}");
        }
    }
}
