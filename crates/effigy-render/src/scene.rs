//! What is to be seen: boxes in space, divided and sorted, and the projection onto a picture.

pub(crate) mod bsp;
pub(crate) mod figure;
pub(crate) mod fragment;
pub(crate) mod projection;
pub(crate) mod solid;
pub(crate) mod vec3;

use crate::model::{PAINT_ORDER, Part};
use crate::scene::figure::Figure;

pub(crate) static HEAD: Figure = Figure::new(&[Part::Head], [2.175, 2.175]);

pub(crate) static BODY: Figure = Figure::new(&PAINT_ORDER, [2.5, 5.1]);
