//! The default skins that the game shows for players who have not set a skin.

use effigy_player::{Model, Uuid};

/// The hashes in the game's order (1.19.3 and later): slim, then classic, each Alex, Ari, Efe, Kai,
/// Makena, Noor, Steve, Sunny, Zuri.
const HASHES: &str = include_str!("default_skins.txt");

/// The number of hashes, of which the first half is slim.
const COUNT: i32 = 18;

/// Returns the hash and the model of the default skin of a UUID.
pub(super) fn default_skin(uuid: Uuid) -> (&'static str, Model) {
    // The remainder is never negative, as with the game's `Math.floorMod`.
    let index = uuid.java_hash_code().rem_euclid(COUNT);
    let hash = HASHES.lines().nth(index.unsigned_abs() as usize);
    let model = if index < COUNT / 2 {
        Model::Slim
    } else {
        Model::Classic
    };
    (hash.expect("the file has a line for each index"), model)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn a_uuid_has_the_default_skin_of_the_game() {
        for (uuid, expected, model) in [
            ("8f59cdb2f5754768b0e62e0b0be19557", 10, Model::Classic),
            ("0d8d9d754a5a45799e3c1063c2d9c505", 4, Model::Slim),
            ("069a79f444e94726a5befca90e38aaf5", 0, Model::Slim),
            ("c06f89064c8a49119c29ea1dbd1aab82", 6, Model::Slim),
            ("6ab4317889fd490597f60f67d9d76fd9", 9, Model::Classic),
        ] {
            let uuid = Uuid::parse(uuid).expect(uuid);
            let hash = HASHES.lines().nth(expected).expect("a line");
            assert_eq!(default_skin(uuid), (hash, model), "{uuid}");
        }
    }

    #[test]
    fn all_hashes_are_different_and_well_formed() {
        let hashes: HashSet<&str> = HASHES.lines().collect();
        assert_eq!(hashes.len(), COUNT as usize);
        for hash in hashes {
            assert_eq!(hash.len(), 64);
            assert!(hash.bytes().all(|byte| b"0123456789abcdef".contains(&byte)));
        }
    }
}
