//! The kinds of providers, and how each of them is set up.

mod folder;
mod geyser;
mod mojang;
mod skin_url;
mod skinsrestorer;
mod yggdrasil;

use std::sync::Arc;

use url::Url;

use crate::caller::Servers;
use crate::config::{ConfigError, ProviderSpec, UpstreamConfig};
use crate::limits::Upstream::{
    self, Bedrock, IdentityCurrent, IdentityLegacy, Profiles, Session, Texture,
};
use crate::local::skin_file::FileChecks;
use crate::provider::Provider;
use folder::SkinFolder;
use geyser::Geyser;
use mojang::Mojang;
use skin_url::SkinUrl;
use skinsrestorer::SkinsRestorer;
use yggdrasil::Yggdrasil;

/// Sets a provider up under a name of its own.
pub(crate) fn open(
    spec: &ProviderSpec,
    name: Arc<str>,
    config: &UpstreamConfig,
    checks: FileChecks,
) -> Result<(Box<dyn Provider>, Servers), ConfigError> {
    let refused = |problem: String| ConfigError::new("--provider", &spec.to_string(), problem);
    let at = &config.endpoints;
    let services = &at.all().map(|base| &base.0);
    let provider: Box<dyn Provider> = match spec {
        ProviderSpec::Mojang => Box::new(Mojang::new(at)),
        ProviderSpec::Geyser => Box::new(Geyser(at.clone())),
        ProviderSpec::Folder(path) => {
            let folder = SkinFolder::open(path, &config.local_textures, checks);
            Box::new(folder.map_err(refused)?)
        }
        ProviderSpec::Yggdrasil(url) => Box::new(Yggdrasil::new(url.clone())),
        ProviderSpec::SkinsRestorer(path) => Box::new(SkinsRestorer::open(path).map_err(refused)?),
        ProviderSpec::SkinUrl(template) => Box::new(SkinUrl::new(template.clone(), checks)),
    };
    // The servers that it calls, and what for.
    let (urls, upstreams): (&[&Url], &[Upstream]) = match spec {
        ProviderSpec::Mojang => (services, &[IdentityLegacy, IdentityCurrent, Session]),
        ProviderSpec::Geyser => (services, &[Bedrock]),
        ProviderSpec::Yggdrasil(url) => (&[&url.0], &[Profiles, Texture]),
        ProviderSpec::SkinUrl(template) => (&[&template.sample().0], &[Texture]),
        ProviderSpec::Folder(_) | ProviderSpec::SkinsRestorer(_) => (&[], &[]),
    };
    Ok((provider, Servers::new(name, config, urls, upstreams)?))
}
