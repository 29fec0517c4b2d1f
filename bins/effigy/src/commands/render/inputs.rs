//! The inputs: skin files, folders of them, standard input, and players.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::{Context, Result, bail, ensure};
use effigy_cli::RenderArgs;
use effigy_upstream::TextureHash;

use crate::commands::counted;

/// The input that means standard input.
const STANDARD_INPUT: &str = "-";

/// The extensions of images. No player's name has one.
const IMAGE_EXTENSIONS: [&str; 12] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "apng", "avif", "ico", "tif", "tiff",
];

/// The inputs of a command.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub(super) all: Vec<Input>,
    /// The number of subfolders that are not read.
    left_out: usize,
}

/// A skin file, a player, the hash of a texture or standard input.
#[derive(Debug)]
pub(super) struct Input {
    /// The path, the name or id of the player, the hash, or `-`.
    pub(super) text: String,
    /// The subfolder for the picture, if the skin file is in a subfolder of an input.
    pub(super) subfolder: PathBuf,
}

/// The place where an input comes from.
pub(super) enum Source {
    StandardInput,
    File(PathBuf),
    Texture(TextureHash),
    /// The name or id of a player.
    Player(String),
}

/// Returns the inputs of the arguments, with the skin files of each folder in its place.
pub(super) fn expand(args: &RenderArgs) -> Result<Inputs> {
    let mut inputs = Inputs::default();
    for text in &args.inputs {
        if Path::new(text).is_dir() {
            inputs.add_folder(args, text)?;
            continue;
        }
        ensure!(!text.ends_with('/'), "there is no folder {text}");
        inputs.all.push(Input {
            text: text.clone(),
            subfolder: PathBuf::new(),
        });
    }
    Ok(inputs)
}

impl Inputs {
    /// Returns a sentence about subfolders that are not read, if there are any.
    pub(super) fn notice(&self) -> Option<String> {
        if self.left_out == 0 {
            return None;
        }
        let subfolders = subfolders_in_words(self.left_out);
        Some(format!("Left out {subfolders}; --recursive takes them"))
    }

    /// Adds the skin files of a folder.
    fn add_folder(&mut self, args: &RenderArgs, text: &str) -> Result<()> {
        let skins_before = self.all.len();
        let left_out_before = self.left_out;
        self.add_files(args, Path::new(text), Path::new(""))?;
        if self.all.len() > skins_before {
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

    /// Adds the skin files of a subfolder of `root`, followed by those of its own subfolders.
    fn add_files(&mut self, args: &RenderArgs, root: &Path, subfolder: &Path) -> Result<()> {
        let folder = root.join(subfolder);
        let contents = Contents::of(&folder, args);
        let contents =
            contents.with_context(|| format!("cannot read the folder {}", folder.display()))?;
        for skin in contents.skins {
            self.all.push(Input {
                text: skin.to_string_lossy().into_owned(),
                subfolder: subfolder.to_owned(),
            });
        }
        if !args.recursive {
            self.left_out += contents.subfolders.len();
            return Ok(());
        }
        for name in contents.subfolders {
            self.add_files(args, root, &subfolder.join(name))?;
        }
        Ok(())
    }
}

impl Input {
    pub(super) fn source(&self) -> Source {
        if self.text == STANDARD_INPUT {
            return Source::StandardInput;
        }
        if is_path(&self.text) {
            return Source::File(PathBuf::from(&self.text));
        }
        match TextureHash::parse(&self.text) {
            Some(hash) => Source::Texture(hash),
            None => Source::Player(self.text.clone()),
        }
    }

    /// Returns the beginning of the name of the picture's file: the name of the skin file, or of
    /// the player without characters that some file systems don't allow.
    pub(super) fn stem(&self) -> String {
        let label = self.label();
        if is_path(&self.text) {
            return label;
        }
        let is_unsafe = |c: char| c.is_control() || "<>:\"/\\|?*".contains(c);
        label.replace(is_unsafe, "_")
    }

    /// Returns the name of the input as pictures show it: the name of a file without `.png`.
    pub(super) fn label(&self) -> String {
        if self.text == STANDARD_INPUT {
            return "stdin".to_owned();
        }
        let path = Path::new(&self.text);
        let name = if extension(path) == "png" {
            path.file_stem()
        } else {
            // The dot of a gamertag doesn't begin an extension.
            path.file_name()
        };
        name.unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the words for the input in messages.
    pub(super) fn in_messages(&self) -> &str {
        if self.text == STANDARD_INPUT {
            "standard input"
        } else {
            &self.text
        }
    }
}

/// Returns `true` for a path. A text that cannot be a player's name is a path, even if there is no
/// such file.
fn is_path(input: &str) -> bool {
    let path = Path::new(input);
    // A leading dot begins a gamertag, not an extension: `.Png` is a player. The image's extension
    // may be followed by another one, as in `skin.png.bak`.
    let mut extensions = input.trim_start_matches('.').split('.').skip(1);
    let is_image = |word: &str| IMAGE_EXTENSIONS.contains(&&*word.to_lowercase());
    // On Windows, `\` separates the components of a path, too.
    let has_separator = input.contains('/') || path.components().count() > 1;
    extensions.any(is_image) || has_separator || path.is_file()
}

/// The files and the subfolders of a folder, in the order of their names.
#[derive(Default)]
struct Contents {
    /// The paths of skin files. The file of `--onto` is not one of them.
    skins: Vec<PathBuf>,
    /// The names of subfolders, except for hidden folders and the folder of the pictures. Links are
    /// not followed, because they may lead back.
    subfolders: Vec<OsString>,
}

impl Contents {
    fn of(folder: &Path, args: &RenderArgs) -> io::Result<Self> {
        let mut contents = Self::default();
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name();
            if entry.file_type()?.is_dir() {
                let is_output = is_same_file(&path, args.output.as_deref());
                if !is_output && !name.to_string_lossy().starts_with('.') {
                    contents.subfolders.push(name);
                }
            } else if is_skin(&path) && !is_same_file(&path, args.backdrop()) {
                contents.skins.push(path);
            }
        }
        contents.skins.sort();
        contents.subfolders.sort();
        Ok(contents)
    }
}

fn subfolders_in_words(count: usize) -> String {
    counted(count as u64, "subfolder")
}

/// Returns the extension of a file in lower case, or an empty text.
fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// Returns `true` for a file that a folder has as a skin.
fn is_skin(path: &Path) -> bool {
    extension(path) == "png" && !is_cape(path) && path.is_file()
}

/// Returns `true` if both paths lead to the same file or folder.
fn is_same_file(path: &Path, other: Option<&Path>) -> bool {
    let Some(other) = other else {
        return false;
    };
    match (path.canonicalize(), other.canonicalize()) {
        (Ok(path), Ok(other)) => path == other,
        _ => false,
    }
}

/// Returns `true` for `cape.png`, and for the cape `….cape.png` next to a skin.
fn is_cape(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    name == "cape.png" || name.ends_with(".cape.png")
}
