//! Removal of secrets from database URLs before they appear in errors.

/// Removes the password and the parameters, which may contain another password.
///
/// It must work for malformed URLs too, since those are the ones that errors show: a password with
/// an unescaped `@`, `/` or `?` ends at the last `@`, and the text before the first of these
/// characters is at most a user name.
pub(super) fn redact(url: &str) -> String {
    let (scheme, rest) = url.split_at(url.find("://").map_or(0, |start| start + 3));
    let (user_info, at, host) = match rest.rsplit_once('@') {
        Some((user_info, host)) => (user_info, "@", host),
        None => ("", "", rest),
    };
    let user = before(user_info, &[':', '/', '?', '#']);
    let stars = if user.len() < user_info.len() {
        ":***"
    } else {
        ""
    };
    let host = before(host, &['?', '#']);
    // The keyword form, `host=localhost password=secret`, is not a URL but a likely mistake.
    let (host, more) = match host.to_ascii_lowercase().find("password") {
        Some(start) => (&host[..start], "***"),
        None => (host, ""),
    };
    format!("{scheme}{user}{stars}{at}{host}{more}")
}

fn before<'a>(text: &'a str, ends: &[char]) -> &'a str {
    text.split(ends).next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_is_shown() {
        let table = [
            ("postgres://host/db", "postgres://host/db"),
            ("postgres://user@host/db", "postgres://user@host/db"),
            (
                "postgres://user:hunter2@host:5432/db",
                "postgres://user:***@host:5432/db",
            ),
            (
                "postgres://user:hun@ter2@host/db",
                "postgres://user:***@host/db",
            ),
            (
                "postgres://user:hun/ter2@host/db",
                "postgres://user:***@host/db",
            ),
            (
                "postgres://user:hun?ter2@host/db",
                "postgres://user:***@host/db",
            ),
            (
                "postgres://user:hun#ter2@host/db",
                "postgres://user:***@host/db",
            ),
            ("postgres://:hunter2@host/db", "postgres://:***@host/db"),
            (
                "postgres://host/db?user=u&password=hunter2",
                "postgres://host/db",
            ),
            (
                "postgres://host/db?password=hunt@er2",
                "postgres://host:***@er2",
            ),
            ("mysql://root:hunter2@host/db", "mysql://root:***@host/db"),
            ("root:hunter2@host", "root:***@host"),
            ("host=db Password=hunter2 user=x", "host=db ***"),
            (
                "jdbc:postgresql://h/db?user=u&password=hunter2",
                "jdbc:postgresql://h/db",
            ),
            ("", ""),
        ];
        for (url, shown) in table {
            assert_eq!(redact(url), shown, "{url}");
        }
    }
}
