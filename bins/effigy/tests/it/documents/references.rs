//! The documents name only flags, metrics and tests that exist.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use crate::support::{Server, run, text};

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The README and what lies under `docs`, each by its name. The changelog names what is gone.
pub(super) fn documents() -> Vec<(String, String)> {
    let entries = root().join("docs").read_dir().unwrap().map(Result::unwrap);
    let names = entries.map(|entry| format!("docs/{}", entry.file_name().display()));
    let names = names.filter(|name| name.ends_with(".md") && !name.ends_with("CHANGELOG.md"));
    let names = names.chain(["README.md".to_owned()]);
    names.map(|name| (name.clone(), read(&name))).collect()
}

#[test]
fn every_flag_of_the_documents_exists() {
    let help = ["serve", "render"].map(|command| text(&run(&[command, "--help"]).stdout));
    let help = help.concat().replace(['\n', '='], " ");
    let mut count = 0;
    for (name, document) in documents() {
        for rest in document.split("`--").skip(1) {
            let end = rest.find(|c: char| c != '-' && !c.is_ascii_lowercase());
            let flag = format!(" --{} ", &rest[..end.unwrap()]);
            assert!(help.contains(&flag), "{name}: there is no {flag}");
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}

#[test]
fn every_code_of_an_error_is_documented() {
    let document = Server::start_with(&["demo"]).get("/openapi.json").json();
    let codes = &document["components"]["schemas"]["ErrorCode"]["enum"];
    let http = read("docs/http-api.md");
    for code in codes.as_array().unwrap() {
        let code = code.as_str().unwrap();
        assert!(http.contains(&format!("| `{code}` |")), "{code}");
    }
    assert!(codes.as_array().unwrap().len() > 15);
}

#[test]
fn everything_that_is_released_is_in_the_readme() {
    let readme = read("README.md").replace('\n', " ");
    let (_, released) = readme.split_once("From the first release on, ").unwrap();
    let (released, _) = released.split_once("at npm.").unwrap();
    let workflow = read(".github/workflows/release.yml");
    for (built, named) in [
        ("x86_64-unknown-linux-gnu", "Linux (x86-64 and ARM)"),
        ("aarch64-unknown-linux-gnu", "Linux (x86-64 and ARM)"),
        ("aarch64-apple-darwin", "macOS (ARM)"),
        ("x86_64-pc-windows-msvc", "Windows"),
        ("cargo deb ", "Debian packages"),
        ("cargo cyclonedx ", "a bill of materials"),
        ("SHA256SUMS", "checksums"),
        ("ghcr.io/", "`ghcr.io/effigy-mc/effigy`"),
        ("cargo publish ", "crates.io"),
        ("npm publish ", "`effigy-figure`"),
    ] {
        assert!(workflow.contains(built), "{built}");
        assert!(released.contains(named), "{named}");
    }
    // A new kind of artifact has a job or a target of its own.
    let jobs = workflow.lines().filter(|line| {
        let name = line.strip_prefix("  ").unwrap_or_default();
        name.ends_with(':') && !name.starts_with([' ', '#'])
    });
    let jobs: Vec<&str> = jobs.map(|line| line.trim().trim_end_matches(':')).collect();
    assert_eq!(
        jobs,
        [
            "push", "test", "binary", "image", "release", "crates", "npm"
        ]
    );
    assert_eq!(workflow.matches("target: ").count(), 4);
}

#[test]
fn every_threat_has_a_test() {
    let mut grep = Command::new("grep");
    grep.args("-rho --include=*.rs fn.[a-z0-9_]*() crates bins".split(' '));
    let functions = text(&grep.current_dir(root()).output().unwrap().stdout);
    let security = read("docs/SECURITY.md");
    let tests: Vec<&str> = security.split('`').skip(1).step_by(2).collect();
    // Some are verified by a command.
    let is_function = |test: &&&str| test.contains('_') && !test.contains(' ');
    for test in tests.iter().filter(is_function) {
        let function = format!("fn {test}()\n");
        assert!(functions.contains(&function), "there is no {test}");
    }
    assert!(tests.len() > 30, "{tests:?}");
}
