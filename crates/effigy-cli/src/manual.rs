//! Completion scripts and manual pages.

use clap::CommandFactory;
use clap_mangen::Man;

use crate::{Cli, CompletionsArgs, ManArgs};

impl CompletionsArgs {
    /// Returns a shell's completion script.
    #[must_use]
    pub fn script(&self) -> Vec<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "effigy", &mut script);
        script
    }
}

impl ManArgs {
    /// Returns a page of the manual, or `None` if there is no such command.
    #[must_use]
    pub fn page(&self) -> Option<Vec<u8>> {
        let mut program = Cli::command();
        program.build();
        let command = match &self.command {
            None => program,
            Some(name) => {
                let found = program.find_subcommand(name).cloned()?;
                // Without this, the page would have the name of the subcommand alone.
                let page = format!("effigy-{}", found.get_name());
                found.display_name(page)
            }
        };
        let mut page = Vec::new();
        Man::new(command)
            .render(&mut page)
            .expect("a vector takes every byte");
        Some(page)
    }
}
