//! The keys under which players are known.

use effigy_player::PlayerId;
use effigy_upstream::{Account, Profile};

/// The key of a record: the account, which never changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum AccountKey {
    /// A Java account by its UUID.
    Java(u128),
    /// A Bedrock account by its XUID, without leading zeros.
    Bedrock(String),
    /// A Bedrock account of which only the gamertag is known, in lower case.
    Gamertag(String),
}

impl AccountKey {
    /// Returns the key of the account in a profile, which was found for a player.
    pub(crate) fn of(profile: &Profile, player: &PlayerId) -> Self {
        match &profile.account {
            Account::Java(uuid) => Self::Java(uuid.0),
            Account::Bedrock(Some(xuid)) => Self::Bedrock(short(xuid)),
            Account::Bedrock(None) => match Self::of_id(player) {
                Some(key) => key,
                None => Self::Gamertag(binding(player, true)),
            },
        }
    }

    /// Returns the key of a player who is named by an identifier.
    pub(crate) fn of_id(player: &PlayerId) -> Option<Self> {
        match player {
            PlayerId::JavaUuid(uuid) => Some(Self::Java(uuid.0)),
            PlayerId::BedrockXuid(xuid) => Some(Self::Bedrock(short(xuid))),
            PlayerId::JavaName(_) | PlayerId::BedrockGamertag(_) => None,
        }
    }

    /// Returns the key in the store, which records of different chains of providers do not share.
    pub(crate) fn text(&self, chain: &str) -> String {
        format!("{chain}/{}", self.short_text())
    }

    /// Returns the key without the chain.
    pub(crate) fn short_text(&self) -> String {
        match self {
            Self::Java(uuid) => format!("java/{uuid:032x}"),
            Self::Bedrock(xuid) => format!("bedrock/{xuid}"),
            Self::Gamertag(tag) => format!("gamertag/{tag}"),
        }
    }

    /// Reads a key without the chain.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (kind, rest) = text.split_once('/')?;
        match kind {
            "java" => u128::from_str_radix(rest, 16).ok().map(Self::Java),
            "bedrock" => Some(Self::Bedrock(rest.to_owned())),
            "gamertag" => Some(Self::Gamertag(rest.to_owned())),
            _ => None,
        }
    }
}

/// Returns an XUID without leading zeros, which only tell it from a name.
fn short(xuid: &str) -> String {
    xuid.trim_start_matches('0').to_owned()
}

/// Returns the text by which a name or a gamertag is bound to its account.
pub(crate) fn binding(player: &PlayerId, ignores_case: bool) -> String {
    match player.folded(ignores_case) {
        PlayerId::JavaName(name) => format!("name/{name}"),
        PlayerId::BedrockGamertag(tag) => format!("tag/{tag}"),
        PlayerId::JavaUuid(uuid) => format!("uuid/{uuid}"),
        PlayerId::BedrockXuid(xuid) => format!("xuid/{xuid}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_accounts_are_read_as_they_are_written() {
        let keys = [
            AccountKey::Java(7),
            AccountKey::Bedrock("2535".to_owned()),
            AccountKey::Gamertag("tag/two words".to_owned()),
        ];
        for key in keys {
            assert_eq!(AccountKey::parse(&key.short_text()), Some(key));
        }
        assert_eq!(AccountKey::parse("nobody"), None);
    }

    #[test]
    fn leading_zeros_of_an_xuid_make_no_other_account() {
        for xuid in ["2535", "00002535"] {
            let player = PlayerId::BedrockXuid(xuid.to_owned());
            let expected = AccountKey::Bedrock("2535".to_owned());
            assert_eq!(AccountKey::of_id(&player), Some(expected), "{xuid}");
        }
    }
}
