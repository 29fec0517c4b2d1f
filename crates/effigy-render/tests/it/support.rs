//! Skins, picture specifications and reference pipelines for the tests.

pub(crate) mod drawn;
pub(crate) mod poses;
pub(crate) mod psnr;
pub(crate) mod random;
pub(crate) mod specs;
pub(crate) mod straightforward;
pub(crate) mod writers;
