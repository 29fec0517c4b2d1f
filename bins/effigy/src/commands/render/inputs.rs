//! The inputs: skin files, folders of them, standard input, and players.

use std::{fs, io, path::Path};

use anyhow::{Context, Result, ensure};

/// The input that means standard input.
pub(super) const STANDARD_INPUT: &str = "-";

/// The extensions of images. No name of a player has one.
const IMAGES: [&str; 12] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "apng", "avif", "ico", "tif", "tiff",
];

/// Returns `true` for a path. A text that no player's name can be is one, even if there is no such file.
pub(super) fn is_path(input: &str) -> bool {
    let path = Path::new(input);
    // Also one of several extensions, as in `skin.png.bak`.
    let mut extensions = input.trim_start_matches('.').split('.').skip(1);
    let is_image = |word: &str| IMAGES.contains(&&*word.to_lowercase());
    extensions.any(is_image) || path.components().count() > 1 || path.is_file()
}

/// Returns the beginning of the name of an input's picture.
pub(super) fn stem(input: &str) -> String {
    let path = Path::new(if input == STANDARD_INPUT {
        "stdin"
    } else {
        input
    });
    let name = match &*extension(path) {
        "png" => path.file_stem(),
        // The dot of a gamertag does not begin an extension.
        _ => path.file_name(),
    };
    let is_unsafe = |c: char| !c.is_alphanumeric() && !"-_.".contains(c);
    let name = name.unwrap_or_default().to_string_lossy();
    name.replace(is_unsafe, "_")
}

/// Returns the extension of a file's name in lower case, or an empty text.
pub(super) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Puts the skin files of each folder in its place, in the order of their names.
pub(super) fn expand(inputs: &[String]) -> Result<Vec<String>> {
    let skins = inputs.iter().map(|input| match Path::new(input).is_dir() {
        true => skins_in(input),
        false => Ok(vec![input.clone()]),
    });
    Ok(skins.collect::<Result<Vec<_>>>()?.concat())
}

fn skins_in(folder: &str) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.with_context(|| format!("cannot read the folder {folder}"))?;
    let paths = entries.iter().map(fs::DirEntry::path);
    let skins = paths.filter(|path| extension(path) == "png" && !is_cape(path) && path.is_file());
    let mut skins: Vec<String> = skins.map(|path| path.to_string_lossy().into()).collect();
    ensure!(
        !skins.is_empty(),
        "the folder {folder} has no skin: no file ends in .png"
    );
    skins.sort();
    Ok(skins)
}

/// Returns `true` for `cape.png`, and for `….cape.png`, a cape next to the skin of that name.
fn is_cape(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    name == "cape.png" || name.ends_with(".cape.png")
}
