//! Every view from a decoded skin to the bytes of a PNG, and the same with the straightforward pipeline.
//!
//! `cargo bench --bench views` prints `view/<name>/<width>` and `baseline/<name>/<width>`. The ratio of
//! the two in one run depends less on the machine than either time. To compare two states of the code:
//! `cargo bench --bench views -- --save-baseline before`, then `… -- --baseline before`.

use std::hint::black_box;

use benches::baseline::Picture;
use benches::{WIDTHS, skin, views};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

fn view(c: &mut Criterion) {
    let skin = skin();
    let mut group = c.benchmark_group("view");
    for width in WIDTHS {
        for (name, view) in views(width) {
            group.throughput(Throughput::Elements(view.width() * view.height()));
            group.bench_with_input(BenchmarkId::new(name, width), &view, |b, view| {
                b.iter(|| {
                    view.picture(black_box(&skin))
                        .and_then(|picture| picture.encode_png())
                });
            });
        }
    }
}

fn baseline(c: &mut Criterion) {
    let skin = skin();
    let mut group = c.benchmark_group("baseline");
    group.sample_size(20);
    for width in WIDTHS {
        for (name, view) in views(width) {
            let picture = Picture::named(name).expect("the baseline draws every view");
            group.throughput(Throughput::Elements(view.width() * view.height()));
            group.bench_function(BenchmarkId::new(name, width), |b| {
                b.iter(|| picture.png(black_box(&skin), width));
            });
        }
    }
}

criterion_group!(benches, view, baseline);
criterion_main!(benches);
