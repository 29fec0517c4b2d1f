//! The preset heads: accounts whose skins are mobs, blocks and signs.

/// A preset head. Its name works as an input like any other Java name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Preset {
    /// The account's name, beginning with `MHF_`.
    pub name: &'static str,
    /// The account's UUID: 32 lower-case hexadecimal digits.
    pub uuid: &'static str,
}

/// All presets: first those of the specification, in its order, then the other verified ones.
pub const PRESETS: &[Preset] = &[
    preset("MHF_Steve", "c06f89064c8a49119c29ea1dbd1aab82"),
    preset("MHF_Alex", "6ab4317889fd490597f60f67d9d76fd9"),
    preset("MHF_Creeper", "057b1c4713214863a6fe8887f9ec265f"),
    preset("MHF_Zombie", "daca2c3d719b41f5b624e4039e6c04bd"),
    preset("MHF_Skeleton", "a3f427a818c549c5a4fb64c6e0e1e0a8"),
    preset("MHF_Spider", "5ad55f3441b64bd29c3218983c635936"),
    preset("MHF_Enderman", "40ffb37212f64678b3f22176bf56dd4b"),
    preset("MHF_Slime", "870aba9340e848b389c532ece00d6630"),
    preset("MHF_Ghast", "063085a6797f4785be1a21cd7580f752"),
    preset("MHF_Blaze", "4c38ed11596a4fd4ab1d26f386c1cbac"),
    preset("MHF_Pig", "8b57078bf1bd45df83c4d88d16768fbe"),
    preset("MHF_Cow", "f159b274c22e4340b7c152abde147713"),
    preset("MHF_Chicken", "92deafa9430742d9b00388601598d6c0"),
    preset("MHF_Sheep", "dfaad5514e7e45a1a6f7c6fc5ec823ac"),
    preset("MHF_Squid", "72e64683e3134c36a408c66b64e94af5"),
    preset("MHF_Villager", "bd482739767c45dca1f8c33c40530952"),
    preset("MHF_Golem", "757f90b223444b8d8dac824232e2cece"),
    preset("MHF_Ocelot", "1bee9df54f7142a2bf52d97970d3fea3"),
    preset("MHF_Herobrine", "9586e5ab157a4658ad80b07552a9ca63"),
    preset("MHF_LavaSlime", "0972bdd14b8649fb9ecca353f8491a51"),
    preset("MHF_Mooshroom", "b48a45553d4c464282338ec6ed7b368c"),
    preset("MHF_CaveSpider", "cab28771f0cd4fe7b12902c69eba79a5"),
    preset("MHF_Wolf", "8d2d1d6d80344c89bd86809a31fd5193"),
    preset("MHF_Witch", "fef85c492fdf47f89132552046243223"),
    preset("MHF_ArrowDown", "68f59b9b5b0b4b05a9f2e1d1405aa348"),
    preset("MHF_ArrowLeft", "a68f0b648d144000a95f4b9ba14f8df9"),
    preset("MHF_ArrowRight", "50c8510b5ea04d60be9a7d542d6cd156"),
    preset("MHF_ArrowUp", "fef039efe6cd49879c8426a3e6134277"),
    preset("MHF_Cactus", "1d9048dbe8364b9aa10855014922f1ae"),
    preset("MHF_Cake", "afb489c49fc848a498f2dd7bea414c9a"),
    preset("MHF_Chest", "73d4e0683a6d4c8b8f853323546955c4"),
    preset("MHF_CoconutB", "62efa973f6264092aede57ffbe84ff2b"),
    preset("MHF_CoconutG", "74556fea28ed44588db29a8220da0c12"),
    preset("MHF_EnderDragon", "bd3802bbbe48438cbafbcb9510e2aa2d"),
    preset("MHF_Exclamation", "d3c47f6fae3a45c1ad7ce2c762b03ae6"),
    preset("MHF_Melon", "1c7d978447ea4bf3bc23acf260b436e6"),
    preset("MHF_MushroomCow", "a46817d673c54f3fb712af6b3ff47b96"),
    preset("MHF_OakLog", "e224e5ece2994005ae223b0f77a57714"),
    preset("MHF_PigZombie", "18a2bb50334a408491842c380251a24b"),
    preset("MHF_Present1", "156b251b12e04829a130a61b53ba7720"),
    preset("MHF_Present2", "f1eb7cade2c04e9e8aad1eae21d5fd95"),
    preset("MHF_Pumpkin", "f44d355bb6ae4ba88e62ae6441854785"),
    preset("MHF_Question", "606e2ff0ed7748429d6ce1d3321c7838"),
    preset("MHF_Shulker", "160f7d8ac6b04fc889259e9d6c9c57d5"),
    preset("MHF_Stray", "ed33403bbe7f4a38915cabea93ebc9bc"),
    preset("MHF_TNT", "d43af93cc3304a3dbab8ee74234a011a"),
    preset("MHF_TNT2", "55e73380a9734a529bb51efa5256125c"),
    preset("MHF_Vex", "f5f20997217f44268ab9c6db6cce023f"),
    preset("MHF_WSkeleton", "7ed571a59fb8416c8b9dfb2f446ab5b2"),
    preset("MHF_Wither", "39af684468094d2f8ba47e92d087be18"),
];

