//! The published package: its files, its types, and that it works where nothing else is installed.

use std::fs;

use fixtures::programs::run_in;
use fixtures::{Image, code_blocks, skin};
use serde_json::Value;
use tempfile::TempDir;

use crate::support::node::{copied_package, evaluate, installed};
use crate::support::npm;

#[test]
fn only_the_listed_files_are_published() {
    let folder = TempDir::new().unwrap();
    copied_package(folder.path());
    let options = ["pack", "--dry-run", "--json"];
    let Some(report) = run_in(&folder.path().join("npm"), "npm", &options) else {
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

#[test]
fn example_of_the_readme_writes_a_picture() {
    let readme = include_str!("../../../README.md");
    let example = code_blocks(readme, "mjs")[0];
    let Some(folder) = installed() else {
        return;
    };
    fs::write(folder.join("example.mjs"), example).unwrap();
    fs::write(folder.join("skin.png"), skin("knight").png).unwrap();
    run_in(folder, "node", &["example.mjs"]);
    let picture = Image::decode(&fs::read(folder.join("walk.png")).unwrap()).unwrap();
    assert_eq!([picture.width, picture.height], [256, 512]);
}

/// An installed package has none of the repository's other files.
#[test]
fn readme_links_to_no_file_of_the_repository() {
    let readme = include_str!("../../../README.md");
    assert!(!readme.contains("../"), "{readme}");
}

/// Many bots are CommonJS. Old versions of Node.js can't load a module there.
#[test]
fn commonjs_can_require_the_package() {
    let Some(folder) = installed() else {
        return;
    };
    let script = "if (process.features.require_module) { \
                      const { Skin } = require('effigy-figure/node'); \
                      Skin.decode(require('node:fs').readFileSync('skins/fox.png')); \
                  }";
    fs::write(folder.join("script.cjs"), script).unwrap();
    run_in(folder, "node", &["script.cjs"]);
}

/// The older resolution ignores `exports` and looks for a folder of the name.
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
        run_in(folder, "tsc", &options);
    }
}
