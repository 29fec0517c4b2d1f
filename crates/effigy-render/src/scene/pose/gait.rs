//! Legs that walk.

use crate::scene::angle::Angle;
use crate::scene::pose::sketch::LimbDirections;
use glam::DVec3;

/// The movement of the legs of a figure that walks. A leg comes down ahead, moves to the back on
/// the ground, and swings to the front in the air.
#[derive(Debug, Clone, Copy)]
pub(super) struct Gait {
    /// The distance of the sole in front of the hip, in texels, as it comes down.
    pub(super) ahead: f64,
    /// The distance of the sole behind the hip as it leaves the ground.
    pub(super) behind: f64,
    /// The distances in front of the hip after each quarter of the swing.
    pub(super) swing: [f64; 3],
    /// The bends of the knee in degrees after each eighth of the movement. The first bend is for
    /// the moment when the foot comes down, the fifth for the moment when it leaves the
    /// ground.
    pub(super) knees: [f64; 8],
    /// The distance of the sole to the side of the hip.
    pub(super) apart: f64,
    /// The moment of the left leg's movement, from 0 to 1, at which the movement of the figure
    /// begins. The right leg is half a movement ahead.
    pub(super) start: f64,
}

/// The length of a half of a leg.
const HALF: f64 = 6.0;

impl Gait {
    /// Returns the right leg at a moment of the figure's movement.
    pub(super) fn right_leg(&self, phase: f64) -> LimbDirections {
        self.leg(self.start + 0.5 + phase, -self.apart)
    }

    /// Returns the left leg at a moment of the figure's movement.
    pub(super) fn left_leg(&self, phase: f64) -> LimbDirections {
        self.leg(self.start + phase, self.apart)
    }

    /// Returns a leg at a moment of its own movement.
    fn leg(&self, phase: f64, aside: f64) -> LimbDirections {
        let moment = phase.rem_euclid(1.0);
        let half_bend = Angle::degrees(self.knee(moment) / 2.0);
        let [cosine, sine] = half_bend.cos_sin();
        // The line from the hip to the sole halves the angle of the knee.
        let length = 2.0 * HALF * cosine;
        let sole = self.sole(moment);
        let below = (length * length - sole * sole).sqrt();
        let front = sole / length;
        let down = below / length;
        let side = aside / length;
        LimbDirections {
            upper: DVec3::new(
                side,
                down * cosine - front * sine,
                front * cosine + down * sine,
            ),
            lower: DVec3::new(
                side,
                down * cosine + front * sine,
                front * cosine - down * sine,
            ),
        }
    }

    /// Returns the distance of the sole in front of the hip. On the ground it moves evenly.
    fn sole(&self, moment: f64) -> f64 {
        let stride = self.ahead + self.behind;
        if moment < 0.5 {
            return self.ahead - stride * (moment / 0.5);
        }
        // A curve from quarter to quarter of the swing. At its ends, the foot moves like the
        // ground.
        let ground = -stride / 4.0;
        let [first, second, third] = self.swing;
        let places = [-self.behind, first, second, third, self.ahead];
        let speeds = [
            ground,
            (second + self.behind) / 2.0,
            (third - first) / 2.0,
            (self.ahead - second) / 2.0,
            ground,
        ];
        let quarters = (moment - 0.5) * 8.0;
        let from = index(quarters, 3);
        curve(
            [places[from], places[from + 1]],
            [speeds[from], speeds[from + 1]],
            quarters - from as f64,
        )
    }

    /// Returns the bend of the knee in degrees.
    fn knee(&self, moment: f64) -> f64 {
        let eighths = moment * 8.0;
        let from = index(eighths, 7);
        let knee = |number: usize| self.knees[number % 8];
        // The movement repeats, so seven eighths ahead is one eighth back.
        let speed = |number: usize| (knee(number + 1) - knee(number + 7)) / 2.0;
        let bend = curve(
            [knee(from), knee(from + 1)],
            [speed(from), speed(from + 1)],
            eighths - from as f64,
        );
        bend.max(0.0)
    }
}

/// Returns the whole part of a number, which is limited to `greatest`.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a small positive number"
)]
fn index(number: f64, greatest: usize) -> usize {
    (number as usize).min(greatest)
}

/// Returns the cubic curve between two values with these slopes, after a share of the way.
fn curve([from, to]: [f64; 2], [start, end]: [f64; 2], share: f64) -> f64 {
    let rest = 1.0 - share;
    let near = from * (1.0 + 2.0 * share) + start * share;
    let far = to * (1.0 + 2.0 * rest) - end * rest;
    near * rest * rest + far * share * share
}
