//! The inputs: skin files, folders of them, standard input, and players.

use std::{
    ffi::OsString,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use effigy_cli::RenderArgs;

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
    extensions.any(is_image)
        || input.contains('/')
        || path.components().count() > 1
        || path.is_file()
}

/// Returns the beginning of the name of an input's picture: the name of the file, or of the player
/// without characters that a file's name cannot have everywhere.
pub(super) fn stem(input: &str) -> String {
    let label = label(input);
    if is_path(input) {
        return label;
    }
    let is_unsafe = |c: char| c.is_control() || "<>:\"/\\|?*".contains(c);
    label.replace(is_unsafe, "_")
}

/// Returns the name of an input as pictures show it: that of a file, without `.png`.
pub(super) fn label(input: &str) -> String {
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
    name.unwrap_or_default().to_string_lossy().into_owned()
}

/// Returns the extension of a file's name in lower case, or an empty text.
pub(super) fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Puts the skin files of each folder in its place.
pub(super) fn expand(args: &RenderArgs) -> Result<Inputs> {
    let mut inputs = Inputs::default();
    for text in &args.inputs {
        if Path::new(text).is_dir() {
            inputs.add_folder(args, text)?;
        } else {
            ensure!(!text.ends_with('/'), "there is no folder {text}");
            inputs.all.push(Input::new(text));
        }
    }
    Ok(inputs)
}

/// The inputs of a command.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub(super) all: Vec<Input>,
    /// The number of subfolders that are not read.
    left_out: usize,
}

/// A skin file, a player or standard input.
#[derive(Debug)]
pub(super) struct Input {
    /// The path, the player's name or id, or `-`.
    pub(super) text: String,
    /// The subfolder for the picture, which is that of the file in its folder.
    pub(super) subfolder: PathBuf,
}

impl Input {
    fn new(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            subfolder: PathBuf::new(),
        }
    }
}

impl Inputs {
    /// Returns a sentence about subfolders that are not read, if there are some.
    pub(super) fn notice(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            let subfolders = subfolders_in_words(self.left_out);
            format!("Left out {subfolders}; --recursive takes them")
        })
    }

    /// Adds the skin files of a folder.
    fn add_folder(&mut self, args: &RenderArgs, text: &str) -> Result<()> {
        let before = self.all.len();
        let left_out_before = self.left_out;
        self.add_files(args, Path::new(text), Path::new(""))?;
        if self.all.len() > before {
            return Ok(());
        }
        let left_out = self.left_out - left_out_before;
        ensure!(
            left_out == 0,
            "the folder {text} has no skin itself, only {}: add --recursive",
            subfolders_in_words(left_out)
        );
        bail!("the folder {text} has no skin: no file ends in .png");
    }

    /// Adds the skin files of a subfolder, which may be the folder itself, in the order of their
    /// names, and then those of the subfolders in it.
    fn add_files(&mut self, args: &RenderArgs, root: &Path, subfolder: &Path) -> Result<()> {
        let folder = root.join(subfolder);
        let contents = Contents::of(&folder, args.output.as_deref());
        let contents =
            contents.with_context(|| format!("cannot read the folder {}", folder.display()))?;
        for skin in contents.skins {
            self.all.push(Input {
                text: skin.to_string_lossy().into_owned(),
                subfolder: subfolder.to_owned(),
            });
        }
        if !args.recursive {
            self.left_out += contents.folders.len();
            return Ok(());
        }
        for name in contents.folders {
            self.add_files(args, root, &subfolder.join(name))?;
        }
        Ok(())
    }
}

/// The files and the subfolders of a folder, in the order of their names.
#[derive(Default)]
struct Contents {
    /// The paths of skin files.
    skins: Vec<PathBuf>,
    /// The names of subfolders, except for hidden ones and that of the pictures. Links are not
    /// followed, since they may lead back.
    folders: Vec<OsString>,
}

impl Contents {
    fn of(folder: &Path, output: Option<&Path>) -> io::Result<Self> {
        let output = output.and_then(|output| output.canonicalize().ok());
        let mut contents = Self::default();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name();
            if entry.file_type()?.is_dir() {
                let is_output = output.is_some() && path.canonicalize().ok() == output;
                if !is_output && !name.to_string_lossy().starts_with('.') {
                    contents.folders.push(name);
                }
            } else if extension(&path) == "png" && !is_cape(&path) && path.is_file() {
                contents.skins.push(path);
            }
        }
        contents.skins.sort();
        contents.folders.sort();
        Ok(contents)
    }
}

fn subfolders_in_words(count: usize) -> String {
    let subfolders = if count == 1 {
        "subfolder"
    } else {
        "subfolders"
    };
    format!("{count} {subfolders}")
}

/// Returns `true` for `cape.png`, and for `….cape.png`, a cape next to the skin of that name.
fn is_cape(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    name == "cape.png" || name.ends_with(".cape.png")
}
