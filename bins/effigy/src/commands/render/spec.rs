//! From the arguments to the parameters of a picture.

use effigy_cli::RenderArgs;
use effigy_render::{Layers, PictureSpec, View};

use crate::failure::ExitError;

/// Returns the picture that the arguments request, or `None` for the texture.
///
/// # Errors
///
/// An argument that the view does not have is a mistake.
pub(super) fn spec(args: &RenderArgs) -> Result<Option<PictureSpec>, ExitError> {
    check(args, args.view.view())?;
    let Some(view) = args.view.view() else {
        return Ok(None);
    };
    let size = args.size.unwrap_or(args.view.default_size());
    let layers = match (view.is_flat(), args.hat, args.no_overlay) {
        (true, false, _) | (false, _, true) => Layers::Base,
        _ => Layers::WithOverlay,
    };
    let default = PictureSpec::new(view, size);
    let has_cape = default.has_cape || args.scene.cape.is_some();
    Ok(Some(
        default
            .with_camera(
                default
                    .camera
                    .turned(args.facing, args.scene.yaw, args.scene.pitch),
            )
            .with_pose(args.scene.pose.unwrap_or_default())
            .with_light(args.scene.light.unwrap_or(default.light))
            .with_cape(has_cape && !args.scene.no_cape)
            .with_layers(layers)
            .with_decoration(args.decoration.decoration()),
    ))
}

/// Refuses arguments that would change nothing about the view, or about the unchanged texture.
fn check(args: &RenderArgs, view: Option<View>) -> Result<(), ExitError> {
    const DRAWN: &str = "views that are drawn; skin is the unchanged file";
    const FREE: &str = "figure, portrait and cube";
    const ARMS: &str = "views with arms";
    let is = |has: fn(View) -> bool| view.is_some_and(has);
    let (is_drawn, is_free) = (view.is_some(), is(View::is_free));
    let (has_arms, shows_cape) = (is(View::shows_arms), is(View::shows_cape));
    let scene = &args.scene;
    let rows = [
        ("--size", args.size.is_some(), is_drawn, DRAWN),
        ("--overlay", args.hat, is_drawn, DRAWN),
        ("--no-overlay", args.no_overlay, is_drawn, DRAWN),
        ("--slim", args.slim, has_arms, ARMS),
        ("--classic", args.classic, has_arms, ARMS),
        ("--yaw", scene.yaw.is_some(), is_free, FREE),
        ("--pitch", scene.pitch.is_some(), is_free, FREE),
        ("--pose", scene.pose.is_some(), is_free, FREE),
        (
            "--facing",
            args.facing.is_some(),
            is(View::is_isometric),
            "isometric views",
        ),
        (
            "--light",
            scene.light.is_some(),
            is(|view| !view.is_flat()),
            "views that are not flat",
        ),
        (
            "--shadow",
            args.decoration.shadow,
            is(View::shows_ground),
            "figure, avatar and iosbody",
        ),
        (
            "--cape",
            scene.cape.is_some(),
            shows_cape,
            "figure, portrait, avatar and iosbody",
        ),
        (
            "--no-cape",
            scene.no_cape,
            shows_cape,
            "figure, portrait, avatar and iosbody",
        ),
    ];
    let decoration = args.decoration.first_given().map(|flag| (flag, DRAWN));
    let misplaced = rows
        .iter()
        .find(|(_, is_given, is_known, _)| *is_given && !is_known)
        .map(|(flag, _, _, views)| (*flag, *views));
    match misplaced.or(decoration.filter(|_| !is_drawn)) {
        Some((flag, views)) => Err(ExitError::usage(format!("{flag} is only for {views}"))),
        None => Ok(()),
    }
}
