//! The command line of Effigy: its commands and their settings, with their help. The settings of a
//! server are flags and environment variables.
//!
//! Nothing is opened or started here: the program `effigy` runs the commands.

mod clients;
mod environment;
mod help;
mod manual;
mod render;
mod tips;
mod upstream;
mod values;

use std::net::{IpAddr, SocketAddr};
use std::num::NonZeroU32;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use effigy_parameters::Family;
use effigy_store::{Ages, LIFETIME, SqlStore};
use tracing_subscriber::filter::Targets;

pub use clients::ClientArgs;
pub use environment::{parse, unknown_variables};
pub use manual::{completions, manual, shells};
pub use render::{FileNameTemplate, RenderArgs};
pub use upstream::UpstreamArgs;
use values::{bytes, database_size, duration, hinted, log_levels, positive, timeout};

/// Pictures of Minecraft players. Without a command, it serves.
#[derive(Debug, Parser)]
#[command(name = "effigy", version, args_conflicts_with_subcommands = true)]
#[command(after_help = include_str!("examples/program.txt"))]
pub struct Cli {
    /// The command; without one, the program serves.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of the server, which runs without a command.
    #[command(flatten)]
    pub serve: ServeArgs,
}

/// The commands.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one, at the start of the program"
)]
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Serve pictures over HTTP.
    #[command(after_help = include_str!("examples/serve.txt"))]
    Serve(ServeArgs),
    /// Serve a few built-in players to this machine, without a network or a database.
    #[command(after_help = include_str!("examples/demo.txt"))]
    #[command(mut_arg("listen", |arg| arg.default_value("127.0.0.1")))]
    Demo(ServerArgs),
    /// Draw skin files or players as PNG, SVG, APNG or GIF.
    #[command(after_help = include_str!("examples/render.txt"))]
    #[command(mut_arg("log", |arg| arg.default_value("warn")))]
    Render(RenderArgs),
    /// Show which providers of skins answer, and what each knows about a player.
    #[command(after_help = include_str!("examples/providers.txt"))]
    Providers(ProvidersArgs),
    /// Delete old pictures, textures and players from the database.
    Prune(PruneArgs),
    /// Show the health of the service on this machine.
    #[command(after_help = include_str!("examples/health.txt"))]
    Health(HealthArgs),
    /// Print a shell's completion script, or the names of the shells.
    #[command(after_help = include_str!("examples/completions.txt"))]
    Completions {
        /// The shell (default: list the shells).
        shell: Option<Shell>,
    },
    /// Print a manual page.
    #[command(after_help = include_str!("examples/man.txt"))]
    Man {
        /// The command to describe (default: the whole program).
        #[arg(value_parser = [
            "serve", "demo", "render", "providers", "prune", "health", "completions", "man",
        ])]
        command: Option<String>,
    },
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

/// The settings of `providers`.
#[derive(Debug, Args)]
pub struct ProvidersArgs {
    /// A Java name or UUID, a Bedrock XUID, or a Bedrock gamertag after a dot.
    pub player: Option<String>,
    /// The providers of skins and the upstream services.
    #[command(flatten)]
    pub upstream: UpstreamArgs,
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

/// The settings of `health`.
#[derive(Debug, Args)]
pub struct HealthArgs {
    /// The address of the service.
    #[command(flatten)]
    pub address: AddressArgs,
    /// Succeed if the service answers, even if an upstream service is down.
    #[arg(long)]
    pub live: bool,
    /// The time to wait for an answer.
    #[arg(long, default_value = "10s", value_parser = timeout)]
    pub timeout: Duration,
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

/// The settings of the database.
#[derive(Debug, Args)]
pub struct DatabaseArgs {
    /// The database: `sqlite:<file>` or `postgres://…`.
    ///
    /// It has pictures, textures, players, counts and the health log. The server creates a missing
    /// SQLite file.
    #[arg(long, env, value_name = "URL", default_value = "sqlite:effigy.db")]
    #[arg(hide_env_values = true)]
    pub database_url: String,
    /// The size of the database beyond which the oldest pictures are deleted, for example 2GiB; 0
    /// sets no limit (default: 2GiB for SQLite, 10GiB for PostgreSQL).
    #[arg(long, env, value_parser = database_size)]
    pub database_max_size: Option<u64>,
    /// The number of connections to PostgreSQL (default: 10).
    #[arg(long, env, value_parser = positive)]
    pub database_connections: Option<NonZeroU32>,
    /// The age up to which the last known look of a player is shown if upstream services fail, for
    /// example 1d.
    #[arg(long, env, default_value = "1d", value_parser = duration)]
    pub stale_if_error: Duration,
    /// The age at which a picture is deleted, since it was drawn.
    #[arg(long, env, default_value = "1d", value_parser = duration)]
    pub picture_age: Duration,
    /// The age at which a texture is deleted, since its last use.
    #[arg(long, env, default_value = "1d", value_parser = duration)]
    pub texture_age: Duration,
    /// The age at which the record of a player is deleted, since its last use.
    #[arg(long, env, default_value = "7d", value_parser = duration)]
    pub player_age: Duration,
}

impl DatabaseArgs {
    /// Returns the maximum size of the database, if there is one.
    #[must_use]
    pub fn max_bytes(&self) -> Option<u64> {
        match self.database_max_size {
            None => Some(SqlStore::default_max_bytes(&self.database_url)),
            Some(0) => None,
            size => size,
        }
    }

