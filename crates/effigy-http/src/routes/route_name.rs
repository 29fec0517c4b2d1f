//! What a request is called among the figures: by the first word of its path, one of few.

use effigy_service::Endpoint;

/// First words that are no endpoints of the service.
const OTHERS: [(&str, &str); 11] = [
    ("", "index"),
    ("assets", "assets"),
    ("crafatar", "crafatar"),
    ("docs", "docs"),
    ("mc-heads", "mc-heads"),
    ("metrics", "metrics"),
    ("minecraft", "presets"),
    ("minotar", "minotar"),
    ("openapi.json", "openapi"),
    ("preview", "preview"),
    ("v1", "v1"),
];

/// The name of a request's path. Paths are endless, so most of them have one name.
pub(crate) fn route_name(path: &str) -> &'static str {
    let path = path.strip_prefix('/').unwrap_or(path);
    let word = path.split('/').next().unwrap_or_default();
    if let Some(endpoint) = Endpoint::from_word(word) {
        return endpoint.word();
    }
    let other = OTHERS.iter().find(|row| row.0.eq_ignore_ascii_case(word));
    other.map_or("other", |row| row.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_few_names() {
        let rows = [
            ("/head/Notch/64", "head"),
            ("/HEAD/Notch", "head"),
            ("/allstatsSorted", "allstatsSorted"),
            ("/health", "health"),
            ("/minecraft/mhf", "presets"),
            ("/metrics", "metrics"),
            ("/", "index"),
            ("/nowhere/%zz", "other"),
            ("*", "other"),
        ];
        for (path, name) in rows {
            assert_eq!(route_name(path), name, "{path}");
        }
    }
}
