//! The inputs of a folder.

use std::path::Path;

use super::format::extension;
use super::{Input, RenderArgs};

impl RenderArgs {
    /// Returns the inputs among the PNG files of a folder and its subfolders: skins, or capes for a
    /// picture of a cape.
    ///
    /// Capes are named `cape.png`, or `….cape.png` next to a skin. Without such a file, the picture
    /// of a cape takes all PNG files.
    #[must_use]
    pub fn inputs_of_folder(&self, files: Vec<Input>) -> Vec<Input> {
        let (capes, skins): (Vec<_>, Vec<_>) = files.into_iter().partition(is_cape);
        if self.draws_cape() && !capes.is_empty() {
            capes
        } else {
            skins
        }
    }

    /// Returns the words for a folder without any inputs.
    #[must_use]
    pub fn lack_of_inputs(&self) -> &'static str {
        if self.draws_cape() {
            "has no cape: no file ends in .png"
        } else {
            "has no skin: no file ends in .png, except for capes"
        }
    }

    fn draws_cape(&self) -> bool {
        self.picture == "cape"
    }
}

/// Returns `true` for a path with the extension of PNG files.
#[must_use]
pub fn is_png(path: &Path) -> bool {
    extension(path) == "png"
}

/// Returns `true` for a file with the name of a cape.
fn is_cape(file: &Input) -> bool {
    let name = Path::new(&file.text).file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_lowercase();
    name == "cape.png" || name.ends_with(".cape.png")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::tests::parse;

    /// Returns the names that a picture takes from a folder with these files.
    fn taken(picture: &str, files: &[&str]) -> Vec<String> {
        let of_folder = |file: &&str| Input::of_folder(Path::new(file), Path::new(""));
        let files = files.iter().map(of_folder).collect();
        let inputs = parse(picture).inputs_of_folder(files);
        inputs.into_iter().map(|input| input.text).collect()
    }

    #[test]
    fn png_files_have_their_extension_in_any_case() {
        for (name, expected) in [("fox.png", true), ("ox.PNG", true), ("fox.txt", false)] {
            assert_eq!(is_png(Path::new(name)), expected, "{name}");
        }
    }

    #[test]
    fn pictures_take_skins_and_leave_capes() {
        let files = ["ox.PNG", "fox.png", "Cape.png", "fox.cape.png"];
        assert_eq!(taken("face", &files), ["ox.PNG", "fox.png"]);
        assert_eq!(taken("face", &["cape.png"]), [""; 0]);
        assert_eq!(taken("face", &["landscape.png"]), ["landscape.png"]);
    }

    #[test]
    fn pictures_of_capes_take_files_with_their_names() {
        let files = ["a/fox.png", "a/fox.cape.png", "b/ox.png", "Cape.png"];
        assert_eq!(taken("cape", &files), ["a/fox.cape.png", "Cape.png"]);
        assert_eq!(taken("cape", &["gold.png"]), ["gold.png"]);
    }
}
