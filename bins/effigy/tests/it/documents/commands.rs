//! The commands of the documents and of the README's pictures, which are run here.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

use fixtures::code_blocks;
use tempfile::TempDir;

use crate::support::documents::{documents, read, root};
use crate::support::{Server, effigy, text};

/// Returns the commands of a script, without comments. A line that ends with a backslash continues
/// on the next line.
fn commands(script: &str) -> Vec<String> {
    let mut commands = Vec::new();
    for line in script.replace("\\\n", " ").lines() {
        let command = line.split(" #").next().unwrap_or_default();
        let command = command.split_whitespace().collect::<Vec<_>>().join(" ");
        if !command.is_empty() && !command.starts_with('#') {
            commands.push(command);
        }
    }
    commands
}

/// Returns the lines of the recipes and of CI.
fn recipe_lines() -> Vec<String> {
    let mut lines = commands(&read("justfile"));
    lines.extend(commands(&read(".ci/run")));
    lines
}

/// Returns `true` for `just` with the name of a recipe, and for a line of a recipe without the
/// `{{ }}` at its end.
fn is_recipe(command: &str) -> bool {
    let lines = recipe_lines();
    match command.strip_prefix("just ") {
        Some(name) => lines
            .iter()
            .any(|line| line.starts_with(name) && line.ends_with(':')),
        None => lines
            .iter()
            .any(|line| line.split(" {{").next() == Some(command)),
    }
}

/// A folder to run commands in, as if it were the repository, and a running demo.
struct Shell {
    folder: TempDir,
    demo: Server,
}

impl Shell {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let fixtures = root().join("fixtures").canonicalize().unwrap();
        symlink(fixtures, folder.path().join("fixtures")).unwrap();
        fs::create_dir_all(folder.path().join("docs/pictures")).unwrap();
        let demo = Server::start_with(&["demo"]);
        Self { folder, demo }
    }

    /// Runs a command of the program or of curl. Returns `false` for any other command.
    fn run(&self, command: &str) -> bool {
        if let Some((_, path)) = command.split_once("localhost:3005") {
            assert!(command.starts_with("curl "), "{command}");
            assert_eq!(self.demo.get(path).status, 200, "{command}");
            return true;
        }
        let command = command.replace("cargo run --release --", "effigy");
        let command = command.replace("cargo run --release", "effigy");
        let Some(arguments) = command.strip_prefix("effigy") else {
            return false;
        };
        let (_, port) = self.demo.address().rsplit_once(':').unwrap();
        let mut program = effigy();
        program.current_dir(&self.folder).env("PORT", port);
        program.args(arguments.split_whitespace());
        // Servers would not end, and other tests start them.
        if matches!(arguments, "" | " demo") {
            program.arg("--help");
        }
        let output = program.output().unwrap();
        let errors = text(&output.stderr);
        assert!(output.status.success(), "{command}: {errors}");
        true
    }
}

#[test]
fn commands_of_documents_run_or_are_recipes() {
    assert!(!is_recipe("just nothing") && !is_recipe("cargo tset"));
    let shell = Shell::new();
    let mut run_commands = 0;
    for (name, document) in documents() {
        for script in code_blocks(&document, "sh") {
            for command in commands(script) {
                if shell.run(&command) {
                    run_commands += 1;
                } else {
                    assert!(is_recipe(&command), "{name}: {command}");
                }
            }
        }
    }
    assert!(run_commands >= 6, "only {run_commands} commands were run");
}

#[test]
fn pictures_of_the_readme_are_drawn_by_the_program() {
    let readme = read("README.md");
    let shell = Shell::new();
    let mut drawn = 0;
    for line in recipe_lines() {
        let Some((command, file)) = line.split_once(" -o docs/pictures/") else {
            continue;
        };
        let path = Path::new("docs/pictures").join(file);
        let image = format!("src=\"docs/pictures/{file}\"");
        assert!(readme.contains(&image), "{file}");
        shell.run(&format!("{command} -o {}", path.display()));
        let fresh = fs::read(shell.folder.path().join(&path)).unwrap();
        let kept = fs::read(root().join(&path)).unwrap();
        assert!(fresh == kept, "`just pictures` draws another {file}");
        drawn += 1;
    }
    assert_eq!(drawn, readme.matches("src=\"docs/pictures/").count());
}
