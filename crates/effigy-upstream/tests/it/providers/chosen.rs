//! Skins that players have chosen with a plugin on a server with accounts, by UUID and by name.

use effigy_player::{Model, PlayerId, Uuid};
use effigy_upstream::{Account, ProviderChain};
use serde_json::{Value, json};
use tempfile::TempDir;

use super::skinsrestorer::{player, skin};
use super::{config, profile, write};
use crate::support::canned::{Answer, Canned, NOTCH, kind};
use crate::support::resolve::renewed;

/// The UUID of Notch at Mojang, in the form of file names.
const ACCOUNT: &str = "069a79f4-44e9-4726-a5be-fca90e38aaf5";

/// The UUID that Floodgate gives the player with the gamertag `Tag`.
const FLOODGATE: &str = "00000000-0000-0000-0009-01f64f65c7c3";

const SESSION: &str = "session/069a79f444e94726a5befca90e38aaf5";

/// A folder of SkinsRestorer in which the player with this UUID has chosen a skin.
fn folder_with_choice(uuid: &str) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let choice = player(&json!({ "identifier": "knight", "type": "CUSTOM" }));
    write(folder.path(), &format!("players/{uuid}.player"), choice);
    write(folder.path(), "skins/knight.customskin", skin("abc"));
    folder
}

/// A folder of SkinRestorer, the mod, in which the player with this UUID has this file.
fn folder_of_mod(uuid: &str, file: &Value) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    write(folder.path(), &format!("{uuid}.json"), file.to_string());
    folder
}

/// A chain of a folder of this kind, Mojang and GeyserMC.
fn chain(upstream: &Canned, kind: &str, folder: &TempDir) -> ProviderChain {
    let provider = format!("{kind}={}", folder.path().display());
    upstream.resolver_with(config(&[&provider, "mojang", "geyser"]))
}

/// Upstreams that know Notch and the Bedrock player with the gamertag `Tag`.
fn upstream() -> Canned {
    Canned::with_notch()
        .on("xuid/Tag", Answer::record("xuid-number"))
        .on("skin/2535432196048835", Answer::record("skin-record"))
}

/// Returns the provider of a player's skin, the end of its URL and its model.
fn worn(chain: &ProviderChain, input: &str) -> String {
    match profile(chain, input) {
        Ok(found) => {
            let skin = found.skin.expect("a skin");
            let (_, texture) = skin.texture.as_str().rsplit_once('/').expect("a path");
            let model = skin.model.map_or("guessed", Model::as_str);
            format!("{} {texture} {model}", found.provider)
        }
        Err(error) => kind(&error),
    }
}

#[test]
fn the_choice_of_an_account_counts_for_uuid_and_name() {
    let folder = folder_with_choice(ACCOUNT);
    let upstream = upstream().on("identity/notch", Answer::record("identity-notch"));
    let chain = chain(&upstream, "skinsrestorer", &folder);
    for input in [ACCOUNT, NOTCH, "Notch", "notch"] {
        assert_eq!(worn(&chain, input), "skinsrestorer abc slim", "{input}");
    }
    let found = profile(&chain, "notch").expect("known to Mojang");
    assert_eq!(found.name.as_deref(), Some("Notch"));
    let uuid = Uuid::parse(NOTCH).expect("a UUID");
    assert_eq!(found.account, Account::Java(uuid));
    assert!(found.is_certain);
    // Others wear their own.
    assert!(worn(&chain, "Steve").starts_with("mojang "));
}

#[test]
fn a_floodgate_choice_counts_for_xuid_and_gamertag() {
    let folder = folder_with_choice(FLOODGATE);
    let upstream = upstream();
    let chain = chain(&upstream, "skinsrestorer", &folder);
    for input in [FLOODGATE, "00002535432196048835", ".Tag"] {
        assert_eq!(worn(&chain, input), "skinsrestorer abc slim", "{input}");
        let found = profile(&chain, input).expect(input);
        let Account::Bedrock(Some(xuid)) = found.account else {
            panic!("{input}: {:?}", found.account);
        };
        assert_eq!(xuid.trim_start_matches('0'), "2535432196048835");
    }
    let found = profile(&chain, ".Tag").expect("known to GeyserMC");
    assert_eq!(found.name.as_deref(), Some("Tag"));
    assert_eq!(
        kind(&profile(&chain, "0000").expect_err("nobody")),
        "not found"
    );
}

