//! The renderer for scripts.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use effigy_render::{
    Angle, Camera, Cape, Filter, Layers, Light, Model, Motion, NamedPose, PictureSpec, Player,
    Pose, Renderer, Rotation, Size, Skin, View, parse_color, parse_switch,
};
use wasm_bindgen::{Clamped, JsError, prelude::wasm_bindgen};

#[wasm_bindgen]
extern "C" {
    /// The script's own parser of numbers, so that the module has none. What is no number is NaN.
    #[wasm_bindgen(js_name = parseFloat)]
    fn parse_float(text: &str) -> f64;
}

/// Draws one player. Nothing stays borrowed while it draws, so it can go on after a drawing that ran out of memory.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Painter {
    skin: Skin,
    cape: RefCell<Option<Rc<Cape>>>,
    name: RefCell<Rc<str>>,
    renderer: RefCell<Renderer>,
    width: Cell<u32>,
}

#[wasm_bindgen]
impl Painter {
    /// Decodes a skin file, of the model `classic` or `slim`. Without one the model is guessed.
    ///
    /// # Errors
    /// If the file is not a skin, or the model is another word.
    #[wasm_bindgen(constructor)]
    pub fn new(file: &[u8], model: Option<String>) -> Result<Painter, JsError> {
        let model: Option<Model> = model.map(|word| word.parse()).transpose()?;
        Ok(Painter {
            skin: Skin::decode(file, model)?,
            cape: RefCell::default(),
            name: RefCell::default(),
            renderer: RefCell::default(),
            width: Cell::default(),
        })
    }

    /// Decodes the file of the player's cape.
    ///
    /// # Errors
    /// If the file is not a cape.
    #[wasm_bindgen(js_name = setCape)]
    pub fn set_cape(&self, file: &[u8]) -> Result<(), JsError> {
        self.cape.replace(Some(Rc::new(Cape::decode(file)?)));
        Ok(())
    }

    /// Sets the player's name. A few of them change how a player looks.
    #[wasm_bindgen(js_name = setName)]
    pub fn set_name(&self, name: &str) {
        self.name.replace(name.into());
    }

    /// Whether the model is slim.
    #[wasm_bindgen(getter, js_name = isSlim)]
    pub fn is_slim(&self) -> bool {
        self.skin.model() == Model::Slim
    }

    /// The width of the last picture in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.width.get()
    }

    /// Draws a picture: straight RGBA, row by row from the top left. `parameters` has the view and the parameters of URLs,
    /// unescaped: `view=figure&size=256&yaw=-30&pose=walk`. With `time`, in milliseconds, it is a moment of the movement of
    /// `pose`, with room for the others.
    ///
    /// # Errors
    /// If a parameter is unknown or invalid, or the picture too large.
    pub fn draw(&self, parameters: &str) -> Result<Clamped<Vec<u8>>, JsError> {
        let (name, cape) = (self.name.borrow().clone(), self.cape.borrow().clone());
        let mut player = Player::new(&self.skin).named(&name);
        if let Some(cape) = &cape {
            player = player.with_cape(cape);
        }
        let (spec, movement) = spec(parameters)?;
        let picture = match movement {
            Some((motion, share)) => spec.moment(player, motion, share)?,
            None => spec.picture(player)?,
        };
        self.width.set(picture.width());
        let mut renderer = self.renderer.take();
        let pixels = renderer.to_rgba(&picture);
        self.renderer.replace(renderer);
        Ok(Clamped(pixels?))
    }
}

/// Reads the parameters of a picture, which is 128 pixels wide unless they have a size, and the share of its movement.
fn spec(parameters: &str) -> Result<(PictureSpec, Option<(Motion, f64)>), JsError> {
    let pairs = parameters.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let value = |name| pairs.clone().find(|pair| pair.0 == name).map(|pair| pair.1);
    let number = |name, default| value(name).map_or(default, parse_float);
    let view = value("view").map_or(Ok(View::Figure), view)?;
    let mut spec = PictureSpec::new(view, Size::px(128)).with_filter(Filter::Area);
    let pose: NamedPose = value("pose").unwrap_or("stand").parse()?;
    let phase = number("phase", 0.0);
    if view.is_free() {
        spec.pose = pose.at(phase);
    }
    if let Some(angles) = spec.camera.angles() {
        let [yaw, pitch, fov] = angles.map(Angle::to_degrees);
        let [yaw, pitch] = [number("yaw", yaw), number("pitch", pitch)];
        spec.camera = Camera::perspective(yaw, pitch, number("fov", fov));
    }
    let movement = value("time").map(|time| {
        // Few enough moments that the renderer remembers their poses.
        let share = parse_float(time) / pose.period().as_secs_f64() / 1000.0;
        let motion = Motion {
            turns: false,
            cycle: Some(pose),
            start: Angle::degrees(360.0 * phase),
        };
        (motion, (64.0 * share).round() / 64.0)
    });
    if view.is_isometric() {
        spec.light = Light::Soft;
    }
    for (name, value) in pairs.clone() {
        let invalid = || JsError::new(&format!("{name} cannot be {value}"));
        let is_on = || parse_switch(value).ok_or_else(invalid);
        match name {
            "phase" | "time" | "yaw" | "pitch" | "fov" if parse_float(value).is_nan() => {
                return Err(invalid());
            }
            "view" | "pose" | "phase" | "time" => {}
            "size" => spec.size = value.parse().ok().and_then(Size::new).ok_or_else(invalid)?,
            "facing" => spec.camera = Camera::Isometric(value.parse()?),
            "yaw" | "pitch" | "fov" if view.is_free() => {}
            "model" => spec.model = Some(value.parse()?),
            "upside-down" => spec.is_upside_down = Some(is_on()?),
            "fit" => spec.framing = value.parse()?,
            "light" => spec.light = value.parse()?,
            "cape" => match (parse_switch(value), parse_float(value)) {
                (Some(is_on), _) => spec.has_cape = is_on,
                (None, angle) if angle >= 0.0 => {
                    spec.has_cape = true;
                    spec.pose.cape = Angle::degrees(angle);
                }
                _ => return Err(invalid()),
            },
            "elytra" => {
                spec.has_elytra = is_on()?;
                spec.has_cape |= spec.has_elytra;
            }
            "overlay" if is_on()? => spec.layers = Layers::WithOverlay,
            "overlay" => spec.layers = Layers::Base,
            "background" => spec.decoration.background = Some(parse_color(value)?),
            "padding" => spec.decoration.padding = value.parse()?,
            "shape" => spec.decoration.shape = value.parse()?,
            "shadow" => spec.decoration.has_shadow = is_on()?,
            _ if Pose::ROTATIONS.contains(&name) => {
                let angles: Vec<f64> = value.split(',').map(parse_float).collect();
                let [x, y, z] = angles.try_into().map_err(|_| invalid())?;
                if f64::is_nan(x + y + z) {
                    return Err(invalid());
                }
                spec.pose.turn(name, Rotation::degrees(x, y, z));
            }
            _ => return Err(JsError::new(&format!("Unknown parameter {name}"))),
        }
    }
    Ok((spec, movement))
}

/// Returns the view of a word, which may be one of the specification.
fn view(word: &str) -> Result<View, JsError> {
    Ok(match word {
        "head" => View::Face,
        "player" => View::Body,
        "ioshead" => View::IsometricHead,
        "avatar" | "iosbody" => View::IsometricBody,
        word => word.parse()?,
    })
}
