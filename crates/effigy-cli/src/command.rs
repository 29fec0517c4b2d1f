//! The commands of the program.

use std::time::Duration;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::values::timeout;
use crate::{AddressArgs, DatabaseArgs, LogArgs, RenderArgs, ServeArgs, ServerArgs, UpstreamArgs};

/// Pictures of Minecraft players. Without a command, effigy serves them over HTTP.
#[derive(Debug, Parser)]
#[command(name = "effigy", version, args_conflicts_with_subcommands = true)]
#[command(after_help = include_str!("examples/program.txt"))]
pub struct Cli {
    /// The command. Without one, the program serves.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// The settings of the server that runs without a command.
    #[command(flatten)]
    pub serve: ServeArgs,
    /// Warnings for the operator about settings that are ignored, renamed or raised.
    #[arg(skip)]
    pub warnings: Vec<String>,
}

impl Cli {
    /// Returns the settings of the log, if the command has one.
    #[must_use]
    pub fn log_args(&self) -> Option<&LogArgs> {
        match &self.command {
            None => Some(&self.serve.server.log),
            Some(Command::Serve(args)) => Some(&args.server.log),
            Some(Command::Demo(args)) => Some(&args.log),
            Some(Command::Render(args)) => Some(&args.log),
            Some(Command::Providers(args)) => Some(&args.log),
            Some(Command::Prune(args)) => Some(&args.log),
            Some(Command::Health(_) | Command::Completions { .. } | Command::Man { .. }) => None,
        }
    }

    /// Returns `true` if the program runs a server.
    #[must_use]
    pub fn serves(&self) -> bool {
        matches!(
            self.command,
            None | Some(Command::Serve(_) | Command::Demo(_))
        )
    }

    /// Returns the settings of the server on real players, if the program runs one.
    pub(crate) fn serve_args(&self) -> Option<&ServeArgs> {
        match &self.command {
            None => Some(&self.serve),
            Some(Command::Serve(args)) => Some(args),
            Some(_) => None,
        }
    }

    /// Returns the settings of the database, if the command has one.
    pub(crate) fn database_args(&self) -> Option<&DatabaseArgs> {
        match &self.command {
            Some(Command::Prune(args)) => Some(&args.database),
            _ => self.serve_args().map(|args| &args.database),
        }
    }
}

/// The commands.
#[expect(
    clippy::large_enum_variant,
    reason = "the program has one value of it, at its start"
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
    /// Check whether the providers of skins answer, and show what each knows about a player.
    #[command(after_help = include_str!("examples/providers.txt"))]
    Providers(ProvidersArgs),
    /// Delete old pictures, textures and players from the database.
    Prune(PruneArgs),
    /// Show the health of the service on this machine.
    #[command(after_help = include_str!("examples/health.txt"))]
    Health(HealthArgs),
    /// Print the completion script of a shell, or list the shells.
    #[command(after_help = include_str!("examples/completions.txt"))]
    Completions {
        /// The shell; without one, the shells are listed.
        shell: Option<Shell>,
    },
    /// Print a manual page.
    #[command(after_help = include_str!("examples/man.txt"))]
    Man {
        /// The command; without one, the page describes the whole program.
        #[arg(value_parser = [
            "serve", "demo", "render", "providers", "prune", "health", "completions", "man",
        ])]
        command: Option<String>,
    },
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
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = timeout)]
    pub timeout: Duration,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::parse::{self, parse_from};

    #[test]
    fn examples_in_the_help_parse() {
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
                // Two spaces begin the explanation, and `>` is for the shell.
                let command = example.split("  ").next().unwrap_or_default();
                let command = command.split(" > ").next().unwrap_or_default();
                let words: Vec<_> = command.split(' ').map(Into::into).collect();
                let parsed = parse_from(&words);
                assert!(parsed.is_ok(), "{command}: {parsed:?}");
                parsed_examples += 1;
            }
        }
        assert!(parsed_examples >= 15, "{parsed_examples}");
    }

    #[test]
    fn only_server_commands_have_variables() {
        let program = parse::command();
        let has_variables =
            |command: &&clap::Command| command.get_arguments().any(|arg| arg.get_env().is_some());
        let names = program.get_subcommands().filter(has_variables);
        let names: Vec<&str> = names.map(clap::Command::get_name).collect();
        assert_eq!(names, ["serve", "demo", "providers", "prune", "health"]);
    }
}