#[test]
fn a_report_tells_of_the_choice_of_an_account() {
    let folder = folder_with_choice(ACCOUNT);
    let upstream = upstream().on("skin/0", Answer::status(404));
    let chain = chain(&upstream, "skinsrestorer", &folder);
    let player = PlayerId::JavaName("Notch".to_owned());
    let reports = chain.report(Some(&player));
    let providers: Vec<Option<String>> = reports
        .iter()
        .map(|report| {
            let found = report.answer.as_ref()?.as_ref().ok()?.as_ref()?;
            Some(found.provider.to_string())
        })
        .collect();
    let expected = [
        Some("skinsrestorer".to_owned()),
        Some("mojang".to_owned()),
        None,
    ];
    assert_eq!(providers, expected);
}

#[test]
fn only_an_earlier_folder_dresses_an_account() {
    let folder = folder_with_choice(ACCOUNT);
    let provider = format!("skinsrestorer={}", folder.path().display());
    let chain = upstream().resolver_with(config(&["mojang", &provider]));
    assert!(worn(&chain, "Notch").starts_with("mojang "));
}

#[test]
fn a_damaged_choice_of_an_account_is_not_certain() {
    let folder = folder_with_choice(ACCOUNT);
    write(folder.path(), "skins/knight.customskin", "{");
    let chain = chain(&upstream(), "skinsrestorer", &folder);
    let found = profile(&chain, "Notch").expect("known to Mojang");
    assert_eq!((&*found.provider, found.is_certain), ("mojang", false));
}

#[test]
fn a_new_name_of_a_dressed_account_is_noticed() {
    let folder = folder_with_choice(ACCOUNT);
    let upstream = upstream();
    let chain = chain(&upstream, "skinsrestorer", &folder);
    let known = profile(&chain, "Notch").expect("known to Mojang");
    upstream.calls();
    let found = renewed(&chain, &known, "Notch").expect("known to Mojang");
    assert_eq!(found, known);
    assert_eq!(upstream.calls(), ["identity/Notch", SESSION]);
    // Nobody has the name any more.
    let upstream = upstream.on("identity/Notch", Answer::status(404));
    upstream.pass(std::time::Duration::from_secs(120));
    let error = renewed(&chain, &known, "Notch").expect_err("it is gone");
    assert_eq!(kind(&error), "not found");
    // A UUID always means the account.
    assert_eq!(worn(&chain, ACCOUNT), "skinsrestorer abc slim");
}

#[test]
fn the_mod_has_a_file_for_each_player() {
    let property: Value = serde_json::from_str(&skin("abc")).expect("it is JSON");
    let value = &property["value"];
    let bare = json!({ "name": "textures", "value": value, "signature": "c2ln" });
    let own = json!({
        "version": 2, "provider": "mojang", "argument": "jeb_", "variant": "slim",
        "value": bare, "originalValue": null,
    });
    let offline = "b50ad385-829d-3141-a216-7e7d7539ba7f";
    for (uuid, inputs) in [
        (offline, [offline, "Notch"]),
        (ACCOUNT, [ACCOUNT, "Notch"]),
        (FLOODGATE, [FLOODGATE, ".Tag"]),
    ] {
        for file in [&bare, &own] {
            let folder = folder_of_mod(uuid, file);
            let chain = chain(&upstream(), "skinrestorer", &folder);
            for input in inputs {
                assert_eq!(
                    worn(&chain, input),
                    "skinrestorer abc slim",
                    "{uuid} {input}"
                );
            }
        }
    }
}

#[test]
fn without_a_choice_in_the_mod_the_account_decides() {
    let none = json!({ "version": 2, "provider": "empty", "value": null });
    let folder = folder_of_mod(ACCOUNT, &none);
    let chain = chain(&upstream(), "skinrestorer", &folder);
    let found = profile(&chain, "Notch").expect("known to Mojang");
    assert_eq!((&*found.provider, found.is_certain), ("mojang", true));
}

#[test]
fn damaged_files_of_the_mod_are_outages() {
    for file in [json!([]), json!({ "value": 7 }), json!({ "value": {} })] {
        let folder = folder_of_mod(ACCOUNT, &file);
        let provider = format!("skinrestorer={}", folder.path().display());
        let alone = Canned::new().resolver_with(config(&[&provider]));
        assert_eq!(worn(&alone, ACCOUNT), "a file", "{file}");
        let chain = chain(&upstream(), "skinrestorer", &folder);
        let found = profile(&chain, "Notch").expect("known to Mojang");
        assert_eq!(
            (&*found.provider, found.is_certain),
            ("mojang", false),
            "{file}"
        );
    }
    let folder = TempDir::new().expect("a folder");
    let provider = format!("skinrestorer={}", folder.path().display());
    let chain = Canned::new().resolver_with(config(&[&provider]));
    assert_eq!(worn(&chain, "Notch"), "not found");
    folder.close().expect("a folder of one's own");
    assert_eq!(worn(&chain, ACCOUNT), "a file");
}
