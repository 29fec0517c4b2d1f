//! A folder with skin files, in which `effigy render` runs.

use std::fs;
use std::path::PathBuf;
use std::process::Output;

use fixtures::skin;
use tempfile::TempDir;

use super::{effigy, text};

/// A folder with skin files, in which `effigy render` runs.
pub(crate) struct SkinFolder {
    folder: TempDir,
}

impl SkinFolder {
    /// Creates a folder with two skins and a cape, a subfolder `skins` with two other skins and
    /// files that aren't skins, and an empty subfolder `empty`.
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let files = Self { folder };
        for name in ["skins", "empty"] {
            fs::create_dir(files.path(name)).unwrap();
        }
        files.put("knight.png", skin("knight").png);
        files.put("fox.png", skin("fox").png);
        files.put("cape.png", fixtures::cape());
        files.put("skins/fox.png", skin("fox").png);
        files.put("skins/wizard.png", skin("wizard").png);
        files.put("skins/fox.cape.png", fixtures::cape());
        files.put("skins/Cape.png", fixtures::cape());
        files.put("skins/notes.txt", b"not a skin");
        files
    }

    /// Returns the path of a file in the folder.
    pub(crate) fn path(&self, file: &str) -> PathBuf {
        self.folder.path().join(file)
    }

    pub(crate) fn put(&self, file: &str, content: &[u8]) {
        fs::write(self.path(file), content).unwrap();
    }

    pub(crate) fn read(&self, file: &str) -> Vec<u8> {
        fs::read(self.path(file)).unwrap()
    }

    /// Returns the number of entries of a subfolder.
    pub(crate) fn count(&self, subfolder: &str) -> usize {
        self.path(subfolder).read_dir().unwrap().count()
    }

    /// Runs `effigy render` with these words in the folder. In a word, `%20` is a space.
    pub(crate) fn render(&self, words: &str) -> Output {
        let mut command = effigy();
        command.current_dir(&self.folder).arg("render");
        let words = words.split(' ').map(|word| word.replace("%20", " "));
        command.args(words).output().unwrap()
    }

    /// Runs `effigy render` with success, and returns what it says on standard error.
    #[track_caller]
    pub(crate) fn notices(&self, words: &str) -> String {
        let output = self.render(words);
        let notices = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words}: {notices}");
        notices
    }

    /// Runs `effigy render` with success, and returns the file on standard output.
    #[track_caller]
    pub(crate) fn picture(&self, words: &str) -> Vec<u8> {
        let output = self.render(&format!("{words} -o -"));
        let notices = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{words}: {notices}");
        output.stdout
    }
}
