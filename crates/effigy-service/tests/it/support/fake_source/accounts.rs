//! The Java accounts of a fake source.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::{SKIN, STEVES_SKIN};

/// The UUID of the player Notch.
const NOTCH: u128 = 0x069a_79f4_44e9_4726_a5be_fca9_0e38_aaf5;

/// A Java account.
#[derive(Debug, Clone)]
pub(crate) struct JavaAccount {
    pub(crate) uuid: u128,
    pub(crate) name: String,
    pub(crate) skin: &'static str,
}

/// The Java accounts. A name that nobody has asked for yet gets one, unless it was given up.
#[derive(Debug)]
pub(crate) struct Accounts {
    accounts: Vec<JavaAccount>,
    /// The names that had an account, in lower case.
    taken: Vec<String>,
}

impl Default for Accounts {
    fn default() -> Self {
        let mut accounts = Self {
            accounts: Vec::new(),
            taken: Vec::new(),
        };
        accounts.add(JavaAccount {
            uuid: NOTCH,
            name: "Notch".to_owned(),
            skin: SKIN,
        });
        accounts.add(JavaAccount {
            uuid: 8,
            name: "Steve".to_owned(),
            skin: STEVES_SKIN,
        });
        accounts
    }
}

impl Accounts {
    pub(crate) fn add(&mut self, account: JavaAccount) {
        self.taken.push(account.name.to_lowercase());
        self.accounts.push(account);
    }

    pub(crate) fn delete(&mut self, name: &str) {
        self.accounts.retain(|account| !account.is_named(name));
    }

    /// Returns the account of a name that has one.
    pub(crate) fn named(&mut self, name: &str) -> &mut JavaAccount {
        self.find(name);
        let mut accounts = self.accounts.iter_mut();
        accounts.find(|account| account.is_named(name)).unwrap()
    }

    /// Returns the account of a name.
    pub(crate) fn find(&mut self, name: &str) -> Option<JavaAccount> {
        if !self.taken.contains(&name.to_lowercase()) {
            let mut hasher = DefaultHasher::new();
            name.to_lowercase().hash(&mut hasher);
            self.add(JavaAccount {
                uuid: hasher.finish().into(),
                name: name.to_owned(),
                skin: SKIN,
            });
        }
        let found = self.accounts.iter().find(|account| account.is_named(name));
        found.cloned()
    }

    /// Returns the account of a UUID.
    pub(crate) fn of_uuid(&self, uuid: u128) -> Option<JavaAccount> {
        let found = self.accounts.iter().find(|account| account.uuid == uuid);
        found.cloned()
    }
}

impl JavaAccount {
    fn is_named(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.to_lowercase()
    }
}
