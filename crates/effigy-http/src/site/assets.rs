//! The files that the pages load, embedded in the binary, and the list of presets.

use std::sync::LazyLock;

use effigy_player::PRESETS;
use hyper::{HeaderMap, header::CACHE_CONTROL};
use serde_json::Value;

use crate::{
    respond::{JSON, Response, document::StaticDocument, error::rejection_response, set},
    routes::Rejection,
};

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! asset {
    ($name:literal, $content_type:expr) => {{
        let bytes: &'static [u8] = include_bytes!(concat!("../../assets/files/", $name));
        ($name, StaticDocument::new($content_type, bytes))
    }};
}

/// The files with their names.
static ASSETS: LazyLock<[(&str, StaticDocument); 13]> = LazyLock::new(|| {
    let script = StaticDocument::new(JAVASCRIPT, effigy_wasm::SCRIPT);
    let script = ("effigy_wasm.js", script);
    let module = StaticDocument::new("application/wasm", effigy_wasm::MODULE);
    let module = ("effigy_wasm_bg.wasm", module);
    // `{"<uuid>":"MHF_<name>",…}`, in the order of the table.
    let presets = PRESETS.iter();
    let presets = presets.map(|preset| (preset.uuid.to_string(), preset.name.into()));
    let presets = Value::Object(presets.collect()).to_string();
    let mut element = effigy_wasm::ELEMENT.to_owned();
    for (name, file) in [&script, &module] {
        // Relative, for a proxy that serves all this below a path of its own.
        let url = format!("\"..{}\"", url_of(name, file));
        element = element.replace(&format!("{name:?}"), &url);
    }
    [
        ("effigy-figure.js", StaticDocument::new(JAVASCRIPT, element)),
        script,
        module,
        ("presets.json", StaticDocument::new(JSON, presets)),
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
        // While replicas are updated, this may be the file of another version.
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
    use hyper::{StatusCode, header::CONTENT_TYPE};

    use super::*;

    #[test]
    fn only_urls_with_a_version_are_immutable() {
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
    fn versions_differ_and_nothing_else_is_found() {
        for (name, file) in ASSETS.iter() {
            let mut others = ASSETS.iter().filter(|(other, _)| other != name);
            assert!(
                others.all(|(_, other)| other.fingerprint != file.fingerprint),
                "{name}"
            );
        }
        for name in ["", "page", "PAGE.CSS", "../page.css", "page.html"] {
            assert!(find(name).is_none(), "{name}");
        }
    }
}
