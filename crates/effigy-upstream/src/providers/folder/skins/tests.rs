//! Tests of skins in memory.

use super::*;

/// Creates the skins of files, each of which contains its name, and the sentences about those that are not used.
fn skins(names: &[&str]) -> (LocalSkins, Vec<String>) {
    let file = |name: &&str| (PathBuf::from(name), Ok(name.as_bytes().to_vec()));
    let (skins, problems) = LocalSkins::new(names.iter().map(file), FileChecks::NONE);
    (skins, problems.into_iter().collect())
}

fn profile<'a>(skins: &'a LocalSkins, input: &str) -> &'a Profile {
    let player = PlayerId::detect(input).expect(input);
    &skins.find(&player).expect(input).0
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
