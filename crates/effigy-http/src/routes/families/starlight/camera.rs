//! The eye of Starlight's pictures: its place by type, or as a query has it.

use serde_json::Value;

use crate::routes::query::Query;

/// Half the height in texels of the player who fills the field of view.
const HALF: f64 = 18.0;

/// The places of the eye and the points that it looks at, by type, in texels. The player stands at
/// the origin and looks along the negative z axis, with the right hand at positive x.
#[rustfmt::skip]
const CAMERAS: [(&str, [[f64; 3]; 2]); 18] = [
    ("default", [[11.92, 15.81, -29.71], [0.31, 18.09, 1.32]]),
    ("criss_cross", [[11.92, 15.81, -29.71], [0.31, 18.09, 1.32]]),
    ("marching", [[21.96, 11.12, -28.25], [0.03, 16.12, -0.33]]),
    ("walking", [[23.86, 22.67, -26.65], [-1.49, 17.46, 2.16]]),
    ("crouching", [[16.29, 21.82, -34.03], [-1.83, 16.04, -0.29]]),
    ("crossed", [[17.65, 21.37, -24.47], [-0.35, 16.83, 0.44]]),
    ("ultimate", [[15.0, 22.0, -35.0], [0.0, 16.0, 0.0]]),
    ("isometric", [[-64.0, 60.26, -64.0], [4.0, 12.0, 4.0]]),
    ("head", [[9.97, 19.64, -20.98], [-0.01, 27.96, -0.32]]),
    ("cheering", [[14.88, 28.91, -30.19], [-0.19, 17.08, 3.46]]),
    ("relaxing", [[-16.04, 16.57, -27.5], [-1.05, 6.89, 0.5]]),
    ("trudging", [[16.04, 16.57, -27.5], [0.03, 16.12, -0.33]]),
    ("cowering", [[-14.62, 15.93, -23.63], [1.38, 12.29, -0.37]]),
    ("pointing", [[-3.41, 18.3, -30.8], [-0.08, 19.08, 2.23]]),
    ("lunging", [[-0.41, 24.7, -34.73], [0.45, 20.78, 3.79]]),
    ("dungeons", [[15.26, 19.62, -27.58], [-1.06, 17.6, 1.26]]),
    ("facepalm", [[3.11, 17.56, -31.13], [0.55, 20.96, 1.8]]),
    ("mojavatar", [[11.92, 15.81, -29.71], [0.31, 18.09, 1.32]]),
];

/// The direction and the distance from which a player is seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Eye {
    /// The side in degrees: positive if the player's right side is seen.
    pub(super) yaw: f64,
    /// The height in degrees.
    pub(super) pitch: f64,
    /// The distance in texels.
    distance: f64,
}

impl Eye {
    /// Returns `true` if a query has a place of the eye.
    pub(super) fn is_named(query: &Query<'_>) -> bool {
        point(query, "cameraPosition").is_some() || point(query, "cameraFocalPoint").is_some()
    }

    pub(super) fn of_type(kind: &str) -> Self {
        let [from, to] = places(kind);
        Self::between(from, to)
    }

    /// Returns the eye of a query. What it lacks is that of the type.
    pub(super) fn of_query(kind: &str, query: &Query<'_>) -> Self {
        let [from, to] = places(kind);
        let from = point(query, "cameraPosition").unwrap_or(from);
        let to = point(query, "cameraFocalPoint").unwrap_or(to);
        Self::between(from, to)
    }

    fn between(from: [f64; 3], to: [f64; 3]) -> Self {
        let x = from[0] - to[0];
        let y = from[1] - to[1];
        let z = from[2] - to[2];
        let level = x.hypot(z);
        Self {
            yaw: x.atan2(-z).to_degrees(),
            pitch: y.atan2(level).to_degrees(),
            distance: level.hypot(y),
        }
    }

    /// Returns the angle under which a player appears from this distance, in degrees.
    pub(super) fn fov(self) -> f64 {
        if self.distance == 0.0 {
            return 0.0;
        }
        2.0 * (HALF / self.distance).atan().to_degrees()
    }
}

fn places(kind: &str) -> [[f64; 3]; 2] {
    let found = CAMERAS.iter().find(|(known, _)| *known == kind);
    found.map_or(CAMERAS[0].1, |(_, places)| *places)
}

/// Reads a point: JSON with three numbers, each of which may be a text.
fn point(query: &Query<'_>, name: &str) -> Option<[f64; 3]> {
    let value: Value = serde_json::from_str(query.word(&[name])?).ok()?;
    let mut point = [0.0; 3];
    for (coordinate, axis) in point.iter_mut().zip(["x", "y", "z"]) {
        let number = match &value[axis] {
            Value::String(text) => text.trim().parse().ok(),
            number => number.as_f64(),
        };
        *coordinate = number.filter(|number: &f64| number.is_finite())?;
    }
    Some(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_eyes_of_the_types_are_those_of_the_service() {
        let rows = [
            ("default", [20.5, -3.9, 33.2]),
            ("ultimate", [23.2, 9.0, 38.5]),
            ("isometric", [-45.0, 26.6, 107.6]),
            ("relaxing", [-28.2, 17.0, 33.2]),
            ("sleeping", [20.5, -3.9, 33.2]),
        ];
        for (kind, [yaw, pitch, distance]) in rows {
            let eye = Eye::of_type(kind);
            assert!((eye.yaw - yaw).abs() < 0.06, "{kind}: {eye:?}");
            assert!((eye.pitch - pitch).abs() < 0.06, "{kind}: {eye:?}");
            assert!((eye.distance - distance).abs() < 0.06, "{kind}: {eye:?}");
        }
    }

    #[test]
    fn a_place_is_read_as_json() {
        let text = "cameraposition={\"x\":\"0\",\"y\":18,\"z\":-36}\
            &cameraFocalPoint={\"x\":\"0\",\"y\":\"18\",\"z\":\"0\"}";
        let query = Query::parse_lossy(Some(text));
        let eye = Eye::of_query("default", &query);
        assert_eq!([eye.yaw, eye.pitch, eye.distance], [0.0, 0.0, 36.0]);
        assert!((eye.fov() - 53.13).abs() < 0.01);
        for text in [
            "cameraPosition=1",
            "cameraPosition={\"x\":1}",
            "cameraPosition={",
        ] {
            let query = Query::parse_lossy(Some(text));
            assert_eq!(
                Eye::of_query("default", &query),
                Eye::of_type("default"),
                "{text}"
            );
        }
    }
}
