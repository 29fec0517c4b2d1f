//! The camera of Starlight's pictures, whose place a type or a query defines.

use effigy_render::{Angle, NamedPose};
use serde_json::Value;

use super::{super::grammar::number, types::Type};
use crate::routes::query::Query;

/// Half the height in texels of the player who fills the field of view.
const HALF: f64 = 18.0;

/// The field of view of the service's camera, in degrees.
const USUAL_FOV: f64 = 75.0;

/// The cameras of Starlight's types: the place of the eye and the point that it looks at, in
/// texels. The player stands at the origin and looks along the negative z axis, with the right hand
/// at positive x. Types that are missing here have another pose than at Starlight, which has a
/// camera of its own.
#[rustfmt::skip]
const CAMERAS: [(&str, [[f64; 3]; 2]); 16] = [
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
    /// Returns the eye that a query places, or else that of a type.
    pub(super) fn of_query(kind: &Type, query: &Query<'_>) -> Self {
        let from = point(query, "cameraPosition");
        let to = point(query, "cameraFocalPoint");
        let places = places(kind.word());
        if from.is_none() && to.is_none() && places.is_none() {
            return Self::of_pose(kind.pose());
        }
        let [default_from, default_to] = places.unwrap_or(CAMERAS[0].1);
        Self::between(from.unwrap_or(default_from), to.unwrap_or(default_to))
    }

    /// Returns the eye that shows a pose best.
    fn of_pose(pose: NamedPose) -> Self {
        let angles = pose.camera().angles().unwrap_or_default();
        let [yaw, pitch, fov] = angles.map(Angle::to_degrees);
        Self {
            yaw,
            pitch,
            distance: HALF / half_tangent(fov),
        }
    }

    /// Returns the eye at a point that looks at another one.
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

/// Returns the direction of the light in a query, as the yaw and the pitch from which it comes.
pub(super) fn light(query: &Query<'_>) -> Option<[Angle; 2]> {
    let from = point(query, "dirLightPos")?;
    let direction = Eye::between(from, [0.0; 3]);
    let yaw = Angle::degrees(direction.yaw);
    let pitch = Angle::degrees(direction.pitch);
    Some([yaw, pitch])
}

/// Returns the factor by which a picture is larger than through the usual field of view.
pub(super) fn zoom(query: &Query<'_>) -> f64 {
    match number(query, &["cameraFOV"]) {
        Some(fov) if (1.0..180.0).contains(&fov) => half_tangent(USUAL_FOV) / half_tangent(fov),
        _ => 1.0,
    }
}

fn half_tangent(degrees: f64) -> f64 {
    (degrees.to_radians() / 2.0).tan()
}

/// Returns the place of the eye of a type, and the point that it looks at.
fn places(kind: &str) -> Option<[[f64; 3]; 2]> {
    let (_, places) = CAMERAS.iter().find(|(known, _)| *known == kind)?;
    Some(*places)
}

/// Reads a point, which is a JSON object.
fn point(query: &Query<'_>, name: &str) -> Option<[f64; 3]> {
    let point: Value = serde_json::from_str(query.word(&[name])?).ok()?;
    let x = coordinate(&point["x"])?;
    let y = coordinate(&point["y"])?;
    let z = coordinate(&point["z"])?;
    Some([x, y, z])
}

/// Reads a coordinate, which may be a number in quotation marks.
fn coordinate(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok()?,
        other => other.as_f64()?,
    };
    if number.is_finite() {
        Some(number)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eye(kind: &str, text: &str) -> Eye {
        let query = Query::parse_lossy(Some(text));
        Eye::of_query(Type::find(kind).unwrap(), &query)
    }

    #[test]
    fn types_are_seen_as_at_starlight() {
        let rows = [
            ("default", [20.5, -3.9, 33.2]),
            ("ultimate", [23.2, 9.0, 38.5]),
            ("isometric", [-45.0, 26.6, 107.6]),
            ("relaxing", [-28.2, 17.0, 33.2]),
        ];
        for (kind, [yaw, pitch, distance]) in rows {
            let eye = eye(kind, "");
            assert!((eye.yaw - yaw).abs() < 0.06, "{kind}: {eye:?}");
            assert!((eye.pitch - pitch).abs() < 0.06, "{kind}: {eye:?}");
            assert!((eye.distance - distance).abs() < 0.06, "{kind}: {eye:?}");
        }
    }

    #[test]
    fn types_with_other_poses_have_the_camera_of_the_pose() {
        for (kind, pose) in [("sleeping", NamedPose::Lie), ("kicking", NamedPose::Kick)] {
            let eye = eye(kind, "");
            let angles = pose.camera().angles().unwrap().map(Angle::to_degrees);
            assert_eq!([eye.yaw, eye.pitch], [angles[0], angles[1]], "{kind}");
            assert!((eye.fov() - angles[2]).abs() < 0.01, "{kind}");
        }
    }

    #[test]
    fn camera_position_and_focal_point_are_json() {
        let text = "cameraposition={\"x\":\"0\",\"y\":18,\"z\":-36}\
            &cameraFocalPoint={\"x\":\"0\",\"y\":\"18\",\"z\":\"0\"}";
        for kind in ["default", "sleeping"] {
            let eye = eye(kind, text);
            assert_eq!([eye.yaw, eye.pitch, eye.distance], [0.0, 0.0, 36.0]);
            assert!((eye.fov() - 53.13).abs() < 0.01);
        }
    }

    #[test]
    fn malformed_camera_position_counts_as_missing() {
        for text in [
            "cameraPosition=1",
            "cameraPosition={\"x\":1}",
            "cameraPosition={",
        ] {
            assert_eq!(eye("default", text), eye("default", ""), "{text}");
        }
    }

    #[test]
    fn a_narrow_field_of_view_enlarges() {
        let zoom_of = |text| zoom(&Query::parse_lossy(Some(text)));
        assert!(zoom_of("cameraFOV=30") > 2.0);
        assert!(zoom_of("CameraFov=120") < 0.5);
        for text in ["", "cameraFOV=wide", "cameraFOV=0", "cameraFOV=180"] {
            assert!((zoom_of(text) - 1.0).abs() < 1e-9, "{text}");
        }
    }

    #[test]
    fn light_comes_from_its_place() {
        let light_of = |text| light(&Query::parse_lossy(Some(text)));
        let above = "dirLightPos={\"x\":\"0\",\"y\":\"10\",\"z\":\"-10\"}";
        let angles = [0.0, 45.0].map(Angle::degrees);
        assert_eq!(light_of(above), Some(angles));
        assert_eq!(light_of("dirLightPos=left"), None);
    }
}
