//! The inputs of a folder.

use std::path::{Path, PathBuf};

use super::format::extension;
use super::{Input, RenderArgs};

impl RenderArgs {
    /// Returns the inputs among the files of a folder, in the order of their names: skins, or capes
    /// for a picture of a cape.
    ///
    /// Capes are named `cape.png`, or `….cape.png` next to a skin. Without such a file, the picture
    /// of a cape takes all PNG files.
    #[must_use]
    pub fn inputs_of_folder(&self, mut files: Vec<PathBuf>, subfolder: &Path) -> Vec<Input> {
        files.retain(|file| extension(file) == "png");
        files.sort();
        let (capes, skins): (Vec<_>, Vec<_>) =
            files.into_iter().partition(|file| is_cape_name(file));
        let chosen = if self.picture == "cape" && !capes.is_empty() {
            capes
        } else {
            skins
        };
        let of_folder = |file: &PathBuf| Input::of_folder(file, subfolder);
        chosen.iter().map(of_folder).collect()
    }
}

fn is_cape_name(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let name = name.to_lowercase();
    name == "cape.png" || name.ends_with(".cape.png")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::tests::parse;

    /// Returns the names that a picture takes from a folder with these files.
    fn taken(picture: &str, files: &[&str]) -> Vec<String> {
        let files = files.iter().map(PathBuf::from).collect();
        let inputs = parse(picture).inputs_of_folder(files, Path::new(""));
        inputs.into_iter().map(|input| input.text).collect()
    }

    #[test]
    fn pictures_take_skins_and_leave_capes() {
        let files = ["ox.PNG", "fox.png", "Cape.png", "fox.cape.png", "fox.txt"];
        assert_eq!(taken("face", &files), ["fox.png", "ox.PNG"]);
        assert_eq!(taken("face", &["cape.png"]), [""; 0]);
        assert_eq!(taken("face", &["landscape.png"]), ["landscape.png"]);
    }

    #[test]
    fn pictures_of_capes_take_files_with_their_names() {
        let files = ["fox.png", "fox.cape.png", "Cape.png"];
        assert_eq!(taken("cape", &files), ["Cape.png", "fox.cape.png"]);
        assert_eq!(taken("cape", &["gold.png", "x.txt"]), ["gold.png"]);
    }
}
