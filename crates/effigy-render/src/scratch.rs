//! Buffers that drawings share.

use std::sync::{Arc, Mutex, PoisonError};

use wide::i16x8;

use crate::scene::bsp::Bsp;
use crate::scene::figure::Figure;
use crate::scene::{Scene, Viewer};
use crate::{Camera, RenderError};

/// Memory that is kept from one drawing to the next.
#[derive(Default)]
pub(crate) struct Scratch {
    /// The pixels of a strip.
    pub(crate) strip: Vec<[u8; 4]>,
    /// Filtered columns.
    pub(crate) columns: Vec<i16x8>,
}

/// Makes room for this many rows of a width, which may be pixels or what they are made of.
pub(crate) fn reserve<T>(to: &mut Vec<T>, width: usize, rows: usize) -> Result<(), RenderError> {
    to.clear();
    to.try_reserve_exact(width.saturating_mul(rows))
        .map_err(|_| RenderError::OutOfMemory)
}

/// The divided figures that were drawn last in this process, the latest first. They depend on no
/// skin.
static FIGURES: Mutex<Vec<DividedFigure>> = Mutex::new(Vec::new());

struct DividedFigure {
    figure: Figure,
    viewer: Option<Viewer>,
    bsp: Arc<Bsp>,
}

/// The number of divided figures that are kept. A few poses of two models with and without overlay,
/// cape and ears, from a few sides, are most of what is drawn.
const KEPT: usize = 48;

/// Returns the divided faces of a scene's figure.
///
/// Faces that the viewer cannot see divide others for nothing: without them there are a quarter
/// fewer fragments. Isometric views keep them, because their columns end at the corners of all
/// fragments, and specified pictures would change.
pub(crate) fn divided(scene: &Scene<'_>) -> Arc<Bsp> {
    let viewer = match scene.camera {
        Camera::Isometric(_) => None,
        _ => Some(scene.viewer()),
    };
    let figure = scene.figure;
    if let Some(bsp) = kept(&figure, viewer) {
        return bsp;
    }
    let mut surfaces = figure.surfaces();
    if viewer.is_some() {
        surfaces.retain(|surface| scene.shows(surface));
    }
    let bsp = Arc::new(Bsp::new(surfaces, &figure.joints()));
    keep(DividedFigure {
        figure,
        viewer,
        bsp: Arc::clone(&bsp),
    });
    bsp
}

/// Returns the divided faces of a figure if they are kept, and makes them the latest ones.
fn kept(figure: &Figure, viewer: Option<Viewer>) -> Option<Arc<Bsp>> {
    let mut figures = FIGURES.lock().unwrap_or_else(PoisonError::into_inner);
    let is_same = |known: &DividedFigure| known.figure == *figure && known.viewer == viewer;
    let index = figures.iter().position(is_same)?;
    figures[..=index].rotate_right(1);
    Some(Arc::clone(&figures[0].bsp))
}

/// Keeps a divided figure in place of the one that was not drawn for longest.
fn keep(latest: DividedFigure) {
    let mut figures = FIGURES.lock().unwrap_or_else(PoisonError::into_inner);
    figures.truncate(KEPT - 1);
    figures.insert(0, latest);
}
