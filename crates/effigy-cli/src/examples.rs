//! The examples of each command, as they are in its help: commands that work as they are.

pub(crate) const PROGRAM: &str = include_str!("examples/program.txt").trim_ascii_end();
pub(crate) const DEMO: &str = include_str!("examples/demo.txt").trim_ascii_end();
pub(crate) const SERVE: &str = include_str!("examples/serve.txt").trim_ascii_end();
pub(crate) const PROVIDERS: &str = include_str!("examples/providers.txt").trim_ascii_end();
pub(crate) const RENDER: &str = include_str!("examples/render.txt").trim_ascii_end();
pub(crate) const HEALTH: &str = include_str!("examples/health.txt").trim_ascii_end();
pub(crate) const COMPLETIONS: &str = include_str!("examples/completions.txt").trim_ascii_end();
pub(crate) const MAN: &str = include_str!("examples/man.txt").trim_ascii_end();

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::Cli;

    #[test]
    fn every_example_parses() {
        let mut parsed_examples = 0;
        for text in [
            PROGRAM,
            SERVE,
            DEMO,
            RENDER,
            PROVIDERS,
            HEALTH,
            COMPLETIONS,
            MAN,
        ] {
            let examples = text
                .lines()
                .map(str::trim)
                .filter(|line| line.starts_with("effigy "));
            for example in examples {
                // Two blanks begin the explanation, and `>` is for the shell.
                let command = example.split("  ").next().unwrap_or_default();
                let command = command.split(" > ").next().unwrap_or_default();
                let parsed = Cli::try_parse_from(command.split(' '));
                assert!(parsed.is_ok(), "{command}: {parsed:?}");
                parsed_examples += 1;
            }
        }
        assert!(parsed_examples >= 15, "{parsed_examples}");
    }
}
