//! The command line of Effigy: its commands and their settings, each of which is a flag and an environment
//! variable, with their help.
//!
//! Nothing is opened or started here: the program `effigy` runs the commands.

mod clients;
mod decoration;
mod environment;
mod examples;
mod manual;
mod render;
mod scene;
mod tools;
mod upstream;
mod values;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    num::NonZeroU32,
    time::Duration,
};

use clap::{Args, Parser, Subcommand, ValueEnum, builder::BoolishValueParser};
use effigy_store::{LIFETIME, SqlStore, StoreOptions};
use tracing_subscriber::filter::Targets;

pub use clients::ClientArgs;
pub use decoration::DecorationArgs;
pub use environment::parse;
pub use render::{RenderArgs, ViewArg};
pub use scene::SceneArgs;
pub use tools::{CompletionsArgs, HealthArgs, ManArgs};
pub use upstream::{SkinsArgs, UpstreamArgs};
use values::{bytes, database_size, duration, interval, log_levels, timeout};

/// The default of the maximum size of a SQLite database.
const MAX_SQLITE_BYTES: u64 = 2 << 30;

/// The heading of the settings of the upstream services in `--help`.
const UPSTREAM_HEADING: &str = "Network options";

/// Pictures of Minecraft players: the server and its tools.
///
/// Without a command, it serves.
#[derive(Debug, Parser)]
#[command(
    name = "effigy",
    version,
    args_conflicts_with_subcommands = true,
    after_help = examples::PROGRAM
)]
pub struct Cli {
    /// The command; without one, the program serves.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of the server, which runs without a command.
    #[command(flatten)]
    pub serve: ServeArgs,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve pictures over HTTP.
    #[command(after_help = examples::SERVE)]
    Serve(ServeArgs),
    /// Serve a few built-in players, without a network or a database.
    Demo(DemoArgs),
    /// Draw skin files or players to PNG or SVG files.
    #[command(after_help = examples::RENDER)]
    Render(RenderArgs),
    /// Delete expired pictures from the database.
    Prune(PruneArgs),
    /// Ask the service on this machine for its health.
    #[command(after_help = examples::HEALTH)]
    Health(HealthArgs),
    /// Print a shell's completion script.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print a page of the manual.
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
}

/// The settings of `serve`.
#[derive(Debug, Args)]
pub struct ServeArgs {
    /// The server.
    #[command(flatten)]
    pub server: ServerArgs,
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// The operator's own skins.
    #[command(flatten)]
    pub skins: SkinsArgs,
    /// The time for which a resolved player is reused under /v1/, at the URLs of other services and on
    /// the page, like 60s; 0 looks players up for every new picture.
    #[arg(long, env = "PLAYER_TTL", default_value = "60s", value_parser = duration)]
    pub player_ttl: Duration,
    /// Reuse resolved players on the other paths too.
    #[arg(long, env = "PLAYER_TTL_EVERYWHERE", value_parser = BoolishValueParser::new())]
    pub player_ttl_everywhere: bool,
    /// The time for which health checks reuse the result of one check of the identity service, like
    /// 30s; 0 checks every time.
    #[arg(long, env = "HEALTH_PING_EVERY", default_value = "0s", value_parser = duration)]
    pub health_ping_every: Duration,
    /// The number of simultaneous connections to a PostgreSQL database.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = SqlStore::CONNECTIONS, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub database_connections: u32,
    /// The interval at which expired pictures and old health checks are deleted from the database,
    /// like 1h; 0 never deletes them.
    #[arg(long, env = "PRUNE_EVERY", default_value = "1h", value_parser = interval)]
    pub prune_every: Duration,
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
    /// The shares of clients.
    // A heading is for all arguments that follow.
    #[command(flatten, next_help_heading = "Fair shares")]
    pub clients: ClientArgs,
    /// The upstream services.
    #[command(flatten, next_help_heading = UPSTREAM_HEADING)]
    pub upstream: UpstreamArgs,
}

