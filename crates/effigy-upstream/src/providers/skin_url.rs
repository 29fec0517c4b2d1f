//! A site with one picture for each player, at a URL that the operator writes.

use effigy_player::{PlayerId, Uuid};
use percent_encoding::utf8_percent_encode;
use url::Url;

use super::local::skin_file::FileChecks;
use super::offline::offline_identity;
use super::provider::{Opened, Provider, is_possible_name};
use crate::caller::{Caller, png};
use crate::config::{UNRESERVED, UpstreamConfig, http_url};
use crate::error::{Result, UpstreamError};
use crate::limits::Upstream;
use crate::profile::{Account, Profile};
use crate::records::Textures;
use crate::texture::TextureUrl;
use crate::transport::Step;

/// The most redirects in a row.
const MAX_REDIRECTS: usize = 3;

/// Pictures at a URL with the player's name or UUID in it.
struct SkinUrl {
    /// The URL with `{name}` in place of the player, or `{uuid}` or `{dashed}` for the UUID without and with dashes.
    template: String,
    checks: FileChecks,
}

/// Sets up the site of a template, whose host is that of all players.
pub(super) fn open(place: &str, config: &UpstreamConfig) -> Result<Opened, String> {
    let site = http_url(place)?;
    if site.host_str().is_none_or(|host| host.contains('{')) {
        return Err("must have the player in the path or the query".to_owned());
    }
    let provider = SkinUrl {
        template: place.to_owned(),
        checks: config.checks,
    };
    if !provider.needs_name() && !provider.needs_uuid() {
        return Err("needs {name}, {uuid} or {dashed} in place of the player".to_owned());
    }
    Ok(Opened {
        provider: Box::new(provider),
        servers: vec![site],
        upstreams: &[Upstream::Texture],
    })
}

impl SkinUrl {
    fn needs_name(&self) -> bool {
        self.template.contains("{name}")
    }

    fn needs_uuid(&self) -> bool {
        self.template.contains("{uuid}") || self.template.contains("{dashed}")
    }

    /// Returns the URL of a player.
    fn url(&self, name: &str, uuid: Uuid) -> Option<Url> {
        // A name cannot bring a placeholder: its braces are encoded.
        let name = utf8_percent_encode(name, UNRESERVED).to_string();
        let url = self.template.replace("{name}", &name);
        let url = url.replace("{uuid}", &uuid.to_string());
        Url::parse(&url.replace("{dashed}", &uuid.hyphenated())).ok()
    }

    /// Fetches the file at a URL, or where the site says that it is. Returns `None` if there is none.
    fn fetch(&self, caller: &Caller, mut url: Url) -> Result<Option<(Url, Vec<u8>)>> {
        for _ in 0..=MAX_REDIRECTS {
            let response = caller.get(Upstream::Texture, Step::Texture, url.clone())?;
            match (response.status, &response.location) {
                (204 | 404 | 410, _) => return Ok(None),
                (301 | 302 | 303 | 307 | 308, Some(location)) => {
                    let next = url.join(location);
                    let next = next.map_or_else(|_| location.clone(), String::from);
                    let checked = caller.servers.hosts.check(&next, |_| false);
                    url = checked.ok_or(UpstreamError::TextureUrl { url: next })?;
                }
                _ => return Ok(Some((url, png(response)?))),
            }
        }
        let source = "the site redirects too often".into();
        Err(UpstreamError::Decode { source })
    }
}

impl Provider for SkinUrl {
    fn can_know(&self, player: &PlayerId) -> bool {
        match player {
            PlayerId::JavaName(name) => self.needs_name() && is_possible_name(name),
            PlayerId::JavaUuid(_) => self.needs_uuid() && !self.needs_name(),
            _ => false,
        }
    }

    fn look_up(&self, caller: &Caller, player: &PlayerId) -> Result<Profile> {
        let not_found = || UpstreamError::no_player(player);
        // A site that knows names gives no UUIDs, so the player has that of a server without accounts.
        let (name, uuid) = offline_identity(player).ok_or_else(not_found)?;
        let url = self.url(name.as_deref().unwrap_or_default(), uuid);
        let found = self.fetch(caller, url.ok_or_else(not_found)?)?;
        let (url, file) = found.ok_or_else(not_found)?;
        let model = (self.checks.skin)(&file).map_err(|source| UpstreamError::Decode { source })?;
        let skin = TextureUrl::with_file(url.as_str(), file.into());
        Ok(Textures::skin(skin, model).worn_by(Account::Java(uuid), name))
    }
}
