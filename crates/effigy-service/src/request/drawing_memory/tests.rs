use std::io::{self, Write};

use effigy_player::Model;
use effigy_render::{Decoration, NamedPose, Outline, Player, Shape, Size, Skin, View};
use fixtures::Image;

use super::*;

/// Set in the process that runs the test alone, so that other tests do not add to its peak.
const ALONE: &str = "EFFIGY_TEST_ALONE";

const THIS_TEST: &str = "request::drawing_memory::tests::drawing_takes_less_memory_than_counted";

/// The queue would start more jobs than there is memory for if it counted too little.
#[test]
fn drawing_takes_less_memory_than_counted() {
    if std::env::var_os(ALONE).is_none() {
        return run_alone();
    }
    let skin = skin_with_many_texels();
    let decoration = Decoration::NONE
        .with_background([1, 2, 3, 4])
        .with_padding(100)
        .with_shape(Shape::Circle)
        .with_shadow(true);
    // In ascending order, because what is measured is a peak.
    for (view, width, players) in [
        (View::IsometricBody, 64, 1),
        (View::Figure, 512, 1),
        (View::Figure, 16, 100),
        (View::Portrait, 5_000, 2),
        (View::IsometricHead, 1_000, 60),
        (View::Figure, 100_000, 1),
    ] {
        let plain = PictureSpec::new(view, Size::px(width))
            .with_pose(NamedPose::Wave)
            .with_decoration(decoration);
        let outlined = plain.with_outline(Outline::new([255; 4]).with_width(Outline::MAX_WIDTH));
        assert_takes_less(&plain, &skin, players);
        assert_takes_less(&outlined, &skin, players);
    }
}

fn assert_takes_less(spec: &PictureSpec, skin: &Skin, players: usize) {
    let before = peak_memory();
    let group = spec.group(&vec![Some(Player::new(skin)); players]).unwrap();
    // The first strips of a very wide picture show what all of them take.
    let mut writer = Strips {
        left: 12 * (players + 1),
    };
    group.picture.write(ImageFormat::Png, &mut writer).ok();
    let counted = memory_of_picture(spec, players as u64);
    assert!(memory_of_picture(spec, 0) <= counted);
    if let Some(before) = before
        && let Some(peak) = peak_memory()
    {
        let taken = peak - before;
        assert!(
            taken < counted,
            "{spec:?} of {players}: {taken} > {counted}"
        );
    }
}

/// A writer that ends a picture after some of its strips.
struct Strips {
    left: usize,
}

impl Write for Strips {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.left = self.left.checked_sub(1).ok_or(io::ErrorKind::TimedOut)?;
        Ok(())
    }
}

/// A skin of 256 pixels, no two texels of which are alike. A third of its overlay is transparent.
fn skin_with_many_texels() -> Skin {
    let mut random = fastrand::Rng::with_seed(3);
    let mut image = Image::new(256, 256);
    for texel in image.rgba.chunks_exact_mut(4) {
        random.fill(texel);
        texel[3] = if texel[3] < 85 { 0 } else { 255 };
    }
    Skin::decode(&image.encode(), Model::Classic).unwrap()
}

/// The most memory that this process has held, in bytes, if the system tells.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes << 10)
}

fn run_alone() {
    let this = std::env::current_exe().unwrap();
    let mut command = std::process::Command::new(this);
    let output = command
        .args([THIS_TEST, "--exact"])
        .env(ALONE, "1")
        .output();
    let output = output.unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let passed = output.status.success() && text.contains("1 passed");
    assert!(passed, "{text}");
}
