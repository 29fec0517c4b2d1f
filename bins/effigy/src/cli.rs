//! The command line: every setting is a flag and an environment variable.

mod capacity;
mod examples;
mod outages;
mod picture;
mod tools;

use std::{
    net::{IpAddr, Ipv4Addr},
    num::NonZeroU32,
    time::Duration,
};

use clap::{Args, Parser, Subcommand, ValueEnum};
use effigy_store::SqlStore;
use effigy_upstream::{
    BaseUrl, Budget, Budgets, ConfigError, Endpoints, NameLookup, Policy, UpstreamConfig,
};
use tracing_subscriber::EnvFilter;

pub(crate) use capacity::CapacityArgs;
pub(crate) use outages::{PingArgs, StaleArgs};
pub(crate) use picture::{RenderArgs, ViewArg};
pub(crate) use tools::{CompletionsArgs, HealthArgs, ManArgs};

/// The longest a timeout can be set to.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(3600);

/// Minecraft players as pictures: the server and its tools.
///
/// Without a command it serves.
#[derive(Debug, Parser)]
#[command(
    name = "effigy",
    version,
    args_conflicts_with_subcommands = true,
    after_help = examples::PROGRAM
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) serve: ServeArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve pictures over HTTP.
    #[command(after_help = examples::SERVE)]
    Serve(ServeArgs),
    /// Serve drawn players of its own, without a network or a database.
    Demo(DemoArgs),
    /// Draw skin files or players to PNG or SVG files.
    #[command(after_help = examples::RENDER)]
    Render(RenderArgs),
    /// Delete expired pictures from the database.
    Prune(PruneArgs),
    /// Ask the service on this machine how it is.
    #[command(after_help = examples::HEALTH)]
    Health(HealthArgs),
    /// Print what a shell completes the command line by.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print a page of the manual.
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) listen: ListenArgs,
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
    #[command(flatten)]
    pub(crate) upstream: UpstreamArgs,
    #[command(flatten)]
    pub(crate) capacity: CapacityArgs,
    #[command(flatten)]
    pub(crate) stale: StaleArgs,
    #[command(flatten)]
    pub(crate) ping: PingArgs,
    /// How many connections to a PostgreSQL database there may be at once.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = SqlStore::CONNECTIONS, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) database_connections: u32,
    /// How often to delete expired pictures from the database, as in 1h (default: never).
    #[arg(long, env = "PRUNE_EVERY", value_parser = interval)]
    pub(crate) prune_every: Option<Duration>,
    #[command(flatten)]
    pub(crate) log: LogArgs,
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    #[command(flatten)]
    pub(crate) listen: ListenArgs,
    #[command(flatten)]
    pub(crate) capacity: CapacityArgs,
    #[command(flatten)]
    pub(crate) log: LogArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PruneArgs {
    #[command(flatten)]
    pub(crate) database: DatabaseArgs,
    #[command(flatten)]
    pub(crate) stale: StaleArgs,
    #[command(flatten)]
    pub(crate) log: LogArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ListenArgs {
    /// The address to listen on.
    #[arg(long, env = "LISTEN", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    pub(crate) listen: IpAddr,
    /// The port to listen on; 0 picks a free one.
    #[arg(
        long,
        env = "PORT",
        default_value_t = 3005,
        allow_negative_numbers = true
    )]
    pub(crate) port: u16,
}

#[derive(Debug, Args)]
pub(crate) struct DatabaseArgs {
    /// Where pictures, counts and the health log are kept: `sqlite:<file>`, created when missing,
    /// or `postgres://…`.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:effigy.db",
        hide_env_values = true
    )]
    pub(crate) database_url: String,
}

#[derive(Debug, Args)]
pub(crate) struct LogArgs {
    /// What is logged to standard error: error, warn, info, debug or trace, or a filter by module.
    #[arg(long, env = "LOG", default_value = "info", value_parser = log_filter)]
    pub(crate) log: String,
    /// How the log is written: for people, or one JSON object a line.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value = "text")]
    pub(crate) log_format: LogFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogFormat {
    /// For people.
    Text,
    /// For programs.
    Json,
}

impl LogArgs {
    /// The filter, which was checked when it was read.
    pub(crate) fn filter(&self) -> EnvFilter {
        EnvFilter::new(&self.log)
    }
}

/// Where skins come from, and how these services are treated.
#[derive(Debug, Args)]
pub(crate) struct UpstreamArgs {
    /// Java names to UUIDs.
    #[arg(
        long,
        env = "JAVA_IDENTITY_URL",
        default_value = "https://api.mojang.com"
    )]
    java_identity_url: String,
    /// Java UUIDs to profiles.
    #[arg(
        long,
        env = "JAVA_SESSION_URL",
        default_value = "https://sessionserver.mojang.com"
    )]
    java_session_url: String,
    /// Bedrock gamertags to XUIDs, and XUIDs to skins.
    #[arg(
        long,
        env = "BEDROCK_LOOKUP_URL",
        default_value = "https://api.geysermc.org"
    )]
    bedrock_lookup_url: String,
    /// Textures by their hash.
    #[arg(
        long,
        env = "TEXTURE_URL",
        default_value = "https://textures.minecraft.net"
    )]
    texture_url: String,
    /// A host that textures may come from beside the usual ones; may be given several times.
    #[arg(long = "texture-host", env = "TEXTURE_HOST", value_delimiter = ',')]
    texture_hosts: Vec<String>,
    /// How long one call may take.
    #[arg(long, env = "UPSTREAM_TIMEOUT", default_value = "10s", value_parser = timeout)]
    upstream_timeout: Duration,
    /// How long looking up a player may take, all calls together.
    #[arg(long, env = "RESOLVE_TIMEOUT", default_value = "20s", value_parser = timeout)]
    resolve_timeout: Duration,
    /// How long connecting may take.
    #[arg(long, env = "CONNECT_TIMEOUT", default_value = "5s", value_parser = timeout)]
    connect_timeout: Duration,
    /// How many calls each service is asked at once; requests that need more fail at once.
    #[arg(long, env = "UPSTREAM_CONCURRENCY", default_value = "128")]
    upstream_concurrency: NonZeroU32,
    /// Which form of the name look-up is used: legacy, current, or auto, which turns to the current
    /// one when the legacy one is refused or gone.
    #[arg(long, env = "NAME_LOOKUP", default_value_t)]
    name_lookup: NameLookup,
    /// An address or URL that tells the services who runs this, sent with every call.
    #[arg(long, env = "CONTACT")]
    contact: Option<String>,
    /// Calls to the identity service, as in 600/10m (default: what the public service bears).
    #[arg(long, env = "JAVA_IDENTITY_LIMIT", value_parser = budget)]
    java_identity_limit: Option<Budget>,
    /// Calls to the session service, as in 400/10s (default: what the public service bears).
    #[arg(long, env = "JAVA_SESSION_LIMIT", value_parser = budget)]
    java_session_limit: Option<Budget>,
    /// Calls to the Bedrock service, as in 100/1m (default: what the public service bears).
    #[arg(long, env = "BEDROCK_LOOKUP_LIMIT", value_parser = budget)]
    bedrock_lookup_limit: Option<Budget>,
}

