//! The players of the demo and their skins, which are embedded in the program.

use effigy_player::{Model, PRESETS, Uuid};
use effigy_upstream::{Account, LocalPlayer, LocalSkin, LocalSkins};

/// The player that the page shows first.
pub(super) const FIRST: &str = "Gwendolin";

/// Java players: name, UUID, skin.
const JAVA: [(&str, u128, &str); 20] = [
    ("Steve", 0x8667ba71b85a4004af54457a9734eed7, "neutral"),
    ("Alex", 0xec561538f3fd461daff5086b22154bce, "gardener"),
    ("Notch", 0x069a79f444e94726a5befca90e38aaf5, "chef"),
    (FIRST, 0x523239d6f3954d778c25aa3d0db1e779, "knight"),
    ("Valentina", 0xb0794ac0836f461daeacdcf4cda546e9, "astronaut"),
    ("Reynard", 0xc6dceb80f13445b2a0ff90a3636b2840, "fox"),
    ("Servo", 0x24bfc807438b4037a2d3c2656209b396, "robot"),
    ("Melchior", 0x82f205300fc04735b59c929f53f63d37, "wizard"),
    ("Corvina", 0x4d1c6a0be27f4b58a3c5d81f90b7e264, "wizard"),
    ("Kagemaru", 0x59fc46c6d64240f8a21a348e96e85f0f, "ninja"),
    ("Hazel", 0x9b3cc46319404d75a9efdc21ce172849, "gardener"),
    ("BambooFan", 0x7ce0ede6f29346af806f0209180a2859, "panda"),
    ("DrCurie", 0x80ebe26da1904427bed1e698c38ca903, "scientist"),
    ("Aurelia", 0xd594b23b74a9482aa583b9249ea1c4a8, "queen"),
    ("Plainly", 0x6f2d9a4be1c84d0fa7b35c9e02d4168a, "plain"),
    ("Simone", 0xb81c07e35f4a4a6c92d60e7f4c3a9158, "plain_slim"),
    ("Whisper", 0x34bb4ee3c5924376afa29a18cb8240bb, "ghost"),
    ("OldBarley", 0x8edbad66bc3a4624a92f6c58261e5ada, "farmer"),
    ("Deckhand", 0x5a9d7d1a9e50483f8b7983e9ba8ae3d2, "sailor"),
    ("Marina", 0x86de5624af3949369e198a77cf0615b9, "diver"),
];

/// The Java player with the cape.
const CAPE_BEARER: &str = "Corvina";

/// Bedrock players: gamertag, XUID, skin.
const BEDROCK: [(&str, u64, &str); 3] = [
    ("Bluejay", 2535468413142004, "diver"),
    ("Two Words", 2535405317821216, "scientist"),
    ("SlimPocket", 2535405375137597, "gardener"),
];

/// The skins of the first presets, which resemble them a little. The others take all skins in turn.
#[rustfmt::skip]
const PRESET_SKINS: [&str; 24] = [
    "neutral", "gardener", "robot", "scientist", "ghost", "ninja", "ninja", "ghost",
    "ghost", "astronaut", "chef", "panda", "chef", "panda", "diver", "farmer",
    "knight", "fox", "neutral", "robot", "panda", "ninja", "fox", "wizard",
];

/// A file of `demo/`.
struct Skin {
    name: &'static str,
    png: &'static [u8],
    model: Model,
}

macro_rules! embedded {
    ($($name:literal $model:ident,)*) => {
        [$(Skin {
            name: $name,
            png: include_bytes!(concat!("../../../demo/", $name, ".png")),
            model: Model::$model,
        }),*]
    };
}

const SKINS: [Skin; 18] = embedded![
    "neutral" Classic, "knight" Classic, "astronaut" Classic, "fox" Slim,
    "robot" Classic, "wizard" Classic, "chef" Classic, "diver" Classic,
    "ninja" Classic, "gardener" Slim, "panda" Classic, "scientist" Slim,
    "queen" Slim, "ghost" Classic, "farmer" Classic, "sailor" Classic,
    "plain" Classic, "plain_slim" Slim,
];

const CAPE: &[u8] = include_bytes!("../../../demo/cape.png");

/// Creates the source of the demo's skins. Profiles name textures below `base_url`.
pub(super) fn source(base_url: String) -> LocalSkins {
    let mut source = LocalSkins::new(base_url, find("neutral").to_local());
    for (name, uuid, skin) in JAVA {
        let mut player = player(name, Account::Java(Uuid::from_u128(uuid)), find(skin));
        player.cape = (name == CAPE_BEARER).then(|| CAPE.to_vec());
        source.insert(player);
    }
    for (name, xuid, skin) in BEDROCK {
        source.insert(player(name, Account::Bedrock(xuid.to_string()), find(skin)));
    }
    for (number, preset) in PRESETS.iter().enumerate() {
        let skin = match PRESET_SKINS.get(number) {
            Some(name) => find(name),
            None => &SKINS[number % SKINS.len()],
        };
        let uuid = Uuid::parse(preset.uuid).expect("the presets have valid uuids");
        source.insert(player(preset.name, Account::Java(uuid), skin));
    }
    source
}

/// Returns the players that the page lists, as they are written in a URL.
pub(super) fn listed() -> Vec<String> {
    let java = JAVA.iter().map(|(name, ..)| (*name).to_owned());
    let bedrock = BEDROCK.iter().map(|(name, ..)| format!(".{name}"));
    java.chain(bedrock).collect()
}

fn find(name: &str) -> &'static Skin {
    let skin = SKINS.iter().find(|skin| skin.name == name);
    skin.expect("the tables name embedded skins only")
}

fn player(name: &str, account: Account, skin: &Skin) -> LocalPlayer {
    LocalPlayer {
        name: name.to_owned(),
        account,
        skin: skin.to_local(),
        cape: None,
    }
}

impl Skin {
    fn to_local(&self) -> LocalSkin {
        LocalSkin {
            texture: self.png.to_vec(),
            model: self.model,
        }
    }
}

#[cfg(test)]
mod tests {
    use effigy_player::PlayerId;
    use effigy_upstream::{SkinOrigin, SkinSource};

    use super::*;

    #[test]
    fn the_files_are_those_of_the_fixtures() {
        for skin in SKINS {
            let fixture = fixtures::skin(skin.name);
            assert!(skin.png == fixture.png, "{}", skin.name);
            assert_eq!(skin.model == Model::Slim, fixture.slim, "{}", skin.name);
        }
        assert!(CAPE == fixtures::cape());
    }

    #[test]
    fn every_listed_player_and_preset_has_a_skin() {
        let source = source("http://localhost".to_owned());
        let presets = PRESETS.iter().map(|preset| preset.name.to_owned());
        for input in listed().into_iter().chain(presets) {
            let player = PlayerId::detect(&input).unwrap();
            let resolved = source.resolve(&player).unwrap();
            assert_eq!(resolved.origin, SkinOrigin::Own, "{input}");
        }
    }
}
