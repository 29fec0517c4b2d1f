//! The page for a URL that no route has.

use std::sync::LazyLock;

use super::{
    assets::url,
    template::{HTML, page},
};
use crate::respond::document::StaticDocument;

const PAGE: &str = include_str!("../../assets/templates/not_found.html");

pub(crate) static NOT_FOUND_PAGE: LazyLock<StaticDocument> = LazyLock::new(|| {
    let nobody = |name: &str| (name == "nobody").then(|| url("nobody.svg").into());
    StaticDocument::new(HTML, page(PAGE, "Not found: Effigy", nobody))
});
