//! The commands of the README and the documents: each is run here, or by a recipe or by CI. And the
//! README's pictures are those that its program draws.

use std::{
    fs,
    io::BufReader,
    path::{Path, PathBuf},
    process::{Child, ChildStdout, Command, Stdio},
};

use crate::support::{effigy, read_line, text};
use fixtures::FakeUpstream;
use fixtures::client::ask;
use tempfile::TempDir;

/// The address of the service in the documents.
const DOCUMENTED: &str = "localhost:3005";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The README and what lies under `docs`.
fn documents() -> Vec<String> {
    let folder = root().join("docs").read_dir().unwrap();
    let files = folder.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut documents: Vec<String> = files
        .filter(|name| name.ends_with(".md"))
        .map(|name| format!("docs/{name}"))
        .collect();
    documents.sort();
    documents.insert(0, "README.md".to_owned());
    documents
}

/// The commands in the blocks of a document that are for a shell, each in one line.
fn commands(document: &str) -> Vec<String> {
    let text = read(document);
    let blocks = text.split("\n```sh\n").skip(1);
    let blocks = blocks.map(|block| block.split("\n```").next().unwrap());
    let lines = blocks.flat_map(|block| joined(block).collect::<Vec<_>>());
    lines.collect()
}

/// The lines of a script, those that end with a backslash with the next ones, without comments.
fn joined(script: &str) -> impl Iterator<Item = String> {
    let script = script.replace("\\\n", " ");
    let lines = script.lines().map(|line| {
        let command = line.split(" #").next().unwrap_or_default();
        command.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let lines: Vec<String> = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    lines.into_iter()
}

/// The lines of the recipes and of CI.
fn recipes() -> Vec<String> {
    let scripts = [read("justfile"), read(".ci/run")];
    scripts.iter().flat_map(|script| joined(script)).collect()
}

/// Returns `true` if a line of a recipe runs the command: `cargo test {{ filter }}` does with any filter.
fn runs(line: &str, command: &str) -> bool {
    match line.split_once(" {{") {
        Some((begin, _)) => command.strip_prefix(begin).is_some_and(|rest| {
            // What follows is given to the recipe.
            rest.is_empty() || rest.starts_with(' ')
        }),
        None => line == command,
    }
}

fn is_recipe(command: &str, recipes: &[String]) -> bool {
    let recipe = command.strip_prefix("just ").map(|rest| {
        let name = rest.split(' ').next().unwrap_or_default();
        // Its line has the name and then its arguments or what it needs.
        let is_it = |line: &String| {
            let head = line.split([' ', ':']).next();
            line.contains(':') && head == Some(name)
        };
        recipes.iter().any(is_it)
    });
    recipe.unwrap_or_else(|| recipes.iter().any(|line| runs(line, command)))
}

/// A running service.
struct Service {
    child: Child,
    address: String,
    /// Open, so that the service can print more than its first line.
    _output: BufReader<ChildStdout>,
}

/// A folder to run commands in, as if it were the repository, and the service that one of them has
/// started.
struct Shell {
    upstream: FakeUpstream,
    folder: TempDir,
    service: Option<Service>,
}

impl Shell {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let fixtures = root().join("fixtures").canonicalize().unwrap();
        std::os::unix::fs::symlink(fixtures, folder.path().join("fixtures")).unwrap();
        fs::create_dir_all(folder.path().join("docs/pictures")).unwrap();
        Self {
            upstream: FakeUpstream::start(),
            folder,
            service: None,
        }
    }

    /// Runs the command, if it is one of the program or of curl; false if it is neither.
    fn run(&mut self, command: &str) -> bool {
        let words: Vec<&str> = command.split(' ').collect();
        match words.as_slice() {
            ["cargo", "run", "--release"] => self.start(&[]),
            ["cargo", "run", "--release", "--", rest @ ..] | ["effigy", rest @ ..] => {
                match rest.first() {
                    Some(&"demo" | &"serve") => self.start(rest),
                    _ => self.finish(rest),
                }
            }
            ["curl", rest @ ..] => self.fetch(rest),
            _ => return false,
        }
        true
    }

    fn program(&self) -> Command {
        let mut command = effigy();
        let url = self.upstream.url();
        command
            .current_dir(self.folder.path())
            .envs([("LISTEN", "127.0.0.1"), ("LOG", "error")])
            .envs([("JAVA_IDENTITY_URL", url), ("JAVA_SESSION_URL", url)])
            .envs([("BEDROCK_LOOKUP_URL", url), ("TEXTURE_URL", url)]);
        command
    }

    /// Starts a service, in place of the one that runs.
    fn start(&mut self, arguments: &[&str]) {
        self.stop();
        let mut command = self.program();
        command.args(arguments).env("PORT", "0");
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        let line = read_line(&mut output);
        let address = line.strip_prefix("Effigy listens on http://");
        let address = address.unwrap_or_else(|| panic!("{arguments:?}: {line}"));
        self.service = Some(Service {
            child,
            address: address.to_owned(),
            _output: output,
        });
    }

    fn stop(&mut self) {
        if let Some(mut service) = self.service.take() {
            service.child.kill().unwrap();
            service.child.wait().unwrap();
        }
    }

    fn address(&mut self) -> String {
        if self.service.is_none() {
            self.start(&["demo"]);
        }
        self.service.as_ref().unwrap().address.clone()
    }

    /// Runs the program to its end.
    fn finish(&mut self, arguments: &[&str]) {
        let address = self.address();
        let port = address.rsplit(':').next().unwrap();
        let output = self.program().args(arguments).env("PORT", port).output();
        let output = output.unwrap();
        let error = text(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
    }

    /// Sends the request that curl would.
    fn fetch(&mut self, arguments: &[&str]) {
        let url = arguments
            .iter()
            .find_map(|word| word.strip_prefix(DOCUMENTED));
        let path = url.unwrap_or_else(|| panic!("{arguments:?} asks somebody else"));
        let reply = ask(&self.address(), "GET", path, &[]);
        assert_eq!(reply.status, 200, "{path}");
        if let ["-o", file, ..] = arguments {
            let is_png = reply.body.starts_with(b"\x89PNG");
            assert_eq!(is_png, file.ends_with(".png"), "{file}");
        }
    }
}

impl Drop for Shell {
    fn drop(&mut self) {
        self.stop();
    }
}

#[test]
fn every_command_of_the_documents_is_run() {
    let recipes = recipes();
    let mut run = 0;
    for document in documents() {
        let mut shell = Shell::new();
        for command in commands(&document) {
            // Other commands are run by a recipe or by CI.
            if shell.run(&command) {
                run += 1;
            } else {
                assert!(is_recipe(&command, &recipes), "{document}: {command}");
            }
        }
    }
    assert!(run >= 6, "only {run} commands were run");
}

#[test]
fn a_command_that_nothing_runs_is_found_out() {
    let recipes = recipes();
    for command in [
        "just deb",
        "just load 64 5",
        "cargo test --workspace --locked",
    ] {
        assert!(is_recipe(command, &recipes), "{command}");
    }
    for command in ["just nothing", "just", "cargo tset", "rm -rf x"] {
        assert!(!is_recipe(command, &recipes), "{command}");
        assert!(!Shell::new().run(command), "{command}");
    }
}

#[test]
fn the_pictures_of_the_readme_are_drawn_by_the_program() {
    let readme = read("README.md");
    let mut shell = Shell::new();
    let mut drawn = 0;
    for command in recipes() {
        let Some((_, file)) = command.split_once("-o docs/pictures/") else {
            continue;
        };
        assert!(readme.contains(&format!("docs/pictures/{file}")), "{file}");
        assert!(shell.run(&command), "{command}");
        let path = Path::new("docs/pictures").join(file);
        let fresh = fs::read(shell.folder.path().join(&path)).unwrap();
        let kept = fs::read(root().join(&path)).unwrap();
        assert!(fresh == kept, "{file}: `just pictures` draws another one");
        drawn += 1;
    }
    let shown = readme.matches("src=\"docs/pictures/").count();
    assert_eq!((drawn, shown), (13, 13));
}
