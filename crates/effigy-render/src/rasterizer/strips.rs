//! The pipeline of an isometric picture, in strips of rows: project, filter, mirror.

use crate::RenderError;
use crate::rasterizer::horizontal_filter::HorizontalFilter;
use crate::rasterizer::scan::ProjectedFigure;
use crate::rasterizer::vertical_filter::VerticalFilter;
use crate::scene::Scene;

/// The aimed size of a strip's pixels, which fits into a processor's cache.
const STRIP_BYTES: usize = 2 << 20;

/// The least height of a strip. Every strip scans all columns of the picture.
const MIN_STRIP_ROWS: usize = 16;

/// The greatest height of a strip, for which the filtered columns fit into the cache as well.
const MAX_STRIP_ROWS: usize = 1024;

impl Scene<'_> {
    /// Draws the picture in strips of whole rows from the top: straight RGBA.
    pub(crate) fn strips(
        &self,
        take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let height = STRIP_BYTES / 4 / self.size[0] as usize;
        self.strips_of(height.clamp(MIN_STRIP_ROWS, MAX_STRIP_ROWS), take)
    }

    /// Draws the picture in strips of this height. The last one may be lower.
    fn strips_of(
        &self,
        height: usize,
        mut take: impl FnMut(&[[u8; 4]]) -> Result<(), RenderError>,
    ) -> Result<(), RenderError> {
        let [width, rows] = self.size;
        let height = height.min(rows as usize);
        // First what takes the most memory, since the rest cannot be refused.
        let mut pixels = blank(width as usize, height)?;
        let figure = ProjectedFigure::new(self);

        let mut start = 0;
        while start < rows {
            let end = u32::try_from(height).map_or(rows, |height| rows.min(start + height));
            let vertical = VerticalFilter::new(rows, start..end);
            let strip = &mut pixels[..width as usize * vertical.height()];
            if start > 0 {
                strip.fill([0; 4]);
            }
            self.draw_strip(&figure, &vertical, strip)?;
            take(strip)?;
            start = end;
        }
        Ok(())
    }

    /// Draws a strip on blank pixels.
    fn draw_strip(
        &self,
        figure: &ProjectedFigure<'_>,
        vertical: &VerticalFilter,
        strip: &mut [[u8; 4]],
    ) -> Result<(), RenderError> {
        let width = self.size[0] as usize;
        let mut horizontal = HorizontalFilter::new(&figure.columns, width, vertical.height())?;
        figure.filter_columns(vertical, |number, pair| {
            horizontal.push_pair(number, pair, vertical, strip);
        });
        if self.is_mirrored {
            strip.chunks_exact_mut(width).for_each(<[_]>::reverse);
        }
        Ok(())
    }
}

/// Allocates transparent pixels.
pub(crate) fn blank(width: usize, height: usize) -> Result<Vec<[u8; 4]>, RenderError> {
    let mut pixels = Vec::new();
    pixels
        .try_reserve_exact(width * height)
        .map_err(|_| RenderError::OutOfMemory {
            width: u32::try_from(width).unwrap_or(u32::MAX),
            height: u32::try_from(height).unwrap_or(u32::MAX),
        })?;
    pixels.resize(width * height, [0; 4]);
    Ok(pixels)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::picture::{Drawing, Picture};
    use crate::{Facing, Model, PictureSpec, Size, Skin, View};

    fn body(skin: &Skin, width: u32, facing: Facing) -> Picture<'_> {
        let spec = PictureSpec::new(View::IsometricBody, Size::new(width).unwrap());
        spec.with_facing(facing).picture(skin).unwrap()
    }

    /// Returns the strips of this height.
    fn strips(picture: &Picture<'_>, height: usize) -> Vec<Vec<[u8; 4]>> {
        let Drawing::Scene(scene) = &picture.drawing else {
            panic!("the picture is flat");
        };
        let mut strips = Vec::new();
        let take = |strip: &[[u8; 4]]| {
            strips.push(strip.to_vec());
            Ok(())
        };
        let drawn = scene.strips_of(height, take);
        drawn.expect("the picture is small");
        strips
    }

    #[test]
    fn the_height_of_strips_does_not_change_the_picture() {
        let skin = Skin::decode(fixtures::skin("ghost").png, Model::Classic).expect("a drawn skin");
        for (size, facing) in [
            (1, Facing::Right),
            (64, Facing::Left),
            (150, Facing::BackLeft),
        ] {
            let drawing = body(&skin, size, facing);
            let [whole] = &strips(&drawing, usize::MAX)[..] else {
                panic!("{size} comes in pieces");
            };
            let width = size as usize;
            assert_eq!(whole.len(), width * drawing.height() as usize);
            for height in [1, 2, 7, 16, 100] {
                let strips = strips(&drawing, height);
                let (last, full) = strips.split_last().expect("at least one strip");
                assert!(full.iter().all(|strip| strip.len() == width * height));
                assert!(last.len() <= width * height);
                assert!(strips.concat() == *whole, "{size} in strips of {height}");
            }
        }
    }

    #[test]
    fn nothing_is_drawn_once_a_strip_is_refused() {
        let skin = Skin::decode(fixtures::skin("fox").png, Model::Slim).expect("a drawn skin");
        let mut strips = 0;
        let Drawing::Scene(scene) = body(&skin, 128, Facing::Right).drawing else {
            panic!("the picture is flat");
        };
        let refused = scene.strips_of(16, |_| {
            strips += 1;
            match strips {
                3 => Err(RenderError::NoPlayers),
                _ => Ok(()),
            }
        });
        assert!(
            matches!(refused, Err(RenderError::NoPlayers)),
            "{refused:?}"
        );
        assert_eq!(strips, 3);
    }
}
