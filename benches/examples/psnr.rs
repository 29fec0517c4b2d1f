//! Measures the pictures of the fixture skins against ideal ones, as in `docs/projection.md`:
//! `cargo run --release -p benches --example psnr`, with the word of a view for that one alone. It
//! takes some minutes.

#[path = "../../crates/effigy-render/tests/it/support/psnr.rs"]
mod psnr;
#[path = "../../crates/effigy-render/tests/it/support/straightforward/mod.rs"]
mod straightforward;

use std::io::{self, Write};

use effigy_render::{Model, Skin, View};
use fixtures::SKINS;
use straightforward::Look;

/// Sizes, and the side of the canvas for the ideal pictures.
const SIZES: [(&[u32], u32); 2] = [(&[32, 64, 128], 1920), (&[300, 512], 3840)];

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "| view | size | worst | median | best | canvas, worst | canvas, median |"
    )?;
    writeln!(out, "|---|---|---|---|---|---|---|")?;
    let wanted = std::env::args().nth(1);
    for &view in View::ALL {
        let is_wanted = wanted.as_deref().is_none_or(|word| word == view.as_str());
        if view.is_flat() || !is_wanted {
            continue;
        }
        // The largest canvases of the other views take too long.
        let count = if view.is_free() { 1 } else { SIZES.len() };
        for (sizes, side) in SIZES.into_iter().take(count) {
            for (size, mut skins) in sizes.iter().zip(of_every_skin(view, sizes, side)) {
                let middle = skins.len() / 2;
                skins.sort_by(|a, b| a.canvas.total_cmp(&b.canvas));
                let canvas_worst = skins[0].canvas;
                let canvas_median = skins[middle].canvas;
                skins.sort_by(|a, b| a.ours.total_cmp(&b.ours));
                let worst = skins[0].ours;
                let whose = skins[0].name;
                let median = skins[middle].ours;
                let best = skins[skins.len() - 1].ours;
                writeln!(
                    out,
                    "| `{view}` | {size} | {worst:.1} dB ({whose}) | {median:.1} dB | {best:.1} dB \
                     | {canvas_worst:.1} dB | {canvas_median:.1} dB |"
                )?;
            }
        }
    }
    Ok(())
}

/// The likeness of a skin's picture with the ideal one.
struct Likeness {
    name: &'static str,
    /// The likeness of the picture of the renderer.
    ours: f64,
    /// The likeness of the picture of the specification's canvas.
    canvas: f64,
}

/// The likeness for every skin, for each size.
fn of_every_skin(view: View, sizes: &[u32], side: u32) -> Vec<Vec<Likeness>> {
    let look = Look::usual(view);
    let mut by_size: Vec<Vec<Likeness>> = sizes.iter().map(|_| Vec::new()).collect();
    for fixture in SKINS {
        let model = if fixture.slim {
            Model::Slim
        } else {
            Model::Classic
        };
        let skin = Skin::decode(fixture.png, model).expect(fixture.name);
        let ideals = look.draw(&skin, sizes, side);
        for (index, size) in sizes.iter().enumerate() {
            let ideal = &ideals[index];
            let canvas = &look.draw(&skin, &[*size], working_side(*size))[0];
            by_size[index].push(Likeness {
                name: fixture.name,
                ours: psnr::likeness(ideal, &psnr::render(look, &skin, *size)),
                canvas: psnr::likeness(ideal, canvas),
            });
        }
    }
    by_size
}

/// The side of the specification's working canvas for a picture of this width: 60, doubled until it
/// reaches the size, and at least 120.
fn working_side(size: u32) -> u32 {
    let mut side = 120;
    while side < size {
        side *= 2;
    }
    side
}
