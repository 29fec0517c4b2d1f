//! The look-up of several Java names at once.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use effigy_player::{PlayerId, Uuid};
use effigy_upstream::{FoundNames, NAMES_PER_CALL, Step, UpstreamError};

use super::run_in_order;
use crate::{ServiceError, error::Shared, service::Inner};

/// The accounts of Java names, in lower case, that were looked up together.
#[derive(Default)]
pub(super) struct Accounts(HashMap<String, Shared<Option<Uuid>>>);

impl Accounts {
    /// Returns the player by the UUID, if the name was looked up.
    ///
    /// # Errors
    /// If no account has the name, or its look-up failed.
    pub(super) fn find(&self, player: PlayerId) -> Shared<PlayerId> {
        let PlayerId::JavaName(name) = &player else {
            return Ok(player);
        };
        match self.0.get(&name.to_ascii_lowercase()) {
            None => Ok(player),
            Some(Ok(Some(uuid))) => Ok(PlayerId::JavaUuid(*uuid)),
            Some(Ok(None)) => Err(Arc::new(nobody(name))),
            Some(Err(error)) => Err(Arc::clone(error)),
        }
    }

    /// Adds what the look-up of these names found.
    fn extend(&mut self, names: Vec<String>, found: Shared<FoundNames>) {
        match found {
            Ok(found) => self
                .0
                .extend(found.into_iter().map(|(name, uuid)| (name, Ok(uuid)))),
            Err(error) => {
                let failed = |name| (name, Err(Arc::clone(&error)));
                self.0.extend(names.into_iter().map(failed));
            }
        }
    }
}

impl Inner {
    /// Looks up the Java names among these players, several in one call. It leaves a single name to the
    /// look-up of its player, which takes no more calls.
    pub(super) async fn look_up_names<'a>(
        self: &Arc<Self>,
        players: impl Iterator<Item = &'a PlayerId>,
    ) -> Accounts {
        let names = players.filter_map(|player| match player {
            PlayerId::JavaName(name) => Some(name.to_ascii_lowercase()),
            _ => None,
        });
        let names: Vec<String> = names.collect::<BTreeSet<_>>().into_iter().collect();
        let mut accounts = Accounts::default();
        if names.len() < 2 {
            return accounts;
        }
        let ask = |names: &[String]| {
            let (inner, names) = (Arc::clone(self), names.to_vec());
            async move { Ok(inner.ask(move |source| source.java_uuids(&names)).await?) }
        };
        let calls = names.chunks(NAMES_PER_CALL);
        let found = run_in_order(calls.clone().map(ask)).await;
        for (names, found) in calls.zip(found) {
            accounts.extend(names.to_vec(), found);
        }
        accounts
    }
}

fn nobody(name: &str) -> ServiceError {
    ServiceError::Upstream(UpstreamError::PlayerNotFound {
        step: Step::Identity,
        player: name.to_owned(),
    })
}
