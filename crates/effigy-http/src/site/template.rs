//! Templates of HTML.

use super::assets::url;

const HEAD: &str = include_str!("../../assets/templates/head.html");
const TOP: &str = include_str!("../../assets/templates/top.html");
const FOOT: &str = include_str!("../../assets/templates/foot.html");

/// Returns a page: a template that may use what all pages have. Title and values are HTML.
pub(super) fn page(template: &str, title: &str, values: &[(&str, &str)]) -> String {
    let (icon, style) = (url("icon.svg"), url("page.css"));
    let head = fill(
        HEAD,
        &[("title", title), ("icon", &icon), ("style", &style)],
    );
    let top = fill(TOP, &[("icon", &icon)]);
    let foot = fill(FOOT, &[("version", env!("CARGO_PKG_VERSION"))]);
    let common = [
        ("title", title),
        ("head", &*head),
        ("top", &*top),
        ("foot", &*foot),
    ];
    fill(template, &[&common, values].concat())
}

/// Replaces each `{{name}}` of a template with the value of that name. Placeholders in values are not
/// replaced.
pub(super) fn fill(template: &str, values: &[(&str, &str)]) -> String {
    let mut pieces = template.split("{{");
    let mut page = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (name, rest) = piece.split_once("}}").unwrap_or((piece, ""));
        let value = values.iter().find(|(known, _)| *known == name);
        debug_assert!(value.is_some(), "no value for {name}");
        page.push_str(value.map_or("", |(_, value)| value));
        page.push_str(rest);
    }
    page
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
    fn placeholders_are_replaced_once() {
        let values = [("a", "{{b}}"), ("b", "1"), ("empty", "")];
        let rows = [
            ("", ""),
            ("plain { text }", "plain { text }"),
            ("{{b}}", "1"),
            ("<{{a}}|{{b}}|{{empty}}>", "<{{b}}|1|>"),
        ];
        for (template, expected) in rows {
            assert_eq!(fill(template, &values), expected, "{template}");
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
