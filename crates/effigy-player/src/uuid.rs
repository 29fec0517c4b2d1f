//! UUIDs of players: their two written forms, and the hash that the game computes of them.

use std::fmt;

/// A UUID as a number. The first digit of its text is the most significant one.
///
/// `Display` writes the form that the upstream services use: 32 lower-case hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uuid(pub u128);

impl Uuid {
    /// Parses 32 hexadecimal digits, or 8-4-4-4-12 digits with dashes between them, in any letter
    /// case. Returns `None` for any other text. The version and the variant are not checked.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        // The package `uuid` reads two more forms, which have other lengths.
        if !matches!(text.len(), 32 | 36) {
            return None;
        }
        let uuid = uuid::Uuid::try_parse(text).ok()?;
        Some(Self(uuid.as_u128()))
    }

    /// Returns the lower-case 8-4-4-4-12 form.
    #[must_use]
    pub fn hyphenated(self) -> String {
        uuid::Uuid::from_u128(self.0).hyphenated().to_string()
    }

    /// Returns the game's `hashCode()` of this UUID, by which it picks the default skin.
    #[must_use]
    pub const fn java_hash_code(self) -> i32 {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = self.0.to_be_bytes();
        i32::from_be_bytes([a ^ e ^ i ^ m, b ^ f ^ j ^ n, c ^ g ^ k ^ o, d ^ h ^ l ^ p])
    }

    /// Returns the XUID of a Bedrock player if this is the player's UUID from Floodgate: 64 zero
    /// bits followed by the XUID.
    #[must_use]
    pub fn floodgate_xuid(self) -> Option<u64> {
        u64::try_from(self.0).ok()
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn other_shapes_are_refused() {
        for text in [
            "",
            "069a79f444e94726a5befca90e38aaf",
            "069a79f444e94726a5befca90e38aaf50",
            "069a79f444e94726a5befca90e38aafg",
            "069a79f4-44e9-4726-a5befca90e38aaf5",
            "069a79f4444e9-4726-a5be-fca90e38aaf5",
            "069a79f-444e9-4726-a5be-fca90e38aaf5",
            "069a79f4-44e9-4726-a5be-fca90e38aaf-",
            "069a79f4+44e9+4726+a5be+fca90e38aaf5",
            "{069a79f4-44e9-4726-a5be-fca90e38aaf5}",
            " 069a79f444e94726a5befca90e38aaf ",
            "+69a79f444e94726a5befca90e38aaf5",
            "０69a79f444e94726a5befca90e38aa",
        ] {
            assert_eq!(Uuid::parse(text), None, "{text}");
        }
    }

    #[test]
    fn written_forms() {
        let notch = Uuid(0x069a_79f4_44e9_4726_a5be_fca9_0e38_aaf5);
        assert_eq!(notch.to_string(), "069a79f444e94726a5befca90e38aaf5");
        assert_eq!(notch.hyphenated(), "069a79f4-44e9-4726-a5be-fca90e38aaf5");
        assert_eq!(Uuid(1).to_string(), format!("{:0>32}", 1));
    }

    #[test]
    fn hash_code_is_that_of_the_game() {
        for (text, expected) in [
            ("8f59cdb2-f575-4768-b0e6-2e0b0be19557", -1_054_133_882),
            ("0d8d9d75-4a5a-4579-9e3c-1063c2d9c505", 456_265_066),
            ("069a79f4-44e9-4726-a5be-fca90e38aaf5", -369_792_882),
            ("c06f8906-4c8a-4911-9c29-ea1dbd1aab82", -1_378_451_064),
            ("6ab43178-89fd-4905-97f6-0f67d9d76fd9", -1_385_686_845),
        ] {
            let uuid = Uuid::parse(text).expect(text);
            assert_eq!(uuid.java_hash_code(), expected, "{text}");
        }
    }

    proptest! {
        #[test]
        fn parsed_uuid_parses_again(text in prop_oneof![".{0,40}", "[0-9a-fA-F-]{32,36}"]) {
            if let Some(uuid) = Uuid::parse(&text) {
                prop_assert_eq!(uuid.to_string(), text.replace('-', "").to_lowercase());
                prop_assert_eq!(Uuid::parse(&uuid.to_string()), Some(uuid));
                prop_assert_eq!(Uuid::parse(&uuid.hyphenated()), Some(uuid));
            }
        }
    }
}
