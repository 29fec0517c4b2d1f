//! The renderer for scripts.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use effigy_parameters::{Limits, Output, PictureSettings, find, find_view, value};
use effigy_render::{Cape, Model, Motion, PictureSpec, Player, Renderer, Skin, View};
use wasm_bindgen::{Clamped, JsError, prelude::wasm_bindgen};

/// Draws one player. Nothing stays borrowed while it draws, so it can go on after a drawing that
/// ran out of memory.
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
        let model = value::read("model", model.as_deref(), value::word)?;
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

    /// Returns `true` if the model is slim.
    #[wasm_bindgen(getter, js_name = isSlim)]
    pub fn is_slim(&self) -> bool {
        self.skin.model() == Model::Slim
    }

    /// The width of the last picture in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.width.get()
    }

    /// Draws a picture: straight RGBA, row by row from the top left. `parameters` has the view and
    /// the parameters of URLs, unescaped: `view=figure&size=256&yaw=-30&pose=walk`. With `time`, in
    /// milliseconds, it is a moment of the movement of `pose`, with room for the others.
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

/// Reads the parameters of a picture, and the share of its movement.
fn spec(parameters: &str) -> Result<(PictureSpec, Option<(Motion, f64)>), JsError> {
    let pairs = parameters.split('&').filter(|pair| !pair.is_empty());
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    if let Some((name, _)) = pairs.clone().find(|pair| !is_known(pair.0)) {
        return Err(JsError::new(&format!("Unknown parameter {name}")));
    }
    let value = |name: &str| pairs.clone().find(|pair| pair.0 == name).map(|pair| pair.1);
    let find_word = |word: &str| find_view(word).ok_or_else(|| value::quoted(View::WORDS).into());
    let view = value::read("view", value("view"), find_word)?.unwrap_or(View::Figure);
    let picture = PictureSettings::read(view, Limits::NONE, value)?;
    let time = value::read("time", value("time"), value::number)?;
    let mut movement = None;
    // Flat views stand still at any time.
    if let Some(time) = time
        && !view.is_flat()
    {
        // Few enough moments that the renderer remembers their poses.
        let share = time / picture.pose.period().as_secs_f64() / 1000.0;
        let motion = picture.motion(true, false);
        movement = motion.map(|motion| (motion, (64.0 * share).round() / 64.0));
    }
    Ok((picture.spec, movement))
}

/// Returns `true` for the name of a parameter of pictures, and for those of this module alone.
fn is_known(name: &str) -> bool {
    let is_of_pictures = find(name).is_some_and(|known| known.belongs_to(Output::Texture));
    is_of_pictures || matches!(name, "view" | "time")
}
