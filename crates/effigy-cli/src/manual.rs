//! Completion scripts and manual pages.

use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use crate::{Cli, parse};

/// Returns a shell's completion script.
#[must_use]
pub fn completions(shell: Shell) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "effigy", &mut script);
    script
}

/// Returns the names of the shells that have a completion script, one per line.
#[must_use]
pub fn shells() -> String {
    let names = Shell::value_variants().iter().map(Shell::to_string);
    names.map(|name| name + "\n").collect()
}

/// Returns the manual page of a command, or of the whole program.
#[must_use]
pub fn manual(command: Option<&str>) -> Vec<u8> {
    let mut page_of = parse::command();
    page_of.build();
    if let Some(name) = command {
        let found = page_of.find_subcommand(name).cloned();
        page_of = found.expect("only names of commands are accepted");
    }
    // The page would have hidden arguments without their texts.
    let page_of = page_of.mut_args(|arg| arg.hide_short_help(false));
    let mut page = Vec::new();
    let written = Man::new(page_of).render(&mut page);
    written.expect("a vector takes every byte");
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_have_commands_and_flags() {
        for shell in Shell::value_variants() {
            let script = String::from_utf8(completions(*shell)).unwrap();
            for word in ["render", "health", "memory-cache"] {
                assert!(script.contains(word), "{shell}: {word}");
            }
        }
    }

    #[test]
    fn options_of_manual_pages_have_texts() {
        for (command, title, option, most) in [
            (None, ".TH effigy 1", "\\-\\-port", 20),
            (Some("render"), ".TH effigy-render 1", "\\-\\-facing", 30),
        ] {
            let page = String::from_utf8(manual(command)).unwrap();
            assert!(page.contains(title) && page.contains(option), "{page}");
            let (_, options) = page.split_once(".SH OPTIONS").unwrap();
            let options: Vec<&str> = options.split(".TP\n").skip(1).collect();
            assert!(options.len() > most, "{page}");
            for described in options {
                let text = described.lines().nth(1).unwrap_or_default();
                assert!(text.contains(' '), "{described}");
            }
        }
    }
}
