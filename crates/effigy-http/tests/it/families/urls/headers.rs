//! Headers that only one of the services sends.

use super::Names;

#[test]
fn nmsr_says_that_a_fallback_is_shown() {
    let names = Names::new();
    let fallback = |path: &str| names.get(path).header("x-nmsr-fallback").map(str::to_owned);
    assert_eq!(fallback("/nmsr/face/Nobody").as_deref(), Some("True"));
    assert_eq!(fallback("/nmsr/face/Notch"), None);
    assert_eq!(fallback("/minotar/helm/Nobody"), None);
}

#[test]
fn mineatar_says_whether_a_picture_is_a_hit() {
    let names = Names::new();
    for hit in ["false", "true"] {
        let reply = names.get("/mineatar/face/Notch");
        assert_eq!(reply.header("x-cache-hit"), Some(hit));
    }
}

#[test]
fn crafthead_says_that_a_profile_is_invalid() {
    let names = Names::new();
    let header = "x-crafthead-profile-cache-hit";
    let unknown = names.get("/crafthead/helm/Nobody");
    assert_eq!(unknown.header(header), Some("invalid-profile"));
    let known = names.get("/crafthead/helm/Notch");
    assert_eq!(known.header(header), None);
}
