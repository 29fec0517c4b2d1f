//! Conditional requests: whether the client has the picture already. RFC 9110, section 13.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use effigy_service::Fingerprint;
use hyper::{
    HeaderMap,
    header::{HeaderValue, IF_MODIFIED_SINCE, IF_NONE_MATCH},
};

/// The strong entity tag of what has this fingerprint, in quotes.
pub(crate) fn entity_tag(fingerprint: &Fingerprint) -> String {
    ["\"", fingerprint.as_str(), "\""].concat()
}

/// The weak entity tag of a file that this fingerprint describes without being a hash of it.
pub(crate) fn weak_entity_tag(fingerprint: &Fingerprint) -> String {
    ["W/", &entity_tag(fingerprint)].concat()
}

/// Whether a client that sent `headers` has what is tagged `tag` and was last modified then.
pub(crate) fn is_not_modified(headers: &HeaderMap, tag: &str, modified: SystemTime) -> bool {
    // A client that names tags is judged by them alone, however old its copy.
    if headers.contains_key(IF_NONE_MATCH) {
        return has_tag(headers, tag);
    }
    headers
        .get(IF_MODIFIED_SINCE)
        .and_then(date)
        .is_some_and(|since| whole_seconds(modified) <= since)
}

/// Whether a client that sent `headers` named the tag, which may be a weak one.
pub(crate) fn has_tag(headers: &HeaderMap, tag: &str) -> bool {
    let tag = tag.strip_prefix("W/").unwrap_or(tag);
    let lines = headers.get_all(IF_NONE_MATCH).iter();
    lines
        .filter_map(|value| value.to_str().ok())
        .any(|tags| names(tags, tag))
}

/// Whether `tag` is in a list of entity tags, by the weak comparison, or the list is `*`.
fn names(tags: &str, tag: &str) -> bool {
    if tags.trim() == "*" {
        return true;
    }
    // A tag may hold commas, so the list is read quote by quote: the odd pieces are the tags.
    let tag = tag.trim_matches('"');
    tags.split('"').skip(1).step_by(2).any(|found| found == tag)
}

fn date(value: &HeaderValue) -> Option<SystemTime> {
    httpdate::parse_http_date(value.to_str().ok()?).ok()
}

/// The time as `Last-Modified` can say it.
fn whole_seconds(time: SystemTime) -> SystemTime {
    let since_epoch = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    UNIX_EPOCH + Duration::from_secs(since_epoch.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let not_modified = is_not_modified(&headers, TAG, modified());
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
        assert!(is_not_modified(&headers, TAG, modified()));
    }

    #[test]
    fn a_tag_is_of_the_bytes() {
        let tag = entity_tag(&Fingerprint::of(b"abc"));
        // XXH3 of "abc".
        assert_eq!(tag, "\"06b05ab6733a618578af5f94892f3950\"");
    }
}
