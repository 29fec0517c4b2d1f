//! The pipeline taken literally, in floating point, without any code of the renderer: every pixel
//! of a canvas casts a ray through every face, and a plain Lanczos3 shrinks what it sees.

mod block;
mod camera;
mod face;
mod figure;
mod scene;
mod shrink;

use effigy_render::Skin;
use glam::DVec4;

pub(crate) use camera::Look;
use scene::Scene;
use shrink::Shrinker;

impl Look {
    /// Pictures of these sizes: premultiplied, from 0 to 255. A side of the head is about `side`
    /// pixels long on the canvas.
    pub(crate) fn draw(self, skin: &Skin, sizes: &[u32], side: u32) -> Vec<Vec<DVec4>> {
        let canvas = self.canvas(side);
        let mut scene = Scene::new(self, skin, canvas);
        let shrinker = |&size: &u32| {
            let spec = self.spec(size);
            let picture = [spec.width(), spec.height()]
                .map(|pixels| usize::try_from(pixels).expect("the picture is small"));
            Shrinker::new(spec.filter, canvas, picture)
        };
        let mut pictures: Vec<_> = sizes.iter().map(shrinker).collect();
        for y in 0..canvas[1] {
            let row = scene.row(y);
            for picture in &mut pictures {
                picture.take(y, &row);
            }
        }
        pictures.into_iter().map(Shrinker::finish).collect()
    }
}
