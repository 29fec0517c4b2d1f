//! The examples at the end of each `--help`: commands that work as they are.

pub(crate) const PROGRAM: &str = "\
Examples:
  effigy demo                         built-in players on http://localhost:3005, without a network
  effigy --port 8080                  real players
  effigy render figure Notch          a picture without a server";

pub(crate) const DEMO: &str = "\
Examples:
  effigy demo                         on http://localhost:3005, for this machine only
  effigy demo --listen 0.0.0.0        for other machines too";

pub(crate) const SERVE: &str = "\
Examples:
  effigy serve --port 8080 --contact admin@example.org
  effigy serve --database-url postgres://effigy@localhost/effigy
  effigy serve --skins skins/         NPCs and others from skins/<name>.png
  effigy serve --provider yggdrasil=ely.by --provider mojang    Ely.by's players, then Mojang's
  effigy serve --listen 127.0.0.1     only for a reverse proxy on this machine

docs/providers.md has recipes for servers without Mojang accounts.";

pub(crate) const PROVIDERS: &str = "\
Examples:
  effigy providers                    a line for each provider
  effigy providers Notch              and what each of them says about Notch
  effigy providers Notch --provider yggdrasil=ely.by --provider mojang";

pub(crate) const RENDER: &str = "\
Examples:
  effigy render figure Notch --yaw -30 --pose walk   to Notch_figure.png, with the cape
  effigy render face .SomeTag --overlay --size 64 -o face.png
  effigy render isobody Notch --facing back-left --no-overlay
  effigy render face Notch --background 202225 --padding 16 --shape circle
  effigy render bust Notch --overlay -o notch.svg    every view can be SVG
  effigy render body skins/ -o pictures/             all skins of a folder, into another
  effigy render group Notch jeb_ -o team.png         several players in one picture";

pub(crate) const HEALTH: &str = "\
Examples:
  effigy health                       the health report of the service on port 3005
  effigy health --live --port 8080    for the health check of a container";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  effigy completions bash > /etc/bash_completion.d/effigy
  effigy completions fish > ~/.config/fish/completions/effigy.fish
  effigy completions zsh > ~/.zfunc/_effigy";

pub(crate) const MAN: &str = "\
Examples:
  effigy man > effigy.1
  effigy man render > effigy-render.1";

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
