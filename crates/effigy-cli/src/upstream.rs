//! The settings of the upstream services: addresses, timeouts, limits.

use std::{num::NonZeroU32, path::PathBuf, time::Duration};

use clap::Args;
use effigy_upstream::{
    BaseUrl, ConfigError, Endpoints, NameLookup, RateLimit, RateLimits, UpstreamConfig,
};

use crate::values::{duration, rate_limit, timeout};

/// The skins that are asked before the services.
#[derive(Debug, Args)]
pub struct SkinsArgs {
    /// A folder of skins of your own, which is asked before the upstream services: `<player>.png`,
    /// `<player>.slim.png` for slim arms, and `<player>.cape.png` for the cape. A player is a Java name
    /// or UUID, a Bedrock XUID, or a Bedrock gamertag after a dot. A server notices changed files
    /// within a second.
    #[arg(id = "folder", long = "skins", env = "SKINS", value_name = "FOLDER")]
    pub folder: Option<PathBuf>,
}

/// The services that skins come from, and the limits of calls to them.
#[derive(Debug, Args)]
pub struct UpstreamArgs {
    /// The service that gives the UUID of a Java name.
    #[arg(
        long,
        env = "JAVA_IDENTITY_URL",
        default_value = "https://api.mojang.com"
    )]
    java_identity_url: String,
    /// The service that gives the profile of a Java UUID.
    #[arg(
        long,
        env = "JAVA_SESSION_URL",
        default_value = "https://sessionserver.mojang.com"
    )]
    java_session_url: String,
    /// The service that gives the XUID of a Bedrock gamertag, and the skin of an XUID.
    #[arg(
        long,
        env = "BEDROCK_LOOKUP_URL",
        default_value = "https://api.geysermc.org"
    )]
    bedrock_lookup_url: String,
    /// The service that gives a texture by its hash.
    #[arg(
        long,
        env = "TEXTURE_URL",
        default_value = "https://textures.minecraft.net"
    )]
    texture_url: String,
    /// Another host that textures may be fetched from; separate several with commas, or repeat the flag.
    #[arg(long = "texture-host", env = "TEXTURE_HOST", value_delimiter = ',')]
    texture_hosts: Vec<String>,
    /// The time limit of one call.
    #[arg(long, env = "UPSTREAM_TIMEOUT", default_value = "10s", value_parser = timeout)]
    upstream_timeout: Duration,
    /// The time limit of looking up a player, all calls together.
    #[arg(long, env = "RESOLVE_TIMEOUT", default_value = "20s", value_parser = timeout)]
    pub resolve_timeout: Duration,
    /// The time limit of connecting to a service.
    #[arg(long, env = "CONNECT_TIMEOUT", default_value = "5s", value_parser = timeout)]
    connect_timeout: Duration,
    /// The number of simultaneous calls to each service; a request that needs a further one fails at
    /// once.
    #[arg(long, env = "UPSTREAM_CONCURRENCY", default_value = "128")]
    upstream_concurrency: NonZeroU32,
    /// The form of the name look-up: legacy, current, or auto. Auto changes to the current form when
    /// the legacy one is refused or gone.
    #[arg(long, env = "NAME_LOOKUP", default_value_t)]
    name_lookup: NameLookup,
    /// The time for which an answer that there is no such player is reused, and the fallback skin of
    /// Bedrock players, like 60s; 0 asks again every time.
    #[arg(long, env = "MISSING_PLAYER_TTL", default_value = "60s", value_parser = duration)]
    missing_player_ttl: Duration,
    /// Your email address or URL. It is sent with every call, so the services can reach you.
    #[arg(long, env = "CONTACT")]
    contact: Option<String>,
    /// The rate limit of calls to the identity service, like 600/10m (default: slightly below the limit
    /// of the public service, and none for another service).
    #[arg(long, env = "JAVA_IDENTITY_LIMIT", value_parser = rate_limit)]
    java_identity_limit: Option<RateLimit>,
    /// The rate limit of calls to the session service, like 400/10s (default: slightly below the limit
    /// of the public service, and none for another service).
    #[arg(long, env = "JAVA_SESSION_LIMIT", value_parser = rate_limit)]
    java_session_limit: Option<RateLimit>,
    /// The rate limit of calls to the Bedrock service, like 100/1m (default: 120/1m for the public
    /// service, and none for another service).
    #[arg(long, env = "BEDROCK_LOOKUP_LIMIT", value_parser = rate_limit)]
    bedrock_lookup_limit: Option<RateLimit>,
}

impl UpstreamArgs {
    /// Checks the settings.
    ///
    /// # Errors
    ///
    /// If a URL cannot be called.
    pub fn config(&self) -> Result<UpstreamConfig, ConfigError> {
        Ok(UpstreamConfig {
            endpoints: Endpoints {
                java_identity: BaseUrl::parse("--java-identity-url", &self.java_identity_url)?,
                java_session: BaseUrl::parse("--java-session-url", &self.java_session_url)?,
                bedrock_lookup: BaseUrl::parse("--bedrock-lookup-url", &self.bedrock_lookup_url)?,
                texture: BaseUrl::parse("--texture-url", &self.texture_url)?,
            },
            timeout: self.upstream_timeout,
            resolve_timeout: self.resolve_timeout,
            contact: self.contact.clone(),
            texture_hosts: self.texture_hosts.clone(),
            rate_limits: RateLimits {
                identity: self.java_identity_limit,
                session: self.java_session_limit,
                bedrock: self.bedrock_lookup_limit,
            },
            name_lookup: self.name_lookup,
            missing_player_ttl: self.missing_player_ttl,
            concurrency: self.upstream_concurrency,
            connect_timeout: self.connect_timeout,
        })
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::Cli;

    #[test]
    fn the_defaults_are_the_public_services() {
        let cli = Cli::try_parse_from(["effigy"]).unwrap();
        let config = cli.serve.upstream.config().unwrap();
        assert_eq!(config, UpstreamConfig::default());
    }
}
