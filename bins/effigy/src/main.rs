//! Minecraft players as pictures: the server and the command line.

mod cli;
mod commands;
mod failure;
mod timed_transport;

use std::{
    hint::black_box,
    io::{self, Write},
    process::ExitCode,
};

use clap::Parser;

use crate::{
    cli::{Cli, Command},
    failure::Failure,
};

fn main() -> ExitCode {
    keep_memory();
    let cli = Cli::parse();
    match run(cli.command.unwrap_or(Command::Serve(cli.serve))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Where standard error is closed there is nobody to tell.
            let _ = writeln!(io::stderr(), "effigy: {}", failure.sentence());
            failure.exit_code()
        }
    }
}

fn run(command: Command) -> Result<(), Failure> {
    match command {
        Command::Serve(args) => commands::serve(&args),
        Command::Demo(args) => commands::demo(&args),
        Command::Render(args) => commands::render(&args),
        Command::Prune(args) => commands::prune(&args),
        Command::Health(args) => commands::health(&args),
        Command::Completions(args) => commands::completions(&args),
        Command::Man(args) => commands::man(&args),
    }
}

/// A picture takes and frees some hundred kilobytes; one of 512 pixels' width, a few megabytes.
const USUAL: usize = 4 << 20;

/// Has the allocator keep what a picture frees for the next one.
///
/// glibc's gives memory back to the system when more than twice the largest block that was ever
/// freed lies unused (`mallopt(3)`, "dynamic mmap threshold"), and then takes it again page by page,
/// for each picture. So it sees one large block freed at the start. Nothing of it is ever touched.
/// Other allocators take no notice.
fn keep_memory() {
    drop(black_box(Vec::<u8>::with_capacity(USUAL)));
}
