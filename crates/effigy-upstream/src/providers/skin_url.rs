//! A site with one picture for each player, at a URL that the operator writes.

use effigy_player::PlayerId;
use quick_cache::sync::Cache;
use url::Url;

use crate::{
    Account, FileChecks, Step, Upstream, UpstreamError, UrlTemplate,
    caller::{Caller, png},
    error::Result,
    offline::offline_identity,
    provider::{Provider, is_possible_name},
    records::{Found, Textures},
};

/// The most redirects in a row.
const MAX_REDIRECTS: usize = 3;

/// The number of files that are kept between the look-up of a player and the request for the texture.
const MAX_KEPT: usize = 16;

/// Pictures at a URL with the player's name or UUID in it.
pub(crate) struct SkinUrl {
    template: UrlTemplate,
    checks: FileChecks,
    /// Files whose players were looked up, until they are requested.
    kept: Cache<Url, Vec<u8>>,
}

impl SkinUrl {
    pub(crate) fn new(template: UrlTemplate, checks: FileChecks) -> Self {
        Self {
            template,
            checks,
            kept: Cache::new(MAX_KEPT),
        }
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
            PlayerId::JavaName(name) => self.template.has_name() && is_possible_name(name),
            PlayerId::JavaUuid(_) => self.template.has_uuid() && !self.template.has_name(),
            _ => false,
        }
    }

    fn look_up(&self, caller: &Caller, player: &PlayerId) -> Result<Found> {
        let not_found = || UpstreamError::no_player(player);
        // A site that knows names gives no UUIDs, so the player has that of a server without accounts.
        let (name, uuid) = offline_identity(player).ok_or_else(not_found)?;
        let url = self.template.url(name.as_deref().unwrap_or_default(), uuid);
        let found = self.fetch(caller, url.ok_or_else(not_found)?)?;
        let (url, file) = found.ok_or_else(not_found)?;
        let model = (self.checks.skin)(&file).map_err(|source| UpstreamError::Decode { source })?;
        let textures = Textures::skin(url.to_string(), model);
        self.kept.insert(url, file);
        Ok(Found {
            account: Account::Java(uuid),
            name,
            textures,
        })
    }

    fn texture(&self, caller: &Caller, url: Url) -> Result<Vec<u8>> {
        let kept = self.kept.remove(&url).map(|(_, file)| file);
        kept.map_or_else(|| caller.texture(url), Ok)
    }
}
