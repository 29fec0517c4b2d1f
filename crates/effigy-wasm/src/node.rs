//! The renderer for scripts of Node.js, which write pictures to files.

mod error;

use effigy_parameters::{Limits, PictureSettings, find, find_meaning, hint, parameters, value};
use effigy_render::{Cape, ImageFormat, Player, Skin, View};
use wasm_bindgen::{Clamped, prelude::wasm_bindgen};

use self::error::{Code, ScriptError};

/// A player's skin, with the cape and the name that change how the player looks. It never changes,
/// so it can still draw after a picture that ran out of memory.
#[wasm_bindgen]
#[derive(Debug)]
pub struct NodeSkin {
    skin: Skin,
    cape: Option<Cape>,
    name: String,
}

#[wasm_bindgen]
impl NodeSkin {
    /// Decodes the files of a skin and of a cape. Without a model it is guessed.
    ///
    /// # Errors
    /// If a file is damaged or of another kind, or the model is neither `classic` nor `slim`.
    #[wasm_bindgen(constructor)]
    pub fn new(
        skin: &[u8],
        model: Option<String>,
        cape: Option<Vec<u8>>,
        name: Option<String>,
    ) -> Result<NodeSkin, ScriptError> {
        let model = value::read("model", model.as_deref(), value::word)?;
        let skin = Skin::decode(skin, model).map_err(|error| ScriptError::of_skin(&error))?;
        let cape = match cape {
            Some(file) => Some(decode_cape(&file)?),
            None => None,
        };
        let name = name.unwrap_or_default();
        Ok(NodeSkin { skin, cape, name })
    }

    /// The model: `classic` or `slim`.
    #[wasm_bindgen(getter)]
    pub fn model(&self) -> String {
        self.skin.model().to_string()
    }

    /// Returns the width and the height of a picture in pixels. Nothing is drawn. The parameters
    /// are those of URLs, each a name and then a value.
    ///
    /// # Errors
    /// If a parameter is unknown or invalid, or the picture too large.
    pub fn measure(&self, view: &str, parameters: Vec<String>) -> Result<Vec<u32>, ScriptError> {
        let parameters = read(view, &parameters)?;
        let picture = parameters.spec.picture(self.player())?;
        Ok(vec![picture.width(), picture.height()])
    }

    /// Draws a picture: straight RGBA, row by row from the top left.
    ///
    /// # Errors
    /// Like [`NodeSkin::measure`].
    pub fn pixels(
        &self,
        view: &str,
        parameters: Vec<String>,
    ) -> Result<Clamped<Vec<u8>>, ScriptError> {
        let parameters = read(view, &parameters)?;
        let picture = parameters.spec.picture(self.player())?;
        Ok(Clamped(picture.to_rgba()?))
    }

    /// Draws a picture as a file: `png` or `svg`.
    ///
    /// # Errors
    /// Like [`NodeSkin::measure`], and if the format is another one.
    pub fn file(
        &self,
        view: &str,
        parameters: Vec<String>,
        format: &str,
    ) -> Result<Vec<u8>, ScriptError> {
        let parameters = read(view, &parameters)?;
        let format = read_format(format)?;
        let picture = parameters.spec.picture(self.player())?;
        Ok(picture.encode(format)?)
    }

    /// Draws a moving picture as a file: `png`, which is an APNG, or `gif`. If the parameters rule
    /// movement out, the picture stands still.
    ///
    /// # Errors
    /// Like [`NodeSkin::file`], and if the view does not move or the picture is too large to move.
    #[wasm_bindgen(js_name = movingFile)]
    pub fn moving_file(
        &self,
        view: &str,
        parameters: Vec<String>,
        format: &str,
    ) -> Result<Vec<u8>, ScriptError> {
        let parameters = read(view, &parameters)?;
        let format = read_format(format)?;
        let player = self.player();
        let spec = parameters.spec;
        let Some(motion) = parameters.motion_by_default() else {
            return Ok(spec.picture(player)?.encode(format)?);
        };
        // The renderer's error is about the camera, but nobody has asked for a turn.
        if motion.turns() && !spec.view.is_free() {
            return Err(standing_still(spec.view));
        }
        parameters.check_moving_size()?;
        Ok(spec.animation(player, motion)?.encode(format)?)
    }

    fn player(&self) -> Player<'_> {
        let player = Player::new(&self.skin).named(&self.name);
        match &self.cape {
            Some(cape) => player.with_cape(cape),
            None => player,
        }
    }
}

fn decode_cape(file: &[u8]) -> Result<Cape, ScriptError> {
    Cape::decode(file).map_err(|error| ScriptError::of_cape(&error))
}

/// Reads the view and the parameters of a picture: names, each before its value.
fn read(view_name: &str, parameters: &[String]) -> Result<PictureSettings, ScriptError> {
    let view = value::read("view", Some(view_name), value::view)?.unwrap_or(View::Figure);
    let pairs = parameters.as_chunks().0;
    for [name, _] in pairs {
        check_name(name, view)?;
    }
    let value = |name: &str| {
        let pair = pairs.iter().find(|pair| pair[0] == name);
        pair.map(|[_, value]| value.trim())
    };
    Ok(PictureSettings::read(view, Limits::SERVICE, value)?)
}

/// Checks that pictures of a view have a parameter.
fn check_name(name: &str, view: View) -> Result<(), ScriptError> {
    match find(name) {
        Some(parameter) if !parameter.changes_one_player() => Err(unknown(name)),
        Some(parameter) if !parameter.accepts(view) => {
            let message = parameter.misplaced_message();
            Err(ScriptError::new(Code::InvalidRequest, &message))
        }
        Some(_) => Ok(()),
        None => Err(unknown(name)),
    }
}

/// Returns the error of an unknown parameter, with a suggestion or all names.
fn unknown(name: &str) -> ScriptError {
    let known = parameters().filter(|parameter| parameter.changes_one_player());
    let known: Vec<&str> = known.map(|parameter| parameter.name).collect();
    let help = hint(find_meaning(name, &known), &known);
    let message = format!("Unknown parameter \"{name}\". {help}");
    ScriptError::new(Code::InvalidRequest, &message)
}

/// Returns the error of a moving picture whose view can't move.
fn standing_still(view: View) -> ScriptError {
    let message = format!(
        "Only figures, portraits and cubes can move: use toPng() for \"{view}\", not toApng() or \
         toGif()"
    );
    ScriptError::new(Code::InvalidRequest, &message)
}

fn read_format(word: &str) -> Result<ImageFormat, ScriptError> {
    let format = value::read("format", Some(word), value::word)?;
    Ok(format.unwrap_or_default())
}
