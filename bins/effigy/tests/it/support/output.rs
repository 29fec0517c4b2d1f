//! The output of the program.

use std::process::Output;

/// Returns output as text.
pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Asserts that the program failed with one sentence that contains these words.
#[track_caller]
pub(crate) fn assert_refused(output: &Output, code: i32, words: &[&str]) {
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{error}");
    assert!(output.stdout.is_empty());
    for word in words {
        assert!(error.contains(word), "{word} in: {error}");
    }
    // clap adds an empty line and a hint about --help.
    let lines = error.lines().take_while(|line| !line.is_empty()).count();
    assert!((1..=2).contains(&lines), "{error}");
}