/// The settings of `demo`.
#[derive(Debug, Args)]
pub struct DemoArgs {
    /// The server.
    #[command(flatten)]
    pub server: ServerArgs,
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// The settings of `prune`.
#[derive(Debug, Args)]
pub struct PruneArgs {
    /// The database.
    #[command(flatten)]
    pub database: DatabaseArgs,
    /// The log.
    #[command(flatten)]
    pub log: LogArgs,
}

/// The settings of a server, whatever it serves.
#[derive(Debug, Args)]
pub struct ServerArgs {
    /// The address to listen on.
    #[arg(long, env = "LISTEN", default_value_t = IpAddr::V4(Ipv4Addr::UNSPECIFIED))]
    pub listen: IpAddr,
    /// The port to listen on; 0 picks a free one.
    #[arg(
        long,
        env = "PORT",
        default_value_t = 3005,
        allow_negative_numbers = true
    )]
    pub port: u16,
    /// The memory for pictures in front of the database, like 64MiB; 0 keeps none in memory.
    #[arg(long, env = "MEMORY_CACHE", default_value = "64MiB", value_parser = bytes)]
    pub memory_cache: u64,
    /// The number of simultaneous connections; a further one closes the one that has been idle for the
    /// longest time.
    #[arg(long, env = "MAX_CONNECTIONS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub max_connections: u32,
    /// The largest size of a picture that may be requested (default: every size that a PNG can have).
    #[arg(long, env = "MAX_SIZE")]
    pub max_size: Option<NonZeroU32>,
    /// Turn previews off: accept no skin files.
    #[arg(long, env = "NO_PREVIEW", value_parser = BoolishValueParser::new())]
    pub no_preview: bool,
    /// A separate address and port for `/metrics`, like 127.0.0.1:9090 (default: the address and port of
    /// the service).
    #[arg(long, env = "METRICS_LISTEN")]
    pub metrics_listen: Option<SocketAddr>,
    /// Write a line for each request to standard output.
    #[arg(long, env = "ACCESS_LOG", value_enum)]
    pub access_log: Option<AccessLogArg>,
    /// The time for which a connection may be idle, and in which the head of a request must arrive.
    #[arg(long, env = "IDLE_TIMEOUT", default_value = "30s", value_parser = timeout)]
    pub idle_timeout: Duration,
}

/// The format of the access log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AccessLogArg {
    /// The Common Log Format.
    Common,
    /// One JSON object a line.
    Json,
}

/// The settings of the database.
#[derive(Debug, Args)]
pub struct DatabaseArgs {
    /// The database of pictures, counts and the health log: `sqlite:<file>`, which the server creates if
    /// it is missing, or `postgres://…`.
    #[arg(
        long,
        env = "DATABASE_URL",
        default_value = "sqlite:effigy.db",
        hide_env_values = true
    )]
    pub database_url: String,
    /// The size of the database beyond which the oldest pictures are deleted, like 2GiB; 0 sets no
    /// limit (default: 2GiB for SQLite, no limit for PostgreSQL).
    #[arg(long, env = "DATABASE_MAX_SIZE", value_parser = database_size)]
    pub database_max_size: Option<u64>,
    /// The time after its hour for which a picture is kept, and served if an outage prevents a newer one,
    /// like 1d; 0 disables this.
    #[arg(long, env = "STALE_IF_ERROR", default_value = "0s", value_parser = duration)]
    pub stale_if_error: Duration,
}

impl DatabaseArgs {
    /// Returns the settings of the store, with a maximum of connections to a server.
    pub fn options(&self, connections: u32) -> StoreOptions {
        let default = self
            .database_url
            .starts_with("sqlite:")
            .then_some(MAX_SQLITE_BYTES);
        let max_bytes = self.database_max_size.or(default);
        StoreOptions {
            connections,
            max_bytes: max_bytes.filter(|bytes| *bytes > 0),
            create: true,
        }
    }

    /// Returns the age at which a picture can be deleted.
    pub fn lifetime(&self) -> Duration {
        LIFETIME.saturating_add(self.stale_if_error)
    }
}

/// The settings of the log.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// The level of the log on standard error: off, error, warn, info, debug or trace, or levels by
    /// module, like warn,effigy=debug.
    #[arg(long, env = "LOG", default_value = "info", value_parser = log_levels)]
    pub log: Targets,
    /// The format of the log.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value = "text")]
    pub log_format: LogFormat,
}

/// The format of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogFormat {
    /// Lines of text for people.
    Text,
    /// One JSON object a line for programs.
    Json,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }
}
