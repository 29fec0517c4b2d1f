//! Pictures of Minecraft players: the server and the command line.

mod commands;
mod log;

use std::process::ExitCode;

use anyhow::{Error, Result};
use effigy_cli::{Cli, Command, UsageError};
use effigy_store::StoreError;

/// The exit code after a mistake on the command line. clap uses it, too.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    let cli = effigy_cli::parse();
    if let Some(args) = cli.log_args() {
        log::start(args, cli.serves());
    }
    for warning in &cli.warnings {
        log::warn(warning);
    }
    match run(cli) {
        Ok(()) => {
            log::end();
            ExitCode::SUCCESS
        }
        Err(error) => {
            log::report(&error);
            exit_code(&error)
        }
    }
}

fn run(cli: Cli) -> Result<()> {
    match cli.command.unwrap_or(Command::Serve(cli.serve)) {
        Command::Serve(args) => commands::serve::run(&args),
        Command::Demo(args) => commands::demo::run(&args),
        Command::Render(args) => commands::render::run(&args),
        Command::Providers(args) => commands::providers::run(&args),
        Command::Prune(args) => commands::prune::run(&args),
        Command::Health(args) => commands::health::run(&args),
        Command::Completions { shell: Some(shell) } => {
            commands::print(effigy_cli::completions(shell))
        }
        Command::Completions { shell: None } => commands::print(effigy_cli::shells()),
        Command::Man { command } => commands::print(effigy_cli::manual(command.as_deref())),
    }
}

/// Returns the exit code of an error: a mistake of the operator, or any other failure.
fn exit_code(error: &Error) -> ExitCode {
    let is_bad_url = matches!(error.downcast_ref(), Some(StoreError::Url(_)));
    if is_bad_url || error.is::<UsageError>() {
        ExitCode::from(USAGE_ERROR)
    } else {
        ExitCode::FAILURE
    }
}
