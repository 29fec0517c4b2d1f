//! The default skins that the game shows for players who have not set a skin.

use effigy_player::{Model, Uuid};

use crate::TextureHash;

/// The hashes in the game's order (1.19.3 and later): slim, then classic, each Alex, Ari, Efe, Kai,
/// Makena, Noor, Steve, Sunny, Zuri.
const HASHES: &str = include_str!("default_skins.txt");

/// The number of hashes, of which the first half is slim.
const COUNT: i32 = 18;

/// The index of classic Steve.
const STEVE: i32 = 15;

/// One of the eighteen skins that the game shows for players who have not set a skin.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct DefaultSkin {
    /// The hash of the texture at the game's texture service.
    pub hash: TextureHash,
    /// The model on which the game shows the texture.
    pub model: Model,
}

impl DefaultSkin {
    /// Returns the skin that the game chooses by the UUID of a player.
    ///
    /// ```
    /// use effigy_player::{Model, Uuid};
    /// use effigy_upstream::DefaultSkin;
    ///
    /// let zuri = DefaultSkin::of_uuid(Uuid(17));
    /// assert_eq!(zuri.model, Model::Classic);
    /// ```
    #[must_use]
    pub fn of_uuid(uuid: Uuid) -> Self {
        // The remainder is never negative, as with the game's `Math.floorMod`.
        Self::at(uuid.java_hash_code().rem_euclid(COUNT))
    }

    /// Returns the skin of Steve on the classic model.
    #[must_use]
    pub fn steve() -> Self {
        Self::at(STEVE)
    }

    fn at(index: i32) -> Self {
        let digits = HASHES.lines().nth(index.unsigned_abs() as usize);
        let digits = digits.expect("the file has a line for each index");
        let model = if index < COUNT / 2 {
            Model::Slim
        } else {
            Model::Classic
        };
        Self {
            hash: TextureHash::parse(digits).expect("each line is a hash"),
            model,
        }
    }
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
            let skin = DefaultSkin::of_uuid(uuid);
            let hash = HASHES.lines().nth(expected).expect("a line");
            assert_eq!((skin.hash.as_str(), skin.model), (hash, model), "{uuid}");
        }
    }

    #[test]
    fn steve_is_classic() {
        let steve = DefaultSkin::steve();
        let hash = "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb";
        assert_eq!(steve.hash.as_str(), hash);
        assert_eq!(steve.model, Model::Classic);
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
