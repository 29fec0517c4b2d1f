//! The layers of the workspace: arrows point down only, and development packages do not ship.

use std::process::Command;

use serde_json::{Value, json};

/// The packages that ship, from the lowest layer to the highest, and those for development.
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

/// What Cargo knows of the workspace.
fn metadata() -> Value {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version=1", "--no-deps", "--offline"]);
    serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap()
}

#[test]
fn arrows_point_down_only() {
    let metadata = metadata();
    let layer = |name: &Value| {
        LAYERS
            .iter()
            .position(|names| names.contains(&name.as_str().unwrap()))
    };
    for package in metadata["packages"].as_array().unwrap() {
        let own = layer(&package["name"]).expect("every package has a layer");
        for dependency in package["dependencies"].as_array().unwrap() {
            let is_free = dependency["kind"] == "dev" || own == LAYERS.len() - 1;
            let is_below = layer(&dependency["name"]).is_none_or(|other| other < own);
            assert!(
                is_free || is_below,
                "{} needs {}",
                package["name"],
                dependency["name"]
            );
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
