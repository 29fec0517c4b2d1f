//! Where the upstreams are and how long they may take: checked once, at start.

use std::fmt;
use std::time::Duration;

use url::Url;

use crate::segment::Segment;
use crate::{Budgets, Policy};

/// The address of a service: http or https, perhaps with a path before the service's own paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseUrl(Url);

impl BaseUrl {
    /// Reads a base URL; a slash at its end makes no difference. `setting` is what the operator
    /// calls it.
    ///
    /// # Errors
    ///
    /// [`ConfigError::BaseUrl`] for anything but an http or https URL of a host, a port and a path.
    pub fn parse(setting: &str, value: &str) -> Result<Self, ConfigError> {
        let bad = |problem| ConfigError::BaseUrl {
            setting: setting.to_owned(),
            value: value.to_owned(),
            problem,
        };
        let url = Url::parse(value.trim()).map_err(|_| bad("is not a url"))?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(bad("does not begin with http:// or https://"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(bad("must not hold a user name or password"));
        }
        if url.query().is_some() || url.fragment().is_some() {
            return Err(bad("must not have a query or fragment"));
        }
        Ok(Self(url))
    }

    /// The address of `segment` below `path`, which has no slash at either end.
    pub(crate) fn join(&self, path: &str, segment: &Segment) -> Url {
        let mut url = self.0.clone();
        let base = self.0.path().trim_end_matches('/');
        url.set_path(&format!("{base}/{path}/{segment}"));
        url
    }

    pub(crate) const fn as_url(&self) -> &Url {
        &self.0
    }
}

impl fmt::Display for BaseUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0.as_str().trim_end_matches('/'))
    }
}

/// The four services. The default is the public ones.
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

/// How the upstreams are used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UpstreamConfig {
    /// Where they are.
    pub endpoints: Endpoints,
    /// How long one call may take. 10 s by default.
    pub timeout: Duration,
    /// How long resolving a player may take, all calls together. 20 s by default.
    pub resolve_timeout: Duration,
    /// Who to turn to about this instance, an address or a URL:
    /// [`UreqTransport::for_config`](crate::UreqTransport::for_config) sends it with every call.
    pub contact: Option<String>,
    /// Hosts that textures may come from beside the usual ones, each `host` or `host:port`.
    pub texture_hosts: Vec<String>,
    /// How often each service may be called.
    pub budgets: Budgets,
    /// How they are called beside that.
    pub policy: Policy,
}

impl Default for UpstreamConfig {
    fn default() -> Self {
        Self {
            endpoints: Endpoints::default(),
            timeout: Duration::from_secs(10),
            resolve_timeout: Duration::from_secs(20),
            contact: None,
            texture_hosts: Vec::new(),
            budgets: Budgets::default(),
            policy: Policy::default(),
        }
    }
}

/// A setting that cannot be used. The operator is at fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// A base URL that is none.
    #[error("{setting}: {value:?} {problem}")]
    BaseUrl {
        /// The setting.
        setting: String,
        /// Its value.
        value: String,
        /// What is wrong with the value.
        problem: &'static str,
    },
    /// A contact that cannot be put into a header.
    #[error("contact: {value:?} has characters other than visible ascii and blanks")]
    Contact {
        /// The value.
        value: String,
    },
    /// A form of the name look-up that there is not.
    #[error("name lookup: {value:?} is not auto, legacy or current")]
    NameLookup {
        /// The value.
        value: String,
    },
    /// A texture host that is no host.
    #[error("texture host: {value:?} is not a host or host:port")]
    TextureHost {
        /// The value.
        value: String,
    },
}
