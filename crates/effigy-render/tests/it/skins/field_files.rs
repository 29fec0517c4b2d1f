//! Files that resemble the files of real players. Their flat pictures are computed a second time,
//! texel by texel, from the places that the game uses.

use crate::support::drawn;
use effigy_render::{Layers, Model, PictureSpec, Size, Skin, TextureError, View};
use fixtures::{FieldFile, Image, field_files};

type Texel = [u8; 4];

/// A limb as it is seen from the front, in texels of a skin of 64.
struct Front {
    /// Left, top, width and height on the figure.
    figure: [u32; 4],
    /// Left and top of the base and of the overlay on the skin.
    base: [u32; 2],
    overlay: [u32; 2],
    /// Left and top of the limb that is mirrored for this one on a legacy skin.
    mirrored: Option<[u32; 2]>,
}

/// The fronts of a classic player.
#[rustfmt::skip]
const FRONTS: [Front; 6] = [
    Front { figure: [4, 0, 8, 8], base: [8, 8], overlay: [40, 8], mirrored: None },
    Front { figure: [4, 8, 8, 12], base: [20, 20], overlay: [20, 36], mirrored: None },
    Front { figure: [0, 8, 4, 12], base: [44, 20], overlay: [44, 36], mirrored: None },
    Front { figure: [12, 8, 4, 12], base: [36, 52], overlay: [52, 52], mirrored: Some([44, 20]) },
    Front { figure: [4, 20, 4, 12], base: [4, 20], overlay: [4, 36], mirrored: None },
    Front { figure: [8, 20, 4, 12], base: [20, 52], overlay: [4, 52], mirrored: Some([4, 20]) },
];

/// A skin file, and the way in which it is shown.
struct Shown<'a> {
    file: &'a Image,
    model: Model,
    layers: Layers,
    faint_texels: bool,
}

impl Shown<'_> {
    fn is_legacy(&self) -> bool {
        self.file.height < self.file.width
    }

    /// The texels of the file for one of a skin of 64.
    fn scale(&self) -> u32 {
        self.file.width / 64
    }

    /// The fronts on this model: slim arms have no outer column on the figure, and no last one on
    /// the skin.
    fn fronts(&self) -> [Front; 6] {
        let mut fronts = FRONTS;
        if self.model == Model::Slim {
            let [.., right_arm, left_arm, _, _] = &mut fronts;
            right_arm.figure = [1, 8, 3, 12];
            left_arm.figure = [12, 8, 3, 12];
        }
        fronts
    }

    /// The color at a place of the figure, which is 16 x 32 texels of a skin of 64.
    fn color(&self, x: u32, y: u32) -> Texel {
        let scale = self.scale();
        for front in self.fronts() {
            let [left, top, width, height] = front.figure.map(|texels| texels * scale);
            if !(left..left + width).contains(&x) || !(top..top + height).contains(&y) {
                continue;
            }
            let [x, y] = [x - left, y - top];
            let base = match front.mirrored {
                // The limb of a legacy skin is four texels wide on every model.
                Some(place) if self.is_legacy() => self.texel(place, 4 * scale - 1 - x, y),
                _ => self.texel(front.base, x, y),
            };
            return over(self.overlay(&front, x, y), base);
        }
        [0; 4]
    }

    fn overlay(&self, front: &Front, x: u32, y: u32) -> Texel {
        let is_hat = front.overlay == [40, 8];
        if self.layers == Layers::Base || self.is_legacy() && !is_hat {
            return [0; 4];
        }
        if self.is_legacy() && self.has_background() {
            return [0; 4];
        }
        let texel = self.texel(front.overlay, x, y);
        if f64::from(texel[3]) / 255.0 < 0.1 && !self.faint_texels {
            return [0; 4];
        }
        texel
    }

    /// Returns `true` if the hat's front is opaque and of one color.
    fn has_background(&self) -> bool {
        let first = self.texel([40, 8], 0, 0);
        let side = 8 * self.scale();
        let mut places = (0..side).flat_map(|y| (0..side).map(move |x| (x, y)));
        first[3] == 255 && places.all(|(x, y)| self.texel([40, 8], x, y) == first)
    }

    fn texel(&self, [left, top]: [u32; 2], x: u32, y: u32) -> Texel {
        let scale = self.scale();
        self.file.pixel(left * scale + x, top * scale + y)
    }
}

