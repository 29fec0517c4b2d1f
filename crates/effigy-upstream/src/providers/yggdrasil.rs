//! A server with the Yggdrasil API of authlib-injector: Drasl, Ely.by, Blessing Skin, LittleSkin
//! and others.

use std::time::{Duration, Instant};

use effigy_player::{PlayerId, Uuid, lower_case};
use parking_lot::{Mutex, RwLock};
use serde_json::Value;
use url::{Host, Url};

use super::Provider;
use crate::call::Call;
use crate::records::{self, text};
use crate::{
    BaseUrl, LimitReason, LookUp, Profile, Response, Step, Upstream, UpstreamConfig, UpstreamError,
    error::Result, error_chain, fetcher::Fetcher, limits::PROBE_INTERVAL,
};

/// The time after which the metadata are fetched again.
const REFRESH_EVERY: Duration = Duration::from_secs(3600);

/// A server with the Yggdrasil API.
struct Yggdrasil {
    /// The address that the operator has set: the API's, or a site's that names the API.
    url: BaseUrl,
    /// The last good copy.
    metadata: RwLock<Option<Metadata>>,
    /// The time of the next attempt to fetch the metadata, which is locked during one.
    next_fetch: Mutex<Option<Instant>>,
}

/// The description of the server by itself.
struct Metadata {
    /// The address of the API.
    root: BaseUrl,
    /// The rules of `skinDomains`.
    domains: Vec<String>,
}

/// Sets up a server, whose URL may lack the scheme.
pub(super) fn set_up(target: &str, _: &UpstreamConfig) -> Result<Box<dyn Provider>, String> {
    let url = if target.contains("://") {
        BaseUrl::parse(target)?
    } else {
        BaseUrl::parse(&format!("https://{target}"))?
    };
    Ok(Box::new(Yggdrasil {
        url,
        metadata: RwLock::default(),
        next_fetch: Mutex::default(),
    }))
}

impl Yggdrasil {
    /// Returns the address of the API, which only the metadata tell: the address that is set may be
    /// a site's. One caller fetches the first copy, and nobody waits for it.
    fn root(&self, fetcher: &Fetcher) -> Result<BaseUrl> {
        if self.metadata.read().is_none() {
            self.fetch_if_due(fetcher)?;
        }
        match &*self.metadata.read() {
            Some(metadata) => Ok(metadata.root.clone()),
            None => Err(UpstreamError::limited(
                Step::Metadata,
                LimitReason::NotAnswering,
                PROBE_INTERVAL,
            )),
        }
    }

    /// Fetches the metadata if that is due, unless another caller does so now. An error is logged,
    /// and the last good copy stays.
    fn fetch_if_due(&self, fetcher: &Fetcher) -> Result<()> {
        let Some(mut next) = self.next_fetch.try_lock() else {
            return Ok(());
        };
        if next.is_some_and(|next| fetcher.now() < next) {
            return Ok(());
        }
        // Every look-up needs the metadata, so this is not a call of one look-up.
        let own = Fetcher {
            look_up: &LookUp::until(fetcher.deadline),
            ..*fetcher
        };
        match self.fresh_metadata(&own) {
            Ok(fresh) => {
                *next = Some(fetcher.now() + REFRESH_EVERY);
                *self.metadata.write() = Some(fresh);
                Ok(())
            }
            Err(error) => {
                *next = Some(fetcher.now() + PROBE_INTERVAL);
                let provider = &fetcher.servers.provider;
                let reason = error_chain(&error);
                tracing::warn!(
                    %provider,
                    "the description of the provider could not be fetched: {reason}"
                );
                Err(error)
            }
        }
    }

