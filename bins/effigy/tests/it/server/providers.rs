//! `--provider`: an ordered chain of providers, over real sockets.

use fixtures::{FakeYggdrasil, Quirks, YggdrasilPlayer, player, skin};

use crate::support::{LOG_TO_FILE, Server};

/// A player of the server's own, and one whose name is also a name of the fake Mojang.
const PLAYERS: [YggdrasilPlayer; 2] = [
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
];

#[test]
fn first_provider_that_knows_the_player_is_used() {
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
        assert_eq!(reply.status, 200, "{input}");
        assert!(reply.body == skin(drawn).png, "{input}");
        let profile = server.get(&format!("/v1/profile/{input}")).json();
        assert_eq!(profile["provider"], provider, "{input}");
    }
}
