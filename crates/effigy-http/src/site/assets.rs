//! The files that the pages are made of, served from the binary.

use std::sync::LazyLock;

use bytes::Bytes;
use effigy_service::Fingerprint;
use hyper::{HeaderMap, header::CACHE_CONTROL};

use crate::{
    respond::answer::{Answer, set},
    respond::document::fresh,
};

/// A file of the pages.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Asset {
    name: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
    /// What the bytes hash to.
    version: String,
}

macro_rules! asset {
    ($name:literal, $content_type:literal) => {{
        let bytes: &[u8] = include_bytes!(concat!("../../assets/", $name));
        Asset {
            name: $name,
            content_type: $content_type,
            bytes,
            version: Fingerprint::of(bytes).to_string(),
        }
    }};
}

static ASSETS: LazyLock<[Asset; 4]> = LazyLock::new(|| {
    [
        asset!("page.css", "text/css; charset=utf-8"),
        asset!("page.js", "text/javascript; charset=utf-8"),
        asset!("icon.svg", "image/svg+xml"),
        asset!("plinth.svg", "image/svg+xml"),
    ]
});

impl Asset {
    /// The file of that name.
    pub(crate) fn find(name: &str) -> Option<&'static Self> {
        ASSETS.iter().find(|asset| asset.name == name)
    }

    /// The file, to a client that asked with this query. Where the query is the version, the
    /// address never shows anything else, so that it may be kept for good.
    pub(crate) fn answer(&'static self, query: Option<&str>, request: &HeaderMap) -> Answer {
        let mut answer = fresh(self.content_type, Bytes::from_static(self.bytes), request);
        if query == Some(&self.version) {
            let for_good = "public, max-age=31536000, immutable";
            set(&mut answer, CACHE_CONTROL, for_good);
        }
        answer
    }
}

/// The address of a file, with its version.
pub(crate) fn address(name: &str) -> String {
    let version = Asset::find(name).map_or("", |asset| &asset.version);
    format!("/assets/{name}?{version}")
}

#[cfg(test)]
mod tests {
    use hyper::{StatusCode, header::CONTENT_TYPE};

    use super::*;

    #[test]
    fn only_the_versioned_address_is_kept_for_good() {
        let asset = Asset::find("page.css").unwrap();
        let address = address("page.css");
        let (path, version) = address.split_once('?').unwrap();
        assert_eq!(path, "/assets/page.css");
        assert_eq!(version.len(), 32);
        let rows = [
            (Some(version), "public, max-age=31536000, immutable"),
            (Some("0123456789ab"), "no-cache"),
            (None, "no-cache"),
        ];
        for (query, kept) in rows {
            let answer = asset.answer(query, &HeaderMap::new());
            assert_eq!(answer.status(), StatusCode::OK);
            assert_eq!(answer.headers()[CACHE_CONTROL], kept, "{query:?}");
            assert_eq!(answer.headers()[CONTENT_TYPE], "text/css; charset=utf-8");
        }
    }

    #[test]
    fn versions_differ_and_nothing_else_is_found() {
        for asset in ASSETS.iter() {
            let same = ASSETS.iter().filter(|other| other.version == asset.version);
            assert_eq!(same.count(), 1, "{}", asset.name);
        }
        for name in ["", "page", "PAGE.CSS", "../page.css", "card.html"] {
            assert_eq!(Asset::find(name), None, "{name}");
        }
    }
}
