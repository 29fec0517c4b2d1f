//! The kinds of providers.

mod files;
pub(crate) mod folder;
mod geyser;
pub(crate) mod local;
mod mojang;
pub(crate) mod offline;
pub(crate) mod provider;
mod skin_url;
mod skinsrestorer;
mod yggdrasil;

use url::Position::{AfterPort, BeforeHost};

use crate::config::{ConfigError, UpstreamConfig};
use provider::Opened;

/// A kind of provider: how the operator writes it, and its constructor, which takes the place and returns the
/// provider, or what is wrong with the place.
type Kind = (
    &'static str,
    fn(&str, &UpstreamConfig) -> Result<Opened, String>,
);

/// The kinds. What follows a `=` stands for the place.
const KINDS: [Kind; 6] = [
    ("mojang", mojang::open),
    ("geyser", geyser::open),
    ("folder=PATH", folder::open),
    ("yggdrasil=URL", yggdrasil::open),
    ("skinsrestorer=PATH", skinsrestorer::open),
    ("skin-url=URL", skin_url::open),
];

/// Sets up the provider that the operator has written. Returns its kind, and the host of its URL, as a name.
pub(crate) fn open(text: &str, config: &UpstreamConfig) -> Result<(String, Opened), ConfigError> {
    let (word, place) = text.split_once('=').unwrap_or((text, ""));
    let is_meant = |(kind, _): &&Kind| {
        let (known, takes) = kind.split_once('=').unwrap_or((kind, ""));
        known == word && takes.is_empty() == place.is_empty()
    };
    let opened = match KINDS.iter().find(is_meant) {
        Some((_, open)) => open(place, config),
        None => {
            let kinds = KINDS.map(|(kind, _)| kind).join(", ");
            Err(format!("is not one of the kinds: {kinds}"))
        }
    };
    let opened = opened.map_err(|problem| ConfigError::new("--provider", text, problem))?;
    // The servers of a kind without a place are known.
    let name = match opened.servers.first() {
        Some(url) if !place.is_empty() => format!("{word}:{}", &url[BeforeHost..AfterPort]),
        _ => word.to_owned(),
    };
    Ok((name, opened))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_up(text: &str) -> Result<(String, Opened), ConfigError> {
        open(text, &UpstreamConfig::default())
    }

    #[test]
    fn providers_have_names_and_servers() {
        for (text, name, server) in [
            ("mojang", "mojang", "https://api.mojang.com/"),
            ("geyser", "geyser", "https://api.mojang.com/"),
            ("yggdrasil=ely.by", "yggdrasil:ely.by", "https://ely.by/"),
            (
                "yggdrasil=localhost:25585/a/",
                "yggdrasil:localhost:25585",
                "https://localhost:25585/a/",
            ),
            (
                "yggdrasil=http://[::1]:80/x",
                "yggdrasil:[::1]",
                "http://[::1]/x",
            ),
            (
                "skin-url=https://host/skins/{name}.png?u={uuid}",
                "skin-url:host",
                "https://host/skins/%7Bname%7D.png?u={uuid}",
            ),
        ] {
            let (found, opened) = set_up(text).expect(text);
            assert_eq!(found, name, "{text}");
            assert_eq!(opened.servers[0].as_str(), server, "{text}");
        }
        let folder = tempfile::TempDir::new().expect("a folder");
        let text = format!("folder={}", folder.path().display());
        let (name, opened) = set_up(&text).expect("an empty folder");
        assert_eq!((&*name, opened.servers.len()), ("folder", 0));
    }

    #[test]
    fn bad_providers_are_refused_in_one_sentence() {
        for (text, problem) in [
            ("", "is not one of the kinds"),
            ("Mojang", "is not one of the kinds"),
            ("mysql=x", "is not one of the kinds"),
            ("mojang=https://api.mojang.com", "is not one of the kinds"),
            ("folder", "is not one of the kinds"),
            ("folder=", "is not one of the kinds"),
            ("skinsrestorer", "is not one of the kinds"),
            ("yggdrasil", "is not one of the kinds"),
            ("yggdrasil=", "is not one of the kinds"),
            ("yggdrasil=ftp://x", "must begin with http"),
            ("yggdrasil=https://u:p@x", "user name or password"),
            ("yggdrasil=https://x?y", "query or fragment"),
            ("yggdrasil=a b", "is not a url"),
            (
                "skin-url=https://x/skin.png",
                "needs {name}, {uuid} or {dashed}",
            ),
            (
                "skin-url=https://x/{player}.png",
                "needs {name}, {uuid} or {dashed}",
            ),
            (
                "skin-url=https://{name}.example/skin.png",
                "in the path or the query",
            ),
            (
                "skin-url=https://{name}@example/skin.png",
                "user name or password",
            ),
            ("skin-url={name}.png", "is not a url"),
            ("skin-url=file:///{name}.png", "must begin with http"),
            ("folder=/no/such/folder", "cannot read the folder"),
            (
                "skinsrestorer=/no/such/folder",
                "cannot read /no/such/folder/players",
            ),
        ] {
            let error = set_up(text).err().expect(text).to_string();
            assert!(error.contains(problem), "{text}: {error}");
            assert!(error.starts_with("--provider: \""), "{error}");
        }
    }
}