    fn fresh_metadata(&self, fetcher: &Fetcher) -> Result<Metadata> {
        let response = get_metadata(fetcher, &self.url)?;
        let Some(location) = &response.location else {
            return Metadata::parse(self.url.clone(), &response);
        };
        let root = self.named_root(location)?;
        if root == self.url {
            return Metadata::parse(root, &response);
        }
        // The API itself may name another address, which is not followed.
        let api_response = get_metadata(fetcher, &root)?;
        Metadata::parse(root, &api_response)
    }

    /// Returns the address of the API that a site names. A site with https may not name one without
    /// it.
    fn named_root(&self, location: &str) -> Result<BaseUrl> {
        let malformed = || Step::Metadata.malformed("X-Authlib-Injector-API-Location");
        let url = self.url.0.join(location).map_err(|_| malformed())?;
        let root = BaseUrl::parse(url.as_str()).map_err(|_| malformed())?;
        if self.url.0.scheme() == "https" && root.0.scheme() != "https" {
            return Err(malformed());
        }
        Ok(root)
    }

    /// Looks up the UUID of a name. All servers have the POST. It has one name, because an invalid
    /// one of several may spoil the answer.
    fn identify(fetcher: &Fetcher, root: &BaseUrl, name: &str) -> Result<Option<Uuid>> {
        let step = Step::Identity;
        let url = root.below("api/profiles/minecraft");
        let call = Call::post(step, url, name);
        let response = fetcher.call(Upstream::Profiles, &call)?;
        let Some(json) = records::body(&response, step)? else {
            return Ok(None);
        };
        let malformed = || step.malformed("the JSON of the accounts");
        let accounts: Vec<Value> = serde_json::from_slice(json).map_err(|_| malformed())?;
        let mut found = None;
        for account in &accounts {
            // A malformed account is an error of the whole list: it may be the player.
            let account_id = text(account, "id").ok_or_else(malformed)?;
            let account_name = text(account, "name").ok_or_else(malformed)?;
            // The spelling is the server's, or repeats the request.
            if found.is_none() && lower_case(&account_name) == lower_case(name) {
                found = Some(account_id);
            }
        }
        match found {
            Some(id) => Uuid::parse(&id).map(Some).ok_or_else(malformed),
            None => Ok(None),
        }
    }

    fn session(fetcher: &Fetcher, root: &BaseUrl, uuid: Uuid) -> Result<Option<Profile>> {
        // Undashed digits in lower case are the only form that all servers know.
        let url = root.join("sessionserver/session/minecraft/profile", &uuid.to_string());
        let response = fetcher.get(Upstream::Profiles, Step::Session, url)?;
        records::session(&response, uuid, records::textures_property)
    }
}

impl Provider for Yggdrasil {
    fn servers(&self) -> (Vec<Url>, &'static [Upstream]) {
        let upstreams = &[Upstream::Profiles, Upstream::Texture];
        (vec![self.url.0.clone()], upstreams)
    }

    /// The hosts of textures are not known, so only a texture that was fetched can tell if they
    /// answer.
    fn probe(&self, upstream: Upstream) -> Option<Call> {
        match upstream {
            Upstream::Profiles => Some(Call::get(Step::Metadata, self.url.0.clone())),
            _ => None,
        }
    }

    fn upstreams_for(&self, _: &Fetcher, player: &PlayerId) -> Vec<Upstream> {
        match player {
            PlayerId::JavaName(_) => vec![Upstream::Profiles; 2],
            _ => vec![Upstream::Profiles],
        }
    }

    fn profile(&self, fetcher: &Fetcher, player: &PlayerId) -> Result<Option<Profile>> {
        let root = &self.root(fetcher)?;
        let uuid = match player {
            PlayerId::JavaName(name) => Self::identify(fetcher, root, name)?,
            PlayerId::JavaUuid(uuid) => Some(*uuid),
            _ => None,
        };
        match uuid {
            Some(uuid) => Self::session(fetcher, root, uuid),
            None => Ok(None),
        }
    }

    fn tells_names(&self) -> bool {
        true
    }

