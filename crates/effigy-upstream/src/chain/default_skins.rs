//! The default skins that the game shows for players who have set none.

use effigy_player::{Model, Uuid};

/// The hashes in the game's order (1.19.3 and later): slim, then classic, each Alex, Ari, Efe, Kai,
/// Makena, Noor, Steve, Sunny, Zuri.
const HASHES: [&str; 18] = [
    "46acd06e8483b176e8ea39fc12fe105eb3a2a4970f5100057e9d84d4b60bdfa7",
    "6ac6ca262d67bcfb3dbc924ba8215a18195497c780058a5749de674217721892",
    "fece7017b1bb13926d1158864b283b8b930271f80a90482f174cca6a17e88236",
    "226c617fde5b1ba569aa08bd2cb6fd84c93337532a872b3eb7bf66bdd5b395f8",
    "7cb3ba52ddd5cc82c0b050c3f920f87da36add80165846f479079663805433db",
    "6c160fbd16adbc4bff2409e70180d911002aebcfa811eb6ec3d1040761aea6dd",
    "d5c4ee5ce20aed9e33e866c66caa37178606234b3721084bf01d13320fb2eb3f",
    "b66bc80f002b10371e2fa23de6f230dd5e2f3affc2e15786f65bc9be4c6eb71a",
    "eee522611005acf256dbd152e992c60c0bb7978cb0f3127807700e478ad97664",
    "1abc803022d8300ab7578b189294cce39622d9a404cdc00d3feacfdf45be6981",
    "4c05ab9e07b3505dc3ec11370c3bdce5570ad2fb2b562e9b9dd9cf271f81aa44",
    "daf3d88ccb38f11f74814e92053d92f7728ddb1a7955652a60e30cb27ae6659f",
    "e5cdc3243b2153ab28a159861be643a4fc1e3c17d291cdd3e57a7f370ad676f3",
    "dc0fcfaf2aa040a83dc0de4e56058d1bbb2ea40157501f3e7d15dc245e493095",
    "90e75cd429ba6331cd210b9bd19399527ee3bab467b5a9f61cb8a27b177f6789",
    "31f477eb1a7beee631c2ca64d06f8f68fa93a3386d04452ab27f43acdf1b60cb",
    "a3bd16079f764cd541e072e888fe43885e711f98658323db0f9a6045da91ee7a",
    "f5dddb41dcafef616e959c2817808e0be741c89ffbfed39134a13e75b811863d",
];

/// Returns the hash and the model of the default skin of a UUID.
pub(super) fn default_skin(uuid: Uuid) -> (&'static str, Model) {
    let index = index(uuid);
    let is_slim = index < HASHES.len() / 2;
    let model = if is_slim { Model::Slim } else { Model::Classic };
    (HASHES[index], model)
}

fn index(uuid: Uuid) -> usize {
    // The remainder is never negative, as with the game's `Math.floorMod`.
    uuid.java_hash_code().rem_euclid(18).unsigned_abs() as usize
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_games_choice() {
        for (uuid, expected, model) in [
            ("8f59cdb2f5754768b0e62e0b0be19557", 10, Model::Classic),
            ("0d8d9d754a5a45799e3c1063c2d9c505", 4, Model::Slim),
            ("069a79f444e94726a5befca90e38aaf5", 0, Model::Slim),
            ("c06f89064c8a49119c29ea1dbd1aab82", 6, Model::Slim),
            ("6ab4317889fd490597f60f67d9d76fd9", 9, Model::Classic),
        ] {
            let uuid = Uuid::parse(uuid).expect(uuid);
            assert_eq!(index(uuid), expected, "{uuid}");
            assert_eq!(default_skin(uuid).1, model, "{uuid}");
        }
    }

    #[test]
    fn all_hashes_are_different_and_well_formed() {
        let hashes: HashSet<&str> = HASHES.into_iter().collect();
        assert_eq!(hashes.len(), HASHES.len());
        for hash in hashes {
            assert_eq!(hash.len(), 64);
            assert!(hash.bytes().all(|byte| b"0123456789abcdef".contains(&byte)));
        }
    }
}
