//! The arguments of views with a camera, a pose, light and a cape.

use std::path::PathBuf;

use clap::Args;
use effigy_render::{Angle, Light, NamedPose};

use crate::values::{self, words};

/// The camera, pose, light and cape of a picture.
#[derive(Debug, Args)]
pub struct SceneArgs {
    /// The direction in which a figure, portrait or cube looks, from -180 to 180 degrees: 0 toward the
    /// viewer, 90 to the right of the picture (default: 25).
    #[arg(long, value_name = "DEGREES", value_parser = values::yaw, allow_negative_numbers = true)]
    pub yaw: Option<Angle>,
    /// The height of the viewer of a figure, portrait or cube, from -90 to 90 degrees: 0 level with the
    /// player, 90 above (default: 10).
    #[arg(long, value_name = "DEGREES", value_parser = values::pitch, allow_negative_numbers = true)]
    pub pitch: Option<Angle>,
    /// The pose of a figure, portrait or cube (default: stand).
    #[arg(long, value_parser = words(&NamedPose::ALL.map(NamedPose::as_str), str::parse::<NamedPose>))]
    pub pose: Option<NamedPose>,
    /// The light of a view that is not flat (default: none for isometric views, else soft).
    #[arg(long, value_parser = words(&Light::ALL.map(Light::as_str), str::parse::<Light>))]
    pub light: Option<Light>,
    /// The file of a cape, for a figure, a portrait or an isometric body. A figure or portrait of a player
    /// shows the player's own cape by default.
    #[arg(long, value_name = "FILE", conflicts_with = "no_cape")]
    pub cape: Option<PathBuf>,
    /// Leave out the player's cape.
    #[arg(long)]
    pub no_cape: bool,
}
