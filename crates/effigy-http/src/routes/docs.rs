//! The vocabulary in which the table documents its routes.

/// A parameter of a path or a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    pub(crate) description: &'static str,
    /// A valid value.
    pub(crate) example: &'static str,
    pub(crate) schema: Schema,
}

/// The values that a parameter may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schema {
    /// Any text.
    Text,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number from 1 to this one.
    UpTo(u32),
    /// A UUID with or without dashes.
    Uuid,
    /// The hash of a texture.
    Hash,
}

/// A successful response, or a failure beyond those that follow from the route's
/// [`Errors`](super::Errors).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reply {
    /// A PNG that clients may cache.
    Picture,
    /// A PNG or SVG that clients may cache.
    PictureOrSvg,
    /// A PNG of a skin file, which no cache keeps.
    Preview,
    /// A PNG or SVG of a skin file, which no cache keeps.
    PreviewOrSvg,
    /// A JSON document, by the name of its schema.
    Json(&'static str),
    /// A JSON document that clients may cache like a picture.
    CachedJson(&'static str),
    /// The metrics.
    Metrics,
    /// The direction is missing or invalid.
    BadDirection,
    /// The skin file is invalid, too large, or does not arrive.
    BadSkinFile,
    /// A parameter of the path is empty, or the view, texture or cape does not exist.
    NotFound,
    /// A redirect to another path with the same picture.
    Redirect,
    /// A parameter is invalid; one of these messages says which.
    Unprocessable(&'static [&'static str]),
    /// The health report when the service is unhealthy.
    Unhealthy,
}
