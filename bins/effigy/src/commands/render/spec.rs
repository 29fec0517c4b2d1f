//! From the arguments to the parameters of a picture.

use effigy_render::{Camera, Layers, PictureSpec, View};

use crate::{cli::RenderArgs, failure::ExitError};

/// Returns the picture that the arguments request, or `None` for the texture.
///
/// # Errors
///
/// An argument that the view does not have is a mistake.
pub(super) fn spec(args: &RenderArgs) -> Result<Option<PictureSpec>, ExitError> {
    let Some(view) = args.view.view() else {
        return Ok(None);
    };
    check(args, view)?;
    let size = args.size.unwrap_or(args.view.default_size());
    let layers = match (view.is_flat(), args.hat, args.no_overlay) {
        (true, false, _) | (false, _, true) => Layers::Base,
        _ => Layers::WithOverlay,
    };
    let default = PictureSpec::new(view, size);
    let has_cape = default.has_cape || args.scene.cape.is_some();
    Ok(Some(
        default
            .with_camera(camera(args, default.camera))
            .with_pose(args.scene.pose.unwrap_or_default())
            .with_light(args.scene.light.unwrap_or(default.light))
            .with_cape(has_cape && !args.scene.no_cape)
            .with_layers(layers)
            .with_decoration(args.decoration.decoration()),
    ))
}

fn camera(args: &RenderArgs, default: Camera) -> Camera {
    match default {
        Camera::Isometric(facing) => Camera::Isometric(args.facing.unwrap_or(facing)),
        Camera::Orthographic { yaw, pitch } => {
            let yaw = args.scene.yaw.unwrap_or(yaw.to_degrees());
            let pitch = args.scene.pitch.unwrap_or(pitch.to_degrees());
            Camera::orthographic(yaw, pitch).expect("the arguments are angles")
        }
    }
}

/// Refuses arguments that the view does not have. Flat views have always ignored the direction.
fn check(args: &RenderArgs, view: View) -> Result<(), ExitError> {
    const FREE: &str = "figure, portrait and cube";
    let scene = &args.scene;
    let shows_back = matches!(view, View::IsometricBody | View::Figure | View::Portrait);
    let rows = [
        ("--yaw", scene.yaw.is_some(), view.is_free(), FREE),
        ("--pitch", scene.pitch.is_some(), view.is_free(), FREE),
        ("--pose", scene.pose.is_some(), view.is_free(), FREE),
        (
            "--facing",
            args.facing.is_some(),
            !view.is_free(),
            "isometric views; turn this one with --yaw",
        ),
        (
            "--light",
            scene.light.is_some(),
            !view.is_flat(),
            "views that are not flat",
        ),
        (
            "--shadow",
            args.decoration.shadow,
            matches!(view, View::IsometricBody | View::Figure),
            "figure, avatar and iosbody",
        ),
        (
            "--cape",
            scene.cape.is_some(),
            shows_back,
            "figure, portrait, avatar and iosbody",
        ),
    ];
    let misplaced = rows
        .iter()
        .find(|(_, is_given, is_known, _)| *is_given && !is_known);
    match misplaced {
        Some((flag, _, _, views)) => Err(ExitError::usage(format!("{flag} is only for {views}"))),
        None => Ok(()),
    }
}
