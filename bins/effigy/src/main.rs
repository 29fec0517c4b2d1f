//! Pictures of Minecraft players: the server and the command line.

mod commands;
mod log;

use std::process::ExitCode;

use effigy_cli::Command;
use effigy_store::StoreError;
use effigy_upstream::ConfigError;

/// The exit code after a mistake on the command line, which is that of clap.
const USAGE_ERROR: u8 = 2;

fn main() -> ExitCode {
    let cli = effigy_cli::parse();
    let result = match cli.command.unwrap_or(Command::Serve(cli.serve)) {
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
    };
    let Err(error) = result else {
        log::end();
        return ExitCode::SUCCESS;
    };
    log::report(&error);
    let database = error.downcast_ref::<StoreError>();
    let is_url = matches!(database, Some(StoreError::Url(_)));
    if is_url || error.is::<ConfigError>() {
        ExitCode::from(USAGE_ERROR)
    } else {
        ExitCode::FAILURE
    }
}
