//! A folder of skins in front of the services.

mod changes;

use std::{fs, path::Path};

use effigy_player::{Model, Uuid};
use effigy_upstream::{
    Account, ConfigError, FileChecks, ProviderChain, SkinSource, UpstreamConfig, UpstreamError,
};
use tempfile::TempDir;

use crate::support::canned::{Answer, BEDROCK_TEXTURE, Canned};
use crate::support::resolve::{Resolve as _, file, file_of_hash, profile};

/// A file that holds `bad` is no skin, and one with `thin` in it is for the slim model.
const CHECKS: FileChecks = FileChecks {
    skin: |file| match file {
        b"bad" => Err("no skin".into()),
        _ if file.starts_with(b"thin") => Ok(Model::Slim),
        _ => Ok(Model::Classic),
    },
    cape: |file| match file {
        b"bad" => Err("no cape".into()),
        _ => Ok(()),
    },
};

/// Opens a folder, after which the services are asked. They know Notch and `.Tag`.
fn open(path: &Path) -> Result<ProviderChain, ConfigError> {
    let skin = "skin/2535432196048835";
    let upstream = Canned::with_notch()
        .on("xuid/Tag", Answer::file(200, "xuid-number.json"))
        .on(skin, Answer::file(200, "skin-record.json"))
        .on(BEDROCK_TEXTURE, Answer::texture("Tag"))
        .on("*", Answer::status(404));
    let config = UpstreamConfig {
        providers: vec![
            format!("folder={}", path.display()),
            "mojang".to_owned(),
            "geyser".to_owned(),
        ],
        checks: CHECKS,
        ..UpstreamConfig::default()
    };
    ProviderChain::new(upstream, config)
}

fn folder(files: &[(&str, &[u8])]) -> (TempDir, ProviderChain) {
    let directory = TempDir::new().expect("a folder");
    for (name, content) in files {
        write(directory.path(), name, content);
    }
    let folder = open(directory.path());
    (directory, folder.expect("a readable folder"))
}

fn write(directory: &Path, name: &str, content: &[u8]) {
    fs::write(directory.join(name), content).expect("a writable folder");
}

/// The skin and the model of a player, or none if there is no such player.
fn skin(source: &impl SkinSource, input: &str) -> Option<(String, Model)> {
    match source.resolve(input) {
        Ok(found) => Some((text(&found.texture), found.model)),
        Err(UpstreamError::PlayerNotFound { .. }) => None,
        Err(error) => panic!("{input}: {error}"),
    }
}

/// The text of a texture, which begins like a PNG if it comes from the services.
fn text(texture: &[u8]) -> String {
    let text = texture
        .strip_prefix(crate::support::canned::SKIN_HEADER)
        .unwrap_or(texture);
    String::from_utf8(text.to_vec()).expect("text")
}

fn texture(source: &impl SkinSource, input: &str) -> Option<String> {
    skin(source, input).map(|(texture, _)| texture)
}

#[test]
fn players_of_files_come_before_those_of_the_other_source() {
    let (_directory, folder) = folder(&[
        ("NPC.png", b"npc"),
        ("Guide.slim.png", b"guide"),
        ("Thin.png", b"thin"),
        (".Gamer Tag.png", b"tag"),
        ("00002535405317821216.png", b"xuid"),
        ("069a79f4-44e9-4726-a5be-fca90e38aaf5.PNG", b"uuid"),
        ("MHF_Steve.png", b"preset"),
        ("notes.txt", b"text"),
    ]);
    let (classic, slim) = (Model::Classic, Model::Slim);
    let floodgate = "00000000-0000-0000-0009-01f00d549320";
    let rows = [
        ("NPC", Some(("npc", classic))),
        ("npc", Some(("npc", classic))),
        // The UUID that a server without accounts gives the name.
        ("054ee73c0518386fa599d17c7e90faa5", Some(("npc", classic))),
        ("Guide", Some(("guide", slim))),
        ("Thin", Some(("thin", slim))),
        (".gamer_tag", Some(("tag", classic))),
        ("00002535405317821216", Some(("xuid", classic))),
        (floodgate, Some(("xuid", classic))),
        ("069a79f444e94726a5befca90e38aaf5", Some(("uuid", classic))),
        ("mhf_steve", Some(("preset", classic))),
        (
            "c06f89064c8a49119c29ea1dbd1aab82",
            Some(("preset", classic)),
        ),
        ("Notch", Some(("Notch", classic))),
        (".Tag", Some(("Tag", slim))),
        (".Nobody", None),
        ("notes.txt", None),
    ];
    for (input, expected) in rows {
        let expected = expected.map(|(texture, model)| (texture.to_owned(), model));
        assert_eq!(skin(&folder, input), expected, "{input}");
        let is_in_folder = expected.is_some() && !["Notch", ".Tag"].contains(&input);
        assert_eq!(folder.revision(input).is_some(), is_in_folder, "{input}");
    }
}

