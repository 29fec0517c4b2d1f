//! The addresses of the services, and the URLs below them.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use super::ConfigError;

/// The unreserved characters of RFC 3986, which stay as they are.
pub(crate) const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// The address of a service: http or https, optionally with a path before the service's own paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(pub(crate) Url);

impl BaseUrl {
    /// Parses a base URL. A slash at its end makes no difference. `setting` is the operator's name
    /// for it.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] for anything but an http or https URL of a host, a port and a path.
    pub fn parse(setting: &'static str, value: &str) -> Result<Self, ConfigError> {
        Self::from_text(value).map_err(|problem| ConfigError::new(setting, value, problem))
    }

    /// Parses a base URL, or returns what is wrong with it.
    pub(crate) fn from_text(text: &str) -> Result<Self, &'static str> {
        let url = http_url(text)?;
        if url.query().is_some() || url.fragment().is_some() {
            return Err("must not have a query or fragment");
        }
        Ok(Self(url))
    }

    /// Returns the URL of `path`, which is encoded already.
    pub(crate) fn below(&self, path: &str) -> Url {
        let mut url = self.0.clone();
        let base = self.0.path().trim_end_matches('/');
        url.set_path(&format!("{base}/{path}"));
        url
    }

    /// Returns the URL of `text`, encoded as exactly one segment, below `path`. Returns `None` if the text is empty
    /// or only dots: URL parsers drop such segments in any encoding.
    pub(crate) fn join(&self, path: &str, text: &str) -> Option<Url> {
        let is_dots = text.bytes().all(|byte| byte == b'.');
        let segment = utf8_percent_encode(text, UNRESERVED);
        (!is_dots).then(|| self.below(&format!("{path}/{segment}")))
    }
}

/// Parses a URL that may have a query, or returns what is wrong with it.
pub(crate) fn http_url(text: &str) -> Result<Url, &'static str> {
    let url = Url::parse(text.trim()).map_err(|_| "is not a url")?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err("must begin with http:// or https://");
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("must not hold a user name or password");
    }
    Ok(url)
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.as_str().trim_end_matches('/'))
    }
}

/// The addresses of the four services. The default is the public ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoints {
    /// Java name to UUID.
    pub java_identity: BaseUrl,
    /// Java UUID to session profile.
    pub java_session: BaseUrl,
    /// Bedrock gamertag to XUID, and XUID to skin record.
    pub bedrock_lookup: BaseUrl,
    /// Textures by their hash.
    pub texture: BaseUrl,
}

impl Endpoints {
    /// Returns `true` if a service is the public one.
    pub(crate) fn is_public(&self, service: fn(&Self) -> &BaseUrl) -> bool {
        service(self) == service(&Self::default())
    }

    pub(crate) fn urls(&self) -> Vec<Url> {
        let all = [
            &self.java_identity,
            &self.java_session,
            &self.bedrock_lookup,
            &self.texture,
        ];
        all.map(|base| base.0.clone()).to_vec()
    }
}

impl Default for Endpoints {
    fn default() -> Self {
        let public = |value| BaseUrl::parse("default", value).expect("the public urls are valid");
        Self {
            java_identity: public("https://api.mojang.com"),
            java_session: public("https://sessionserver.mojang.com"),
            bedrock_lookup: public("https://api.geysermc.org"),
            texture: public("https://textures.minecraft.net"),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn base() -> BaseUrl {
        BaseUrl::parse("test", "http://127.0.0.1:1/api/").expect("a good url")
    }

    #[test]
    fn segments_are_percent_encoded() {
        for (text, expected) in [
            ("Notch", "Notch"),
            ("a_b-c.d~e", "a_b-c.d~e"),
            ("Some Player", "Some%20Player"),
            ("Tag#1234", "Tag%231234"),
            ("../../x", "..%2F..%2Fx"),
            ("a?b&c", "a%3Fb%26c"),
            ("%2e%2e", "%252e%252e"),
            ("a\\b", "a%5Cb"),
            ("a\r\nb\t", "a%0D%0Ab%09"),
            ("é", "%C3%A9"),
        ] {
            let url = base().join("v2", text).expect(text);
            assert_eq!(url.path(), format!("/api/v2/{expected}"), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_exactly_one_segment(text: String) {
            if let Some(url) = base().join("v2/skin", &text) {
                let segments: Vec<&str> = url.path_segments().expect("a path").collect();
                prop_assert_eq!(&segments[..3], &["api", "v2", "skin"]);
                prop_assert_eq!(segments.len(), 4);
                let decoded = percent_encoding::percent_decode_str(segments[3]).decode_utf8();
                prop_assert_eq!(decoded.as_deref(), Ok(text.as_str()));
                prop_assert_eq!((url.query(), url.fragment()), (None, None));
            }
        }
    }
}
