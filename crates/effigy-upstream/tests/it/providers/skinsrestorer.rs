//! SkinsRestorer's folder, with files written by hand.

use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use effigy_upstream::{Account, ProviderChain};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use super::{config, outcome, profile, write};
use crate::support::canned::{Answer, Canned, NOTCH, kind};

/// The UUID that a server in offline mode gives `Notch`.
const OFFLINE_NOTCH: &str = "b50ad385-829d-3141-a216-7e7d7539ba7f";

/// A UUID of a Mojang account.
const ACCOUNT: &str = "069a79f4-44e9-4726-a5be-fca90e38aaf5";

const URL: &str = "https://i.example.com/skin.png";

pub(super) fn skin(texture: &str) -> String {
    let url = format!("http://textures.minecraft.net/texture/{texture}");
    let textures = json!({
        "timestamp": 1_715_904_000_000_u64,
        // Those of the player who was copied.
        "profileId": "853c80ef3c3749fdaa49938b674adae6",
        "profileName": "jeb_",
        "textures": { "SKIN": { "url": url, "metadata": { "model": "slim" } } },
    });
    let value = BASE64_STANDARD.encode(textures.to_string());
    json!({ "dataVersion": 1, "value": value, "signature": "c2ln" }).to_string()
}

pub(super) fn player(identifier: &Value) -> String {
    let mut player = json!({ "dataVersion": 1, "uniqueId": OFFLINE_NOTCH, "history": [] });
    if !identifier.is_null() {
        player["skinIdentifier"] = identifier.clone();
    }
    player.to_string()
}

/// A folder in which Notch has chosen this skin.
fn folder(identifier: &Value) -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let file = format!("players/{OFFLINE_NOTCH}.player");
    write(folder.path(), &file, player(identifier));
    folder
}

fn chain_with(upstream: &Canned, folder: &Path, others: &[&str]) -> ProviderChain {
    let folder = format!("skinsrestorer={}", folder.display());
    upstream.resolver_with(config(&[&[&*folder], others].concat()))
}

fn chain(folder: &Path) -> ProviderChain {
    let texture = Answer::texture("any");
    chain_with(&Canned::new().on("*", texture), folder, &[])
}

/// Returns the URL of the skin of Notch and the model, or the outcome.
fn notch(chain: &ProviderChain) -> String {
    match profile(chain, "Notch") {
        Ok(found) => {
            assert_eq!(found.name.as_deref(), Some("Notch"));
            assert_eq!(&*found.provider, "skinsrestorer");
            let skin = found.skin.expect("a skin");
            let url = skin.texture.as_str();
            let texture = url.strip_prefix("https://textures.minecraft.net/texture/");
            let model = skin.model.expect("the record states it");
            format!("{} {model}", texture.expect("it is Mojang's"))
        }
        Err(error) => kind(&error),
    }
}

#[test]
fn each_type_of_skin_has_its_file() {
    let digest = Sha256::digest(URL);
    let hash: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let choice = |kind, id: &str| json!({ "identifier": id, "type": kind });
    let variant = |name| json!({ "identifier": URL, "skinVariant": name, "type": "URL" });
    let player = format!("skins/{ACCOUNT}.playerskin");
    let url = |model| format!("skins/{hash}_{model}.urlskin");
    let knight = "skins/knight two.customskin".to_owned();
    let old = "legacy/skins/old.legacyskin".to_owned();
    let rows = [
        (choice("PLAYER", ACCOUNT), player.clone()),
        (choice("PLAYER", &ACCOUNT.replace('-', "")), player),
        (choice("CUSTOM", "Knight Two"), knight),
        (variant("SLIM"), url("SLIM")),
        (variant("CLASSIC"), url("CLASSIC")),
        (choice("URL", URL), url("SLIM")),
        (choice("LEGACY", "old"), old),
    ];
    for (identifier, file) in rows {
        let folder = folder(&identifier);
        write(folder.path(), &file, skin("abc"));
        let chain = chain(folder.path());
        assert_eq!(notch(&chain), "abc slim", "{identifier}");
        for input in [
            OFFLINE_NOTCH,
            &OFFLINE_NOTCH.replace('-', "").to_uppercase(),
        ] {
            let found = profile(&chain, input).expect(input);
            assert!(
                matches!(found.account, Account::Java(uuid) if uuid.hyphenated() == OFFLINE_NOTCH)
            );
            // The name in the file is another player's.
            assert_eq!(found.name, None);
        }
        // The offline UUID depends on the letter case.
        assert_eq!(outcome(&chain, "notch"), "not found");
    }
}

