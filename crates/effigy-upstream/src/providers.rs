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
    let services = &config.endpoints.all().map(|base| &base.0);
    let (provider, urls, upstreams): (Box<dyn Provider>, &[&Url], &[Upstream]) = match spec {
        ProviderSpec::Mojang => {
            let upstreams = &[IdentityLegacy, IdentityCurrent, Session];
            (
                Box::new(Mojang::new(&config.endpoints)),
                services,
                upstreams,
            )
        }
        ProviderSpec::Geyser => (
            Box::new(Geyser(config.endpoints.clone())),
            services,
            &[Bedrock],
        ),
        ProviderSpec::Folder(path) => {
            let provider = SkinFolder::open(path, &config.local_textures, checks);
            (Box::new(provider.map_err(refused)?), &[], &[])
        }
        ProviderSpec::Yggdrasil(url) => (
            Box::new(Yggdrasil::new(url.clone())),
            &[&url.0],
            &[Profiles, Texture],
        ),
        ProviderSpec::SkinsRestorer(path) => (
            Box::new(SkinsRestorer::open(path).map_err(refused)?),
            &[],
            &[],
        ),
        ProviderSpec::SkinUrl(template) => {
            let provider = SkinUrl::new(template.clone(), checks);
            (Box::new(provider), &[&template.sample().0], &[Texture])
        }
    };
    Ok((provider, Servers::new(name, config, urls, upstreams)?))
}
