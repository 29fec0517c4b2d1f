//! The addresses in `docs/embedding.md`, each of which a server answers. The snippets that make
//! addresses are run by `effigy-browser-tests`.

use crate::support::Server;

const DOCUMENT: &str = include_str!("../../../../../docs/embedding.md");

/// The service of the document.
const SERVICE: &str = "https://skins.example.org";

/// The placeholders of templates and languages, and the values that fill them in.
const PLACEHOLDERS: [(&str, &str); 18] = [
    ("${playerUUID}", "069a79f4-44e9-4726-a5be-fca90e38aaf5"),
    ("{$uuid}", "069a79f4-44e9-4726-a5be-fca90e38aaf5"),
    ("{uuid}", "069a79f4-44e9-4726-a5be-fca90e38aaf5"),
    ("%s", "069a79f4-44e9-4726-a5be-fca90e38aaf5"),
    ("{uuid-nodashes}", "069a79f444e94726a5befca90e38aaf5"),
    ("{$user->name}", "Notch"),
    ("{identifier}", "Notch"),
    ("{$name}", "Notch"),
    ("${name}", "Notch"),
    ("{$view}", "bust"),
    ("${view}", "bust"),
    ("{$size}", "64"),
    ("${size}", "64"),
    ("{size}", "64"),
    ("#{texture}", ""),
    ("[/img]", " "),
    ("&amp;", "&"),
    ("{texture}", "6c1a8ab2d9a9"),
];

/// The paths of all addresses in the document, with their placeholders filled in.
fn paths() -> Vec<String> {
    // In one snippet the address of the service is a value of its own.
    let mut text = DOCUMENT.replace("`https://skins.example.org`", "");
    for (placeholder, value) in PLACEHOLDERS {
        text = text.replace(placeholder, value);
    }
    let mut paths = Vec::new();
    for rest in text.split(SERVICE).skip(1) {
        let is_end = |c: char| c.is_whitespace() || "\"'`<>)".contains(c);
        let path = rest.split(is_end).next().unwrap_or_default();
        if path != "/" {
            paths.push(path.to_owned());
        }
    }
    paths
}

#[test]
fn every_address_is_a_picture() {
    let server = Server::start();
    let paths = paths();
    assert!(paths.len() >= 20, "{paths:?}");
    for path in &paths {
        assert!(!path.contains(['{', '$', '%', '[']), "unknown: {path}");
        let reply = server.ok(path);
        let (file, _) = path.split_once('?').unwrap_or((path, ""));
        let content_type = match file.rsplit_once('.') {
            Some((_, "svg")) => "image/svg+xml",
            Some((_, "gif")) => "image/gif",
            Some((_, "js")) => "text/javascript; charset=utf-8",
            _ => "image/png",
        };
        assert_eq!(reply.header("content-type"), Some(content_type), "{path}");
    }
}
