//! The settings of a server.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use clap::{Args, ValueEnum};
use effigy_parameters::Family;

use crate::values::{self, bytes, duration, hinted, timeout};
use crate::{ClientArgs, DatabaseArgs, LogArgs, UpstreamArgs};

/// The settings of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The server.
    #[command(flatten)]
    pub server: ServerArgs,
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// The providers of skins and the upstream services.
    #[command(flatten)]
    pub upstream: UpstreamArgs,
    /// The age up to which a player's record is used without a check, for example 60s.
    ///
    /// An older one is checked when somebody asks for the player. This is for the paths under /v1/, the URLs of
    /// other services and the page. The answer that there is no such player is reused on all paths, for a minute at
    /// most.
    #[arg(long, env, default_value = "60s", value_parser = duration)]
    pub fresh: Duration,
    /// Replaced by --fresh.
    #[arg(long, env, hide = true, value_parser = duration)]
    player_ttl: Option<Duration>,
    /// Has no effect any more.
    #[arg(long, env, hide = true, value_parser = values::yes_or_no)]
    player_ttl_everywhere: bool,
    /// The limits of each client.
    #[command(flatten)]
    pub clients: ClientArgs,
}

impl ServeArgs {
    /// Returns the age up to which a player's record is used without a check.
    #[must_use]
    pub fn fresh(&self) -> Duration {
        self.player_ttl.unwrap_or(self.fresh)
    }

    /// Returns a warning for each setting that is given and has another name, or no effect, now.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let mut warnings = self.clients.warnings();
        if self.player_ttl.is_some() {
            let text = "--player-ttl is called --fresh now, and will be removed";
            warnings.push(text.to_owned());
        }
        if self.player_ttl_everywhere {
            let text = "--player-ttl-everywhere has no effect any more, and will be removed";
            warnings.push(text.to_owned());
        }
        warnings
    }
}

/// The address of a server.
#[derive(Debug, Args)]
pub struct AddressArgs {
    /// The address that the service listens on.
    #[arg(long, env, value_name = "ADDRESS", default_value = "0.0.0.0")]
    #[arg(value_parser = hinted::<IpAddr>("write an IP address, for example 127.0.0.1"))]
    pub listen: IpAddr,
    /// The port that the service listens on; 0 picks a free one.
    #[arg(long, env, default_value_t = 3005)]
    #[arg(value_parser = hinted::<u16>("write a port, a whole number from 0 to 65535"))]
    pub port: u16,
}

/// The settings of a server, whatever it serves.
#[derive(Debug, Args)]
pub struct ServerArgs {
    /// The address to listen on.
    #[command(flatten)]
    pub address: AddressArgs,
    /// The memory for pictures in front of the database, for example 64MiB; 0 keeps none in memory.
    #[arg(long, env, default_value = "64MiB", value_parser = bytes)]
    pub memory_cache: u64,
    /// The largest size of a picture that may be requested (default: every size that a PNG can
    /// have).
    #[arg(long, env, value_name = "PIXELS", value_parser = values::max_size)]
    pub max_size: Option<NonZeroU32>,
    /// The time for which browsers and proxies may cache pictures, for example 60s.
    ///
    /// They may show an old one for four times as long while they ask for a new one. The compatibility paths have an
    /// hour.
    #[arg(long, env, default_value = "60s", value_parser = duration)]
    pub max_age: Duration,
    /// A host at whose root the URLs of another service are served, for example
    /// avatars.example.org=crafatar.
    ///
    /// Repeat the flag, or separate several with commas. The families are crafatar, minotar, mc-heads, crafthead,
    /// cravatar, visage, nmsr, mineatar, starlight, discordsrv, playerdb and ashcon.
    #[arg(long, env, value_name = "HOST=FAMILY", value_parser = values::family_hosts)]
    pub family_host: Vec<values::Several<(String, Family)>>,
    /// Turn previews off: do not accept skin files.
    #[arg(long, env, value_parser = values::yes_or_no)]
    pub no_preview: bool,
    /// A separate address and port for `/metrics`, for example 127.0.0.1:9090.
    ///
    /// By default, the metrics are at the address and port of the service. The probes are at both.
    #[arg(long, env, value_name = "ADDRESS")]
    #[arg(value_parser = hinted::<SocketAddr>(
        "write an address and a port, for example 127.0.0.1:9090",
    ))]
    pub metrics_listen: Option<SocketAddr>,
    /// The time after which a connection without a request is closed: more than that of a proxy in
    /// front.
    #[arg(long, env, default_value = "75s", value_parser = timeout)]
    pub idle_timeout: Duration,
    /// The time for which new connections are still accepted after a signal, while /readyz fails,
    /// for example 10s.
    #[arg(long, env, default_value = "0s", value_parser = duration)]
    pub drain: Duration,
    /// Write a line for each request to standard output.
    #[arg(long, env, value_enum)]
    pub access_log: Option<AccessLogArg>,
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// The format of the access log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AccessLogArg {
    /// The Common Log Format.
    Common,
    /// The Combined Log Format, which adds Referer and User-Agent.
    Combined,
    /// One JSON object a line.
    Json,
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn every_setting_of_the_server_is_a_flag_and_a_variable() {
        let mut defaults = Vec::new();
        for arg in parse::command().get_arguments() {
            let id = arg.get_id().as_str();
            assert_eq!(arg.get_long(), Some(&*id.replace('_', "-")));
            let name = format!("EFFIGY_{}", id.to_uppercase());
            assert_eq!(arg.get_env(), Some(name.as_ref()), "{id}");
            let values = arg.get_default_values().iter();
            defaults.extend(values.map(|value| format!("{id} {}", value.display())));
        }
        let expected = [
            "listen 0.0.0.0",
            "port 3005",
            "memory_cache 64MiB",
            "max_age 60s",
            "idle_timeout 75s",
            "drain 0s",
            "log info",
            "log_format text",
            "database_url sqlite:effigy.db",
            "stale_if_error 1d",
            "picture_age 1d",
            "texture_age 1d",
            "player_age 7d",
            "provider mojang geyser",
            "bedrock_prefix .",
            "java_identity_url https://api.mojang.com",
            "java_session_url https://sessionserver.mojang.com",
            "bedrock_lookup_url https://api.geysermc.org",
            "texture_url https://textures.minecraft.net",
            "upstream_timeout 10s",
            "fresh 60s",
            "client_drawing 30s/2m",
            "client_calls 900/10m",
        ];
        assert_eq!(defaults, expected);
    }
}
