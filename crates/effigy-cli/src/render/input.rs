//! An input of the command: a skin file, a player, the hash of a texture or standard input.

use std::path::{Path, PathBuf};

use effigy_upstream::TextureHash;

use super::format::extension;

/// The input that means standard input.
const STANDARD_INPUT: &str = "-";

/// The extensions of images. No player's name has one.
const IMAGE_EXTENSIONS: [&str; 12] = [
    "png", "jpg", "jpeg", "gif", "webp", "bmp", "svg", "apng", "avif", "ico", "tif", "tiff",
];

/// A skin file, a player, the hash of a texture or standard input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The path, the name or id of the player, the hash, or `-`. In a path, bytes that are not
    /// UTF-8 are replaced.
    pub text: String,
    /// The subfolder for the picture, if the skin file is in a subfolder of a folder.
    pub subfolder: PathBuf,
    path: Option<PathBuf>,
}

/// The place where an input comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Standard input.
    StandardInput,
    /// A skin file.
    File(PathBuf),
    /// The texture with a hash.
    Texture(TextureHash),
    /// The name or id of a player.
    Player(String),
}

impl Input {
    /// Reads an input that is no folder. `file_exists` tells if there is a file with this path.
    #[must_use]
    pub fn new(text: &str, file_exists: bool) -> Self {
        let path = if file_exists || looks_like_path(text) {
            Some(PathBuf::from(text))
        } else {
            None
        };
        Self {
            text: text.to_owned(),
            subfolder: PathBuf::new(),
            path,
        }
    }

    /// A file of a folder, in this subfolder of it.
    #[must_use]
    pub fn of_folder(file: &Path, subfolder: &Path) -> Self {
        Self {
            text: file.to_string_lossy().into_owned(),
            subfolder: subfolder.to_owned(),
            path: Some(file.to_owned()),
        }
    }

    /// Returns the place where the input comes from.
    #[must_use]
    pub fn source(&self) -> Source {
        if self.text == STANDARD_INPUT {
            return Source::StandardInput;
        }
        if let Some(path) = &self.path {
            return Source::File(path.clone());
        }
        match TextureHash::parse(&self.text) {
            Some(hash) => Source::Texture(hash),
            None => Source::Player(self.text.clone()),
        }
    }

    /// Returns the beginning of the name of the picture's file: the name of the skin file, or of
    /// the player without characters that some file systems don't allow.
    #[must_use]
    pub fn stem(&self) -> String {
        let label = self.label();
        if self.path.is_some() {
            return label;
        }
        let is_unsafe = |c: char| c.is_control() || "<>:\"/\\|?*".contains(c);
        label.replace(is_unsafe, "_")
    }

    /// Returns the name of the input as pictures show it: the name of a file without `.png`.
    #[must_use]
    pub fn label(&self) -> String {
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

    /// Returns the texts of inputs, separated by commas.
    #[must_use]
    pub fn list<'a>(inputs: impl IntoIterator<Item = &'a Self>) -> String {
        let texts: Vec<&str> = inputs.into_iter().map(|input| &*input.text).collect();
        texts.join(", ")
    }

    /// Returns the words for the input in messages.
    #[must_use]
    pub fn in_messages(&self) -> &str {
        if self.text == STANDARD_INPUT {
            "standard input"
        } else {
            &self.text
        }
    }
}

/// Returns `true` for a text that cannot be a player's name, so that it is a path even if there is
/// no such file.
fn looks_like_path(text: &str) -> bool {
    // A leading dot begins a gamertag, not an extension: `.Png` is a player. The image's extension
    // may be followed by another one, as in `skin.png.bak`.
    let mut extensions = text.trim_start_matches('.').split('.').skip(1);
    let is_image = |word: &str| IMAGE_EXTENSIONS.contains(&&*word.to_lowercase());
    // On Windows, `\` separates the components of a path, too.
    let has_separator = text.contains('/') || Path::new(text).components().count() > 1;
    extensions.any(is_image) || has_separator
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_tells_whether_an_input_is_a_file() {
        let file = |text: &str| Source::File(PathBuf::from(text));
        let player = |text: &str| Source::Player(text.to_owned());
        for (text, expected) in [
            ("-", Source::StandardInput),
            ("fox.png", file("fox.png")),
            ("fox.PNG.bak", file("fox.PNG.bak")),
            ("skins/fox", file("skins/fox")),
            ("fox", player("fox")),
            (".Png", player(".Png")),
            ("fox.v2", player("fox.v2")),
        ] {
            assert_eq!(Input::new(text, false).source(), expected, "{text}");
        }
        assert_eq!(Input::new("fox", true).source(), file("fox"));
    }
}
