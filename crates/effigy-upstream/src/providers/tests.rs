//! The kinds of providers, and the names and UUIDs of players of servers in offline mode.

use super::*;

fn set_up(text: &str) -> Result<(String, Box<dyn Provider>), ConfigError> {
    super::set_up(text, &UpstreamConfig::default())
}

#[test]
fn providers_have_names_and_servers() {
    for (text, name, server) in [
        ("mojang", "mojang", "https://api.mojang.com/"),
        ("geyser", "geyser", "https://api.mojang.com/"),
        ("yggdrasil=ely.by", "yggdrasil:ely.by", "https://ely.by/"),
        ("yggdrasil=http://x:80/a", "yggdrasil:x", "http://x/a/"),
        (
            "yggdrasil=[::1]:81",
            "yggdrasil:[::1]:81",
            "https://[::1]:81/",
        ),
        (
            "skin-url=http://x/{name}",
            "skin-url:x",
            "http://x/%7Bname%7D",
        ),
    ] {
        let (found, provider) = set_up(text).expect(text);
        assert_eq!(found, name, "{text}");
        assert_eq!(provider.servers().0[0].as_str(), server, "{text}");
    }
    let folder = tempfile::TempDir::new().expect("a folder");
    let text = format!("folder={}", folder.path().display());
    let (name, provider) = set_up(&text).expect("an empty folder");
    assert_eq!((&*name, provider.servers().0.len()), ("folder", 0));
}

#[test]
fn bad_providers_are_refused_in_one_sentence() {
    let unknown = "is not one of the kinds";
    let placeless = "needs {name}, {uuid} or {dashed}";
    let nobody = "in the path or the query";
    let secret = "user name or password";
    for (text, problem) in [
        ("", unknown),
        ("Mojang", unknown),
        ("mysql=x", unknown),
        ("mojang=https://api.mojang.com", unknown),
        ("folder", unknown),
        ("folder=", unknown),
        ("yggdrasil=ftp://x", "must begin with http"),
        ("skin-url=https://x/skin.png", placeless),
        ("skin-url=https://x/{player}.png", placeless),
        ("skin-url=https://{name}.example/", nobody),
        ("skin-url=https://{name}@example/skin.png", secret),
        ("skin-url=file:///{name}.png", "must begin with http"),
        ("folder=/nowhere", "cannot be read"),
        ("skinsrestorer=/nowhere", "cannot read /nowhere/players: "),
        ("skinrestorer=/nowhere", "cannot read /nowhere: "),
    ] {
        let error = set_up(text).err().expect(text).to_string();
        assert!(error.contains(problem), "{text}: {error}");
    }
}

#[test]
fn names_of_other_providers_are_one_segment() {
    let longest = "é".repeat(32);
    for name in [
        "Notch",
        "Two Words",
        "玩家一号",
        "a+b",
        "{x}:;",
        "a.b",
        &longest,
    ] {
        assert!(is_possible_name(name), "{name}");
    }
    let too_long = "x".repeat(33);
    for name in [
        "", ".", "..", "a/b", "a\\b", "a?b", "a#b", "a\tb", "a\u{7f}", &too_long,
    ] {
        assert!(!is_possible_name(name), "{name}");
    }
}

#[test]
fn names_have_the_offline_uuids_of_the_game() {
    for (name, expected) in [
        ("Notch", "b50ad385-829d-3141-a216-7e7d7539ba7f"),
        ("notch", "42653081-a90e-3475-b3d6-3550cdb43f8e"),
        ("jeb_", "a762f560-4fce-3236-812a-b80efff0b62b"),
        ("Игрок", "770c6db4-4435-39fa-8907-9b7f4fb309b1"),
        ("玩家一号", "563807d4-80f7-3b64-9ebb-4dbce5bc9f41"),
    ] {
        let uuid = offline_uuid(name);
        assert_eq!(uuid.hyphenated(), expected, "{name}");
        assert!(is_offline(uuid), "{name}");
    }
    let notch = Uuid(0x069a_79f4_44e9_4726_a5be_fca9_0e38_aaf5);
    assert!(!is_offline(notch));
}
