//! The processor time that pictures take, as clients are charged for it: by the kind of picture,
//! its pixels and its frames. `benches/README.md` has the measurements.

use std::time::Duration;

use effigy_render::{ImageFormat, PictureSpec, View};

use super::{group_request::GroupRequest, picture_params::PictureParams};

/// The cost of a kind of picture.
struct Cost {
    /// The cost of the smallest picture.
    least: Duration,
    /// The cost of each further million pixels.
    megapixel: Duration,
}

/// Front views, of which most rows repeat.
const FLAT: Cost = Cost {
    least: Duration::from_micros(200),
    megapixel: Duration::from_millis(3),
};

const ISOMETRIC: Cost = Cost {
    least: Duration::from_micros(500),
    megapixel: Duration::from_millis(12),
};

/// Figures, portraits and cubes.
const FIGURE: Cost = Cost {
    least: Duration::from_micros(1_500),
    megapixel: Duration::from_millis(14),
};

/// The cost of an SVG in addition. It depends on the texels of the skin.
const SVG: Duration = Duration::from_millis(10);

/// The cost of a million pixels of an outline in addition.
const OUTLINE_MEGAPIXEL: Duration = Duration::from_millis(6);

/// The cost of a document that is made for each request: a page, the metrics, a list.
pub(crate) const DOCUMENT: Duration = Duration::from_millis(1);

/// The greatest cost of one picture: the time after which drawing is stopped.
const MAX: Duration = Duration::from_secs(30);

impl PictureParams {
    /// Returns the approximate processor time of drawing. The unmodified texture takes none.
    pub(crate) fn drawing_cost(&self) -> Duration {
        let Some(spec) = self.spec else {
            return Duration::ZERO;
        };
        let pixels = spec.width().saturating_mul(spec.height());
        let frames = match self.motion {
            Some(motion) => u64::from(motion.frames()),
            None => 1,
        };
        let mut cost = cost_of(&spec).times(pixels, frames);
        if self.format == ImageFormat::Svg {
            cost = cost.saturating_add(SVG);
        }
        if self.format == ImageFormat::Gif {
            // The colors are counted before they are drawn.
            cost = cost.saturating_mul(2);
        }
        cost.min(MAX)
    }
}

impl GroupRequest {
    /// Returns the approximate processor time of drawing.
    pub(crate) fn drawing_cost(&self) -> Duration {
        if self.positions_only {
            return DOCUMENT;
        }
        let pixels = self.spec.width().saturating_mul(self.spec.height());
        let players = self.players.len() as u64;
        cost_of(&self.spec).times(pixels, players).min(MAX)
    }
}

fn cost_of(spec: &PictureSpec) -> Cost {
    let mut cost = match spec.view {
        View::Figure | View::Portrait | View::Cube => FIGURE,
        view if view.is_flat() => FLAT,
        _ => ISOMETRIC,
    };
    if spec.outline.is_some() {
        cost.megapixel += OUTLINE_MEGAPIXEL;
    }
    cost
}

impl Cost {
    /// Returns the cost of several pictures that have this number of pixels each.
    fn times(&self, pixels: u64, pictures: u64) -> Duration {
        let megapixels = pixels as f64 / 1e6;
        let of_pixels = (self.megapixel.as_secs_f64() * megapixels).min(MAX.as_secs_f64());
        let each = self.least + Duration::from_secs_f64(of_pixels);
        each.saturating_mul(u32::try_from(pictures).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use effigy_render::{Outline, Size};

    use super::*;

    fn cost(view: View, size: u32, format: ImageFormat) -> Duration {
        let spec = PictureSpec::new(view, Size::px(size));
        PictureParams::beyond_specification(spec, format).drawing_cost()
    }

    #[test]
    fn larger_and_more_elaborate_pictures_cost_more() {
        let png = ImageFormat::Png;
        let head = cost(View::Face, 64, png);
        let isometric = cost(View::IsometricBody, 64, png);
        let figure = cost(View::Figure, 64, png);
        let large_figure = cost(View::Figure, 512, png);
        let svg = cost(View::Figure, 512, ImageFormat::Svg);
        let costs = [head, isometric, figure, large_figure, svg];
        assert!(costs.is_sorted() && head > Duration::ZERO, "{costs:?}");
    }

    #[test]
    fn an_outline_costs_more_of_many_pixels() {
        for view in [View::Face, View::IsometricBody, View::Figure] {
            let spec = PictureSpec::new(view, Size::px(1000));
            let outlined_spec = spec.with_outline(Outline::new([255; 4]));
            let plain = PictureParams::beyond_specification(spec, ImageFormat::Png).drawing_cost();
            let outlined =
                PictureParams::beyond_specification(outlined_spec, ImageFormat::Png).drawing_cost();
            assert!(outlined > plain + Duration::from_millis(5), "{view}");
        }
    }

    #[test]
    fn the_largest_picture_costs_the_longest_drawing() {
        assert_eq!(cost(View::IsometricBody, 1 << 30, ImageFormat::Png), MAX);
    }

    #[test]
    fn an_unmodified_texture_costs_nothing() {
        assert_eq!(PictureParams::SKIN.drawing_cost(), Duration::ZERO);
    }
}
