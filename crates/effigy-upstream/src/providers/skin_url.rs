//! A site with one picture for each player, at a URL that the operator writes.

use effigy_player::{PlayerId, Uuid};
use percent_encoding::utf8_percent_encode;
use url::Url;

use super::{PROBED_PLAYER, Provider, is_possible_name, offline_identity, offline_uuid};
use crate::call::Call;
use crate::config::{UNRESERVED, http_url};
use crate::fetcher::Fetcher;
use crate::profile::FileAtHand;
use crate::received_file::png;
use crate::{
    Account, Profile, ProfileSkin, Step, TextureUrl, Upstream, UpstreamConfig, UpstreamError,
    error::Result,
};

/// The width of the largest skin that is drawn.
const MAX_WIDTH: u32 = 1024;

/// The most redirects in a row.
const MAX_REDIRECTS: usize = 3;

/// Pictures at a URL with the player's name or UUID in it.
struct SkinUrl {
    /// The URL with `{name}` in place of the player, or `{uuid}` or `{dashed}` for the UUID without
    /// and with dashes.
    template: String,
    /// The template as a URL. The URLs of all players have its host.
    site: Url,
}

/// Sets up the site of a template.
pub(super) fn set_up(target: &str, _: &UpstreamConfig) -> Result<Box<dyn Provider>, String> {
    let site = http_url(target)?;
    if site.host_str().is_none_or(|host| host.contains('{')) {
        return Err("must have the player in the path or the query".to_owned());
    }
    let places = ["{name}", "{uuid}", "{dashed}"];
    if !places.iter().any(|place| target.contains(place)) {
        return Err("needs {name}, {uuid} or {dashed} in place of the player".to_owned());
    }
    let template = target.to_owned();
    Ok(Box::new(SkinUrl { template, site }))
}

impl SkinUrl {
    fn needs_name(&self) -> bool {
        self.template.contains("{name}")
    }

    /// Returns the URL of a player.
    fn url(&self, name: &str, uuid: Uuid) -> Result<Url> {
        // A name cannot add a placeholder, because its braces are encoded.
        let encoded_name = utf8_percent_encode(name, UNRESERVED).to_string();
        let url = self
            .template
            .replace("{name}", &encoded_name)
            .replace("{uuid}", &uuid.to_string())
            .replace("{dashed}", &uuid.hyphenated());
        Url::parse(&url).map_err(|_| UpstreamError::TextureUrl { url })
    }

    /// Fetches the file at a URL, and follows redirects. Returns `None` if there is no file.
    fn fetch(&self, fetcher: &Fetcher, mut url: Url) -> Result<Option<FetchedFile>> {
        for _ in 0..=MAX_REDIRECTS {
            let response = fetcher.get(Upstream::Texture, Step::Texture, Some(url.clone()))?;
            match (response.status, &response.location) {
                (204 | 404 | 410, _) => return Ok(None),
                (301 | 302 | 303 | 307 | 308, Some(location)) => {
                    url = redirected(fetcher, &url, location)?;
                }
                _ => {
                    let file = png(response)?;
                    return Ok(Some(FetchedFile { url, file }));
                }
            }
        }
        let source = "the site redirects too often".into();
        Err(UpstreamError::Decode { source })
    }
}

/// A file with its URL after all redirects.
struct FetchedFile {
    url: Url,
    file: Vec<u8>,
}

/// Returns the URL that a redirect leads to, if its host is allowed.
fn redirected(fetcher: &Fetcher, from: &Url, location: &str) -> Result<Url> {
    let next = match from.join(location) {
        Ok(url) => String::from(url),
        Err(_) => location.to_owned(),
    };
    let checked = fetcher.servers.hosts.check(&next, |_| false);
    checked.ok_or(UpstreamError::TextureUrl { url: next })
}

impl Provider for SkinUrl {
    fn servers(&self) -> (Vec<Url>, &'static [Upstream]) {
        (vec![self.site.clone()], &[Upstream::Texture])
    }

    fn can_know(&self, player: &PlayerId) -> bool {
        match player {
            PlayerId::JavaName(name) => self.needs_name() && is_possible_name(name),
            PlayerId::JavaUuid(_) => !self.needs_name(),
            _ => false,
        }
    }

    fn probe(&self, _: Upstream) -> Option<Call> {
        let url = self.url(PROBED_PLAYER, offline_uuid(PROBED_PLAYER)).ok()?;
        Some(Call::get(Step::Texture, url))
    }

    fn upstreams_for(&self, _: &Fetcher, _: &PlayerId) -> Vec<Upstream> {
        vec![Upstream::Texture; 1 + MAX_REDIRECTS]
    }

    fn profile(&self, fetcher: &Fetcher, player: &PlayerId) -> Result<Option<Profile>> {
        // A site that knows names has no UUIDs, so the player gets the UUID of a server without
        // accounts.
        let Some((name, uuid)) = offline_identity(player) else {
            return Ok(None);
        };
        let first_url = self.url(name.as_deref().unwrap_or_default(), uuid)?;
        let Some(FetchedFile { url, file }) = self.fetch(fetcher, first_url)? else {
            return Ok(None);
        };
        if !has_size_of_skin(&file) {
            let source = "the picture has not the size of a skin".into();
            return Err(UpstreamError::Decode { source });
        }
        let skin = TextureUrl::with_file(url.as_str(), FileAtHand::new(file));
        Ok(Some(Profile {
            skin: Some(ProfileSkin::own(skin, None)),
            ..Profile::bare(Account::Java(uuid), name)
        }))
    }

    fn renewal_id(&self, known: &Profile, player: &PlayerId) -> PlayerId {
        if self.needs_name() {
            return match &known.name {
                Some(name) => PlayerId::JavaName(name.clone()),
                None => player.clone(),
            };
        }
        match &known.account {
            Account::Java(uuid) => PlayerId::JavaUuid(*uuid),
            Account::Bedrock(_) => player.clone(),
        }
    }
}

/// Returns `true` if the header of a PNG states the size of a skin. Any other picture must not hide
/// the player from later providers.
fn has_size_of_skin(png: &[u8]) -> bool {
    let (Some(width), Some(height)) = (u32_at(png, 16), u32_at(png, 20)) else {
        return false;
    };
    let is_width = (1..=MAX_WIDTH).contains(&width) && width % 64 == 0;
    is_width && (height == width || height == width / 2)
}

/// Returns the integer at a position of a file.
fn u32_at(file: &[u8], position: usize) -> Option<u32> {
    let bytes = file.get(position..)?.first_chunk()?;
    Some(u32::from_be_bytes(*bytes))
}
