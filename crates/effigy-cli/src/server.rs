//! The settings of a server.

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use clap::{Args, ValueEnum};
use effigy_parameters::Family;

use crate::retired::RetiredArgs;
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
    /// An older record is checked when the player is requested under /v1/, by a URL of another
    /// service or on the page. On all paths, the answer that a player doesn't exist is reused for
    /// this time, but for a minute at most.
    #[arg(long, env, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    fresh: Duration,
    /// The limits of each client.
    #[command(flatten)]
    pub clients: ClientArgs,
    #[command(flatten)]
    pub(crate) retired: RetiredArgs,
}

impl ServeArgs {
    /// Returns the age up to which a player's record is used without a check.
    #[must_use]
    pub fn fresh(&self) -> Duration {
        self.retired.player_ttl.unwrap_or(self.fresh)
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

/// The settings of `demo`, and of `serve` among others.
#[derive(Debug, Args)]
pub struct ServerArgs {
    /// The address to listen on.
    #[command(flatten)]
    pub address: AddressArgs,
    /// The memory for recent pictures, for example 64MiB; 0 keeps no picture in memory.
    #[arg(long, env, value_name = "SIZE", default_value = "64MiB", value_parser = bytes)]
    pub memory_cache: u64,
    /// The largest size of a picture that may be requested (default: the limit of PNG).
    #[arg(long, env, value_name = "PIXELS", value_parser = values::max_size)]
    pub max_size: Option<NonZeroU32>,
    /// The time for which browsers and proxies may cache pictures, for example 60s.
    ///
    /// While they ask for a new picture, they may show the old one for four times as long. On the
    /// compatibility paths, the time is always an hour.
    #[arg(long, env, value_name = "DURATION", default_value = "60s", value_parser = duration)]
    pub max_age: Duration,
    /// A host that serves the URLs of another service at its root, for example
    /// avatars.example.org=crafatar.
    ///
    /// Repeat the flag, or separate several hosts with commas. The families are crafatar, minotar,
    /// mc-heads, crafthead, cravatar, visage, nmsr, mineatar, starlight, discordsrv, playerdb and
    /// ashcon.
    #[arg(long, env, value_name = "HOST=FAMILY", value_parser = values::family_hosts)]
    pub family_host: Vec<values::Several<(String, Family)>>,
    /// Turn off previews of uploaded skin files.
    #[arg(long, env, value_parser = values::yes_or_no)]
    pub no_preview: bool,
    /// A separate address and port for `/metrics`, for example 127.0.0.1:9090.
    ///
    /// By default, the service itself has the metrics. The probes are at both addresses.
    #[arg(long, env, value_name = "ADDRESS")]
    #[arg(value_parser = hinted::<SocketAddr>(
        "write an address and a port, for example 127.0.0.1:9090",
    ))]
    pub metrics_listen: Option<SocketAddr>,
    /// The time after which an idle connection is closed; it must be longer than the idle timeout
    /// of a proxy in front.
    #[arg(long, env, value_name = "DURATION", default_value = "75s", value_parser = timeout)]
    pub idle_timeout: Duration,
    /// The time to accept connections after a signal to stop, for example 10s, and at most 1h;
    /// /readyz fails meanwhile.
    #[arg(long, env, value_name = "DURATION", default_value = "0s", value_parser = values::drain)]
    pub drain: Duration,
    /// Write a line for each request to standard output.
    #[arg(long, env, value_name = "FORMAT", value_enum)]
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
    /// One JSON object per line.
    Json,
}

#[cfg(test)]
mod tests {
    use crate::parse;

    #[test]
    fn settings_are_flags_and_variables_with_defaults() {
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
