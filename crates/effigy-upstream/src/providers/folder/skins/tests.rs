//! Tests of skins in memory, and of their files.

use effigy_player::InputError;
use proptest::prelude::*;

use super::*;

proptest! {
    #[test]
    fn any_file_is_loaded_or_refused_in_one_line(
        names in prop::collection::vec(
            r"[^/]{0,20}(\.slim|\.cape|\.CAPE)?\.png|[a-zA-Z0-9_. ]{1,17}(\.cape)?\.png|.{0,20}",
            0..6,
        ),
    ) {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (loaded, problems) = skins(&names);
        for problem in problems {
            prop_assert!(!problem.contains('\n'), "{problem:?}");
            prop_assert!(problem.contains(" is not used: "), "{problem}");
        }
        for profile in loaded.players.values() {
            let skin = profile.skin.as_ref().expect("players have a skin");
            prop_assert!(skin.texture.as_str().starts_with("/v1/texture/"));
        }
    }
}

/// Creates the skins of files, each of which contains its name, and the sentences about those that
/// are not used.
fn skins(names: &[&str]) -> (LocalSkins, Vec<String>) {
    let file = |name: &&str| (PathBuf::from(name), Ok(name.as_bytes().to_vec()));
    let loaded = LocalSkins::load(names.iter().map(file), FileChecks::NONE);
    (loaded.skins, loaded.problems.into_iter().collect())
}

fn profile<'a>(skins: &'a LocalSkins, input: &str) -> &'a Profile {
    let player = PlayerId::detect(input).expect(input);
    skins.find(&player).expect(input)
}

#[test]
fn a_cape_may_name_the_player_in_another_way() {
    let uuid = "b50ad385829d3141a2167e7d7539ba7f";
    let cape = format!("{uuid}.cape.png");
    let (skins, problems) = skins(&["Notch.png", &cape, "notch.cape.png", "Nobody.cape.png"]);
    let lonely = ["Nobody.cape.png", "notch.cape.png"];
    let lonely = lonely.map(|name| format!("{name:?} is not used: there is no skin for this cape"));
    assert_eq!(problems, lonely);
    for input in ["Notch", uuid] {
        let worn = profile(&skins, input).cape.as_ref().expect(input);
        assert_eq!(worn.file(), Some(cape.as_bytes()), "{input}");
    }
}

#[test]
fn of_two_files_for_one_player_the_first_counts() {
    let (skins, problems) = skins(&[
        "B50AD385829d3141a2167e7d7539ba7f.png",
        "Notch.png",
        "notch.png",
        "Npc.cape.png",
        "npc.cape.png",
        "NPC.png",
    ]);
    let expected = [
        r#""Notch.png" is not used: "B50AD385829d3141a2167e7d7539ba7f.png" is for the same player"#,
        r#""npc.cape.png" is not used: "Npc.cape.png" is for the same player"#,
    ];
    assert_eq!(problems, expected);
    let skin = profile(&skins, "notch").skin.as_ref().expect("a skin");
    assert_eq!(skin.texture.file(), Some(&b"notch.png"[..]));
}

const CHECKS: FileChecks = FileChecks {
    skin: |file| match file {
        b"bad" => Err("not a skin".into()),
        _ => Ok(Model::Classic),
    },
    cape: |file| match file {
        b"cape" => Ok(()),
        _ => Err("not a cape".into()),
    },
};

fn file(name: &str, content: &[u8]) -> Result<SkinFile, String> {
    SkinFile::new(name.into(), Ok(content.to_vec()), CHECKS)
}

#[test]
fn a_name_means_a_player_and_a_kind_of_file() {
    let xuid = PlayerId::BedrockXuid("00002535405317821216".to_owned());
    let tag = PlayerId::BedrockGamertag("Gamer Tag".to_owned());
    let java = |name: &str| PlayerId::JavaName(name.to_owned());
    let classic = Some(Model::Classic);
    let slim = Some(Model::Slim);
    let rows = [
        ("Notch.png", java("Notch"), classic),
        ("Notch.PNG", java("Notch"), classic),
        ("Notch.Slim.Png", java("Notch"), slim),
        ("Notch.cape.png", java("Notch"), None),
        ("a.b.png", java("a.b"), classic),
        (".Gamer Tag.slim.png", tag, slim),
        ("00002535405317821216.cape.png", xuid, None),
    ];
    for (name, player, model) in rows {
        let found = file(name, b"cape").expect(name);
        assert_eq!(found.player, player, "{name}");
        assert_eq!(found.model, model, "{name}");
    }
}

#[test]
fn a_file_that_cannot_be_decoded_is_refused() {
    let long = vec![0; MAX_FILE_BYTES + 1];
    let long_name = format!("{}.png", "x".repeat(257));
    let not_a_player = |error| format!("its name is not a player's: {error}");
    let no_player = not_a_player(InputError::Empty);
    let too_long = not_a_player(InputError::TooLong { len: 257 });
    let rows: [(&str, &[u8], &str); 8] = [
        ("Notch.png", b"bad", "it cannot be drawn: not a skin"),
        ("Notch.slim.png", b"bad", "it cannot be drawn: not a skin"),
        ("Notch.cape.png", b"skin", "it cannot be drawn: not a cape"),
        ("Notch.png", &long, "it is longer than 1 MiB"),
        ("Notch.jpg", b"skin", "its name does not end in .png"),
        (".png", b"skin", &no_player),
        (".cape.png", b"cape", &no_player),
        (&long_name, b"skin", &too_long),
    ];
    for (name, content, reason) in rows {
        assert_eq!(file(name, content).expect_err(name), reason, "{name}");
    }
    let missing = Err(io::ErrorKind::NotFound.into());
    let reason = SkinFile::new("Notch.png".into(), missing, CHECKS).expect_err("no file");
    assert_eq!(reason, "it cannot be read: entity not found");
}
