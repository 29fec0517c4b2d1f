//! `effigy completions` and `effigy man`: completion scripts and manual pages.

use anyhow::Result;
use clap::CommandFactory;
use clap_mangen::Man;

use super::print;
use crate::{
    cli::{Cli, CompletionsArgs, ManArgs},
    failure::ExitError,
};

/// Prints a shell's completion script.
pub(crate) fn completions(args: &CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "effigy", &mut script);
    print(&script)
}

/// Prints a page of the manual.
pub(crate) fn man(args: &ManArgs) -> Result<()> {
    let mut program = Cli::command();
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            let found = found.ok_or_else(|| {
                ExitError::usage(format!(
                    "there is no command {name:?}; effigy --help lists the commands"
                ))
            })?;
            // Without this, the page would have the name of the subcommand alone.
            let page = format!("effigy-{}", found.get_name());
            found.display_name(page)
        }
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    print(&page)
}
