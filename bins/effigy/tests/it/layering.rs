//! The layers of the workspace: crates only depend on lower layers, and development crates don't
//! ship.

use std::process::Command;

use serde_json::{Value, json};

use crate::support::documents::read;

/// The crates that ship, from the lowest layer to the highest, and the crates for development.
const LAYERS: [&[&str]; 7] = [
    &["effigy-player"],
    &["effigy-render", "effigy-store", "effigy-upstream"],
    &["effigy-parameters", "effigy-service"],
    &["effigy-wasm"],
    &["effigy-cli", "effigy-http"],
    &["effigy"],
    &[
        "benches",
        "effigy-browser-tests",
        "effigy-testing",
        "fixtures",
    ],
];

/// Large dependencies, each with the only crate that ships and depends on it.
const OWNERS: [(&str, &str); 5] = [
    ("clap", "effigy-cli"),
    ("hyper", "effigy-http"),
    ("png", "effigy-render"),
    ("sqlx", "effigy-store"),
    ("tiny-skia", "effigy-render"),
];

/// The feature of the renderer that enables tiny-skia.
const PIXMAPS: &str = "tiny-skia";

/// Cargo's description of the workspace.
fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version=1", "--no-deps", "--offline"]);
    serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap()
}

/// Returns the layer of a crate, or `None` for a crate of other people.
fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|names| names.contains(&name))
}

/// Returns the packages that ship.
fn shipped_packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    let development = LAYERS.len() - 1;
    let packages = metadata["packages"].as_array().unwrap().iter();
    packages.filter(move |package| layer(package["name"].as_str().unwrap()) != Some(development))
}

/// Returns the dependencies of a package that are not only for its tests.
fn shipped_dependencies(package: &Value) -> impl Iterator<Item = &Value> {
    let dependencies = package["dependencies"].as_array().unwrap().iter();
    dependencies.filter(|dependency| dependency["kind"] != "dev")
}

#[test]
fn crates_depend_on_lower_layers_only() {
    let metadata = metadata();
    for package in shipped_packages(&metadata) {
        let name = package["name"].as_str().unwrap();
        let own_layer = layer(name).expect("every crate has a layer");
        for dependency in shipped_dependencies(package) {
            let dependency_name = dependency["name"].as_str().unwrap();
            if let Some(other_layer) = layer(dependency_name) {
                assert!(
                    other_layer < own_layer,
                    "{name} depends on {dependency_name}"
                );
            }
        }
    }
}

#[test]
fn large_dependencies_have_one_owner() {
    let metadata = metadata();
    for package in shipped_packages(&metadata) {
        let name = package["name"].as_str().unwrap();
        for dependency in shipped_dependencies(package) {
            for (large, owner) in OWNERS {
                let is_foreign = dependency["name"] == large && name != owner;
                assert!(!is_foreign, "{name} depends on {large}");
            }
        }
    }
}

/// `effigy render --onto` needs pixmaps. Modules for browsers would grow by them.
#[test]
fn only_the_program_draws_onto_pixmaps() {
    let metadata = metadata();
    for package in shipped_packages(&metadata) {
        let name = package["name"].as_str().unwrap();
        let mut renderers = shipped_dependencies(package)
            .filter(|dependency| dependency["name"] == "effigy-render");
        let has_pixmaps = renderers.any(|renderer| {
            let features = renderer["features"].as_array().unwrap();
            features.contains(&json!(PIXMAPS))
        });
        assert_eq!(has_pixmaps, name == "effigy", "{name}");
    }
}

#[test]
fn development_packages_are_not_published() {
    let development = LAYERS[LAYERS.len() - 1];
    for package in metadata()["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let unpublished = package["publish"] == json!([]);
        assert_eq!(unpublished, development.contains(&name), "{name}");
    }
    for script in [".ci/run", ".github/workflows/release.yml"] {
        let text = read(script);
        for name in development {
            let excluded = text.contains(&format!("--exclude {name} "));
            assert!(excluded, "{script} has to exclude {name}");
        }
    }
}
