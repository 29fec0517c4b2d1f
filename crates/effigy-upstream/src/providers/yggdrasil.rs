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
    BaseUrl, LimitReason, LookUp, Profile, Step, Upstream, UpstreamConfig, UpstreamError,
    error::Result, error_chain, fetcher::Fetcher, limits::PROBE_INTERVAL,
};

/// The time after which the metadata are fetched again.
const REFRESH_EVERY: Duration = Duration::from_secs(3600);

/// A server with the Yggdrasil API.
struct Yggdrasil {
    /// The address that the operator has set: that of the API, or of a site that names it.
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
    /// Returns the address of the API. Without the metadata nothing can be said about a player,
    /// since the address that is set may be that of a site. One caller fetches the first copy, and
    /// nobody waits for it.
    fn root(&self, fetcher: &Fetcher) -> Result<BaseUrl> {
        if self.metadata.read().is_none() {
            self.fetch_if_due(fetcher)?;
        }
        let (step, reason) = (Step::Metadata, LimitReason::NotAnswering);
        let root = (self.metadata.read().as_ref()).map(|metadata| metadata.root.clone());
        root.ok_or_else(|| UpstreamError::limited(step, reason, PROBE_INTERVAL))
    }

    /// Fetches the metadata, unless that is not due or another caller is about it. An error is
    /// logged, and the last good copy stays.
    fn fetch_if_due(&self, fetcher: &Fetcher) -> Result<()> {
        let Some(mut next) = self.next_fetch.try_lock() else {
            return Ok(());
        };
        if next.is_some_and(|next| fetcher.now() < next) {
            return Ok(());
        }
        // Everybody needs it, so it is not a call of this look-up.
        let own = Fetcher {
            look_up: &LookUp::until(fetcher.deadline),
            ..*fetcher
        };
        let fetched = self.fresh_metadata(&own);
        let wait = fetched.as_ref().map_or(PROBE_INTERVAL, |_| REFRESH_EVERY);
        *next = Some(fetcher.now() + wait);
        let fresh = fetched.inspect_err(|error| {
            let (provider, reason) = (&fetcher.servers.provider, error_chain(error));
            tracing::warn!(
                %provider,
                "the description of the provider could not be fetched: {reason}"
            );
        })?;
        *self.metadata.write() = Some(fresh);
        Ok(())
    }

    fn fresh_metadata(&self, fetcher: &Fetcher) -> Result<Metadata> {
        let step = Step::Metadata;
        let get = |url: &Url| match fetcher.get(Upstream::Profiles, step, Some(url.clone()))? {
            response if response.status == 200 => Ok(response),
            response => Err(response.failure(step)),
        };
        let mut root = self.url.clone();
        let mut response = get(&root.0)?;
        if let Some(location) = &response.location {
            let named = root.0.join(location).ok();
            let named = named.and_then(|named| BaseUrl::parse(named.as_str()).ok());
            let is_safe = |url: &BaseUrl| url.0.scheme() == "https" || root.0.scheme() == "http";
            let named = named.filter(is_safe);
            let named = named.ok_or(step.malformed("X-Authlib-Injector-API-Location"))?;
            // One hop: what the API itself names is not followed.
            if named != root {
                response = get(&named.0)?;
                root = named;
            }
        }
        let record = records::parse(step, &response.body)?;
        let rules = record["skinDomains"].as_array().into_iter().flatten();
        let rules = rules.filter_map(Value::as_str);
        let domains = rules.filter_map(skin_domain).collect();
        Ok(Metadata { root, domains })
    }

    /// Looks up the UUID of a name. The POST is the only form that all servers have, and one
    /// invalid name of several may spoil it.
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
        let fields = |account| Some((text(account, "id")?, text(account, "name")?));
        // A malformed account makes the whole list so: without it, a player would seem not to
        // exist.
        let ids: Option<Vec<(String, String)>> = accounts.iter().map(fields).collect();
        // The spelling is the server's, or that of the request.
        let is_named = |(_, other): &&(String, String)| lower_case(other) == lower_case(name);
        match ids.ok_or_else(malformed)?.iter().find(is_named) {
            Some((id, _)) => Uuid::parse(id).ok_or_else(malformed).map(Some),
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
        let is_known = upstream == Upstream::Profiles;
        is_known.then(|| Call::get(Step::Metadata, self.url.0.clone()))
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
        uuid.map_or(Ok(None), |uuid| Self::session(fetcher, root, uuid))
    }

    fn names_host(&self, url: &Url) -> bool {
        let metadata = self.metadata.read();
        let (Some(metadata), Some(host)) = (&*metadata, url.host_str()) else {
            return false;
        };
        let (root, mut domains) = (&metadata.root.0, metadata.domains.iter());
        // The rules are about hosts alone, but a record must not lead to other services of a host.
        let is_port = url.port().is_none() || url.port_or_known_default() == root.port();
        is_port && (root.host_str() == Some(host) || domains.any(|rule| covers(rule, host)))
    }

    fn ping(&self, fetcher: &Fetcher) -> Result<()> {
        self.fresh_metadata(fetcher).map(drop)
    }

    fn refresh(&self, fetcher: &Fetcher) {
        drop(self.fetch_if_due(fetcher));
    }
}

/// Checks a rule of `skinDomains`: a host, or a dot and the domain that hosts are below. An address
/// is none, nor is a name without a dot: these would lead into the local network, or to all hosts
/// of a top-level domain.
fn skin_domain(rule: &str) -> Option<String> {
    let Ok(Host::Domain(domain)) = Host::parse(rule.strip_prefix('.').unwrap_or(rule)) else {
        return None;
    };
    let is_name = domain.contains('.') && !domain.starts_with('.') && !domain.ends_with('.');
    let dot = if rule.starts_with('.') { "." } else { "" };
    is_name.then(|| format!("{dot}{domain}"))
}

/// Returns `true` if a rule covers a host.
fn covers(rule: &str, host: &str) -> bool {
    host == rule || rule.starts_with('.') && host.ends_with(rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_of_skin_domains() {
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
