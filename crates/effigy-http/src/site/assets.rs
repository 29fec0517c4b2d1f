//! The files that pages load, which are parts of the program, and the list of presets.

use std::sync::LazyLock;

use effigy_player::PRESETS;
use hyper::{HeaderMap, header::CACHE_CONTROL};
use serde_json::{Map, Value};

use crate::{
    respond::{JSON, Response, document::StaticDocument, error::rejection_response, set},
    routes::Rejection,
};

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

/// The names of the files that the element loads.
const SCRIPT: &str = "effigy_wasm.js";
const MODULE: &str = "effigy_wasm_bg.wasm";

macro_rules! asset {
    ($name:literal, $content_type:expr) => {{
        let bytes: &'static [u8] = include_bytes!(concat!("../../assets/files/", $name));
        ($name, StaticDocument::new($content_type, bytes))
    }};
}

/// The files with their names.
static ASSETS: LazyLock<[(&str, StaticDocument); 13]> = LazyLock::new(|| {
    let script = StaticDocument::new(JAVASCRIPT, effigy_wasm::SCRIPT);
    let module = StaticDocument::new("application/wasm", effigy_wasm::MODULE);
    let element = element(&script, &module);
    [
        ("effigy-figure.js", StaticDocument::new(JAVASCRIPT, element)),
        (SCRIPT, script),
        (MODULE, module),
        ("presets.json", StaticDocument::new(JSON, presets())),
        asset!("page.css", "text/css; charset=utf-8"),
        asset!("layout.js", JAVASCRIPT),
        asset!("page.js", JAVASCRIPT),
        asset!("group.js", JAVASCRIPT),
        asset!("icon.svg", "image/svg+xml"),
        asset!("favicon.png", "image/png"),
        asset!("nobody.svg", "image/svg+xml"),
        asset!("guest.svg", "image/svg+xml"),
        asset!("robots.txt", "text/plain; charset=utf-8"),
    ]
});

/// Returns the script of the element with the URLs of the files that it loads. They are relative,
/// because a proxy may serve all files below a path of its own.
fn element(script: &StaticDocument, module: &StaticDocument) -> String {
    let mut element = effigy_wasm::ELEMENT.to_owned();
    for (name, file) in [(SCRIPT, script), (MODULE, module)] {
        let url = format!("\"..{}\"", url_of(name, file));
        element = element.replace(&format!("\"{name}\""), &url);
    }
    element
}

/// Returns the list of presets: `{"<uuid>":"MHF_<name>",…}`, in the order of the table.
fn presets() -> String {
    let mut presets = Map::new();
    for preset in PRESETS.iter() {
        presets.insert(preset.uuid.to_string(), preset.name.into());
    }
    Value::from(presets).to_string()
}

/// Returns the URL of a file, with its version in the query.
pub(super) fn url(name: &str) -> String {
    let file = find(name);
    url_of(name, file.expect("the pages load only files that exist"))
}

fn url_of(name: &str, file: &StaticDocument) -> String {
    format!("/assets/{name}?{}", file.fingerprint.escape_ascii())
}

/// Responds with a file.
pub(crate) fn respond(name: &str, query: Option<&str>, headers: &HeaderMap) -> Response {
    let Some(file) = find(name) else {
        return rejection_response(&Rejection::NOT_FOUND);
    };
    let cache_control = match query {
        // A URL with the version always has the same file.
        Some(version) if version.as_bytes() == file.fingerprint => {
            "public, max-age=31536000, immutable"
        }
        // During an update of replicas, this replica may have another version of the file.
        Some(_) => "no-cache",
        None => "public, max-age=3600",
    };
    let mut response = file.response(headers);
    set(&mut response, CACHE_CONTROL, cache_control);
    response
}

fn find(name: &str) -> Option<&'static StaticDocument> {
    let found = ASSETS.iter().find(|(known, _)| *known == name);
    found.map(|(_, file)| file)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use hyper::{StatusCode, header::CONTENT_TYPE};

    use super::*;

    #[test]
    fn only_urls_with_the_version_are_immutable() {
        let url = url("page.css");
        let (path, version) = url.split_once('?').unwrap();
        assert_eq!(path, "/assets/page.css");
        assert_eq!(version.len(), 32);
        let rows = [
            (Some(version), "public, max-age=31536000, immutable"),
            (Some("0123456789ab"), "no-cache"),
            (None, "public, max-age=3600"),
        ];
        for (query, kept) in rows {
            let response = respond("page.css", query, &HeaderMap::new());
            assert_eq!(response.status(), StatusCode::OK);
            assert_eq!(response.headers()[CACHE_CONTROL], kept, "{query:?}");
            assert_eq!(response.headers()[CONTENT_TYPE], "text/css; charset=utf-8");
        }
    }

    #[test]
    fn versions_of_files_differ() {
        let versions: HashSet<[u8; 32]> = ASSETS.iter().map(|(_, file)| file.fingerprint).collect();
        assert_eq!(versions.len(), ASSETS.len());
    }

    #[test]
    fn other_names_are_not_found() {
        for name in ["", "page", "PAGE.CSS", "../page.css", "page.html"] {
            assert!(find(name).is_none(), "{name}");
        }
    }
}
