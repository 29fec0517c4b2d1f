//! What is published: its files, its types, and that it works where nothing else is installed.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::support::node::{copied_package, evaluate, installed};
use crate::support::{npm, run};

#[test]
fn only_the_listed_files_are_published() {
    let folder = TempDir::new().unwrap();
    copied_package(folder.path());
    let options = ["pack", "--dry-run", "--json"];
    let Some(report) = run(&folder.path().join("npm"), "npm", &options) else {
        return;
    };
    let report: Value = serde_json::from_str(&report).unwrap();
    let files = report[0]["files"].as_array().unwrap();
    let mut names: Vec<&str> = files
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    names.sort_unstable();
    let expected = [
        "LICENSE",
        "README.md",
        "effigy-figure.d.ts",
        "effigy-figure.js",
        "effigy_wasm.d.ts",
        "effigy_wasm.js",
        "effigy_wasm_bg.wasm",
        "node/effigy_node.js",
        "node/effigy_node_bg.wasm",
        "node/index.d.ts",
        "node/index.js",
        "package.json",
    ];
    assert_eq!(names, expected);
}

#[test]
fn version_of_the_package_is_that_of_the_crates() {
    let manifest = fs::read(npm().join("package.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn files_for_websites_can_be_imported_by_name() {
    let names = [
        "effigy-figure",
        "effigy-figure/effigy-figure.js",
        "effigy-figure/effigy_wasm.js",
        "effigy-figure/effigy_wasm_bg.wasm",
    ];
    let expressions: Vec<String> = names
        .iter()
        .map(|name| format!("readFileSync(new URL(import.meta.resolve('{name}'))).length > 0"))
        .collect();
    let Some(outcomes) = evaluate(&expressions) else {
        return;
    };
    assert_eq!(outcomes, [true; 4]);
}

/// Packages that give their users a choice of both resolve the types of Node.js either way.
#[test]
fn types_fit_the_use_in_both_kinds_of_resolution() {
    let Some(folder) = installed() else {
        return;
    };
    let program = folder.join("use.ts");
    fs::write(&program, include_str!("use.ts")).unwrap();
    for resolution in [
        "--module nodenext",
        "--module es2022 --moduleResolution node",
    ] {
        let options =
            format!("--strict --noEmit --target es2022 --lib es2022,dom {resolution} use.ts");
        let options: Vec<&str> = options.split(' ').collect();
        run(folder, "tsc", &options);
    }
}
