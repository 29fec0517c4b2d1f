//! The version that a request names (`v=`), and what else people append to URLs so that caches
//! don't answer.

use twox_hash::XxHash3_64;

/// The names of parameters that only tell one request from an earlier one.
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

/// Returns the version that a query names, as a hash.
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

/// Returns `true` for a parameter that only names a version: one of these names, or a bare number
/// such as `?1700000000`.
pub(super) fn is_version(name: &str, value: &str) -> bool {
    let is_number = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_digit());
    is_number && value.is_empty() || NAMES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_append_to_urls_is_a_version() {
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
            "1700000000",
            "size=64&v=1",
        ];
        for query in queries {
            assert!(version(Some(query)).is_some(), "{query}");
        }
        for query in ["", "size=64", "yaw=1&pose=walk", "17a", "17=1"] {
            assert_eq!(version(Some(query)), None, "{query}");
        }
        assert_eq!(version(None), None);
    }

    #[test]
    fn other_values_are_other_versions() {
        let versions = ["v=1", "v=2", "t=1", "v=1&t=1"].map(|query| version(Some(query)));
        for (position, one) in versions.iter().enumerate() {
            assert!(versions[position + 1..].iter().all(|other| one != other));
        }
        assert_eq!(version(Some("v=1&size=64")), version(Some("size=8&v=1")));
    }
}