impl UpstreamArgs {
    /// How long looking up a player may take.
    pub(crate) fn resolve_timeout(&self) -> Duration {
        self.resolve_timeout
    }

    /// The settings, checked.
    pub(crate) fn config(&self) -> Result<UpstreamConfig, ConfigError> {
        let endpoints = Endpoints {
            java_identity: BaseUrl::parse("--java-identity-url", &self.java_identity_url)?,
            java_session: BaseUrl::parse("--java-session-url", &self.java_session_url)?,
            bedrock_lookup: BaseUrl::parse("--bedrock-lookup-url", &self.bedrock_lookup_url)?,
            texture: BaseUrl::parse("--texture-url", &self.texture_url)?,
        };
        let budgets = Budgets {
            identity: self.java_identity_limit,
            session: self.java_session_limit,
            bedrock: self.bedrock_lookup_limit,
        };
        Ok(UpstreamConfig {
            endpoints,
            timeout: self.upstream_timeout,
            resolve_timeout: self.resolve_timeout,
            contact: self.contact.clone(),
            texture_hosts: self.texture_hosts.clone(),
            budgets,
            policy: Policy {
                name_lookup: self.name_lookup,
                concurrency: self.upstream_concurrency,
                connect_timeout: self.connect_timeout,
            },
        })
    }
}

fn timeout(text: &str) -> Result<Duration, String> {
    let timeout = duration(text)?;
    if timeout.is_zero() || timeout > LONGEST_TIMEOUT {
        return Err("a timeout is more than nothing and at most an hour".to_owned());
    }
    Ok(timeout)
}

fn interval(text: &str) -> Result<Duration, String> {
    let interval = duration(text)?;
    if interval < Duration::from_secs(1) {
        return Err("it is a second at least".to_owned());
    }
    Ok(interval)
}

/// A span of time; a bare number is in seconds.
fn duration(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(seconds) => Ok(Duration::from_secs(seconds)),
        Err(_) => {
            humantime::parse_duration(text).map_err(|_| "write it as 10s or 500ms".to_owned())
        }
    }
}

fn budget(text: &str) -> Result<Budget, String> {
    let hint = || "write it as <calls>/<time>, as in 600/10m".to_owned();
    let (calls, window) = text.split_once('/').ok_or_else(hint)?;
    let calls = calls.trim().parse().map_err(|_| hint())?;
    let window = duration(window.trim())?;
    Budget::new(calls, window).ok_or_else(hint)
}

fn log_filter(text: &str) -> Result<String, String> {
    match EnvFilter::try_new(text) {
        Ok(_) => Ok(text.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn timeouts() {
        let rows = [
            ("10s", Ok(Duration::from_secs(10))),
            ("10", Ok(Duration::from_secs(10))),
            ("500ms", Ok(Duration::from_millis(500))),
            ("1m 30s", Ok(Duration::from_secs(90))),
            ("0", Err(())),
            ("0s", Err(())),
            ("2h", Err(())),
            ("-1s", Err(())),
            ("soon", Err(())),
            ("", Err(())),
        ];
        for (text, expected) in rows {
            assert_eq!(timeout(text).map_err(|_| ()), expected, "{text}");
        }
    }

    #[test]
    fn budgets() {
        let ten_minutes = Duration::from_secs(600);
        assert_eq!(budget("600/10m").ok(), Budget::new(600, ten_minutes));
        assert_eq!(budget("600 / 600").ok(), Budget::new(600, ten_minutes));
        for text in [
            "", "600", "600/", "/10m", "0/10m", "600/0s", "-1/10m", "x/10m",
        ] {
            assert!(budget(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_defaults_are_the_public_services() {
        let cli = Cli::try_parse_from(["effigy"]).unwrap();
        let config = cli.serve.upstream.config().unwrap();
        assert_eq!(config, UpstreamConfig::default());
    }
}
