//! The file name under which browsers save a skin. RFC 6266.

use hyper::header::HeaderValue;

use crate::routes::escaped;

/// Returns the value of `Content-Disposition` with the file name `<input>_skin.png`. Unsafe
/// characters in it are replaced.
pub(super) fn attachment(input: &str) -> HeaderValue {
    let safe_input: String = input.chars().map(safe).collect();
    let name = format!("{safe_input}_skin.png");
    let plain: String = name.chars().map(quotable).collect();
    let mut value = format!("attachment; filename=\"{plain}\"");
    if plain != name {
        // RFC 8187.
        value = format!("{value}; filename*=UTF-8''{}", escaped(&name));
    }
    HeaderValue::try_from(value).expect("both forms are visible ASCII and spaces")
}

/// Replaces control characters, path separators, quotes, and invisible characters that make a name
/// look like another, such as marks of writing direction.
fn safe(c: char) -> char {
    let is_misleading = matches!(
        c,
        '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
    );
    if c.is_control() || is_misleading || matches!(c, '/' | '\\' | '"') {
        '_'
    } else {
        c
    }
}

/// Replaces characters that are not ASCII, and `%`, because some browsers decode escapes here.
fn quotable(c: char) -> char {
    if c.is_ascii() && c != '%' { c } else { '_' }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_in_headers_and_file_systems() {
        let encoded = "; filename*=UTF-8''";
        let rows = [
            ("Notch", "Notch", ""),
            ("old-timer", "old-timer", ""),
            (".Two Words", ".Two Words", ""),
            (".Modern#1234", ".Modern#1234", ""),
            ("../../etc/passwd", ".._.._etc_passwd", ""),
            ("a\\b\"c", "a_b_c", ""),
            ("a\r\nX: y\0", "a__X: y_", ""),
            ("a;b", "a;b", ""),
            ("名é", "__", "%E5%90%8D%C3%A9_skin.png"),
            ("50%25", "50_25", "50%2525_skin.png"),
            ("a\u{202e}gnp", "a_gnp", ""),
        ];
        for (input, plain, full) in rows {
            let encoded = if full.is_empty() { "" } else { encoded };
            let expected = format!("attachment; filename=\"{plain}_skin.png\"{encoded}{full}");
            assert_eq!(attachment(input), expected, "{input:?}");
        }
    }
}
