//! Angles with the same sine and cosine on every machine.

use std::f64::consts::PI;
use std::fmt;

/// An angle in tenths of a degree, from -180 to 180 degrees.
///
/// A tenth is fine enough for pictures, and keeps the number of different ones small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Angle(i16);

impl Angle {
    /// No turn.
    pub const ZERO: Angle = Angle(0);

    /// Rounds degrees to tenths. Returns `None` for numbers beyond -180 to 180.
    #[must_use]
    pub fn degrees(degrees: f64) -> Option<Angle> {
        #[expect(clippy::cast_possible_truncation, reason = "at most 1,800")]
        let tenths = |degrees: f64| Angle((degrees * 10.0).round() as i16);
        (-180.0..=180.0).contains(&degrees).then(|| tenths(degrees))
    }

    /// Parses a number of degrees of at most `max` to either side, and rounds it to tenths.
    #[must_use]
    pub fn parse_within(text: &str, max: f64) -> Option<Angle> {
        let degrees: f64 = text.parse().ok()?;
        (-max..=max)
            .contains(&degrees)
            .then(|| Angle::degrees(degrees))?
    }

    /// An angle of a whole number of degrees, for tables.
    pub(crate) const fn whole(degrees: i16) -> Angle {
        assert!(degrees >= -180 && degrees <= 180);
        Angle(degrees * 10)
    }

    /// The number of degrees.
    #[must_use]
    pub fn to_degrees(self) -> f64 {
        f64::from(self.0) / 10.0
    }

    /// Returns cosine and sine. They come from series, because those of libraries differ from machine to
    /// machine in their last bits. Right angles are exact.
    pub(crate) fn cos_sin(self) -> [f64; 2] {
        // Within an eighth of a turn of a right angle the series converge quickly.
        let quarters = (i32::from(self.0) + 450).div_euclid(900);
        let x = f64::from(i32::from(self.0) - quarters * 900) * PI / 1800.0;
        let (mut cosine, mut sine, mut term) = (0.0, 0.0, 1.0);
        for n in 0..10 {
            cosine += term;
            term *= x / f64::from(2 * n + 1);
            sine += term;
            term *= -x / f64::from(2 * n + 2);
        }
        match quarters.rem_euclid(4) {
            0 => [cosine, sine],
            1 => [-sine, cosine],
            2 => [-cosine, -sine],
            _ => [sine, -cosine],
        }
    }
}

impl fmt::Display for Angle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_degrees().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sines_and_cosines_are_right() {
        for tenths in -1800..=1800 {
            let angle = Angle(tenths);
            let [cosine, sine] = angle.cos_sin();
            let expected = angle.to_degrees().to_radians();
            assert!((cosine - expected.cos()).abs() < 1e-15, "{angle}: {cosine}");
            assert!((sine - expected.sin()).abs() < 1e-15, "{angle}: {sine}");
        }
        assert_eq!(Angle(900).cos_sin(), [0.0, 1.0]);
        assert_eq!(Angle(-1800).cos_sin(), [-1.0, 0.0]);
    }

    #[test]
    fn degrees_are_rounded_to_tenths() {
        for (degrees, tenths) in [(0.04, 0), (0.05, 1), (-180.0, -1800), (180.0, 1800)] {
            assert_eq!(Angle::degrees(degrees), Some(Angle(tenths)), "{degrees}");
        }
        for degrees in [180.1, -181.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Angle::degrees(degrees), None, "{degrees}");
        }
        for (text, tenths) in [("25", 250), ("-25.3", -253), ("+1e1", 100), ("90", 900)] {
            assert_eq!(
                Angle::parse_within(text, 90.0),
                Some(Angle(tenths)),
                "{text}"
            );
        }
        for text in ["", "left", "90.01", "NaN", "inf", "1 "] {
            assert_eq!(Angle::parse_within(text, 90.0), None, "{text}");
        }
        assert_eq!(Angle(-253).to_string(), "-25.3");
        assert_eq!(Angle(250).to_string(), "25");
    }
}
