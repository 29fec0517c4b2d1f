//! The errors that scripts get: a message for people, and a code for programs.

use std::error::Error;

use effigy_parameters::ParameterError;
use effigy_render::{RenderError, TextureError};
use wasm_bindgen::prelude::wasm_bindgen;

/// A code for programs. Those that the service has as well mean the same there.
#[derive(Debug, Clone, Copy)]
pub(super) enum Code {
    /// A parameter, an option or a word can't be read.
    InvalidRequest,
    /// The skin file can't be decoded.
    InvalidSkin,
    /// The cape file can't be decoded. Clients don't send one to the service.
    InvalidCape,
    /// The picture or its file would be too large.
    PictureTooLarge,
}

impl Code {
    const fn as_str(self) -> &'static str {
        match self {
            Code::InvalidRequest => "invalid_request",
            Code::InvalidSkin => "invalid_skin",
            Code::InvalidCape => "invalid_cape",
            Code::PictureTooLarge => "picture_too_large",
        }
    }
}

#[wasm_bindgen]
extern "C" {
    /// An `Error` of JavaScript.
    #[wasm_bindgen(js_name = Error)]
    #[derive(Debug)]
    pub type ScriptError;

    #[wasm_bindgen(constructor, js_class = "Error")]
    fn with_message(message: &str) -> ScriptError;

    #[wasm_bindgen(method, setter)]
    fn set_code(this: &ScriptError, code: &str);
}

impl ScriptError {
    /// Returns an error with a message and a code.
    pub(super) fn new(code: Code, message: &str) -> ScriptError {
        let error = ScriptError::with_message(message);
        error.set_code(code.as_str());
        error
    }

    /// Returns the error of a skin file.
    pub(super) fn of_skin(error: &TextureError) -> ScriptError {
        ScriptError::new(Code::InvalidSkin, &with_causes(error))
    }

    /// Returns the error of a cape file.
    pub(super) fn of_cape(error: &TextureError) -> ScriptError {
        // The causes speak of a file or a picture, which could as well be the skin.
        let message = format!("the cape can't be used: {}", with_causes(error));
        ScriptError::new(Code::InvalidCape, &message)
    }
}

impl From<ParameterError> for ScriptError {
    fn from(error: ParameterError) -> ScriptError {
        ScriptError::new(Code::InvalidRequest, &error.to_string())
    }
}

impl From<RenderError> for ScriptError {
    fn from(error: RenderError) -> ScriptError {
        let code = match error {
            RenderError::TooLarge { .. } | RenderError::OutOfMemory | RenderError::SvgTooLong => {
                Code::PictureTooLarge
            }
            _ => Code::InvalidRequest,
        };
        ScriptError::new(code, &error.to_string())
    }
}

/// Returns the message of an error and of its causes.
fn with_causes(error: &dyn Error) -> String {
    let mut message = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        message += &format!(": {cause}");
        next = cause.source();
    }
    message
}
