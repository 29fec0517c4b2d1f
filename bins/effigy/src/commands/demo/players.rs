//! The players of the demo: a folder of skins that is embedded in the program.

use effigy_player::PRESETS;
/// The players that the page lists. It shows the first one at first.
#[rustfmt::skip]
pub(super) const LISTED: [&str; 8] = [
    "Gwendolin", "Valentina", "Reynard", "Servo", "Corvina", "Hazel", "Deckhand", "Aurelia",
];

macro_rules! embedded {
    ($($file:literal => $($player:literal)*,)*) => {
        [$(($file, include_bytes!(concat!("../../../demo/", $file, ".png")), &[$($player),*])),*]
    };
}

/// The files of `demo/`, without their extension, each with the players that it is for.
#[rustfmt::skip]
const FILES: [(&str, &[u8], &[&str]); 19] = embedded![
    "neutral" => "Steve",
    "knight" => "Gwendolin",
    "astronaut" => "Valentina",
    "fox" => "Reynard",
    "robot" => "Servo",
    "wizard" => "Melchior" "Corvina",
    "chef" => "Notch" "069a79f444e94726a5befca90e38aaf5",
    "diver" => "Marina" ".Bluejay" "00002535468413142004",
    "ninja" => "Kagemaru",
    "gardener" => "Alex" "Hazel" ".SlimPocket",
    "panda" => "BambooFan",
    "scientist" => "DrCurie" ".Two Words" "00002535405317821216",
    "queen" => "Aurelia",
    "ghost" => "Whisper",
    "farmer" => "OldBarley",
    "sailor" => "Deckhand",
    "plain" => "Plainly",
    "plain_slim" => "Simone",
    "cape" => "Corvina.cape",
];

/// The skins of the first presets, which resemble them a little. The others take these in turn.
#[rustfmt::skip]
const PRESET_SKINS: [&str; 24] = [
    "neutral", "gardener", "robot", "scientist", "ghost", "ninja", "ninja", "ghost",
    "ghost", "astronaut", "chef", "panda", "chef", "panda", "diver", "farmer",
    "knight", "fox", "neutral", "robot", "panda", "ninja", "fox", "wizard",
];

/// Returns the files of all players, as in a folder of skins.
pub(super) fn files() -> impl Iterator<Item = (String, Vec<u8>)> {
    let presets = PRESETS.iter().zip(PRESET_SKINS.into_iter().cycle());
    let presets = presets.map(|(preset, skin)| (preset.name, find(skin)));
    let players = FILES
        .into_iter()
        .flat_map(|(_, content, players)| players.iter().map(move |name| (*name, content)));
    let files = players.chain(presets);
    files.map(|(name, content)| (format!("{name}.png"), content.to_vec()))
}

fn find(name: &str) -> &'static [u8] {
    let file = FILES.iter().find(|(file, ..)| *file == name);
    file.expect("the tables name embedded files only").1
}

#[cfg(test)]
mod tests {
    use effigy_player::{Model, PlayerId};
    use effigy_service::{PlayerSkin, SkinOrigin};

    use super::*;
    use crate::commands::sources::CHECKS;

    #[test]
    fn the_files_are_those_of_the_fixtures() {
        for (name, content, _) in FILES.into_iter().filter(|(name, ..)| *name != "cape") {
            let fixture = fixtures::skin(name);
            assert!(content == fixture.png, "{name}");
            let model = (CHECKS.skin)(content).unwrap();
            assert_eq!(model == Model::Slim, fixture.slim, "{name}");
        }
        assert!(find("cape") == fixtures::cape());
    }

    #[test]
    fn every_player_and_preset_has_a_skin_and_every_file_is_used() {
        let source = effigy_upstream::ProviderChain::in_memory(files(), CHECKS);
        let players = FILES.iter().flat_map(|(_, _, players)| *players);
        let players = players.map(|name| name.trim_end_matches(".cape"));
        let presets = PRESETS.iter().flat_map(|preset| [preset.name, preset.uuid]);
        for input in players.chain(presets).chain(LISTED) {
            let player = PlayerId::detect(input).unwrap();
            let resolved = PlayerSkin::resolve(&source, &player).unwrap();
            assert_eq!(resolved.origin, SkinOrigin::Own, "{input}");
        }
    }
}
