//! The flow of several profiles.

use std::sync::Arc;

use effigy_player::PlayerId;

use super::run_in_order;
use crate::{
    Endpoint, Image, Service, error::Shared, flow::cached::Admission, request::key::Entry,
    service::Inner,
};

impl Service {
    /// Returns the profile of each player, as [`profile`](Self::profile) does, or the reason why there is none.
    ///
    /// # Errors
    /// If too many files are being made.
    pub async fn profiles(&self, inputs: &[String]) -> Shared<Vec<Shared<Image>>> {
        let inner = &self.inner;
        let permit = inner.misses.acquire();
        let _permit = permit.map_err(|error| {
            let entry = Entry::new(Endpoint::Profile, "several");
            inner.failed(&entry, error)
        })?;
        let players: Vec<Shared<(Entry, PlayerId)>> = inputs
            .iter()
            .map(|input| self.player_entry(Endpoint::Profile, input))
            .collect();
        let now = self.now();
        let is_cached = |entry: &Entry| inner.memory.get(&entry.key, now).is_some();
        let new = players.iter().flatten().filter(|(entry, _)| {
            // A player with a revision is in the folder of skins.
            entry.revision.is_none() && !is_cached(entry)
        });
        let accounts = Arc::new(inner.look_up_names(new.map(|(_, player)| player)).await);
        let profile = |player: Shared<(Entry, PlayerId)>| {
            let (inner, accounts) = (Arc::clone(inner), Arc::clone(&accounts));
            async move {
                let (entry, player) = player?;
                let make = |inner: Arc<Inner>, _| async move {
                    let player = accounts.find(player)?;
                    inner.fetch_profile(player).await
                };
                // The permit of the list is the permit of each.
                let made = inner.cached_or(entry.clone(), Admission::Nested, make);
                made.await
                    .inspect_err(|error| inner.log_failure(&entry, error))
            }
        };
        Ok(run_in_order(players.into_iter().map(profile)).await)
    }

    /// Returns the profiles if all of them are fresh in memory or in the store.
    pub async fn stored_profiles(&self, inputs: &[String]) -> Option<Vec<Image>> {
        let mut profiles = Vec::with_capacity(inputs.len());
        for input in inputs {
            profiles.push(self.stored_file(Endpoint::Profile, input).await?);
        }
        Some(profiles)
    }
}
