//! The players of the demo and their skins, which are embedded in the program.

/// The table of players, each with the name of a skin file.
const TABLE: &str = include_str!("../../../demo/players.txt");

/// Embeds files from the folder `demo`, each with its name.
macro_rules! embed {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../../../demo/", $name, ".png")))),*]
    };
}

#[rustfmt::skip]
static FILES: [(&str, &[u8]); 19] = embed![
    "astronaut" "cape" "chef" "diver" "farmer" "fox" "gardener" "ghost" "knight" "neutral" "ninja" "panda" "plain"
    "plain_slim" "queen" "robot" "sailor" "scientist" "wizard"
];

/// The number of players that the page lists: the first players of the table.
const LISTED: usize = 8;

/// Returns the players that the page lists. The page opens with the first one.
pub(super) fn listed() -> Vec<String> {
    let players = table().map(|(player, _)| player.to_owned());
    players.take(LISTED).collect()
}

/// Returns the files of all players, with names as in a folder of skins.
pub(super) fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    table().map(|(player, file)| (format!("{player}.png"), embedded(file).to_vec()))
}

/// Returns the players, each with the name of a skin file.
fn table() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.lines().filter_map(|line| line.split_once(" = "))
}

fn embedded(name: &str) -> &'static [u8] {
    let file = FILES.iter().find(|(file, _)| *file == name);
    let (_, content) = file.expect("the table names only embedded files");
    content
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use effigy_player::{Model, PRESETS, PlayerId};
    use effigy_upstream::{LookUp, Profiles as _};

    use super::*;
    use crate::commands::sources::CHECKS;

    #[test]
    fn files_are_those_of_the_fixtures_and_all_are_used() {
        let used: BTreeSet<&str> = table().map(|(_, file)| file).collect();
        assert_eq!(used, FILES.iter().map(|(name, _)| *name).collect());
        for (name, content) in FILES.into_iter().filter(|(name, _)| *name != "cape") {
            let fixture = fixtures::skin(name);
            assert!(content == fixture.png, "{name}");
            let model = (CHECKS.skin)(content).unwrap();
            assert_eq!(model == Model::Slim, fixture.slim, "{name}");
        }
        assert!(embedded("cape") == fixtures::cape());
    }

    #[test]
    fn every_player_and_preset_has_a_skin() {
        let source = effigy_upstream::ProviderChain::in_memory(files(), CHECKS);
        let players = table().map(|(player, _)| player.trim_end_matches(".cape"));
        let presets = PRESETS.iter().flat_map(|preset| [preset.name, preset.uuid]);
        for input in players.chain(presets) {
            let player = PlayerId::detect(input).unwrap();
            let profile = source
                .profile(&player, &LookUp::until(source.deadline()))
                .unwrap();
            assert!(!profile.skin.unwrap().is_default, "{input}");
        }
    }
}
