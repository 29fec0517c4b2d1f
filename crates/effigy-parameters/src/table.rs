//! The table of parameters. Everything else about them follows from it: the parser of URLs, the
//! options of `effigy render` with their help, the OpenAPI document, the reference, the element and
//! the page.

mod decoration;
mod direction;
mod looks;
mod pose;
mod request;

use crate::Parameter;

pub use request::MAX_PLAYERS;

/// The parameters in the order of the documentation, which is also the order in which they change a
/// picture: a rotation of an arm changes the pose that is before it.
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

/// Finds the parameter of that name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Parameter> {
    parameters().find(|parameter| parameter.name == name)
}

#[cfg(test)]
mod tests;
