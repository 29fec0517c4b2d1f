//! The parameters of pictures in a query.

use std::str::FromStr;

use effigy_player::Model;
use effigy_render::{Camera, Facing, Layers, Light, NamedPose, PictureSpec, Size, View};

use crate::routes::{
    docs::Parameter,
    parameters::{CAPE, FACING, LIGHT, MODEL, OVERLAY, PITCH, POSE, V1_SIZE, YAW},
    specified::BAD_MODEL,
    target::Rejection,
    url::{Query, whole_number},
};

/// The largest size, which keeps every picture small enough for the cache. The specified paths have
/// no limit.
pub(in crate::routes) const MAX_SIZE: u32 = 2048;

/// The size if the query has none.
const DEFAULT_SIZE: Size = Size::new(128).expect("not zero");

const BAD_SIZE: &str = "Size must be a whole number from 1 to 2048";
const BAD_FACING: &str = "Facing must be \"left\", \"right\", \"back-left\" or \"back-right\"";
const BAD_YAW: &str = "Yaw must be a number from -180 to 180";
const BAD_PITCH: &str = "Pitch must be a number from -90 to 90";
const BAD_POSE: &str = "Pose must be \"stand\", \"walk\", \"run\", \"wave\", \"sit\", \"crouch\", \
    \"point\" or \"cheer\"";
const BAD_LIGHT: &str = "Light must be \"none\", \"soft\" or \"game\"";
const BAD_CAPE: &str = "Cape must be \"true\" or \"false\"";
const BAD_OVERLAY: &str = "Overlay must be \"true\" or \"false\"";

/// The parameters that a query may have. Others are ignored.
pub(in crate::routes) const PARAMETERS: [Parameter; 9] = [
    V1_SIZE, FACING, YAW, PITCH, POSE, LIGHT, CAPE, OVERLAY, MODEL,
];

/// The parameters in a query. The view decides what the missing ones are.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct RenderParams {
    size: Option<Size>,
    facing: Option<Facing>,
    yaw: Option<f64>,
    pitch: Option<f64>,
    pose: Option<NamedPose>,
    light: Option<Light>,
    has_cape: Option<bool>,
    has_overlay: Option<bool>,
    /// The model that a texture is drawn on.
    pub(super) model: Option<Model>,
}

impl RenderParams {
    /// Parses a query. Of several values of one name, the first counts.
    pub(super) fn parse(view: View, query: Query<'_>) -> Result<Self, Rejection> {
        let mut params = Self::default();
        for (name, value) in query.pairs() {
            let mut known = PARAMETERS.iter();
            let Some(parameter) = known.find(|parameter| parameter.name == name) else {
                continue;
            };
            if !parameter.applies_to(view) {
                return Err(parameter.misplaced().into());
            }
            params.read(parameter.name, &value)?;
        }
        Ok(params)
    }

    fn read(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        match name {
            "size" => first(&mut self.size, || size(value), BAD_SIZE),
            "facing" => first(&mut self.facing, || word(value), BAD_FACING),
            "yaw" => first(&mut self.yaw, || degrees(value, 180.0), BAD_YAW),
            "pitch" => first(&mut self.pitch, || degrees(value, 90.0), BAD_PITCH),
            "pose" => first(&mut self.pose, || word(value), BAD_POSE),
            "light" => first(&mut self.light, || word(value), BAD_LIGHT),
            "cape" => first(&mut self.has_cape, || word(value), BAD_CAPE),
            "overlay" => first(&mut self.has_overlay, || word(value), BAD_OVERLAY),
            "model" => first(&mut self.model, || word(value), BAD_MODEL),
            _ => Ok(()),
        }
    }

    /// Returns the picture of a view.
    pub(super) fn spec(self, view: View) -> PictureSpec {
        let default = PictureSpec::new(view, self.size.unwrap_or(DEFAULT_SIZE));
        let layers = match self.has_overlay {
            Some(false) => Layers::Base,
            _ => Layers::WithOverlay,
        };
        default
            .with_camera(self.camera(default.camera))
            .with_pose(self.pose.unwrap_or_default())
            .with_light(self.light.unwrap_or(default.light))
            .with_cape(self.has_cape.unwrap_or(default.has_cape))
            .with_layers(layers)
    }

    fn camera(self, default: Camera) -> Camera {
        match default {
            Camera::Isometric(facing) => Camera::Isometric(self.facing.unwrap_or(facing)),
            Camera::Orthographic { yaw, pitch } => {
                let yaw = self.yaw.unwrap_or(yaw.to_degrees());
                let pitch = self.pitch.unwrap_or(pitch.to_degrees());
                Camera::orthographic(yaw, pitch).unwrap_or(default)
            }
        }
    }
}

/// Sets a parameter unless it is set already.
fn first<T>(
    parameter: &mut Option<T>,
    parse: impl FnOnce() -> Option<T>,
    reason: &'static str,
) -> Result<(), &'static str> {
    if parameter.is_none() {
        *parameter = Some(parse().ok_or(reason)?);
    }
    Ok(())
}

