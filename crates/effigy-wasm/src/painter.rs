//! The renderer for scripts of browsers.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use effigy_parameters::{Limits, Output, PictureSettings, find, value};
use effigy_render::{Cape, Model, Motion, Picture, Player, RenderError, Renderer, Skin, View};
use wasm_bindgen::{Clamped, JsError, prelude::wasm_bindgen};

/// The moments of a movement that are drawn. They are few enough that the renderer remembers their
/// poses.
const MOMENTS: f64 = 64.0;

/// Draws one player. Running out of memory ends a drawing without releasing what it has borrowed,
/// so nothing is borrowed meanwhile. Then the next drawing can succeed.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Painter {
    skin: Skin,
    cape: RefCell<Option<Rc<Cape>>>,
    name: RefCell<Rc<str>>,
    renderer: RefCell<Renderer>,
    width: Cell<u32>,
    moves: Cell<bool>,
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
            moves: Cell::default(),
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

    /// Sets the player's name. A few names change how a player looks.
    #[wasm_bindgen(js_name = setName)]
    pub fn set_name(&self, name: &str) {
        self.name.replace(name.into());
    }

    /// Returns `true` if the model is slim.
    #[wasm_bindgen(getter, js_name = isSlim)]
    pub fn is_slim(&self) -> bool {
        self.skin.model() == Model::Slim
    }

    /// Draws a picture: straight RGBA, row by row from the top left. `parameters` has the view and
    /// the parameters of URLs, unescaped: `view=figure&size=256&yaw=-30&pose=walk`. With `time`, in
    /// milliseconds, the picture shows that moment of the movement of `pose`, and has room for its
    /// other moments.
    ///
    /// # Errors
    /// If a parameter is unknown or invalid, or the picture too large.
    pub fn draw(&self, parameters: &str) -> Result<Clamped<Vec<u8>>, JsError> {
        let request = PictureRequest::read(parameters)?;
        let name = self.name.borrow().clone();
        let cape = self.cape.borrow().clone();
        let mut player = Player::new(&self.skin).named(&name);
        if let Some(cape) = &cape {
            player = player.with_cape(cape);
        }
        let moment = request.moment_of(player)?;
        self.moves.set(moment.is_some());
        let picture = match moment {
            Some(moment) => moment,
            None => request.picture.spec.picture(player)?,
        };
        self.width.set(picture.width());
        let mut renderer = self.renderer.take();
        let pixels = renderer.to_rgba(&picture);
        self.renderer.replace(renderer);
        Ok(Clamped(pixels?))
    }

    /// `true` if the last picture was a moment of a movement: it had a time, and something in it
    /// moves.
    #[wasm_bindgen(getter)]
    pub fn moves(&self) -> bool {
        self.moves.get()
    }

    /// The width of the last picture in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.width.get()
    }
}

/// A picture that a script asks for.
struct PictureRequest {
    picture: PictureSettings,
    /// The milliseconds for which the player has moved, if the player moves.
    time: Option<f64>,
}

impl PictureRequest {
    /// Reads the view and the parameters of a picture.
    fn read(parameters: &str) -> Result<PictureRequest, JsError> {
        let mut pairs = Vec::new();
        for pair in parameters.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            if !is_known(name) {
                return Err(JsError::new(&format!("Unknown parameter {name}")));
            }
            pairs.push((name, value));
        }
        let value = |name: &str| {
            let pair = pairs.iter().find(|pair| pair.0 == name);
            pair.map(|pair| pair.1)
        };
        let view = value::read("view", value("view"), value::view)?.unwrap_or(View::Figure);
        Ok(PictureRequest {
            picture: PictureSettings::read(view, Limits::NONE, value)?,
            time: value::read("time", value("time"), value::number)?,
        })
    }

    /// Returns the picture of a moment in which a player moves, or `None` if nothing moves.
    fn moment_of<'a>(&self, player: Player<'a>) -> Result<Option<Picture<'a>>, RenderError> {
        let Some((motion, share)) = self.movement() else {
            return Ok(None);
        };
        match self.picture.spec.moment(player, motion, share) {
            Ok(moment) => Ok(Some(moment)),
            Err(RenderError::NothingMoves) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the movement of the player and the share of it that is over, unless the player
    /// stands still.
    fn movement(&self) -> Option<(Motion, f64)> {
        let time = self.time?;
        let motion = self.picture.motion(true, false)?;
        let period = self.picture.pose.period().as_secs_f64() * 1000.0;
        let share = (MOMENTS * time / period).round() / MOMENTS;
        Some((motion, share))
    }
}

/// Returns `true` for the name of a parameter of pictures of a skin file, and for those of this
/// module alone.
fn is_known(name: &str) -> bool {
    let belongs_to_pictures = find(name).is_some_and(|known| known.belongs_to(Output::Texture));
    belongs_to_pictures || matches!(name, "view" | "time")
}
