//! The kinds of inputs: skin files, folders of them, standard input, and players.

use std::{
    ffi::OsStr,
    fs::{self, DirEntry},
    io,
    path::Path,
};

use anyhow::{Context, Result, ensure};

/// The input that means standard input.
const STANDARD_INPUT: &str = "-";

/// The kinds of inputs on the command line.
pub(super) enum Input<'a> {
    Stdin,
    File(&'a Path),
    Player(&'a str),
}

impl<'a> Input<'a> {
    /// Detects the kind of an input. A text that no player's name can be is a path, and a mistake if
    /// there is no such file.
    pub(super) fn detect(text: &'a str) -> Self {
        let path = Path::new(text);
        if text == STANDARD_INPUT {
            Self::Stdin
        } else if is_png(path) || path.components().count() > 1 || path.is_file() {
            Self::File(path)
        } else {
            Self::Player(text)
        }
    }

    /// Returns the beginning of the name of the input's picture.
    pub(super) fn stem(&self) -> String {
        let name = match self {
            Self::Stdin => OsStr::new("stdin"),
            Self::File(path) if is_png(path) => path.file_stem().unwrap_or_default(),
            // The dot of a gamertag does not begin an extension.
            Self::File(path) => path.file_name().unwrap_or_default(),
            Self::Player(name) => OsStr::new(name),
        };
        name.to_string_lossy().into_owned()
    }
}

/// Puts the skin files of each folder in its place, in the order of their names.
pub(super) fn expand(inputs: &[String]) -> Result<Vec<String>> {
    let mut expanded = Vec::new();
    for input in inputs {
        match Path::new(input).is_dir() {
            true => expanded.extend(skins_in(input)?),
            false => expanded.push(input.clone()),
        }
    }
    Ok(expanded)
}

fn skins_in(folder: &str) -> Result<Vec<String>> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let entries = entries.with_context(|| format!("cannot read the folder {folder}"))?;
    let paths = entries.iter().map(DirEntry::path);
    let skins = paths.filter(|path| is_png(path) && !is_cape(path) && path.is_file());
    let mut skins: Vec<String> = skins.map(|path| path.to_string_lossy().into()).collect();
    ensure!(
        !skins.is_empty(),
        "the folder {folder} has no skin: no file ends in .png"
    );
    skins.sort();
    Ok(skins)
}

fn is_png(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}

/// Returns `true` for `cape.png`, and for `….cape.png`, a cape next to the skin of that name.
fn is_cape(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    name == "cape.png" || name.ends_with(".cape.png")
}
