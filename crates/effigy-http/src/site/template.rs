//! Templates of HTML.

use std::borrow::Cow;

use super::assets::url;

const HEAD: &str = include_str!("../../assets/templates/head.html");
const TOP: &str = include_str!("../../assets/templates/top.html");
const FOOT: &str = include_str!("../../assets/templates/foot.html");

/// The media type of pages.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// Returns a page: a template with the parts that all pages have.
pub(super) fn page<'a>(
    template: &str,
    title: &'a str,
    value: impl Fn(&str) -> Option<Cow<'a, str>>,
) -> String {
    let parts = [
        ("{{{head}}}", HEAD),
        ("{{{top}}}", TOP),
        ("{{{foot}}}", FOOT),
    ];
    let whole = parts
        .into_iter()
        .fold(template.to_owned(), |page, (name, part)| {
            page.replace(name, part)
        });
    fill(&whole, |name| match name {
        "title" => Some(title.into()),
        "icon" => Some(url("icon.svg").into()),
        "style" => Some(url("page.css").into()),
        "version" => Some(env!("CARGO_PKG_VERSION").into()),
        name => value(name),
    })
}

/// Fills a template: `{{name}}` becomes the value of that name, escaped, and `{{{name}}}` a value that is HTML.
/// Placeholders in values are not replaced.
pub(super) fn fill<'a>(template: &str, value: impl Fn(&str) -> Option<Cow<'a, str>>) -> String {
    let mut pieces = template.split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (piece, is_html, end) = match piece.strip_prefix('{') {
            Some(piece) => (piece, true, "}}}"),
            None => (piece, false, "}}"),
        };
        let (name, rest) = piece.split_once(end).unwrap_or((piece, ""));
        let value = value(name);
        debug_assert!(value.is_some(), "no value for {name}");
        match value.unwrap_or_default() {
            value if is_html => page.push_str(&value),
            value => page.push_str(&escape(&value)),
        }
        page.push_str(rest);
    }
    page
}

/// Returns the value of a name in a list.
pub(super) fn find<'a>(values: &[(&str, &'a str)], name: &str) -> Option<Cow<'a, str>> {
    let value = values.iter().find(|(known, _)| *known == name);
    value.map(|(_, value)| Cow::Borrowed(*value))
}

/// Escapes a text for an element or an attribute in double quotes.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_replaced_once_and_escaped() {
        let values = [("a", "{{b}}"), ("b", "<1>"), ("empty", "")];
        let rows = [
            ("", ""),
            ("plain { text }", "plain { text }"),
            ("{{b}}", "&lt;1&gt;"),
            ("{{{b}}}", "<1>"),
            ("<{{a}}|{{b}}|{{{empty}}}>", "<{{b}}|&lt;1&gt;|>"),
        ];
        for (template, expected) in rows {
            assert_eq!(
                fill(template, |name| find(&values, name)),
                expected,
                "{template}"
            );
        }
    }

    #[test]
    fn markup_is_escaped() {
        let escaped = escape("<script>alert(\"&'\")</script>");
        assert_eq!(
            escaped,
            "&lt;script&gt;alert(&quot;&amp;'&quot;)&lt;/script&gt;"
        );
    }
}
