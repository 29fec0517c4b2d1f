//! Pictures of Minecraft players: the server and the command line.

mod commands;
mod failure;
mod log;

use std::process::ExitCode;

use effigy_cli::Command;

fn main() -> ExitCode {
    let cli = effigy_cli::parse();
    let outcome = match cli.command.unwrap_or(Command::Serve(cli.serve)) {
        Command::Serve(args) => commands::serve(&args),
        Command::Demo(args) => commands::demo(&args),
        Command::Render(args) => commands::render(&args),
        Command::Providers(args) => commands::providers(&args),
        Command::Prune(args) => commands::prune(&args),
        Command::Health(args) => commands::health(&args),
        Command::Completions(args) => commands::print(&args.script()),
        Command::Man(args) => commands::print(&args.page()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            commands::tell(&format!("effigy: {failure:#}"));
            failure::exit_code(&failure)
        }
    }
}
