//! The page for a URL that no route has.

use super::{assets::url, template::page};

const PAGE: &str = include_str!("../../assets/templates/not_found.html");

/// Returns the page.
pub(crate) fn not_found() -> String {
    page(PAGE, "Not found: Effigy", &[("nobody", &url("nobody.svg"))])
}
