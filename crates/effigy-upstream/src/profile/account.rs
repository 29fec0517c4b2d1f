//! The identity of a player.

use effigy_player::{Edition, Uuid};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An account, by an identifier that never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredAccount", into = "StoredAccount")]
pub enum Account {
    /// A Java account.
    Java(Uuid),
    /// A Bedrock account by its XUID, as it is sent upstream, or `None` if only the gamertag is
    /// known.
    Bedrock(Option<String>),
}

impl Account {
    /// Returns the edition of the account.
    #[must_use]
    pub const fn edition(&self) -> Edition {
        match self {
            Self::Java(_) => Edition::Java,
            Self::Bedrock(_) => Edition::Bedrock,
        }
    }
}

/// An account as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(tag = "edition", rename_all = "lowercase")]
enum StoredAccount {
    Java {
        #[serde(serialize_with = "write_uuid", deserialize_with = "read_uuid")]
        uuid: Uuid,
    },
    Bedrock {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        xuid: Option<String>,
    },
}

impl From<Account> for StoredAccount {
    fn from(account: Account) -> Self {
        match account {
            Account::Java(uuid) => Self::Java { uuid },
            Account::Bedrock(xuid) => Self::Bedrock { xuid },
        }
    }
}

impl From<StoredAccount> for Account {
    fn from(stored: StoredAccount) -> Self {
        match stored {
            StoredAccount::Java { uuid } => Self::Java(uuid),
            StoredAccount::Bedrock { xuid } => Self::Bedrock(xuid),
        }
    }
}

/// Writes a UUID as 32 digits.
fn write_uuid<S: Serializer>(uuid: &Uuid, to: S) -> Result<S::Ok, S::Error> {
    to.collect_str(uuid)
}

fn read_uuid<'de, D: Deserializer<'de>>(from: D) -> Result<Uuid, D::Error> {
    let text = String::deserialize(from)?;
    Uuid::parse(&text).ok_or_else(|| de::Error::custom("the uuid is malformed"))
}
