//! The stages of a picture: decoding the skin, and drawing its pixels.
//!
//! A picture is drawn while it is encoded, so the time of encoding is the difference of
//! `view/<name>` in `views.rs` and `pixels/<name>` here.

use std::hint::black_box;

use benches::{WIDTHS, skin, views};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use effigy_render::{Model, Skin};

fn decode(c: &mut Criterion) {
    let png = fixtures::skin("knight").png;
    c.bench_function("skin/decode", |b| {
        b.iter(|| Skin::decode(black_box(png), Model::Classic));
    });
}

fn pixels(c: &mut Criterion) {
    let skin = skin();
    let mut group = c.benchmark_group("pixels");
    for width in WIDTHS {
        for (name, view) in views(width) {
            group.bench_with_input(BenchmarkId::new(name, width), &view, |b, view| {
                b.iter(|| {
                    view.picture(black_box(&skin))
                        .map(|picture| picture.to_rgba())
                });
            });
        }
    }
}

criterion_group!(benches, decode, pixels);
criterion_main!(benches);