const fn preset(name: &'static str, uuid: &'static str) -> Preset {
    Preset { name, uuid }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{PlayerId, Uuid};

    /// Spec, "MHF preset list".
    const SPECIFIED: [&str; 24] = [
        "Steve",
        "Alex",
        "Creeper",
        "Zombie",
        "Skeleton",
        "Spider",
        "Enderman",
        "Slime",
        "Ghast",
        "Blaze",
        "Pig",
        "Cow",
        "Chicken",
        "Sheep",
        "Squid",
        "Villager",
        "Golem",
        "Ocelot",
        "Herobrine",
        "LavaSlime",
        "Mooshroom",
        "CaveSpider",
        "Wolf",
        "Witch",
    ];

    #[test]
    fn the_specified_names_come_first_and_in_order() {
        let names: Vec<&str> = PRESETS
            .iter()
            .filter_map(|preset| preset.name.strip_prefix("MHF_"))
            .collect();
        assert_eq!(names.len(), PRESETS.len());
        assert_eq!(names[..SPECIFIED.len()], SPECIFIED);
    }

    #[test]
    fn names_and_uuids_are_unique() {
        let names: HashSet<&str> = PRESETS.iter().map(|preset| preset.name).collect();
        let uuids: HashSet<&str> = PRESETS.iter().map(|preset| preset.uuid).collect();
        assert_eq!(PRESETS.len(), 50);
        assert_eq!((names.len(), uuids.len()), (50, 50));
    }

    #[test]
    fn names_and_uuids_are_java_inputs_in_their_written_form() {
        for preset in PRESETS {
            let uuid = Uuid::parse(preset.uuid).expect(preset.name);
            assert_eq!(uuid.to_string(), preset.uuid);
            assert_eq!(
                PlayerId::detect(preset.uuid),
                Ok(PlayerId::JavaUuid(uuid)),
                "{}",
                preset.name
            );
            assert_eq!(
                PlayerId::detect(preset.name),
                Ok(PlayerId::JavaName(preset.name.to_owned()))
            );
        }
    }

    #[test]
    fn known_uuids() {
        for (name, uuid) in [
            ("MHF_Steve", "c06f89064c8a49119c29ea1dbd1aab82"),
            ("MHF_Mooshroom", "b48a45553d4c464282338ec6ed7b368c"),
            ("MHF_Wither", "39af684468094d2f8ba47e92d087be18"),
        ] {
            assert!(PRESETS.contains(&Preset { name, uuid }), "{name}");
        }
    }
}
