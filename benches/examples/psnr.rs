//! Measures the isometric pictures of the fixture skins against ideal ones, as the table of
//! `docs/projection.md`: `cargo run --release -p benches --example psnr`. It takes some minutes.

#[path = "../../crates/effigy-render/tests/it/support/drawn.rs"]
mod drawn;
#[path = "../../crates/effigy-render/tests/it/support/psnr.rs"]
mod psnr;
#[path = "../../crates/effigy-render/tests/it/support/straightforward/mod.rs"]
mod straightforward;

use std::io::{self, Write};

use fixtures::SKINS;
use straightforward::Frame;

/// The width and height of the ideal canvas in those of the working canvas.
const FINER: u32 = 8;

/// Sizes, grouped by their working canvas.
const SIZES: [&[u32]; 3] = [&[32, 64, 128], &[300], &[512]];

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "| view | size | worst | median | best |\n|---|---|---|---|---|"
    )?;
    for (name, frame) in [("head", Frame::Head), ("body", Frame::Body)] {
        for sizes in SIZES {
            for (size, mut found) in sizes.iter().zip(of_every_skin(frame, sizes)) {
                found.sort_by(|a, b| a.0.total_cmp(&b.0));
                let median = found[found.len() / 2].0;
                let (worst, whose) = found[0];
                let best = found[found.len() - 1].0;
                writeln!(
                    out,
                    "| {name} | {size} | {worst:.1} dB ({whose}) | {median:.1} dB | {best:.1} dB |"
                )?;
            }
        }
    }
    Ok(())
}

/// The ratios of every skin, for each size.
fn of_every_skin(frame: Frame, sizes: &[u32]) -> Vec<Vec<(f64, &'static str)>> {
    let mut found = vec![Vec::new(); sizes.len()];
    for fixture in SKINS {
        let ratios = psnr::psnr(frame, &drawn::worn(fixture), sizes, FINER);
        for (found, ratio) in found.iter_mut().zip(ratios) {
            found.push((ratio, fixture.name));
        }
    }
    found
}
