//! The layers of the workspace: crates only depend on lower layers, and development crates don't
//! ship.

use std::process::Command;

use serde_json::{Value, json};

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

#[test]
fn crates_depend_on_lower_layers_only() {
    let metadata = metadata();
    for package in metadata["packages"].as_array().unwrap() {
        let name = package["name"].as_str().unwrap();
        let own_layer = layer(name).expect("every crate has a layer");
        if own_layer == LAYERS.len() - 1 {
            continue;
        }
        for dependency in package["dependencies"].as_array().unwrap() {
            let dependency_name = dependency["name"].as_str().unwrap();
            let is_shipped = dependency["kind"] != "dev";
            if let Some(other_layer) = layer(dependency_name) {
                let is_allowed = !is_shipped || other_layer < own_layer;
                assert!(is_allowed, "{name} depends on {dependency_name}");
            }
        }
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
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    for script in [".ci/run", ".github/workflows/release.yml"] {
        let text = std::fs::read_to_string(format!("{root}/{script}")).unwrap();
        for name in development {
            let excluded = text.contains(&format!("--exclude {name} "));
            assert!(excluded, "{script} has to exclude {name}");
        }
    }
}
