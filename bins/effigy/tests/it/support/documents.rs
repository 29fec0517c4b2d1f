//! The files of the repository.

use std::fs;
use std::path::{Path, PathBuf};

use fixtures::code_blocks;

/// Returns the folder of the repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Reads a file of the repository.
pub(crate) fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// Returns the README and the documents, each with its name. The changelog is left out, because it
/// names what was removed.
pub(crate) fn documents() -> Vec<(String, String)> {
    let mut documents = vec![("README.md".to_owned(), read("README.md"))];
    for entry in root().join("docs").read_dir().unwrap() {
        let name = format!("docs/{}", entry.unwrap().file_name().display());
        if name.ends_with(".md") && !name.ends_with("CHANGELOG.md") {
            let text = read(&name);
            documents.push((name, text));
        }
    }
    documents
}

/// Returns the block of commands of a document that begins with this text.
#[track_caller]
pub(crate) fn commands_of(document: &str, begin: &str) -> String {
    let document = read(document);
    let blocks = code_blocks(&document, "bash");
    let block = blocks.iter().find(|block| block.starts_with(begin));
    (*block.unwrap()).to_owned()
}
