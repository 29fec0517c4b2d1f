//! The providers of a chain, as the operator writes them.

use std::{fmt, path::PathBuf, str::FromStr};

use super::base_url::BaseUrl;
use super::error::ConfigError;
use super::url_template::UrlTemplate;

/// The name of the setting, for errors.
const SETTING: &str = "--provider";

/// A provider of a chain. It is written as its kind, and for most kinds a place after `=`.
///
/// ```
/// use effigy_upstream::ProviderSpec;
///
/// let spec: ProviderSpec = "yggdrasil=ely.by".parse()?;
/// assert_eq!(spec.to_string(), "yggdrasil=https://ely.by");
/// let error = "mysql=localhost".parse::<ProviderSpec>().unwrap_err();
/// assert!(error.to_string().contains("is not one of the kinds"));
/// # Ok::<(), effigy_upstream::ConfigError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderSpec {
    /// `mojang`: the Java services of the [`Endpoints`](super::Endpoints).
    Mojang,
    /// `geyser`: their Bedrock service.
    Geyser,
    /// `folder=PATH`: a folder of the operator's own skins.
    Folder(PathBuf),
    /// `yggdrasil=URL`: a server with the API of authlib-injector.
    Yggdrasil(BaseUrl),
    /// `skinsrestorer=PATH`: the data folder of the plugin SkinsRestorer.
    SkinsRestorer(PathBuf),
    /// `skin-url=URL`: one picture for each player.
    SkinUrl(UrlTemplate),
}

impl FromStr for ProviderSpec {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Self, ConfigError> {
        let (kind, place) = match text.split_once('=') {
            Some((kind, place)) => (kind, Some(place)),
            None => (text, None),
        };
        let place = place.filter(|place| !place.is_empty());
        match (kind, place) {
            ("mojang", None) => Ok(Self::Mojang),
            ("geyser", None) => Ok(Self::Geyser),
            ("folder", Some(path)) => Ok(Self::Folder(path.into())),
            ("skinsrestorer", Some(path)) => Ok(Self::SkinsRestorer(path.into())),
            ("yggdrasil", Some(url)) => {
                let scheme = if url.contains("://") { "" } else { "https://" };
                BaseUrl::parse(SETTING, &format!("{scheme}{url}")).map(Self::Yggdrasil)
            }
            ("skin-url", Some(url)) => UrlTemplate::parse(SETTING, url).map(Self::SkinUrl),
            _ => {
                let problem = "is not one of the kinds: mojang, geyser, folder=PATH, yggdrasil=URL, \
                               skinsrestorer=PATH, skin-url=URL";
                Err(ConfigError::new(SETTING, text, problem))
            }
        }
    }
}

impl fmt::Display for ProviderSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mojang => f.write_str("mojang"),
            Self::Geyser => f.write_str("geyser"),
            Self::Folder(path) => write!(f, "folder={}", path.display()),
            Self::Yggdrasil(url) => write!(f, "yggdrasil={url}"),
            Self::SkinsRestorer(path) => write!(f, "skinsrestorer={}", path.display()),
            Self::SkinUrl(template) => write!(f, "skin-url={template}"),
        }
    }
}

impl ProviderSpec {
    /// Returns the kind, and the host of an address.
    pub(crate) fn name(&self) -> String {
        let kind = self.to_string();
        let kind = kind.split('=').next().unwrap_or_default();
        match self {
            Self::Yggdrasil(url) => format!("{kind}:{}", url.host()),
            Self::SkinUrl(template) => format!("{kind}:{}", template.sample().host()),
            _ => kind.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_written_as_they_are_read() {
        for (text, expected) in [
            ("mojang", "mojang"),
            ("geyser", "geyser"),
            ("folder=skins", "folder=skins"),
            ("folder=/a=b/ c", "folder=/a=b/ c"),
            ("skinsrestorer=/srv/plugins", "skinsrestorer=/srv/plugins"),
            ("yggdrasil=ely.by", "yggdrasil=https://ely.by"),
            (
                "yggdrasil=localhost:25585/a/",
                "yggdrasil=https://localhost:25585/a",
            ),
            ("yggdrasil=http://[::1]:80/x", "yggdrasil=http://[::1]/x"),
            (
                "skin-url=https://host/skins/{name}.png?u={uuid}",
                "skin-url=https://host/skins/{name}.png?u={uuid}",
            ),
        ] {
            let spec: ProviderSpec = text.parse().expect(text);
            assert_eq!(spec.to_string(), expected, "{text}");
            let again: ProviderSpec = expected.parse().expect(expected);
            assert_eq!(again.to_string(), expected, "{text}");
        }
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
            ("yggdrasil=ftp://x", "does not begin with http"),
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
            ("skin-url=file:///{name}.png", "does not begin with http"),
        ] {
            let error = text.parse::<ProviderSpec>().expect_err(text).to_string();
            assert!(error.contains(problem), "{text}: {error}");
            assert!(error.starts_with("--provider: \""), "{error}");
        }
    }
}
