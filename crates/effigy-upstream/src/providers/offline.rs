//! The UUIDs of servers without accounts.

use effigy_player::{PlayerId, Uuid};
use md5::{Digest, Md5};

/// Returns the UUID that a server without accounts gives a name: RFC 9562's version 3 without a name
/// space. It depends on the letter case.
pub(crate) fn offline_uuid(name: &str) -> Uuid {
    let digest = Md5::digest(format!("OfflinePlayer:{name}"));
    let hash = u128::from_be_bytes(digest.into()) & !(0xf << 76 | 3 << 62);
    Uuid::from_u128(hash | 3 << 76 | 2 << 62)
}

/// Returns `true` if a UUID was computed from a name, as servers without accounts do.
pub(crate) const fn is_offline(uuid: Uuid) -> bool {
    uuid.as_u128() >> 76 & 0xf == 3
}

/// Returns the name and the UUID of a Java player of a server in offline mode.
pub(crate) fn offline_identity(player: &PlayerId) -> Option<(Option<String>, Uuid)> {
    match player {
        PlayerId::JavaName(name) => Some((Some(name.clone()), offline_uuid(name))),
        PlayerId::JavaUuid(uuid) => Some((None, *uuid)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn uuids_of_servers_without_accounts() {
        for (name, expected) in [
            ("Notch", "b50ad385-829d-3141-a216-7e7d7539ba7f"),
            ("notch", "42653081-a90e-3475-b3d6-3550cdb43f8e"),
            ("jeb_", "a762f560-4fce-3236-812a-b80efff0b62b"),
            ("Игрок", "770c6db4-4435-39fa-8907-9b7f4fb309b1"),
            ("玩家一号", "563807d4-80f7-3b64-9ebb-4dbce5bc9f41"),
        ] {
            let uuid = offline_uuid(name);
            assert_eq!(uuid.hyphenated(), expected, "{name}");
            assert!(is_offline(uuid), "{name}");
        }
        let notch = Uuid::from_u128(0x069a_79f4_44e9_4726_a5be_fca9_0e38_aaf5);
        assert!(!is_offline(notch));
    }
}
