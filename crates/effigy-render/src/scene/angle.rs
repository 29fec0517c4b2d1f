//! Angles with the same sine and cosine on every machine.

use std::f64::consts::PI;
use std::fmt;

/// An angle in tenths of a degree, from -180 to 180 degrees.
///
/// A tenth is fine enough for pictures, and keeps the number of different pictures small.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Angle(i16);

impl Angle {
    /// No turn.
    pub const ZERO: Angle = Angle(0);

    /// An angle of this many degrees, rounded to tenths. Angles beyond -180 to 180 degrees are
    /// turned back by whole turns: 190 is -170. Infinities and NaN are no turn.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "at most 1,800")]
    pub const fn degrees(degrees: f64) -> Angle {
        let within = match degrees {
            -180.0..=180.0 => degrees,
            _ => degrees - 360.0 * ((degrees + 180.0) / 360.0).floor(),
        };
        // The numbers beyond some millions of millions of turns have no angle.
        let within = within.clamp(-180.0, 180.0);
        Angle((within * 10.0 + 0.5_f64.copysign(within)) as i16)
    }

    /// The number of degrees, from -180 to 180.
    #[must_use]
    pub const fn to_degrees(self) -> f64 {
        self.0 as f64 / 10.0
    }

    /// The angle after a turn by this many degrees.
    pub(crate) fn plus(self, degrees: f64) -> Angle {
        Angle::degrees(self.to_degrees() + degrees)
    }

    /// The angle at a share of the way from this one to another.
    pub(crate) fn between(self, other: Angle, share: f64) -> Angle {
        let from = self.to_degrees();
        let to = other.to_degrees();
        Angle::degrees(from + (to - from) * share)
    }

    /// The angle with this cosine and sine, or with any multiple of them. Without a direction it is
    /// no turn.
    pub(crate) fn of(cosine: f64, sine: f64) -> Angle {
        let length = (cosine * cosine + sine * sine).sqrt();
        if length == 0.0 {
            return Angle::ZERO;
        }
        // The tangent of half the angle to the axis, which is at most 1. The loop halves the angle
        // twice.
        let mut tangent = sine / (length + cosine.abs());
        for _ in 0..2 {
            tangent /= 1.0 + (1.0 + tangent * tangent).sqrt();
        }
        // The series of the arc tangent, which is equal on every machine, as are roots.
        let square = tangent * tangent;
        let mut power = tangent;
        let mut arc = 0.0;
        for n in 0..10 {
            arc += power / f64::from(2 * n + 1);
            power *= -square;
        }
        let degrees = 8.0 * arc * 180.0 / PI;
        if cosine < 0.0 {
            Angle::degrees(180.0_f64.copysign(degrees) - degrees)
        } else {
            Angle::degrees(degrees)
        }
    }

    /// Returns cosine and sine. They come from series, because the functions of libraries differ
    /// from machine to machine in their last bits. Right angles are exact.
    pub(crate) fn cos_sin(self) -> [f64; 2] {
        // Most joints of a figure do not turn.
        if self == Angle::ZERO {
            return [1.0, 0.0];
        }
        // Within an eighth of a turn of a right angle the series converge quickly.
        let quarters = (i32::from(self.0) + 450).div_euclid(900);
        let x = f64::from(i32::from(self.0) - quarters * 900) * PI / 1800.0;
        let mut cosine = 0.0;
        let mut sine = 0.0;
        let mut term = 1.0;
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
        for half in [-1800, 1800] {
            assert_eq!(Angle(half).cos_sin(), [-1.0, 0.0]);
        }
    }

    #[test]
    fn cosine_and_sine_have_their_angle() {
        for tenths in -1799..=1800 {
            let [cosine, sine] = Angle(tenths).cos_sin();
            assert_eq!(Angle::of(cosine * 0.3, sine * 0.3), Angle(tenths));
        }
        assert_eq!(Angle::of(0.0, 0.0), Angle::ZERO);
    }

    #[test]
    fn degrees_are_rounded_to_tenths_and_turned_back() {
        for (degrees, tenths) in [
            (0.04, 0),
            (0.05, 1),
            (-0.05, -1),
            (-180.0, -1800),
            (180.0, 1800),
            (180.1, -1799),
            (-190.0, 1700),
            (360.0, 0),
            (725.0, 50),
            (-540.0, -1800),
            (f64::NAN, 0),
            (f64::NEG_INFINITY, 0),
        ] {
            assert_eq!(Angle::degrees(degrees), Angle(tenths), "{degrees}");
        }
        let far = Angle::degrees(1e300);
        assert!((Angle(-1800)..=Angle(1800)).contains(&far), "{far}");
    }

    #[test]
    fn angles_are_shown_in_degrees() {
        assert_eq!(Angle(-253).to_string(), "-25.3");
        assert_eq!(Angle(250).to_string(), "25");
    }

    #[test]
    fn an_angle_lies_between_two_others() {
        assert_eq!(Angle(-100).between(Angle(200), 0.5), Angle(50));
    }
}
