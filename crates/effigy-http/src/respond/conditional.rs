//! Conditional requests: entity tags and times of modification. RFC 9110, 13.

use httpdate::HttpDate;
use hyper::{
    HeaderMap, StatusCode,
    header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_MODIFIED_SINCE, IF_NONE_MATCH},
};

use super::{Response, header_value, is_text};

/// The number of tags that are read of a list. Browsers send one.
const MAX_TAGS: usize = 16;

/// Sets the entity tag of a body with this hash, and turns the response into a 304 if the client
/// that sent `headers` has the body already.
pub(super) fn tag_or_not_modified(
    response: &mut Response,
    fingerprint: &[u8],
    modified: Option<HttpDate>,
    headers: &HeaderMap,
) {
    // A text has one tag, compressed or not, so the tag is weak.
    let begin: &[u8] = if is_text(response) { b"W/\"" } else { b"\"" };
    let tag = [begin, fingerprint, b"\""].concat();
    if is_not_modified(headers, fingerprint, modified) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        response.body_mut().clear();
        response.headers_mut().remove(CONTENT_TYPE);
        response.headers_mut().remove(CONTENT_ENCODING);
    }
    response.headers_mut().insert(ETAG, header_value(tag));
}

/// Returns `true` if a client that sent `headers` has the version with this tag, by the weak
/// comparison. If the client sends no tags, the time decides.
fn is_not_modified(headers: &HeaderMap, tag: &[u8], modified: Option<HttpDate>) -> bool {
    if !headers.contains_key(IF_NONE_MATCH) {
        return match (modified, modified_since(headers)) {
            (Some(modified), Some(since)) => modified <= since,
            _ => false,
        };
    }
    let mut tags_left = MAX_TAGS;
    for value in headers.get_all(IF_NONE_MATCH) {
        let Ok(list) = value.to_str() else {
            continue;
        };
        if list.trim() == "*" {
            return true;
        }
        // A tag may contain commas, so the list is split at quotes: every second piece is a tag.
        for known in list.split('"').skip(1).step_by(2) {
            if tags_left == 0 {
                break;
            }
            tags_left -= 1;
            if known.as_bytes() == tag {
                return true;
            }
        }
    }
    false
}

fn modified_since(headers: &HeaderMap) -> Option<HttpDate> {
    let value = headers.get(IF_MODIFIED_SINCE)?;
    value.to_str().ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use hyper::header::HeaderValue;

    use super::*;

    fn headers(lines: &[&str], since: Option<&str>) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(IF_NONE_MATCH, HeaderValue::from_str(line).unwrap());
        }
        if let Some(since) = since {
            headers.insert(IF_MODIFIED_SINCE, HeaderValue::from_str(since).unwrap());
        }
        headers
    }

    /// Asserts whether a client with these lines of tags has the version `abc`.
    fn check_tags(rows: &[(&[&str], bool)]) {
        for (lines, expected) in rows {
            let found = is_not_modified(&headers(lines, None), b"abc", None);
            assert_eq!(found, *expected, "{lines:?}");
        }
    }

    #[test]
    fn known_tag_confirms_the_version() {
        check_tags(&[
            (&["\"abc\""], true),
            (&["W/\"abc\""], true),
            (&["\"abcd\""], false),
            (&["abc"], false),
            (&[""], false),
            (&[], false),
        ]);
    }

    #[test]
    fn asterisk_confirms_any_version() {
        check_tags(&[(&["*"], true), (&[" * "], true), (&["\"*\""], false)]);
    }

    #[test]
    fn any_tag_of_a_list_confirms_the_version() {
        check_tags(&[
            (&["\"x\", \"abc\""], true),
            (&["\"x\"", "\"abc\""], true),
            (&["\"x\",W/\"abc\",\"y\""], true),
            (&["\"a,b\", \"abc\""], true),
            (&["\"x\", \"y\""], false),
            (&["\"x,abc,y\""], false),
        ]);
    }

    #[test]
    fn long_list_of_tags_is_not_read_to_its_end() {
        let list = "\"x\", ".repeat(MAX_TAGS) + "\"abc\"";
        check_tags(&[(&[&list], false)]);
    }

    /// Asserts whether a client with these tags and this time has the version `abc`, which was
    /// modified on 1994-11-06 at 08:49:37.5 UTC.
    fn check_time(lines: &[&str], since: &str, expected: bool) {
        let modified = UNIX_EPOCH + Duration::from_millis(784_111_777_500);
        let headers = headers(lines, Some(since));
        let found = is_not_modified(&headers, b"abc", Some(modified.into()));
        assert_eq!(found, expected, "{lines:?} {since}");
    }

    #[test]
    fn version_is_confirmed_by_its_time_or_a_later_one() {
        check_time(&[], "Sun, 06 Nov 1994 08:49:36 GMT", false);
        check_time(&[], "Sun, 06 Nov 1994 08:49:37 GMT", true);
        check_time(&[], "Sun, 06 Nov 1994 08:49:38 GMT", true);
        check_time(&[], "yesterday", false);
    }

    #[test]
    fn time_is_ignored_if_there_are_tags() {
        check_time(&["\"x\""], "Sun, 06 Nov 1994 08:49:37 GMT", false);
        check_time(&["\"abc\""], "Sun, 06 Nov 1994 08:49:36 GMT", true);
    }
}