#[test]
fn players_of_accounts_are_found_by_their_uuid() {
    let folder = TempDir::new().expect("a folder");
    let choice = player(&json!({ "identifier": "knight", "type": "CUSTOM" }));
    write(folder.path(), &format!("players/{ACCOUNT}.player"), choice);
    write(folder.path(), "skins/knight.customskin", skin("abc"));
    assert_eq!(outcome(&chain(folder.path()), ACCOUNT), "? slim");
}

#[test]
fn without_a_choice_the_chain_goes_on() {
    let choice = |kind, id: &str| Some(json!({ "identifier": id, "type": kind }));
    let rows = [
        ("no choice", Some(json!(null))),
        ("no file", None),
        ("a skin of the plugin", choice("CUSTOM", "steve")),
        ("a deleted skin", choice("PLAYER", ACCOUNT)),
        ("another type", choice("NEW", "x")),
        ("no uuid", choice("PLAYER", "../../etc/passwd")),
        ("a path", choice("CUSTOM", "../players/x")),
        ("an absolute path", choice("LEGACY", "/etc/passwd")),
        ("a nul", choice("CUSTOM", "a\0b")),
        ("a long name", choice("CUSTOM", &"x".repeat(9_000))),
    ];
    for (what, identifier) in rows {
        let folder = match &identifier {
            Some(identifier) => folder(identifier),
            None => {
                let folder = TempDir::new().expect("a folder");
                write(folder.path(), "players/other.player", "{}");
                folder
            }
        };
        assert_eq!(notch(&chain(folder.path())), "not found", "{what}");
        let upstream = Canned::with_notch();
        let chain = chain_with(&upstream, folder.path(), &["mojang"]);
        let found = profile(&chain, "Notch").expect(what);
        assert!(&*found.provider == "mojang" && found.is_certain, "{what}");
        assert!(upstream.calls()[1].ends_with(NOTCH));
    }
}

#[test]
fn half_written_files_are_outages() {
    let identifier = json!({ "identifier": "knight", "type": "CUSTOM" });
    let chosen = player(&identifier);
    let knight = skin("abc");
    let parts = |file: &str| [0, 1, file.len() - 1].map(|end| file[..end].to_owned());
    let choices = [
        json!(7),
        json!({ "type": "CUSTOM" }),
        json!({ "identifier": "x" }),
    ];
    let players = choices.map(|choice| player(&choice)).into_iter();
    let players = players.chain(parts(&chosen)).chain(["x".repeat(2 << 20)]);
    let values = ["7", r#""?""#, r#""e30=""#].map(|value| format!(r#"{{"value":{value}}}"#));
    let skins = values.into_iter().chain(parts(&knight));
    let skins = skins.chain(["{}", "[]"].map(str::to_owned));
    let damaged = players
        .map(|player| (player, knight.clone()))
        .chain(skins.map(|skin| (chosen.clone(), skin)));
    for (player, skin) in damaged {
        let folder = folder(&json!(null));
        let file = format!("players/{OFFLINE_NOTCH}.player");
        write(folder.path(), &file, &player);
        write(folder.path(), "skins/knight.customskin", &skin);
        let error = profile(&chain(folder.path()), "Notch").expect_err("damaged");
        assert!(error.is_outage(), "{error}");
        // The next provider may show somebody else.
        let chain = chain_with(&Canned::with_notch(), folder.path(), &["mojang"]);
        let found = profile(&chain, "Notch").expect("known to Mojang");
        assert!(!found.is_certain, "{player} {skin}");
    }
    let folder = folder(&identifier);
    write(folder.path(), "skins/knight.customskin", b"\xff\xfe");
    assert_eq!(notch(&chain(folder.path())), "a file");
}

#[test]
fn folders_and_a_folder_that_is_gone_are_outages() {
    let folder = folder(&json!({ "identifier": "knight", "type": "CUSTOM" }));
    let skin = folder.path().join("skins/knight.customskin");
    fs::create_dir_all(skin).expect("a folder");
    let chain = chain(folder.path());
    assert_eq!(notch(&chain), "a file");
    fs::remove_dir_all(folder.path().join("players")).expect("it");
    assert_eq!(notch(&chain), "a file");
}
