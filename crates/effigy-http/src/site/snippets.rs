//! The texts that put a picture into other pages.

use super::template::escape;

/// A picture for other pages.
pub(super) struct Snippets<'a> {
    pub(super) url: &'a str,
    pub(super) player: &'a str,
    pub(super) width: u64,
    pub(super) height: u64,
}

impl Snippets<'_> {
    pub(super) fn html(&self) -> String {
        let (url, player) = (escape(self.url), escape(self.player));
        let (width, height) = (self.width, self.height);
        format!("<img src=\"{url}\" width=\"{width}\" height=\"{height}\" alt=\"{player}\">")
    }

    pub(super) fn markdown(&self) -> String {
        let mut text = String::new();
        for c in self.player.chars() {
            if matches!(c, '[' | ']' | '\\') {
                text.push('\\');
            }
            text.push(c);
        }
        format!("![{text}]({})", self.url)
    }

    pub(super) fn bbcode(&self) -> String {
        format!("[img]{}[/img]", self.url)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_syntax_has_its_escapes() {
        let snippets = Snippets {
            url: "http://localhost/v1/head/a?size=8&overlay=false",
            player: "[\"a\\]",
            width: 8,
            height: 8,
        };
        assert_eq!(
            snippets.html(),
            "<img src=\"http://localhost/v1/head/a?size=8&amp;overlay=false\" width=\"8\" height=\"8\" \
             alt=\"[&quot;a\\]\">"
        );
        assert_eq!(
            snippets.markdown(),
            "![\\[\"a\\\\\\]](http://localhost/v1/head/a?size=8&overlay=false)"
        );
    }
}
