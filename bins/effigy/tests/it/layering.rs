//! The layers of the workspace: arrows point down only, development packages do not ship, and an
//! external crate has one owner.

use std::{collections::BTreeSet, process::Command};

use serde_json::Value;

/// The packages that ship, each with those that it may depend on.
const LAYERS: [(&str, &[&str]); 8] = [
    ("effigy-player", &[]),
    ("effigy-render", &["effigy-player"]),
    ("effigy-upstream", &["effigy-player"]),
    ("effigy-store", &["effigy-player"]),
    (
        "effigy-service",
        &[
            "effigy-player",
            "effigy-render",
            "effigy-store",
            "effigy-upstream",
        ],
    ),
    (
        "effigy-http",
        &[
            "effigy-player",
            "effigy-render",
            "effigy-service",
            "effigy-store",
            "effigy-upstream",
        ],
    ),
    (
        "effigy-cli",
        &[
            "effigy-http",
            "effigy-render",
            "effigy-store",
            "effigy-upstream",
        ],
    ),
    (
        "effigy",
        &[
            "effigy-cli",
            "effigy-http",
            "effigy-player",
            "effigy-render",
            "effigy-service",
            "effigy-store",
            "effigy-upstream",
        ],
    ),
];

/// External crates, each with the one package that ships with it.
const OWNERS: [(&str, &str); 9] = [
    ("hyper", "effigy-http"),
    ("hyper-util", "effigy-http"),
    ("clap", "effigy-cli"),
    ("sqlx", "effigy-store"),
    ("ureq", "effigy-upstream"),
    ("base64", "effigy-upstream"),
    ("png", "effigy-render"),
    ("tiny-skia", "effigy-render"),
    ("criterion", "benches"),
];

/// The packages that are for development only.
const DEVELOPMENT: [&str; 2] = ["benches", "fixtures"];

/// Every dependency of the workspace's packages: the package, the dependency, and whether it is for
/// development only.
fn dependencies() -> Vec<(String, String, bool)> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version=1", "--no-deps", "--offline"]);
    let metadata: Value = serde_json::from_slice(&cargo.output().unwrap().stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let packages = metadata["packages"].as_array().unwrap().iter();
    let dependencies = packages.flat_map(|package| {
        let dependencies = package["dependencies"].as_array().unwrap().iter();
        dependencies.map(move |dependency| {
            let is_development = dependency["kind"] == "dev";
            (
                text(&package["name"]),
                text(&dependency["name"]),
                is_development,
            )
        })
    });
    dependencies.collect()
}

#[test]
fn arrows_point_down_only() {
    let ours: BTreeSet<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    for (package, dependency, is_development) in dependencies() {
        let layer = LAYERS.iter().find(|(name, _)| *name == package);
        let Some((_, allowed)) = layer else {
            assert!(DEVELOPMENT.contains(&&*package), "{package} has no layer");
            continue;
        };
        let is_below = allowed.contains(&&*dependency);
        let is_ours = ours.contains(&*dependency);
        assert!(
            is_below || !is_ours,
            "{package} must not depend on {dependency}"
        );
        let ships = DEVELOPMENT.contains(&&*dependency) && !is_development;
        assert!(!ships, "{package} must not ship with {dependency}");
    }
}

#[test]
fn external_crates_have_one_owner() {
    for (package, dependency, is_development) in dependencies() {
        let owner = OWNERS.iter().find(|(name, _)| *name == dependency);
        let is_free = is_development || DEVELOPMENT.contains(&&*package);
        let Some((_, owner)) = owner.filter(|_| !is_free) else {
            continue;
        };
        assert_eq!(package, *owner, "only {owner} may depend on {dependency}");
    }
}
