//! Conditional requests: entity tags, and clients that have a file already. RFC 9110, 13.

use httpdate::HttpDate;
use hyper::{
    HeaderMap, StatusCode,
    header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH},
};

use super::{MAX_ITEMS, Response, header_value};

/// The entity tag of exactly these bytes, or a weak one of bytes with the same meaning.
pub(super) fn entity_tag(fingerprint: u128, is_weak: bool) -> HeaderValue {
    let weak = if is_weak { "W/" } else { "" };
    header_value(format!("{weak}\"{fingerprint:032x}\""))
}

/// Tells whether a client that sent `headers` has the version with this tag, by the weak comparison. The time counts
/// if there is one and the client sends no tags.
pub(super) fn is_not_modified(
    headers: &HeaderMap,
    tag: &HeaderValue,
    modified: Option<HttpDate>,
) -> bool {
    if !headers.contains_key(IF_NONE_MATCH) {
        let since = headers.get(IF_MODIFIED_SINCE);
        let since: Option<HttpDate> = since.and_then(|value| value.to_str().ok()?.parse().ok());
        return modified.is_some_and(|modified| since.is_some_and(|since| modified <= since));
    }
    let tag = tag.to_str().unwrap_or_default();
    let tag = tag.trim_start_matches("W/").trim_matches('"');
    let lines = || {
        let lines = headers.get_all(IF_NONE_MATCH).iter();
        lines.filter_map(|line| line.to_str().ok())
    };
    // A tag may contain commas, so a list is split at quotes: every second piece is a tag.
    let tags = |line| str::split(line, '"').skip(1).step_by(2);
    let mut tags = lines().flat_map(tags).take(MAX_ITEMS);
    tags.any(|found| found == tag) || lines().any(|line| line.trim() == "*")
}

/// Makes a response that of a client which has the file or document.
pub(super) fn make_not_modified(response: &mut Response) {
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response.body_mut().clear();
    response.headers_mut().remove(CONTENT_TYPE);
    response.headers_mut().remove(CONTENT_ENCODING);
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    use super::*;
    use effigy_service::fingerprint;

    const TAG: &str = "\"abc\"";

    /// 1994-11-06 08:49:37.5 UTC.
    fn modified() -> SystemTime {
        UNIX_EPOCH + Duration::from_millis(784_111_777_500)
    }

    fn check(rows: &[(Option<&str>, Option<&str>, bool)]) {
        for (tags, since, expected) in rows {
            let mut headers = HeaderMap::new();
            if let Some(tags) = tags {
                headers.insert(IF_NONE_MATCH, HeaderValue::from_str(tags).unwrap());
            }
            if let Some(since) = since {
                headers.insert(IF_MODIFIED_SINCE, HeaderValue::from_str(since).unwrap());
            }
            let (tag, modified) = (HeaderValue::from_static(TAG), modified().into());
            let not_modified = is_not_modified(&headers, &tag, Some(modified));
            assert_eq!(not_modified, *expected, "{tags:?} {since:?}");
        }
    }

    #[test]
    fn tags_are_compared_weakly() {
        check(&[
            (None, None, false),
            (Some("\"abc\""), None, true),
            (Some("W/\"abc\""), None, true),
            (Some("*"), None, true),
            (Some(" * "), None, true),
            (Some("\"x\", \"abc\""), None, true),
            (Some("\"x\",W/\"abc\",\"y\""), None, true),
            (Some("\"a,b\", \"abc\""), None, true),
            (Some("\"x\""), None, false),
            (Some("\"abcd\""), None, false),
            (Some("abc"), None, false),
            (Some("\"x,abc,y\""), None, false),
            (Some("\"*\""), None, false),
            (Some(""), None, false),
        ]);
        let late = "\"x\", ".repeat(MAX_ITEMS) + TAG;
        check(&[(Some(&late), None, false)]);
    }

    #[test]
    fn dates_count_only_without_tags() {
        let (same, before, after) = (
            Some("Sun, 06 Nov 1994 08:49:37 GMT"),
            Some("Sun, 06 Nov 1994 08:49:36 GMT"),
            Some("Sun, 06 Nov 1994 08:49:38 GMT"),
        );
        check(&[
            (None, same, true),
            (None, after, true),
            (None, before, false),
            (None, Some("yesterday"), false),
            (Some("\"x\""), same, false),
            (Some("\"abc\""), before, true),
        ]);
    }

    #[test]
    fn every_line_of_tags_is_read() {
        let mut headers = HeaderMap::new();
        headers.append(IF_NONE_MATCH, HeaderValue::from_static("\"x\""));
        headers.append(IF_NONE_MATCH, HeaderValue::from_static(TAG));
        assert!(is_not_modified(
            &headers,
            &HeaderValue::from_static(TAG),
            Some(modified().into())
        ));
    }

    #[test]
    fn a_strong_tag_is_the_hash_of_the_bytes() {
        let tag = entity_tag(fingerprint(b"abc"), false);
        // XXH3 of "abc".
        assert_eq!(tag, "\"06b05ab6733a618578af5f94892f3950\"");
    }
}
