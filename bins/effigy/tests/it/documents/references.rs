//! Flags, codes, releases and tests that the documents name, which must exist.

use std::process::Command;

use crate::support::documents::{documents, read, root};
use crate::support::{Server, run, text};

#[test]
fn flags_of_documents_exist() {
    let mut help = String::new();
    for command in ["serve", "render"] {
        help += &text(&run(&[command, "--help"]).stdout);
    }
    let help = help.replace(['\n', '='], " ");
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
fn codes_of_errors_are_documented() {
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
fn readme_names_everything_that_is_released() {
    let readme = read("README.md").replace('\n', " ");
    let (_, end) = readme.split_once("From the first release on, ").unwrap();
    let (released, _) = end.split_once("at npm.").unwrap();
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
    // A new kind of artifact would have a job or a target of its own.
    let mut jobs = Vec::new();
    for line in workflow.lines() {
        let entry = line.strip_prefix("  ").unwrap_or_default();
        if entry.ends_with(':') && !entry.starts_with([' ', '#']) {
            jobs.push(entry.trim_end_matches(':'));
        }
    }
    #[rustfmt::skip]
    assert_eq!(jobs, ["push", "test", "binary", "image", "release", "crates", "npm"]);
    assert_eq!(workflow.matches("target: ").count(), 4);
}

#[test]
fn tests_of_threats_exist() {
    let mut grep = Command::new("grep");
    grep.args("-rho --include=*.rs fn.[a-z0-9_]*() crates bins".split(' '));
    let functions = text(&grep.current_dir(root()).output().unwrap().stdout);
    let security = read("docs/SECURITY.md");
    let mut count = 0;
    for quoted in security.split('`').skip(1).step_by(2) {
        // The document quotes commands, too.
        if quoted.contains('_') && !quoted.contains(' ') {
            let function = format!("fn {quoted}()\n");
            assert!(functions.contains(&function), "there is no {quoted}");
            count += 1;
        }
    }
    assert!(count > 20, "{count}");
}
