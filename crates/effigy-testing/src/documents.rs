//! The examples of Markdown documents.

/// The code blocks of a document that are in this language.
#[must_use]
pub fn code_blocks<'a>(document: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("\n```{language}\n");
    let mut blocks = Vec::new();
    for rest in document.split(&begin).skip(1) {
        let (block, _) = rest.split_once("\n```").unwrap_or((rest, ""));
        blocks.push(block);
    }
    blocks
}
