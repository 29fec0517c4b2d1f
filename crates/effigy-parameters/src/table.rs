//! The table of parameters. The parser of URLs, the options of `effigy render` with their help, the
//! OpenAPI document, the reference, the element and the page are all derived from it.

mod decoration;
mod direction;
mod looks;
mod pose;
mod request;

use crate::Parameter;

pub use request::MAX_PLAYERS;

/// The parameters in the order of the documentation. They are applied to a picture in this order,
/// too: the rotation of an arm changes the pose, so it comes after the pose.
static PARAMETERS: [&[Parameter]; 8] = [
    &[request::SIZE, request::CROP],
    direction::PARAMETERS,
    pose::PARAMETERS,
    looks::PARAMETERS,
    decoration::PARAMETERS,
    &[request::V],
    request::MOTION,
    request::PLAYERS,
];

/// Returns all parameters, in the order of the documentation.
pub fn parameters() -> impl Iterator<Item = &'static Parameter> + Clone {
    PARAMETERS.iter().copied().flatten()
}

/// Finds the parameter with a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Parameter> {
    parameters().find(|parameter| parameter.name == name)
}

#[cfg(test)]
mod tests;
