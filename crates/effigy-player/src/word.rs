//! Values that are written as one word, such as `java` or `slim`.

/// A word that names no value of a type.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected one of: {}", expected.join(", "))]
pub struct ParseError {
    /// The words that would have been accepted.
    pub expected: Vec<&'static str>,
}

/// Returns the value that `as_str` writes as `word`; upper case matters.
///
/// # Errors
///
/// [`ParseError`] if there is none.
pub fn parse_word<T: Copy>(
    word: &str,
    values: &[T],
    as_str: fn(T) -> &'static str,
) -> Result<T, ParseError> {
    let found = values.iter().find(|value| as_str(**value) == word);
    found.copied().ok_or_else(|| ParseError {
        expected: values.iter().map(|value| as_str(*value)).collect(),
    })
}