#[test]
fn a_profile_leads_to_the_files() {
    let (_directory, folder) = folder(&[
        ("Npc.png", b"npc"),
        ("NPC.cape.png", b"cape"),
        (".Gamer Tag.png", b"tag"),
    ]);
    let found = profile(&folder, "npc").expect("known");
    assert_eq!(found.name.as_deref(), Some("Npc"));
    let uuid = Uuid::parse("98e928fc-995b-3a85-9b24-f195643b70a2").expect("a uuid");
    assert_eq!(found.account, Account::Java(uuid));
    assert_eq!(texture(&folder, &uuid.to_string()).as_deref(), Some("npc"));
    let url = found.skin.expect("a skin").texture;
    let hash = url.as_str().strip_prefix("/v1/texture/").expect("a hash");
    assert_eq!(file_of_hash(&folder, hash).expect("a file"), b"npc");
    let cape = found.cape.expect("a cape");
    assert_eq!(file(&folder, &cape).expect("a file"), b"cape");
    let found = profile(&folder, ".gamer tag").expect("known");
    assert_eq!(found.account, Account::Bedrock(None));
    assert_eq!(&*found.provider, "folder");
    assert!(found.is_certain);
    // The players of the services have their textures.
    let found = profile(&folder, "Notch").expect("known");
    assert_eq!(&*found.provider, "mojang");
}

#[cfg(unix)]
#[test]
fn links_may_lead_out_of_the_folder_and_pipes_and_folders_are_not_opened() {
    use std::os::unix::fs::symlink;
    let elsewhere = TempDir::new().expect("a folder");
    write(elsewhere.path(), "skin", b"linked");
    let (directory, folder) = folder(&[]);
    let npc = directory.path().join("NPC.png");
    symlink(elsewhere.path().join("skin"), npc).expect("a link");
    symlink("/nowhere", directory.path().join("Gone.png")).expect("a link");
    fs::create_dir(directory.path().join("Folder.png")).expect("a folder");
    let pipe = directory.path().join("Pipe.png");
    let made = std::process::Command::new("mkfifo").arg(pipe).status();
    assert!(made.expect("mkfifo").success());
    folder.refresh(0);
    assert_eq!(texture(&folder, "NPC").as_deref(), Some("linked"));
    let others = ["Gone", "Folder", "Pipe"].map(|name| texture(&folder, name));
    assert_eq!(others, [None, None, None]);
}

#[test]
fn a_folder_that_is_missing_or_too_large_is_refused_and_a_later_one_keeps_the_skins() {
    let error = open(Path::new("/nowhere")).expect_err("there is no such folder");
    let expected = r#"--provider: "folder=/nowhere" cannot be read: "#;
    assert!(error.to_string().starts_with(expected), "{error}");

    let (directory, folder) = folder(&[("NPC.png", b"npc")]);
    for number in 0..64 {
        let file = fs::File::create(directory.path().join(format!("Player{number}.png")));
        file.and_then(|file| file.set_len(1 << 20)).expect("a file");
    }
    let refused = |problem: &str| {
        let error = open(directory.path()).expect_err(problem);
        assert!(error.to_string().ends_with(problem), "{error}");
        folder.refresh(0);
        assert_eq!(texture(&folder, "NPC").as_deref(), Some("npc"));
    };
    refused("has more than 64 MiB of files");
    for number in 0..10_000 {
        write(directory.path(), &format!("{number}.txt"), b"");
    }
    refused("has more than 10000 files");
    directory.close().expect("a folder of one's own");
    folder.refresh(0);
    assert_eq!(texture(&folder, "NPC").as_deref(), Some("npc"));
}
