//! The commands of the README and the documents: each is run here, or by a recipe or by CI. And the
//! README's pictures are those that its program draws.

use std::{fs, path::Path};

use super::names::{documents, read, root};
use crate::support::{Server, effigy, text};
use tempfile::TempDir;

/// The lines of a script, those that end with a backslash with the next ones, without comments.
fn lines(script: &str) -> Vec<String> {
    let script = script.replace("\\\n", " ");
    let lines = script.lines().map(|line| {
        let command = line.split(" #").next().unwrap_or_default();
        command.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let is_command = |line: &String| !line.is_empty() && !line.starts_with('#');
    lines.filter(is_command).collect()
}

fn recipes() -> Vec<String> {
    ["justfile", ".ci/run"]
        .map(|file| lines(&read(file)))
        .concat()
}

/// Returns `true` for `just` with a recipe, and for a line of one, without what `{{ }}` adds to it.
fn is_recipe(command: &str) -> bool {
    let recipe = command.strip_prefix("just ");
    recipes().iter().any(|line| match recipe {
        Some(name) => line.starts_with(name) && line.ends_with(':'),
        None => line.split(" {{").next() == Some(command),
    })
}

/// A folder to run commands in, as if it were the repository, and the demo.
struct Shell {
    folder: TempDir,
    demo: Server,
}

impl Shell {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let fixtures = root().join("fixtures").canonicalize().unwrap();
        std::os::unix::fs::symlink(fixtures, folder.path().join("fixtures")).unwrap();
        fs::create_dir_all(folder.path().join("docs/pictures")).unwrap();
        let demo = Server::start_with(&["demo"]);
        Self { folder, demo }
    }

    /// Runs the command, if it is one of the program or of curl; false if it is neither.
    fn run(&self, command: &str) -> bool {
        if let Some((_, path)) = command.split_once("localhost:3005") {
            assert!(command.starts_with("curl ") && self.demo.get(path).status == 200);
            return true;
        }
        let program = command.replace("cargo run --release --", "effigy");
        let program = program.replace("cargo run --release", "effigy");
        let Some(arguments) = program.strip_prefix("effigy") else {
            return false;
        };
        // The demo runs already, and other tests start servers.
        let help = ["", " demo"].contains(&arguments).then_some("--help");
        let port = self.demo.address().rsplit(':').next().unwrap();
        let mut program = effigy();
        program.current_dir(&self.folder).env("PORT", port);
        program.args(arguments.split_whitespace()).args(help);
        let output = program.output().unwrap();
        assert!(
            output.status.success(),
            "{command}: {}",
            text(&output.stderr)
        );
        true
    }
}

#[test]
fn every_command_of_the_documents_is_run() {
    assert!(!is_recipe("just nothing") && !is_recipe("cargo tset"));
    let shell = Shell::new();
    let mut run = 0;
    for (name, document) in documents() {
        let blocks = document.split("\n```sh\n").skip(1);
        let blocks = blocks.filter_map(|block| block.split("\n```").next());
        for command in blocks.flat_map(lines) {
            let is_run = shell.run(&command);
            assert!(is_run || is_recipe(&command), "{name}: {command}");
            run += usize::from(is_run);
        }
    }
    assert!(run >= 6, "only {run} commands were run");
}

#[test]
fn the_pictures_of_the_readme_are_drawn_by_the_program() {
    let readme = read("README.md");
    let shell = Shell::new();
    let recipes = recipes();
    let commands = recipes
        .iter()
        .filter_map(|line| line.split_once(" -o docs/pictures/"));
    let mut drawn = 0;
    for (command, file) in commands {
        let path = Path::new("docs/pictures").join(file);
        let shown = format!("src=\"docs/pictures/{file}\"");
        assert!(readme.contains(&shown), "{file}");
        shell.run(&format!("{command} -o {}", path.display()));
        let pictures = [shell.folder.path(), &root()].map(|folder| folder.join(&path));
        let [fresh, kept] = pictures.map(|picture| fs::read(picture).unwrap());
        assert!(fresh == kept, "`just pictures` draws another {file}");
        drawn += 1;
    }
    assert_eq!(drawn, readme.matches("src=\"docs/pictures/").count());
}
