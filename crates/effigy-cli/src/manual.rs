//! Completion scripts and manual pages.

use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};

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
    let mut described = parse::command();
    described.build();
    if let Some(name) = command {
        let found = described.find_subcommand(name).cloned();
        described = found.expect("only names of commands are accepted");
    }
    // clap_mangen omits the texts of arguments that are hidden from the short help.
    let described = described.mut_args(|arg| arg.hide_short_help(false));
    let examples = described.get_after_help().map(ToString::to_string);
    // clap_mangen would print the examples as one paragraph, under the heading "EXTRA".
    let described = described.after_help(None::<&'static str>);
    let mut page = Vec::new();
    let written = Man::new(described).render(&mut page);
    written.expect("a vector takes every byte");
    if let Some(examples) = examples {
        page.extend(examples_section(&examples));
    }
    page
}

/// Returns the section of a manual page with the examples of the help, whose lines stay as they
/// are, and with the text below them.
fn examples_section(after_help: &str) -> Vec<u8> {
    let (examples, rest) = after_help.split_once("\n\n").unwrap_or((after_help, ""));
    let mut roff = Roff::new();
    roff.control("SH", ["EXAMPLES"]);
    roff.control("nf", []);
    // The first line is the heading in the help.
    for line in examples.lines().skip(1) {
        roff.text([roman(line.trim_start())]);
    }
    roff.control("fi", []);
    if !rest.is_empty() {
        roff.control("PP", []);
        roff.text([roman(rest)]);
    }
    let mut section = Vec::new();
    let written = roff.to_writer(&mut section);
    written.expect("a vector takes every byte");
    section
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
    fn examples_of_manual_pages_have_a_line_each() {
        let render = include_str!("examples/render.txt");
        let serve = include_str!("examples/serve.txt");
        for (command, examples) in [("render", render), ("serve", serve)] {
            let page = String::from_utf8(manual(Some(command))).unwrap();
            assert!(!page.contains("EXTRA"), "{page}");
            let (_, section) = page.split_once(".SH EXAMPLES\n.nf\n").unwrap();
            let (section, _) = section.split_once("\n.fi\n").unwrap();
            let section = section.replace("\\-", "-").replace("\\*(Aq", "'");
            let lines: Vec<&str> = section.lines().collect();
            let examples = examples.split("\n\n").next().unwrap();
            let expected = examples.lines().skip(1).map(str::trim_start);
            assert_eq!(lines, expected.collect::<Vec<_>>());
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
