//! The players of the demo: a folder of skins that is embedded in the program.

use effigy_player::{Model, PRESETS};
use effigy_upstream::{LocalSkin, LocalSkins, LocalTexture, SkinFile};

use crate::commands::skins::{CHECKS, TEXTURES};

/// The players that the page lists. It shows the first one at first.
pub(super) const LISTED: [&str; 8] = [
    "Gwendolin",
    "Valentina",
    "Reynard",
    "Servo",
    "Corvina",
    "Hazel",
    "Deckhand",
    "Aurelia",
];

/// The files of the players, without their extension, each with a file of `demo/`.
const FILES: [(&str, &str); 27] = [
    ("Steve", "neutral"),
    ("Alex", "gardener"),
    ("Notch", "chef"),
    ("069a79f444e94726a5befca90e38aaf5", "chef"),
    ("Gwendolin", "knight"),
    ("Valentina", "astronaut"),
    ("Reynard", "fox"),
    ("Servo", "robot"),
    ("Melchior", "wizard"),
    ("Corvina", "wizard"),
    ("Corvina.cape", "cape"),
    ("Kagemaru", "ninja"),
    ("Hazel", "gardener"),
    ("BambooFan", "panda"),
    ("DrCurie", "scientist"),
    ("Aurelia", "queen"),
    ("Plainly", "plain"),
    ("Simone", "plain_slim"),
    ("Whisper", "ghost"),
    ("OldBarley", "farmer"),
    ("Deckhand", "sailor"),
    ("Marina", "diver"),
    (".Bluejay", "diver"),
    ("00002535468413142004", "diver"),
    (".Two Words", "scientist"),
    ("00002535405317821216", "scientist"),
    (".SlimPocket", "gardener"),
];

/// The skins of the first presets, which resemble them a little. The others take these in turn.
#[rustfmt::skip]
const PRESET_SKINS: [&str; 24] = [
    "neutral", "gardener", "robot", "scientist", "ghost", "ninja", "ninja", "ghost",
    "ghost", "astronaut", "chef", "panda", "chef", "panda", "diver", "farmer",
    "knight", "fox", "neutral", "robot", "panda", "ninja", "fox", "wizard",
];

macro_rules! embedded {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../../../demo/", $name, ".png")))),*]
    };
}

/// The files of `demo/`, without their extension.
const EMBEDDED: [(&str, &[u8]); 19] = embedded![
    "neutral" "knight" "astronaut" "fox" "robot" "wizard" "chef" "diver" "ninja" "gardener" "panda"
    "scientist" "queen" "ghost" "farmer" "sailor" "plain" "plain_slim" "cape"
];

/// Creates the source of the demo's skins.
pub(super) fn source() -> LocalSkins {
    let presets = PRESETS.iter().map(|preset| preset.name);
    let presets = presets.zip(PRESET_SKINS.into_iter().cycle());
    let files: Vec<SkinFile> = FILES.into_iter().chain(presets).map(file).collect();
    let fallback = LocalSkin {
        texture: LocalTexture::new(find("neutral")),
        model: Model::Classic,
    };
    let mut skins = LocalSkins::new(TEXTURES).with_fallback(fallback);
    let unused = skins.insert_files(&files);
    debug_assert!(unused.is_empty(), "{unused:?}");
    skins
}

fn file((name, content): (&str, &str)) -> SkinFile {
    let file = SkinFile::new(&format!("{name}.png"), find(content), CHECKS);
    file.expect("the embedded files are skins and capes")
}

fn find(name: &str) -> &'static [u8] {
    let file = EMBEDDED.iter().find(|(file, _)| *file == name);
    file.expect("the tables name embedded files only").1
}

#[cfg(test)]
mod tests {
    use effigy_player::PlayerId;
    use effigy_upstream::{SkinOrigin, SkinSource};

    use super::*;

    #[test]
    fn the_files_are_those_of_the_fixtures() {
        for (name, content) in EMBEDDED.into_iter().filter(|(name, _)| *name != "cape") {
            let fixture = fixtures::skin(name);
            assert!(content == fixture.png, "{name}");
            let model = (CHECKS.skin)(content).unwrap();
            assert_eq!(model == Model::Slim, fixture.slim, "{name}");
        }
        assert!(find("cape") == fixtures::cape());
    }

    #[test]
    fn every_player_and_preset_has_a_skin_and_every_file_is_used() {
        let source = source();
        let players = FILES
            .into_iter()
            .map(|(name, _)| name.trim_end_matches(".cape"));
        let presets = PRESETS.iter().flat_map(|preset| [preset.name, preset.uuid]);
        for input in players.chain(presets).chain(LISTED) {
            let player = PlayerId::detect(input).unwrap();
            let resolved = source.resolve(&player).unwrap();
            assert_eq!(resolved.origin, SkinOrigin::Own, "{input}");
        }
    }
}
