//! `--provider`: an ordered chain of providers, over real sockets.

use fixtures::{FakeYggdrasil, Quirks, YggdrasilPlayer, player, skin};

use crate::support::{LOG_TO_FILE, Server, effigy, services, text};

/// A player of the server, one who has the name of a player of the fake Mojang, and one whose name clears a terminal.
const PLAYERS: [YggdrasilPlayer; 3] = [
    YggdrasilPlayer {
        name: "Игрок",
        uuid: "770c6db4443539fa89079b7f4fb309b1",
        skin: Some("fox"),
        has_cape: false,
    },
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

#[test]
fn the_first_provider_that_knows_the_player_decides() {
    let fake = FakeYggdrasil::start(&PLAYERS, Quirks::default());
    let chain = format!("yggdrasil={} mojang geyser", fake.api());
    let server = Server::start_with(&[&["--provider", &chain], &LOG_TO_FILE[..]].concat());
    let log = server.log();
    assert!(log.contains(&format!("in their order: {chain};")), "{log}");
    let host = fake.site().strip_prefix("http://").unwrap();
    let yggdrasil = format!("yggdrasil:{host}");
    for (input, drawn, provider) in [
        ("%D0%98%D0%B3%D1%80%D0%BE%D0%BA", "fox", yggdrasil.as_str()),
        ("Gwendolin", "robot", &yggdrasil),
        (player("Gwendolin").uuid().unwrap(), "knight", "mojang"),
        ("Reynard", "fox", "mojang"),
        (".Bluejay", "diver", "geyser"),
    ] {
        let reply = server.get(&format!("/skin/{input}"));
        assert!(
            reply.status == 200 && reply.body == skin(drawn).png,
            "{input}"
        );
        let profile = server.get(&format!("/v1/profile/{input}")).json();
        assert_eq!(profile["provider"], provider, "{input}");
    }
}

#[test]
fn each_provider_says_what_it_knows() {
    let fake = FakeYggdrasil::start(&PLAYERS, Quirks::default());
    let upstream = fixtures::FakeUpstream::start();
    let run = |player: &[&str]| {
        let mut command = effigy();
        command
            .arg("providers")
            .args(player)
            .env(
                "PROVIDER",
                format!("yggdrasil={}\n mojang\tgeyser", fake.api()),
            )
            .env("LOG", "error")
            .args(services(&upstream));
        let output = command.output().unwrap();
        let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
        (output.status.code(), lines, text(&output.stderr))
    };
    let (code, lines, _) = run(&[]);
    assert_eq!((code, lines.len()), (Some(0), 3), "{lines:?}");
    assert!(
        lines.iter().all(|line| line.ends_with("  answers")),
        "{lines:?}"
    );

    let (code, lines, _) = run(&["Gwendolin"]);
    assert_eq!(code, Some(0));
    #[rustfmt::skip]
    let expected = [
        ("yggdrasil:", "answers; knows Gwendolin (a1a1a1a1-a1a1-4a1a-a1a1-a1a1a1a1a1a1): classic skin http"),
        ("mojang", "answers; knows Gwendolin (523239d6-f395-4d77-8c25-aa3d0db1e779): classic skin http"),
        ("geyser", "answers; is not asked for such players"),
    ];
    for (line, (begin, end)) in lines.iter().zip(expected) {
        assert!(line.starts_with(begin) && line.contains(end), "{line}");
    }
    assert!(lines[0].ends_with(", a cape"), "{}", lines[0]);
    let (_, lines, _) = run(&[PLAYERS[2].uuid]);
    let name = "knows \\u{1b}[2J (";
    assert!(lines[0].contains(name), "{lines:?}");

    fake.set(|quirks| quirks.outage = Some(503));
    let (code, lines, error) = run(&["Reynard"]);
    assert_eq!(code, Some(1));
    assert!(
        lines[0].contains("does not answer: metadata: status 503; failed: "),
        "{lines:?}"
    );
    assert!(lines[1].contains("knows Reynard"), "{lines:?}");
    assert!(error.contains("1 of 3 providers do not answer"), "{error}");
}
