//! Every view from a decoded skin to the bytes of a PNG, and the same with the straightforward
//! pipeline.
//!
//! `cargo bench --bench views` prints `view/<name>/<width>` and `baseline/<name>/<width>`. The
//! ratio of the two in one run depends less on the machine than either time. To compare two states
//! of the code, run `cargo bench --bench views -- --save-baseline before` on the first one, and the
//! same command with `--baseline before` on the second one.

use std::hint::black_box;

use benches::baseline::Picture;
use benches::{WIDTHS, skin, views};
use criterion::measurement::WallTime;
use criterion::{
    BenchmarkGroup, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main,
};
use effigy_render::{
    Angle, Camera, Cape, Decoration, Framing, ImageFormat, Motion, NamedPose, PictureSpec,
    PixelLayout, Player, Pose, Renderer, Rotation, Shape, Size, Skin, View,
};

fn view(c: &mut Criterion) {
    let skin = skin();
    let mut renderer = Renderer::new();
    let mut group = c.benchmark_group("view");
    for width in WIDTHS {
        for (name, view) in views(width) {
            group.throughput(Throughput::Elements(view.width() * view.height()));
            group.bench_with_input(BenchmarkId::new(name, width), &view, |b, view| {
                b.iter(|| {
                    let picture = view.picture(black_box(&skin))?;
                    renderer.encode(&picture, ImageFormat::Png)
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

/// `figure/<pose>/<width>`, `portrait/<pose>/<width>` and `cube/<width>`: the views with a free
/// camera.
fn figures(c: &mut Criterion) {
    let skin = skin();
    let mut renderer = Renderer::new();
    for (view, poses) in [
        (View::Figure, NamedPose::ALL),
        (View::Portrait, &[NamedPose::Stand, NamedPose::Wave]),
        (View::Cube, &[NamedPose::Stand]),
    ] {
        let mut group = c.benchmark_group(view.as_str());
        for width in WIDTHS {
            let size = Size::new(width).expect("a width that a PNG can have");
            for &pose in poses {
                let spec = PictureSpec::new(view, size).with_pose(pose);
                group.throughput(Throughput::Elements(spec.width() * spec.height()));
                group.bench_with_input(BenchmarkId::new(pose.as_str(), width), &spec, |b, spec| {
                    b.iter(|| {
                        let picture = spec.picture(black_box(&skin))?;
                        renderer.encode(&picture, ImageFormat::Png)
                    });
                });
            }
        }
    }
}

/// `turned/<width>`: the default figure, each time from a new side. Its head
/// turns toward the viewer, so its pose is a new one.
fn turned(c: &mut Criterion) {
    let skin = skin();
    let mut renderer = Renderer::new();
    let mut tenths = 0;
    let mut group = c.benchmark_group("turned");
    for width in WIDTHS {
        let spec = PictureSpec::new(View::Figure, Size::new(width).expect("a small width"));
        group.bench_function(BenchmarkId::from_parameter(width), |b| {
            b.iter(|| {
                // All tenths of a degree from -80 to 80 come before the first one returns.
                tenths = (tenths + 377) % 1601;
                let yaw = f64::from(tenths) / 10.0 - 80.0;
                let spec = spec.with_camera(Camera::perspective(yaw, 16.0, 30.0));
                let picture = spec.picture(black_box(&skin))?;
                renderer.encode(&picture, ImageFormat::Png)
            });
        });
    }
}

/// `decorated/<width>`: a figure with all decorations, to compare with `figure/sit/<width>`.
fn decorated(c: &mut Criterion) {
    let skin = skin();
    let mut renderer = Renderer::new();
    let mut group = c.benchmark_group("decorated");
    for width in WIDTHS {
        let spec = PictureSpec::new(View::Figure, Size::new(width).expect("a small width"))
            .with_pose(NamedPose::Sit)
            .with_decoration(
                Decoration::NONE
                    .with_background([30, 40, 50, 255])
                    .with_padding(16)
                    .with_shape(Shape::Rounded)
                    .with_shadow(true),
            );
        group.bench_with_input(BenchmarkId::from_parameter(width), &spec, |b, spec| {
            b.iter(|| {
                let picture = spec.picture(black_box(&skin))?;
                renderer.encode(&picture, ImageFormat::Png)
            });
        });
    }
}

/// `group/10`: ten players in one picture.
fn group(c: &mut Criterion) {
    let skin = skin();
    let mut renderer = Renderer::new();
    let players = [Some(Player::new(&skin)); 10];
    let spec = PictureSpec::new(View::Figure, Size::new(64).expect("a small width"));
    c.bench_function("group/10", |b| {
        b.iter(|| {
            let group = spec.group(black_box(&players))?;
            renderer.encode(&group.picture, ImageFormat::Png)
        });
    });
}

/// A waving figure of 128 pixels.
fn wave() -> PictureSpec {
    PictureSpec::new(View::Figure, Size::px(128)).with_pose(NamedPose::Wave)
}

/// Opens the group of a figure of 128 pixels with a cape, in other forms and under other
/// circumstances.
fn forms_group(c: &mut Criterion) -> BenchmarkGroup<'_, WallTime> {
    let mut group = c.benchmark_group("forms");
    group.sample_size(20);
    group
}

fn bench_cape() -> Cape {
    Cape::decode(fixtures::cape()).expect("the fixture is a cape")
}

/// `forms/<name>`: the file formats, a large skin, and bent limbs.
fn forms(c: &mut Criterion) {
    let skin = skin();
    let cape = bench_cape();
    let player = Player::new(&skin).with_cape(&cape);
    let mut renderer = Renderer::new();
    let mut group = forms_group(c);
    for format in [ImageFormat::Png, ImageFormat::Svg, ImageFormat::Gif] {
        group.bench_function(format.as_str(), |b| {
            b.iter(|| renderer.encode(&wave().picture(black_box(player))?, format));
        });
    }

    let texels = vec![[90, 120, 150, 255]; 1024 * 1024];
    let large = Skin::from_rgba(1024, 1024, texels.as_flattened(), None).expect("a square");
    group.bench_function("large-skin", |b| {
        b.iter(|| renderer.encode(&wave().picture(black_box(&large))?, ImageFormat::Png));
    });

    let mut bent = Pose::STAND;
    for bend in bent.bends_mut() {
        *bend = Angle::degrees(60.0);
    }
    for (name, pose) in [("stand", Pose::STAND), ("stand-bent", bent)] {
        let spec = wave().with_pose(pose);
        group.bench_function(name, |b| {
            b.iter(|| renderer.encode(&spec.picture(black_box(&skin))?, ImageFormat::Png));
        });
    }
}

/// `forms/<name>`: moving pictures.
fn moving_forms(c: &mut Criterion) {
    let skin = skin();
    let cape = bench_cape();
    let player = Player::new(&skin).with_cape(&cape);
    let mut renderer = Renderer::new();
    let mut group = forms_group(c);
    let walk = Motion::of(NamedPose::Walk);
    for (name, pose, motion, format) in [
        ("apng", NamedPose::Wave, Motion::TURN, ImageFormat::Png),
        ("walk-apng", NamedPose::Walk, walk, ImageFormat::Png),
        (
            "moving-gif",
            NamedPose::Wave,
            Motion::TURN,
            ImageFormat::Gif,
        ),
    ] {
        let spec = wave().with_pose(pose);
        group.bench_function(name, |b| {
            b.iter(|| {
                let frames = spec.animation(black_box(player), motion)?;
                renderer.write_frames(frames, format, std::io::sink())
            });
        });
    }
}

/// `forms/window` and `forms/new-pose`: each picture has a camera or a pose that the renderer has
/// not seen before.
fn new_forms(c: &mut Criterion) {
    let skin = skin();
    let cape = bench_cape();
    let player = Player::new(&skin).with_cape(&cape);
    let mut renderer = Renderer::new();
    let mut group = forms_group(c);
    let mut pixels = vec![0; 128 * 256 * 4];
    let mut yaw = 0.0;
    group.bench_function("window", |b| {
        b.iter(|| {
            yaw += 3.0;
            let spec = wave()
                .with_camera(Camera::perspective(yaw, 16.0, 30.0))
                .with_framing(Framing::Turning);
            renderer.render_into(&spec.picture(player)?, PixelLayout::default(), &mut pixels)
        });
    });
    let mut angle = 0.0;
    group.bench_function("new-pose", |b| {
        b.iter(|| {
            angle += 0.1;
            let mut pose = Pose::from(NamedPose::Wave);
            pose.left_arm = Rotation::degrees(angle, 0.0, 0.0);
            let picture = wave().with_pose(pose).picture(player)?;
            renderer.encode(&picture, ImageFormat::Png)
        });
    });
}

criterion_group!(
    benches,
    view,
    figures,
    turned,
    forms,
    moving_forms,
    new_forms,
    decorated,
    group,
    baseline
);
criterion_main!(benches);