/// Composites an overlay on a base, which is opaque whatever its alpha.
fn over(upper: Texel, [r, g, b, _]: Texel) -> Texel {
    let share = f64::from(upper[3]) / 255.0;
    let mix = |above: u8, below: u8| {
        let mixed = f64::from(above) * share + f64::from(below) * (1.0 - share);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a channel"
        )]
        let rounded = mixed.round() as u8;
        rounded
    };
    [mix(upper[0], r), mix(upper[1], g), mix(upper[2], b), 255]
}

/// Computes the picture of a view: of columns and rows of a skin of 64.
fn picture(shown: &Shown<'_>, view: View, width: u32, height: u32) -> Image {
    let scale = shown.scale();
    let [columns, rows] = match view {
        View::Face => [8, 8],
        View::Bust => [16, 16],
        View::Body => [16, 32],
        _ => [49, 32],
    };
    drawn::painted([width, height], |x, y| {
        let column = (2 * x + 1) * columns * scale / (2 * width);
        let row = (2 * y + 1) * rows * scale / (2 * height);
        match view {
            View::Face => shown.color(4 * scale + column, row),
            View::Bust | View::Body => shown.color(column, row),
            // The face, four times as large, an empty column, and the figure.
            _ if column < 32 * scale => shown.color(4 * scale + column / 4, row / 4),
            _ if column < 33 * scale => [0; 4],
            _ => shown.color(column - 33 * scale, row),
        }
    })
}

/// Asserts that two pictures differ by roundings alone.
#[track_caller]
fn check(name: &str, actual: &Image, expected: &Image) {
    let steps = |(a, b): (&u8, &u8)| a.abs_diff(*b);
    let differences = actual.rgba.iter().zip(&expected.rgba).map(steps);
    assert_eq!(actual.rgba.len(), expected.rgba.len(), "{name}");
    assert!(differences.max() <= Some(1), "{name}");
}

#[test]
fn flat_pictures_of_field_files_are_as_computed() {
    for (number, FieldFile { name, png, pixels }) in field_files().iter().enumerate() {
        let Some(file) = pixels else {
            continue;
        };
        // A third of the files is drawn at the size of the skin, and half of them on each model.
        let size = [8 * file.width / 64, 37, 64][number % 3];
        let model = [Model::Classic, Model::Slim][number % 2];
        let skin = Skin::decode(png, model).expect(name);
        for view in [View::Face, View::Bust, View::Body, View::Combo] {
            for &layers in Layers::ALL {
                for faint_texels in [false, true] {
                    let spec = PictureSpec::new(view, Size::px(size)).with_layers(layers);
                    let spec = spec.with_faint_texels(faint_texels);
                    let drawn = drawn::image(&spec.picture(&skin).unwrap());
                    let shown = Shown {
                        file,
                        model,
                        layers,
                        faint_texels,
                    };
                    let computed = picture(&shown, view, drawn.width, drawn.height);
                    check(&format!("{name} {view} {layers}"), &drawn, &computed);
                }
            }
        }
    }
}

#[test]
fn field_files_that_may_be_wrong_are_refused() {
    let mut refused = 0;
    for FieldFile { name, png, pixels } in &field_files() {
        if pixels.is_none() {
            let error = Skin::decode(png, None).expect_err(name);
            assert!(matches!(error, TextureError::NotPng { .. }), "{name}");
            refused += 1;
        }
    }
    assert!(refused > 10, "{refused}");
}
