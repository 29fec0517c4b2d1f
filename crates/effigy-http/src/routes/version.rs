//! The version of a request: `v=`, and other parameters that people append to URLs to get past
//! caches.

use twox_hash::XxHash3_64;

/// The names of parameters that only make a URL differ from an earlier one.
const NAMES: [&str; 14] = [
    "v",
    "version",
    "t",
    "ts",
    "_",
    "time",
    "timestamp",
    "cache",
    "cb",
    "rand",
    "random",
    "randomuuid",
    "nocache",
    "no-cache",
];

/// The longest version that is read, in bytes.
const MAX_BYTES: usize = 256;

/// Returns a hash of all versions in a query.
pub(crate) fn version(query: Option<&str>) -> Option<u64> {
    let mut hash = None;
    for pair in query?.split('&') {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if is_version(name, value) && pair.len() <= MAX_BYTES {
            let seed = hash.unwrap_or_default();
            hash = Some(XxHash3_64::oneshot_with_seed(seed, pair.as_bytes()));
        }
    }
    hash
}

/// Returns `true` for a parameter that only names a version, or for a number without a value, such
/// as `?1700000000`.
pub(super) fn is_version(name: &str, value: &str) -> bool {
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    let is_bare_number = is_number && value.is_empty();
    is_bare_number || NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn parameters_that_get_past_caches_are_versions() {
        let queries = [
            "v=1",
            "version=abc",
            "t=1700000000",
            "ts=1",
            "_=1700000000",
            "time=1",
            "timestamp=1",
            "cache=1",
            "cb=1",
            "rand=0.5",
            "random=1",
            "randomuuid=523239d6",
            "nocache",
            "nocache=1",
            "no-cache",
            "1700000000",
            "size=64&v=1",
        ];
        for query in queries {
            assert!(version(Some(query)).is_some(), "{query}");
        }
    }

    #[test]
    fn other_parameters_are_no_versions() {
        for query in ["", "size=64", "yaw=1&pose=walk", "17a", "17=1"] {
            assert_eq!(version(Some(query)), None, "{query}");
        }
        assert_eq!(version(None), None);
    }

    #[test]
    fn different_parameters_are_different_versions() {
        let queries = ["v=1", "v=2", "t=1", "v=1&t=1"];
        let versions: HashSet<Option<u64>> =
            queries.iter().map(|query| version(Some(query))).collect();
        assert_eq!(versions.len(), queries.len());
    }

    #[test]
    fn other_parameters_do_not_change_the_version() {
        assert_eq!(version(Some("v=1&size=64")), version(Some("size=8&v=1")));
    }
}
