//! Who may depend on whom: arrows point down only, and a crate that talks to the outside has one
//! owner. Read from the manifests, so that no edge comes in unnoticed.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// Our packages, each with those of ours that it may use where it ships.
const LAYERS: [(&str, &[&str]); 9] = [
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
        "effigy",
        &[
            "effigy-http",
            "effigy-player",
            "effigy-render",
            "effigy-service",
            "effigy-store",
            "effigy-upstream",
            "fixtures",
        ],
    ),
    ("fixtures", &["effigy-render"]),
    ("benches", &["effigy-render", "fixtures"]),
];

/// External crates with owners: who may use them, and who in tests and benches only. The package
/// `benches` ships nothing.
const OWNERS: [(&str, &[&str], &[&str]); 9] = [
    ("tiny-skia", &["benches", "effigy-render"], &[]),
    ("png", &["benches", "effigy-render", "fixtures"], &[]),
    ("ureq", &["effigy-upstream"], &["fixtures"]),
    ("base64", &["effigy-upstream", "fixtures"], &[]),
    ("sqlx", &["effigy-store"], &["effigy"]),
    (
        "hyper",
        &["effigy-http", "effigy", "fixtures"],
        &["benches"],
    ),
    (
        "hyper-util",
        &["effigy-http", "effigy", "fixtures"],
        &["benches"],
    ),
    ("clap", &["effigy"], &[]),
    ("criterion", &[], &["benches"]),
];

/// What a member depends on.
#[derive(Debug, Default)]
struct Dependencies {
    shipped: BTreeSet<String>,
    development: BTreeSet<String>,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every member's manifest: those of `crates/*`, `bins/*`, `fixtures` and `benches`.
fn manifests() -> Vec<PathBuf> {
    let inside = |folder: &str| {
        fs::read_dir(root().join(folder))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect::<Vec<_>>()
    };
    let mut folders = [inside("crates"), inside("bins")].concat();
    folders.push(root().join("fixtures"));
    folders.push(root().join("benches"));
    let manifests = folders.into_iter().map(|folder| folder.join("Cargo.toml"));
    manifests.filter(|manifest| manifest.is_file()).collect()
}

/// Reads what these checks need of a manifest: sections, and the key that begins each line.
fn read(manifest: &str) -> (String, Dependencies) {
    let (mut name, mut dependencies) = (String::new(), Dependencies::default());
    let mut section = String::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_matches(['[', ']']).to_owned();
            // `[dependencies.name]` is an entry too.
            if let Some((table, entry)) = section.rsplit_once("dependencies.") {
                add(&mut dependencies, &format!("{table}dependencies"), entry);
            }
            continue;
        }
        let Some((key, value)) = line.split_once('=') else {
            continue;
        };
        let key = key.trim().split('.').next().unwrap_or_default();
        if section == "package" && key == "name" {
            name = value.trim().trim_matches('"').to_owned();
        }
        add(&mut dependencies, &section, key);
    }
    (name, dependencies)
}

fn add(dependencies: &mut Dependencies, section: &str, entry: &str) {
    let entry = entry.trim_matches('"').to_owned();
    if section.ends_with("dev-dependencies") {
        dependencies.development.insert(entry);
    } else if section.ends_with("dependencies") {
        dependencies.shipped.insert(entry);
    }
}

fn members() -> BTreeMap<String, Dependencies> {
    manifests()
        .iter()
        .map(|manifest| read(&fs::read_to_string(manifest).unwrap()))
        .collect()
}

#[test]
fn every_member_has_its_layer() {
    let found: BTreeSet<String> = members().into_keys().collect();
    let known: BTreeSet<String> = LAYERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(found, known);
}

#[test]
fn arrows_point_down_only() {
    let members = members();
    let ours: BTreeSet<&str> = LAYERS.iter().map(|(name, _)| *name).collect();
    for (member, allowed) in LAYERS {
        let dependencies = &members[member];
        for entry in &dependencies.shipped {
            let forbidden = ours.contains(entry.as_str()) && !allowed.contains(&entry.as_str());
            assert!(!forbidden, "{member} must not depend on {entry}");
        }
        // Tests may use the fixtures beside what the member itself may use.
        for entry in &dependencies.development {
            let entry = entry.as_str();
            let forbidden =
                ours.contains(entry) && entry != "fixtures" && !allowed.contains(&entry);
            assert!(!forbidden, "{member}'s tests must not depend on {entry}");
        }
    }
}

#[test]
fn outside_crates_have_one_owner() {
    for (member, dependencies) in members() {
        for (external, owners, testers) in OWNERS {
            let shipped = dependencies.shipped.contains(external);
            let may_ship = owners.contains(&member.as_str());
            assert!(
                !shipped || may_ship,
                "{member} must not depend on {external}"
            );
            let developed = dependencies.development.contains(external);
            let may_test = may_ship || testers.contains(&member.as_str());
            assert!(
                !developed || may_test,
                "{member}'s tests must not use {external}"
            );
        }
    }
}

#[test]
fn manifests_are_read_right() {
    let manifest = r#"
        [package]
        name = "effigy-x"
        version.workspace = true
        [dependencies]
        bytes.workspace = true
        tokio = { workspace = true, features = ["rt"] }
        "png" = "0.18"
        [dependencies.sqlx]
        version = "0.9"
        [dev-dependencies]
        clap.workspace = true
        [target.'cfg(unix)'.dependencies]
        ureq = "3"
        [build-dependencies]
        hyper = "1"
    "#;
    let (name, dependencies) = read(manifest);
    assert_eq!(name, "effigy-x");
    let shipped: Vec<&str> = dependencies.shipped.iter().map(String::as_str).collect();
    assert_eq!(shipped, ["bytes", "hyper", "png", "sqlx", "tokio", "ureq"]);
    let development: Vec<&str> = dependencies
        .development
        .iter()
        .map(String::as_str)
        .collect();
    assert_eq!(development, ["clap"]);
}
