//! Removal of secrets from database URLs before they appear in errors.

/// Removes the password and the parameters, which may contain another password.
///
/// It must work for malformed URLs too, since those are the ones that errors show: a password with
/// an unescaped `@`, `/` or `?` ends at the last `@`, and the text before the first of these
/// characters is at most a user name.
pub(super) fn redact(url: &str) -> String {
    let (scheme, rest) = match url.split_once("://") {
        Some((scheme, rest)) => (format!("{scheme}://"), rest),
        None => (String::new(), url),
    };
    let (user, host) = match rest.rsplit_once('@') {
        Some((user_info, host)) => {
            let user = user_info
                .split([':', '/', '?', '#'])
                .next()
                .unwrap_or_default();
            let stars = if user.len() < user_info.len() {
                ":***"
            } else {
                ""
            };
            (format!("{user}{stars}@"), host)
        }
        None => (String::new(), rest),
    };
    let place = host.split(['?', '#']).next().unwrap_or_default();
    // The keyword form, `host=localhost password=secret`, is not a URL but a likely mistake.
    let place = match place.to_ascii_lowercase().find("password") {
        Some(start) => format!("{}***", &place[..start]),
        None => place.to_owned(),
    };
    format!("{scheme}{user}{place}")
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
