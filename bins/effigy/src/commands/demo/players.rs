//! The players of the demo: a folder of skins that is embedded in the program.

use include_dir::{Dir, include_dir};

/// Skins, a cape, and the table of the players who have them.
static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/demo");

/// The number of players that the page lists: the first ones of the table.
const LISTED: usize = 8;

/// Returns the players that the page lists. It shows the first one at first.
pub(super) fn listed() -> Vec<&'static str> {
    table().map(|(player, _)| player).take(LISTED).collect()
}

/// Returns the files of all players, as in a folder of skins.
pub(super) fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    table().map(|(player, file)| {
        let content = embedded(&format!("{file}.png"));
        (format!("{player}.png"), content.to_vec())
    })
}

/// Returns the players, each with the name of a file.
fn table() -> impl Iterator<Item = (&'static str, &'static str)> {
    let table = str::from_utf8(embedded("players.txt")).expect("a text");
    table.lines().filter_map(|line| line.split_once(" = "))
}

fn embedded(file: &str) -> &'static [u8] {
    let file = FOLDER.get_file(file);
    file.expect("the table names embedded files only")
        .contents()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use effigy_player::{Model, PRESETS, PlayerId};
    use effigy_service::{PlayerSkin, SkinOrigin};

    use super::*;
    use crate::commands::sources::CHECKS;

    #[test]
    fn the_files_are_those_of_the_fixtures_and_all_are_used() {
        let used: BTreeSet<&str> = table().map(|(_, file)| file).collect();
        let images = FOLDER
            .files()
            .filter(|file| file.path().extension() == Some("png".as_ref()));
        assert_eq!(images.count(), used.len());
        for name in used.into_iter().filter(|name| *name != "cape") {
            let (fixture, content) = (fixtures::skin(name), embedded(&format!("{name}.png")));
            assert!(content == fixture.png, "{name}");
            let model = (CHECKS.skin)(content).unwrap();
            assert_eq!(model == Model::Slim, fixture.slim, "{name}");
        }
        assert!(embedded("cape.png") == fixtures::cape());
    }

    #[test]
    fn every_player_and_preset_has_a_skin() {
        let source = effigy_upstream::ProviderChain::in_memory(files(), CHECKS);
        let players = table().map(|(player, _)| player.trim_end_matches(".cape"));
        let presets = PRESETS.iter().flat_map(|preset| [preset.name, preset.uuid]);
        for input in players.chain(presets).chain(listed()) {
            let player = PlayerId::detect(input).unwrap();
            let resolved = PlayerSkin::resolve(&source, &player).unwrap();
            assert_eq!(resolved.origin, SkinOrigin::Own, "{input}");
        }
    }
}
