//! A folder of skins in front of the services.

use std::fs::{self, FileTimes};
use std::path::Path;
use std::time::{Duration, SystemTime};

use effigy_player::{PlayerId, Uuid};
use effigy_upstream::{
    Account, ConfigError, LocalProfile, ProviderChain, SkinSource, UpstreamError,
};
use tempfile::TempDir;

use crate::providers::{config, write};
use crate::support::canned::{Answer, BEDROCK_TEXTURE, Canned, SKIN_HEADER};
use crate::support::resolve::{Resolve as _, file, file_of_hash, profile};

/// Opens a folder, after which the services are asked. They know Notch and `.Tag`.
fn open(path: &Path) -> Result<ProviderChain, ConfigError> {
    let skin = "skin/2535432196048835";
    let upstream = Canned::with_notch()
        .on("xuid/Tag", Answer::record("xuid-number"))
        .on(skin, Answer::record("skin-record"))
        .on(BEDROCK_TEXTURE, Answer::texture("Tag"))
        .on("*", Answer::status(404));
    let folder = format!("folder={}", path.display());
    ProviderChain::new(upstream, config(&[&folder, "mojang", "geyser"]))
}

fn folder(files: &[(&str, &[u8])]) -> (TempDir, ProviderChain) {
    let directory = TempDir::new().expect("a folder");
    for (name, content) in files {
        write(directory.path(), name, content);
    }
    let folder = open(directory.path());
    (directory, folder.expect("a readable folder"))
}

/// The skin and the model of a player, or `nobody`.
fn skin(source: &impl SkinSource, input: &str) -> String {
    match source.resolve(input) {
        Ok(found) => {
            // A texture begins like a PNG if it comes from the services.
            let texture = found.texture.strip_prefix(SKIN_HEADER);
            let text = String::from_utf8_lossy(texture.unwrap_or(&found.texture));
            format!("{text} {}", found.model)
        }
        Err(UpstreamError::PlayerNotFound { .. }) => "nobody".to_owned(),
        Err(error) => panic!("{input}: {error}"),
    }
}

#[test]
fn players_of_files_come_before_other_players() {
    let (_directory, folder) = folder(&[
        ("NPC.png", b"npc"),
        ("Guide.slim.png", b"guide"),
        ("Thin.png", b"is slim"),
        (".Gamer Tag.png", b"tag"),
        ("00002535405317821216.png", b"xuid"),
        ("069a79f4-44e9-4726-a5be-fca90e38aaf5.PNG", b"uuid"),
        ("MHF_Steve.png", b"preset"),
        ("notes.txt", b"text"),
    ]);
    let floodgate = "00000000-0000-0000-0009-01f00d549320";
    for (input, expected) in [
        ("npc", "npc classic"),
        // The UUID that a server without accounts gives the name.
        ("054ee73c0518386fa599d17c7e90faa5", "npc classic"),
        ("Guide", "guide slim"),
        ("Thin", "is slim slim"),
        (".gamer_tag", "tag classic"),
        ("00002535405317821216", "xuid classic"),
        (floodgate, "xuid classic"),
        ("069a79f444e94726a5befca90e38aaf5", "uuid classic"),
        ("mhf_steve", "preset classic"),
        ("c06f89064c8a49119c29ea1dbd1aab82", "preset classic"),
        ("Notch", "Notch classic"),
        (".Tag", "Tag slim"),
        (".Nobody", "nobody"),
        ("notes.txt", "nobody"),
    ] {
        assert_eq!(skin(&folder, input), expected, "{input}");
        let is_elsewhere = ["Notch", ".Tag", ".Nobody", "notes.txt"].contains(&input);
        assert_eq!(local(&folder, input).is_none(), is_elsewhere, "{input}");
    }
}

/// The profile that the folder has now.
fn local(source: &impl SkinSource, input: &str) -> Option<LocalProfile> {
    let player = PlayerId::detect(input).expect(input);
    source.local(&player)
}

#[test]
fn a_profile_leads_to_the_files() {
    let (_directory, folder) = folder(&[("Npc.png", b"npc"), ("NPC.cape.png", b"cape")]);
    let found = profile(&folder, "npc").expect("known");
    assert_eq!(found.name.as_deref(), Some("Npc"));
    let uuid = Uuid::parse("98e928fc-995b-3a85-9b24-f195643b70a2").expect("a uuid");
    assert_eq!(found.account, Account::Java(uuid));
    assert_eq!(skin(&folder, &uuid.to_string()), "npc classic");
    let url = found.skin.expect("a skin").texture;
    let hash = url.as_str().strip_prefix("/v1/texture/").expect("a hash");
    assert_eq!(file_of_hash(&folder, hash).expect("a file"), b"npc");
    let cape = found.cape.expect("a cape");
    assert_eq!(file(&folder, &cape).expect("a file"), b"cape");
}

