//! The divided figures that are kept from one drawing to the next.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Camera;
use crate::scene::bsp::Bsp;
use crate::scene::figure::Figure;
use crate::scene::{Scene, Viewer};

/// The BSP trees of the figures that were drawn last, which depend on no skin. Clones share them.
#[derive(Clone, Default)]
pub(crate) struct FigureCache {
    latest_first: Arc<Mutex<Vec<CachedFigure>>>,
}

struct CachedFigure {
    figure: Figure,
    viewer: Option<Viewer>,
    bsp: Arc<Bsp>,
}

/// The number of trees that are kept. Most figures have a few poses and two models, with and
/// without overlay, cape and ears, and are seen from a few sides.
const CAPACITY: usize = 48;

impl FigureCache {
    /// Returns the tree of a scene's figure, which is built unless it is kept.
    pub(crate) fn bsp(&self, scene: &Scene<'_>) -> Arc<Bsp> {
        let viewer = viewer_of_tree(scene);
        if let Some(bsp) = self.find(&scene.figure, viewer) {
            return bsp;
        }
        let bsp = Arc::new(build(scene, viewer.is_some()));
        self.insert(CachedFigure {
            figure: scene.figure,
            viewer,
            bsp: Arc::clone(&bsp),
        });
        bsp
    }

    /// Returns the tree of a figure if it is kept, and makes it the latest one.
    fn find(&self, figure: &Figure, viewer: Option<Viewer>) -> Option<Arc<Bsp>> {
        let mut cached = self
            .latest_first
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_same = |known: &CachedFigure| known.figure == *figure && known.viewer == viewer;
        let index = cached.iter().position(is_same)?;
        cached[..=index].rotate_right(1);
        Some(Arc::clone(&cached[0].bsp))
    }

    /// Keeps a tree in place of the one that was not drawn for longest.
    fn insert(&self, latest: CachedFigure) {
        let mut cached = self
            .latest_first
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        cached.truncate(CAPACITY - 1);
        cached.insert(0, latest);
    }
}

/// Returns the only viewer for whom the tree of a scene is right, or `None` if it is right for all.
///
/// Faces that the viewer can't see divide others for nothing: without them there are a quarter
/// fewer fragments. Isometric views keep them, because their columns end at the corners of all
/// fragments, and specified pictures would change.
fn viewer_of_tree(scene: &Scene<'_>) -> Option<Viewer> {
    match scene.camera {
        Camera::Isometric(_) => None,
        _ => Some(scene.viewer()),
    }
}

fn build(scene: &Scene<'_>, without_hidden_faces: bool) -> Bsp {
    let mut surfaces = scene.figure.surfaces();
    if without_hidden_faces {
        surfaces.retain(|surface| scene.shows(surface));
    }
    Bsp::new(surfaces, &scene.figure.joints())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skin::test_skin;
    use crate::{Picture, PictureSpec, Size, Skin, View};

    fn figure(skin: &Skin, yaw: f64) -> Picture<'_> {
        let spec = PictureSpec::new(View::Figure, Size::px(16));
        let spec = spec.with_camera(Camera::orthographic(yaw, 0.0));
        spec.picture(skin).expect("a small picture")
    }

    fn tree(cache: &FigureCache, picture: &Picture<'_>) -> Arc<Bsp> {
        cache.bsp(picture.scene().expect("a figure"))
    }

    #[test]
    fn skins_of_one_model_share_a_tree() {
        let cache = FigureCache::default();
        let skin = test_skin(255);
        let other = test_skin(100);
        let first = tree(&cache, &figure(&skin, 0.0));
        let second = tree(&cache, &figure(&other, 0.0));
        assert!(Arc::ptr_eq(&first, &second));
    }

    #[test]
    fn another_side_needs_another_tree() {
        let cache = FigureCache::default();
        let skin = test_skin(255);
        let front = tree(&cache, &figure(&skin, 0.0));
        let side = tree(&cache, &figure(&skin, 90.0));
        assert!(!Arc::ptr_eq(&front, &side));
    }

    #[test]
    fn clones_share_trees_and_other_caches_do_not() {
        let cache = FigureCache::default();
        let skin = test_skin(255);
        let picture = figure(&skin, 0.0);
        let first = tree(&cache, &picture);
        assert!(Arc::ptr_eq(&first, &tree(&cache.clone(), &picture)));
        assert!(!Arc::ptr_eq(
            &first,
            &tree(&FigureCache::default(), &picture)
        ));
    }

    #[test]
    fn the_tree_that_was_unused_for_longest_makes_room() {
        let cache = FigureCache::default();
        let skin = test_skin(255);
        let sides: Vec<Picture<'_>> = (0..49_i16)
            .map(|degrees| figure(&skin, degrees.into()))
            .collect();
        let trees: Vec<Arc<Bsp>> = sides[..48].iter().map(|side| tree(&cache, side)).collect();
        // The first one is used again, so the second one is the oldest.
        tree(&cache, &sides[0]);
        tree(&cache, &sides[48]);
        assert!(Arc::ptr_eq(&trees[0], &tree(&cache, &sides[0])));
        assert!(Arc::ptr_eq(&trees[2], &tree(&cache, &sides[2])));
        assert!(!Arc::ptr_eq(&trees[1], &tree(&cache, &sides[1])));
    }
}