    /// Returns the mistake in a URL of PostgreSQL that would be read as that of another server: a
    /// character of the password that ends the name of the host.
    #[must_use]
    pub fn url_problem(&self) -> Option<&'static str> {
        let (scheme, rest) = self.database_url.split_once("://")?;
        if !["postgres", "postgresql"].contains(&scheme) {
            return None;
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, after) = rest.split_at(end);
        // A parameter may have the sign in its value.
        let before_values = after.split('=').next().unwrap_or_default();
        if before_values.contains('@') || has_bare_percent(authority) {
            return Some(UNESCAPED_URL);
        }
        None
    }

    /// Returns the ages at which rows can be deleted.
    #[must_use]
    pub fn ages(&self) -> Ages {
        Ages {
            // The answers of the specified paths are kept for an hour.
            pictures: self.picture_age.max(LIFETIME),
            textures: self.texture_age.max(self.stale_if_error),
            players: self.player_age.max(self.stale_if_error),
        }
    }

    /// Returns `true` if other processes can share the database.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        !self.database_url.starts_with("sqlite:")
    }
}

/// The message about a URL with an unescaped character.
const UNESCAPED_URL: &str = "the user or the password in the database url has a character that \
    must be percent-encoded: write @ as %40, / as %2F, : as %3A, ? as %3F, # as %23 and % as %25";

/// Returns `true` if two hexadecimal digits don't follow each percent sign.
fn has_bare_percent(text: &str) -> bool {
    let mut escapes = text.split('%').skip(1).map(str::as_bytes);
    escapes.any(|escape| {
        let digits = escape.iter().take_while(|byte| byte.is_ascii_hexdigit());
        digits.count() < 2
    })
}

/// The settings of the log.
#[derive(Debug, Args)]
pub struct LogArgs {
    /// The level of the log: off, error, warn, info, debug or trace.
    ///
    /// Levels may differ by module, for example warn,effigy=debug. The log is written to standard
    /// error.
    #[arg(long, env, default_value = "info", value_parser = log_levels)]
    pub log: Targets,
    /// The format of the log.
    #[arg(long, env, value_enum, default_value = "text")]
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
    fn every_example_parses() {
        let mut parsed_examples = 0;
        let mut program = Cli::command();
        program.build();
        let commands = program.get_subcommands().chain([&program]);
        for text in commands.filter_map(clap::Command::get_after_help) {
            let text = text.to_string();
            let examples = text
                .lines()
                .map(str::trim)
                .filter(|line| line.starts_with("effigy "));
            for example in examples {
                // Two blanks begin the explanation, and `>` is for the shell.
                let command = example.split("  ").next().unwrap_or_default();
                let command = command.split(" > ").next().unwrap_or_default();
                let words: Vec<_> = command.split(' ').map(Into::into).collect();
                let parsed = environment::parse_from(&words);
                assert!(parsed.is_ok(), "{command}: {parsed:?}");
                parsed_examples += 1;
            }
        }
        assert!(parsed_examples >= 15, "{parsed_examples}");
    }

    #[test]
    fn every_setting_of_the_server_is_a_flag_and_a_variable() {
        let mut defaults = Vec::new();
        for arg in environment::command().get_arguments() {
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

    #[test]
    fn an_unescaped_password_is_a_mistake() {
        let problem = |url: &str| {
            let cli = Cli::try_parse_from(["effigy", "--database-url", url]).unwrap();
            cli.serve.database.url_problem()
        };
        for url in [
            "postgres://effigy:p@ss/w:rd@localhost/effigy",
            "postgres://effigy:p/w@localhost/effigy",
            "postgresql://effigy:p#w@localhost/effigy",
            "postgres://effigy:p?w@localhost/effigy",
            "postgres://effigy:p@s?w/x@localhost/effigy",
            "postgres://effigy:100%@localhost/effigy",
            "postgres://effigy:1%2@localhost/effigy",
        ] {
            assert_eq!(problem(url), Some(UNESCAPED_URL), "{url}");
        }
        for url in [
            "postgres://localhost/effigy",
            "postgres://effigy:p%40ss%2Fw%3Ard@localhost:5432/effigy",
            "postgres://effigy@localhost/effigy?sslrootcert=/etc/ssl/a@b.pem",
            "postgres://localhost/effigy?password=p@w",
            "postgres:///effigy?host=/run/postgresql",
            "sqlite:a@b.db",
            "sqlite:///var/lib/a@b.db",
            "mysql://effigy:p/w@localhost/effigy",
        ] {
            assert_eq!(problem(url), None, "{url}");
        }
    }

    #[test]
    fn only_commands_of_a_server_have_variables() {
        let program = environment::command();
        let has_variables =
            |command: &&clap::Command| command.get_arguments().any(|arg| arg.get_env().is_some());
        let names = program.get_subcommands().filter(has_variables);
        let names: Vec<&str> = names.map(clap::Command::get_name).collect();
        assert_eq!(names, ["serve", "demo", "providers", "prune", "health"]);
    }
}
