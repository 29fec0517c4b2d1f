//! The files that the pages load, embedded in the binary.

use std::sync::LazyLock;

use bytes::Bytes;
use effigy_service::Fingerprint;
use hyper::{HeaderMap, StatusCode, header::CACHE_CONTROL};

use crate::{
    respond::{Response, error::error, file::StaticDocument, set},
    routes::NOT_FOUND,
};

/// A file.
struct Asset {
    name: &'static str,
    /// The hash of the bytes.
    version: String,
    document: StaticDocument,
}

impl Asset {
    fn new(name: &'static str, content_type: &'static str, bytes: impl Into<Bytes>) -> Self {
        let bytes = bytes.into();
        Self {
            name,
            version: Fingerprint::of(&bytes).to_string(),
            document: StaticDocument::new(content_type, bytes),
        }
    }

    fn url(&self) -> String {
        format!("/assets/{}?{}", self.name, self.version)
    }
}

macro_rules! asset {
    ($name:literal, $content_type:literal) => {{
        let bytes: &'static [u8] = include_bytes!(concat!("../../assets/files/", $name));
        Asset::new($name, $content_type, bytes)
    }};
}

const ELEMENT: &str = "effigy-figure.js";

static ASSETS: LazyLock<[Asset; 10]> = LazyLock::new(|| {
    let script = Asset::new(
        "effigy_wasm.js",
        "text/javascript; charset=utf-8",
        effigy_wasm::SCRIPT,
    );
    let module = Asset::new(
        "effigy_wasm_bg.wasm",
        "application/wasm",
        effigy_wasm::MODULE,
    );
    let element = [&script, &module]
        .iter()
        .fold(effigy_wasm::ELEMENT.to_owned(), |text, file| {
            text.replace(&format!("{:?}", file.name), &format!("{:?}", file.url()))
        });
    [
        Asset::new(ELEMENT, "text/javascript; charset=utf-8", element),
        script,
        module,
        asset!("page.css", "text/css; charset=utf-8"),
        asset!("page.js", "text/javascript; charset=utf-8"),
        asset!("icon.svg", "image/svg+xml"),
        asset!("favicon.png", "image/png"),
        asset!("nobody.svg", "image/svg+xml"),
        asset!("guest.svg", "image/svg+xml"),
        asset!("robots.txt", "text/plain; charset=utf-8"),
    ]
});

/// Returns the URL of a file, with its version in the query.
pub(super) fn url(name: &str) -> String {
    let asset = find(name).expect("the pages load only files that exist");
    asset.url()
}

/// Responds with a file.
pub(crate) fn respond(name: &str, query: Option<&str>, headers: &HeaderMap) -> Response {
    let Some(asset) = find(name) else {
        return error(StatusCode::NOT_FOUND, NOT_FOUND);
    };
    let mut response = asset.document.response(headers);
    // A URL with a version always has the same file.
    if query == Some(&asset.version) {
        let immutable = "public, max-age=31536000, immutable";
        set(&mut response, CACHE_CONTROL, immutable);
    }
    response
}

/// Responds with the script of the element. Other sites have its URL without a version.
pub(crate) fn element(headers: &HeaderMap) -> Response {
    let mut response = respond(ELEMENT, None, headers);
    set(&mut response, CACHE_CONTROL, "public, max-age=3600");
    response
}

fn find(name: &str) -> Option<&'static Asset> {
    ASSETS.iter().find(|asset| asset.name == name)
}

#[cfg(test)]
mod tests {
    use hyper::header::CONTENT_TYPE;

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
            (None, "no-cache"),
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
        for asset in ASSETS.iter() {
            let same = ASSETS.iter().filter(|other| other.version == asset.version);
            assert_eq!(same.count(), 1, "{}", asset.name);
        }
        for name in ["", "page", "PAGE.CSS", "../page.css", "page.html"] {
            assert!(find(name).is_none(), "{name}");
        }
    }
}
