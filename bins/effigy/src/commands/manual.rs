//! `effigy completions` and `effigy man`: what shells and `man` want to know of the command line.

use std::io::{self, Write};

use clap::CommandFactory;
use clap_mangen::Man;

use crate::{
    cli::{Cli, CompletionsArgs, ManArgs},
    failure::Failure,
};

/// Prints what a shell completes by.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "effigy", &mut script);
    print(&script)
}

/// Prints a page of the manual.
pub(crate) fn man(args: &ManArgs) -> Result<(), Failure> {
    let mut program = Cli::command();
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            let found = found.ok_or_else(|| Failure::NoCommand { name: name.clone() })?;
            // Its own name is the last word of what one types.
            let page = format!("effigy-{}", found.get_name());
            found.display_name(page)
        }
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page).map_err(failed)?;
    print(&page)
}

fn print(text: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text)
        .and_then(|()| out.flush())
        .map_err(failed)
}

fn failed(source: io::Error) -> Failure {
    Failure::Write {
        to: "standard output".to_owned(),
        source,
    }
}