fn size(text: &str) -> Option<Size> {
    whole_number(text, MAX_SIZE).and_then(Size::new)
}

fn degrees(text: &str, max: f64) -> Option<f64> {
    let number = text.parse().ok();
    number.filter(|number| (-max..=max).contains(number))
}

fn word<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(view: View, query: &str) -> Result<PictureSpec, Rejection> {
        let params = RenderParams::parse(view, Query::new(Some(query)))?;
        Ok(params.spec(view))
    }

    fn of_size(view: View, pixels: u32) -> PictureSpec {
        PictureSpec::new(view, Size::new(pixels).unwrap())
    }

    #[test]
    fn missing_parameters_have_defaults() {
        let body = of_size(View::IsometricBody, 128);
        let bust = of_size(View::Bust, 128);
        let figure = of_size(View::Figure, 128);
        let turned = |yaw, pitch| figure.with_camera(Camera::orthographic(yaw, pitch).unwrap());
        let rows = [
            (bust, "", bust),
            (bust, "anything=else", bust),
            (bust, "size=1", of_size(View::Bust, 1)),
            (bust, "size=2048", of_size(View::Bust, 2048)),
            (bust, "size=064&size=0", of_size(View::Bust, 64)),
            (bust, "overlay=true", bust),
            (bust, "overlay=false", bust.with_layers(Layers::Base)),
            (bust, "model=slim", bust),
            (body, "facing=left", body.with_facing(Facing::Left)),
            (body, "facing=back-left", body.with_facing(Facing::BackLeft)),
            (body, "light=soft", body.with_light(Light::Soft)),
            (body, "cape=true", body.with_cape(true)),
            (figure, "", figure),
            (figure, "yaw=-30", turned(-30.0, 10.0)),
            (figure, "pitch=-7.5", turned(25.0, -7.5)),
            (figure, "yaw=0.04&pitch=-0", turned(0.0, 0.0)),
            (figure, "pose=sit", figure.with_pose(NamedPose::Sit)),
            (figure, "light=none", figure.with_light(Light::None)),
            (figure, "cape=false", figure.with_cape(false)),
        ];
        for (view, query, expected) in rows {
            assert_eq!(spec(view.view, query), Ok(expected), "{query}");
        }
        let slim = RenderParams::parse(View::Head, Query::new(Some("model=slim")));
        assert_eq!(slim.unwrap().model, Some(Model::Slim));
    }

    #[test]
    fn invalid_parameters_are_errors() {
        let rows = [
            ("size=0", BAD_SIZE),
            ("size=2049", BAD_SIZE),
            ("size=99999999999", BAD_SIZE),
            ("size=-1", BAD_SIZE),
            ("size=%2B1", BAD_SIZE),
            ("size=1.5", BAD_SIZE),
            ("size=", BAD_SIZE),
            ("yaw=180.1", BAD_YAW),
            ("yaw=left", BAD_YAW),
            ("yaw=", BAD_YAW),
            ("yaw=NaN", BAD_YAW),
            ("yaw=inf", BAD_YAW),
            ("pitch=-90.1", BAD_PITCH),
            ("pose=dance", BAD_POSE),
            ("light=bright", BAD_LIGHT),
            ("cape=yes", BAD_CAPE),
            ("overlay=no", BAD_OVERLAY),
            ("overlay", BAD_OVERLAY),
            ("model=Slim", BAD_MODEL),
        ];
        for (query, reason) in rows {
            assert_eq!(spec(View::Figure, query), Err(reason.into()), "{query}");
        }
        for query in ["facing=front", "facing="] {
            let refused = spec(View::IsometricHead, query);
            assert_eq!(refused, Err(BAD_FACING.into()), "{query}");
        }
        assert!(BAD_SIZE.contains(&MAX_SIZE.to_string()));
        for pose in NamedPose::ALL {
            assert!(BAD_POSE.contains(&format!("\"{pose}\"")), "{pose}");
        }
    }

    #[test]
    fn parameters_of_other_views_are_errors() {
        let rows = [
            (
                View::Bust,
                "yaw=0",
                "Yaw applies only to figure, portrait and cube",
            ),
            (
                View::IsometricHead,
                "pose=sit",
                "Pose applies only to figure, portrait and cube",
            ),
            (
                View::Head,
                "light=none",
                "Light applies only to ioshead, avatar, figure, portrait and cube",
            ),
            (
                View::HeadCube,
                "cape=true",
                "Cape applies only to avatar, figure and portrait",
            ),
            (
                View::Figure,
                "facing=left",
                "Facing applies only to head, bust, player, combo, ioshead and avatar",
            ),
        ];
        for (view, query, reason) in rows {
            assert_eq!(spec(view, query), Err(reason.into()), "{query}");
        }
    }
}
