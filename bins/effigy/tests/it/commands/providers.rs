//! `effigy providers`.

use fixtures::{FakeUpstream, FakeYggdrasil, Quirks, YggdrasilPlayer};

use crate::support::{effigy, services, text};

/// A player with a skin and a cape, and a player whose name would clear a terminal.
const PLAYERS: [YggdrasilPlayer; 2] = [
    YggdrasilPlayer {
        name: "Gwendolin",
        uuid: "a1a1a1a1a1a14a1aa1a1a1a1a1a1a1a1",
        skin: Some("robot"),
        has_cape: true,
    },
    YggdrasilPlayer {
        name: "\u{1b}[2J",
        uuid: "b2b2b2b2b2b24b2bb2b2b2b2b2b2b2b2",
        skin: None,
        has_cape: false,
    },
];

/// The providers of a server: its own service, Mojang and Geyser.
struct Providers {
    yggdrasil: FakeYggdrasil,
    upstream: FakeUpstream,
}

/// The result of `effigy providers`.
#[derive(Debug)]
struct Report {
    code: Option<i32>,
    lines: Vec<String>,
    error: String,
}

impl Providers {
    fn start() -> Self {
        Self {
            yggdrasil: FakeYggdrasil::start(&PLAYERS, Quirks::default()),
            upstream: FakeUpstream::start(),
        }
    }

    fn report(&self, player: &[&str]) -> Report {
        let providers = format!("yggdrasil={}\n mojang\tgeyser", self.yggdrasil.api());
        let mut command = effigy();
        command.arg("providers").args(player);
        command.args(services(&self.upstream));
        command.envs([("EFFIGY_PROVIDER", &*providers), ("EFFIGY_LOG", "error")]);
        let output = command.output().unwrap();
        Report {
            code: output.status.code(),
            lines: text(&output.stdout).lines().map(str::to_owned).collect(),
            error: text(&output.stderr),
        }
    }
}

#[test]
fn each_provider_has_a_line() {
    let report = Providers::start().report(&[]);
    assert_eq!(report.code, Some(0));
    assert_eq!(report.lines.len(), 3);
    for line in &report.lines {
        assert!(line.ends_with("  answers"), "{line}");
    }
}

#[test]
fn each_provider_says_what_it_knows_about_the_player() {
    let report = Providers::start().report(&["Gwendolin"]);
    assert_eq!(report.code, Some(0));
    #[rustfmt::skip]
    let expected = [
        ("yggdrasil:", "answers; knows Gwendolin (a1a1a1a1-a1a1-4a1a-a1a1-a1a1a1a1a1a1): classic skin http"),
        ("mojang", "answers; knows Gwendolin (523239d6-f395-4d77-8c25-aa3d0db1e779): classic skin http"),
        ("geyser", "answers; is not asked for such players"),
    ];
    for (line, (provider, answer)) in report.lines.iter().zip(expected) {
        assert!(
            line.starts_with(provider) && line.contains(answer),
            "{line}"
        );
    }
    assert!(report.lines[0].ends_with(", a cape"), "{report:?}");
}

#[test]
fn control_characters_of_names_are_escaped() {
    let report = Providers::start().report(&[PLAYERS[1].uuid]);
    let name = "knows \\u{1b}[2J (";
    assert!(report.lines[0].contains(name), "{report:?}");
}

#[test]
fn silent_providers_are_an_error_and_do_not_stop_the_others() {
    let providers = Providers::start();
    providers.yggdrasil.set(|quirks| quirks.outage = Some(503));
    let report = providers.report(&["Reynard"]);
    assert_eq!(report.code, Some(1));
    let silent = "does not answer: metadata: status 503; failed: ";
    assert!(report.lines[0].contains(silent), "{report:?}");
    assert!(report.lines[1].contains("knows Reynard"), "{report:?}");
    let error = "1 of 3 providers do not answer";
    assert!(report.error.contains(error), "{report:?}");
}