#[test]
fn players_without_a_file_come_from_the_services() {
    let (_directory, folder) = folder(&[(".Gamer Tag.png", b"tag")]);
    let own = profile(&folder, ".gamer tag").expect("known");
    assert_eq!(own.account, Account::Bedrock(None));
    assert_eq!(&*own.provider, "folder");
    assert!(own.is_certain);
    let other = profile(&folder, "Notch").expect("known");
    assert_eq!(&*other.provider, "mojang");
}

#[cfg(unix)]
#[test]
fn links_may_leave_the_folder_and_pipes_are_not_opened() {
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
    assert_eq!(skin(&folder, "NPC"), "linked classic");
    for name in ["Gone", "Folder", "Pipe"] {
        assert_eq!(skin(&folder, name), "nobody");
    }
}

#[test]
fn a_folder_too_large_is_refused_and_the_skins_stay() {
    let (directory, folder) = folder(&[("NPC.png", b"npc")]);
    for number in 0..64 {
        let file = fs::File::create(directory.path().join(format!("Player{number}.png")));
        file.and_then(|file| file.set_len(1 << 20)).expect("a file");
    }
    let refused = |problem: &str| {
        let error = open(directory.path()).expect_err(problem);
        assert!(error.to_string().ends_with(problem), "{error}");
        folder.refresh(0);
        assert_eq!(skin(&folder, "NPC"), "npc classic");
    };
    refused("has more than 64 MiB of files");
    for number in 0..10_000 {
        write(directory.path(), &format!("{number}.txt"), b"");
    }
    refused("has more than 10000 files");
    directory.close().expect("a folder of one's own");
    folder.refresh(0);
    assert_eq!(skin(&folder, "NPC"), "npc classic");
}

#[test]
fn changed_files_are_read_again() {
    let (directory, folder) = folder(&[("NPC.png", b"one"), ("Notch.png", b"mine")]);
    let refreshed = || {
        folder.refresh(0);
        skin(&folder, "NPC")
    };
    assert_eq!(refreshed(), "one classic");
    assert_eq!(refreshed(), "one classic", "nothing changed");
    // The same length at the same time: a clock may be too coarse to tell the files apart.
    write(directory.path(), "NPC.png", b"two");
    assert_eq!(refreshed(), "two classic");
    let path = |name| directory.path().join(name);
    fs::rename(path("NPC.png"), path("Guide.png")).expect("it");
    assert_eq!(refreshed(), "nobody");
    assert_eq!(skin(&folder, "Guide"), "two classic");
    assert_eq!(skin(&folder, "Notch"), "mine classic");
    fs::remove_file(directory.path().join("Notch.png")).expect("it");
    refreshed();
    assert_eq!(skin(&folder, "Notch"), "Notch classic");
}

#[test]
#[cfg(unix)]
fn a_change_that_keeps_length_and_time_is_noticed() {
    use std::os::unix::fs::PermissionsExt;

    let (directory, folder) = folder(&[("NPC.png", b"one")]);
    let file = directory.path().join("NPC.png");
    let refreshed = || {
        folder.refresh(0);
        skin(&folder, "NPC")
    };
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000);
    let age = || {
        let file = fs::File::options().write(true).open(&file);
        let times = FileTimes::new().set_modified(time);
        file.and_then(|file| file.set_times(times)).expect("it");
    };
    // A change is seen if the clock has gone on.
    let wait = || std::thread::sleep(Duration::from_millis(50));
    age();
    assert_eq!(refreshed(), "one classic");
    wait();
    write(directory.path(), "NPC.png", b"two");
    age();
    assert_eq!(refreshed(), "two classic");
    // What nobody can read is as long and as old when everybody can. The superuser reads it anyway.
    let allow = |mode| fs::set_permissions(&file, fs::Permissions::from_mode(mode)).expect("it");
    allow(0o000);
    refreshed();
    wait();
    allow(0o644);
    assert_eq!(refreshed(), "two classic");
}
