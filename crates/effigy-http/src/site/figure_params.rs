//! The parameters of the figure on the landing page.

use std::{fmt, str::FromStr};

use effigy_render::{Angle, Camera, Light, NamedPose};

use crate::routes::Query;

/// The parameters of the figure. Its text is the end of the query of the picture's URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FigureParams {
    pub(super) yaw: Angle,
    pub(super) pitch: Angle,
    pub(super) pose: NamedPose,
    pub(super) light: Light,
    pub(super) has_cape: bool,
    pub(super) has_overlay: bool,
}

impl FigureParams {
    /// Parses the query of the page. Invalid parameters have their defaults, which are those of `/v1/`.
    pub(super) fn parse(query: Query<'_>) -> Self {
        let default = Self::default();
        let angle = |name, max, default| {
            let text = query.get(name);
            let angle = text.and_then(|text| Angle::parse_within(&text, max));
            angle.unwrap_or(default)
        };
        Self {
            yaw: angle("yaw", 180.0, default.yaw),
            pitch: angle("pitch", 90.0, default.pitch),
            pose: word(query, "pose").unwrap_or(default.pose),
            light: word(query, "light").unwrap_or(default.light),
            has_cape: word(query, "cape").unwrap_or(default.has_cape),
            has_overlay: word(query, "overlay").unwrap_or(default.has_overlay),
        }
    }
}

fn word<T: FromStr>(query: Query<'_>, name: &str) -> Option<T> {
    query.get(name)?.parse().ok()
}

impl Default for FigureParams {
    fn default() -> Self {
        let (yaw, pitch) = match Camera::DEFAULT {
            Camera::Orthographic { yaw, pitch } => (yaw, pitch),
            Camera::Isometric(_) => (Angle::ZERO, Angle::ZERO),
        };
        Self {
            yaw,
            pitch,
            pose: NamedPose::Stand,
            light: Light::Soft,
            has_cape: true,
            has_overlay: true,
        }
    }
}

/// Writes what differs from the default: `&yaw=-30&pose=walk`.
impl fmt::Display for FigureParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Self::default();
        if self.yaw != default.yaw {
            write!(f, "&yaw={}", self.yaw)?;
        }
        if self.pitch != default.pitch {
            write!(f, "&pitch={}", self.pitch)?;
        }
        if self.pose != default.pose {
            write!(f, "&pose={}", self.pose)?;
        }
        if self.light != default.light {
            write!(f, "&light={}", self.light)?;
        }
        if !self.has_cape {
            f.write_str("&cape=false")?;
        }
        if !self.has_overlay {
            f.write_str("&overlay=false")?;
        }
        Ok(())
    }
}
