//! The preset heads: accounts whose skins are mobs, blocks and signs.

use std::sync::LazyLock;

/// A preset head. Its name works as an input like any other Java name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Preset {
    /// The account's name, beginning with `MHF_`.
    pub name: &'static str,
    /// The account's UUID: 32 lower-case hexadecimal digits.
    pub uuid: &'static str,
}

/// All presets: the presets of the specification in its order, followed by other verified ones.
pub static PRESETS: LazyLock<Vec<Preset>> = LazyLock::new(|| {
    let rows = include_str!("presets.txt").lines();
    let presets = rows.filter_map(|row| row.split_once(' '));
    presets.map(|(name, uuid)| Preset { name, uuid }).collect()
});

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::{PlayerId, Uuid};

    /// Spec, "MHF preset list".
    const SPECIFIED: &str = "Steve Alex Creeper Zombie Skeleton Spider Enderman Slime Ghast Blaze \
        Pig Cow Chicken Sheep Squid Villager Golem Ocelot Herobrine LavaSlime Mooshroom CaveSpider \
        Wolf Witch";

    #[test]
    fn specified_presets_come_first_and_in_order() {
        let names = PRESETS.iter().map(|preset| preset.name);
        let names: Option<Vec<&str>> = names.map(|name| name.strip_prefix("MHF_")).collect();
        let names = names.expect("each name begins with MHF_");
        assert_eq!(names[..24].join(" "), SPECIFIED);
    }

    #[test]
    fn presets_are_unique_java_players() {
        let mut inputs = HashSet::new();
        for preset in PRESETS.iter() {
            let uuid = Uuid::parse(preset.uuid).unwrap();
            assert_eq!(uuid.to_string(), preset.uuid);
            let name = PlayerId::JavaName(preset.name.to_owned());
            assert_eq!(PlayerId::detect(preset.name).as_ref(), Ok(&name));
            assert!(inputs.insert(name), "{preset:?}");
            assert!(inputs.insert(PlayerId::JavaUuid(uuid)), "{preset:?}");
        }
        assert_eq!(inputs.len(), 2 * 50);
    }

    #[test]
    fn presets_have_the_uuids_of_their_accounts() {
        for (name, uuid) in [
            ("MHF_Steve", "c06f89064c8a49119c29ea1dbd1aab82"),
            ("MHF_Mooshroom", "b48a45553d4c464282338ec6ed7b368c"),
            ("MHF_Wither", "39af684468094d2f8ba47e92d087be18"),
        ] {
            assert!(PRESETS.contains(&Preset { name, uuid }), "{name}");
        }
    }
}
