//! Completion scripts and manual pages.

use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Cli, help};

/// Returns a shell's completion script.
#[must_use]
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "effigy", &mut script);
    script
}

/// Returns the manual page of a command, or of the whole program.
#[must_use]
pub fn manual(command: Option<&str>) -> Vec<u8> {
    let mut page_of = help::arranged(Cli::command());
    page_of.build();
    if let Some(name) = command {
        let found = page_of.find_subcommand(name).cloned();
        // Without this, the page would have the name of the subcommand alone.
        let found = found.map(|found| found.display_name(format!("effigy-{name}")));
        page_of = found.expect("each of these is a command");
    }
    let mut page = Vec::new();
    let written = Man::new(page_of).render(&mut page);
    written.expect("a vector takes every byte");
    page
}