    fn names_host(&self, url: &Url) -> bool {
        let metadata = self.metadata.read();
        match (&*metadata, url.host_str()) {
            (Some(metadata), Some(host)) => metadata.names_host(url, host),
            _ => false,
        }
    }

    fn ping(&self, fetcher: &Fetcher) -> Result<()> {
        self.fresh_metadata(fetcher).map(drop)
    }

    fn refresh(&self, fetcher: &Fetcher) {
        drop(self.fetch_if_due(fetcher));
    }
}

impl Metadata {
    fn parse(root: BaseUrl, response: &Response) -> Result<Self> {
        let record = records::parse(Step::Metadata, &response.body)?;
        let mut domains = Vec::new();
        for rule in record["skinDomains"].as_array().into_iter().flatten() {
            if let Some(rule) = rule.as_str()
                && let Some(domain) = skin_domain(rule)
            {
                domains.push(domain);
            }
        }
        Ok(Self { root, domains })
    }

    /// Returns `true` if textures may come from this URL, whose host is `host`.
    fn names_host(&self, url: &Url, host: &str) -> bool {
        let root = &self.root.0;
        // The rules name only hosts, but a record must not lead to other services of a host.
        let is_allowed_port = url.port().is_none() || url.port_or_known_default() == root.port();
        if !is_allowed_port {
            return false;
        }
        root.host_str() == Some(host) || self.domains.iter().any(|rule| covers(rule, host))
    }
}

/// Fetches the metadata at an address.
fn get_metadata(fetcher: &Fetcher, url: &BaseUrl) -> Result<Response> {
    let step = Step::Metadata;
    let response = fetcher.get(Upstream::Profiles, step, Some(url.0.clone()))?;
    if response.status != 200 {
        return Err(response.failure(step));
    }
    Ok(response)
}

/// Normalizes a rule of `skinDomains`: a host, or a dot and the domain of the hosts. Returns `None`
/// for addresses and for names without a dot, which would lead into the local network, or to all
/// hosts of a top-level domain.
fn skin_domain(rule: &str) -> Option<String> {
    let bare = rule.strip_prefix('.').unwrap_or(rule);
    let Ok(Host::Domain(domain)) = Host::parse(bare) else {
        return None;
    };
    if !domain.contains('.') || domain.starts_with('.') || domain.ends_with('.') {
        return None;
    }
    if rule.starts_with('.') {
        return Some(format!(".{domain}"));
    }
    Some(domain)
}

/// Returns `true` if a rule covers a host.
fn covers(rule: &str, host: &str) -> bool {
    host == rule || rule.starts_with('.') && host.ends_with(rule)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn no_rule_covers_an_address_or_a_name_without_a_dot(rule in any::<String>()) {
            if let Some(domain) = skin_domain(&rule) {
                for host in ["localhost", "127.0.0.1", "[::1]", "169.254.169.254", "com"] {
                    prop_assert!(!covers(&domain, host), "{rule:?}: {host}");
                }
            }
        }
    }

    #[test]
    fn rules_of_skin_domains_cover_their_hosts() {
        let hosts = ["", "a.", "a.b.", "x"].map(|start| format!("{start}skins.example"));
        for (rule, covered) in [
            ("skins.example", &hosts[..1]),
            ("Skins.EXAMPLE", &hosts[..1]),
            (".skins.example", &hosts[1..3]),
            ("ＳＫＩＮＳ.example", &hosts[..1]),
        ] {
            let rule = skin_domain(rule).expect(rule);
            let found = hosts.iter().filter(|host| covers(&rule, host));
            assert!(found.eq(covered), "{rule}");
        }
        let refused = ". .. .com com localhost .localhost 127.0.0.1 .0.0.1 2130706433 [::1] * \
            example. .example.com. example.com/x example.com:80";
        for rule in refused.split(' ').chain(["", "a b.c"]) {
            assert_eq!(skin_domain(rule), None, "{rule}");
        }
    }
}
