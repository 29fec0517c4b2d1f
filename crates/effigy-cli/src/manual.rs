//! Completion scripts and manual pages.

use clap::{Args, CommandFactory};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Cli, help};

/// The arguments of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

impl CompletionsArgs {
    /// Returns the shell's completion script.
    #[must_use]
    pub fn script(&self) -> Vec<u8> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::command(), "effigy", &mut script);
        script
    }
}

/// The arguments of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// The command to describe (default: the whole program).
    #[arg(value_parser = ["serve", "demo", "render", "providers", "prune", "health", "completions", "man"])]
    command: Option<String>,
}

impl ManArgs {
    /// Returns the manual page.
    #[must_use]
    pub fn page(&self) -> Vec<u8> {
        let mut command = help::arranged(Cli::command());
        command.build();
        if let Some(name) = &self.command {
            let found = command.find_subcommand(name).cloned();
            command = found.expect("each of these is a command");
            // Without this, the page would have the name of the subcommand alone.
            let page = format!("effigy-{}", command.get_name());
            command = command.display_name(page);
        }
        let mut page = Vec::new();
        let written = Man::new(command).render(&mut page);
        written.expect("a vector takes every byte");
        page
    }
}
