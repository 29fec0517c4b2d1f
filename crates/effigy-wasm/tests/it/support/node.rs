//! The package as it is published, installed into an empty folder.

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use fixtures::SKINS;
use fixtures::programs::run_in;
use serde_json::Value;
use tempfile::TempDir;

use super::npm;

/// A folder in which the package is installed. It also has the files of the fixture skins.
static INSTALLED: LazyLock<Option<TempDir>> = LazyLock::new(install);

/// The functions of the scripts.
const PRELUDE: &str = r#"
import { readFileSync } from "node:fs";
import { Skin } from "effigy-figure/node";

const file = (name) => readFileSync(`skins/${name}.png`);
const skin = (name, options) => Skin.decode(file(name), options);

/** Returns the value of a call as JSON has it, or its error. */
function outcome(call) {
  try {
    const value = call();
    return ArrayBuffer.isView(value) ? Buffer.from(value).toString("base64") : value;
  } catch (error) {
    return `${error.name}: ${error.message}`;
  }
}

/** Returns the code of the error that a call throws. */
function codeOf(call) {
  try {
    call();
  } catch (error) {
    return error.code ?? "none";
  }
  return "no error";
}
"#;

/// Returns the folder, or `None` if this machine has no npm.
pub(crate) fn installed() -> Option<&'static Path> {
    INSTALLED.as_ref().map(TempDir::path)
}

/// Returns the values of expressions in Node.js: those of buffers in Base64, and for an error its
/// name and message. Returns `None` if this machine has no npm.
#[track_caller]
pub(crate) fn evaluate(expressions: &[String]) -> Option<Vec<Value>> {
    let folder = installed()?;
    let script = TempDir::new_in(folder).unwrap();
    let path = script.path().join("script.mjs");
    let mut text = format!("{PRELUDE}\nconst outcomes = [];\n");
    for expression in expressions {
        text += &format!("outcomes.push(outcome(() => {expression}));\n");
    }
    text += "console.log(JSON.stringify(outcomes));\n";
    fs::write(&path, text).unwrap();
    let written = run_in(folder, "node", &[path.to_str().unwrap()])?;
    Some(serde_json::from_str(&written).unwrap())
}

/// Copies the package, since npm changes its folder while it packs.
pub(crate) fn copied_package(folder: &Path) {
    let package = folder.join("npm");
    copy_files(&npm(), &package);
    copy_files(&npm().join("node"), &package.join("node"));
    fs::copy(npm().join("../README.md"), folder.join("README.md")).unwrap();
}

fn copy_files(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, to.join(path.file_name().unwrap())).unwrap();
        }
    }
}

fn install() -> Option<TempDir> {
    let folder = TempDir::new().unwrap();
    copied_package(folder.path());
    let tarball = run_in(&folder.path().join("npm"), "npm", &["pack", "--silent"])?;
    let tarball = format!("./npm/{}", tarball.trim());
    let manifest = r#"{ "private": true, "type": "module" }"#;
    fs::write(folder.path().join("package.json"), manifest).unwrap();
    let options = ["install", "--offline", "--no-audit", "--no-fund", &tarball];
    run_in(folder.path(), "npm", &options)?;
    let skins = folder.path().join("skins");
    fs::create_dir(&skins).unwrap();
    for skin in SKINS {
        fs::write(skins.join(format!("{}.png", skin.name)), skin.png).unwrap();
    }
    fs::write(skins.join("cape.png"), fixtures::cape()).unwrap();
    Some(folder)
}
