//! Several players at once.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use effigy_player::{PlayerId, Uuid};
use effigy_upstream::{FoundNames, NAMES_PER_CALL, SkinSource, Step, UpstreamError};
use futures_util::{StreamExt as _, stream};

use super::{cached::is_refused, valid_request::ValidRequest};
use crate::{
    Client, PictureParams, ServiceError,
    error::Shared,
    players::{Appearance, SkinId},
    state::State,
};

/// The players of a picture, or why one is missing.
pub(super) type Appearances = Vec<Shared<Appearance>>;

/// The players of one request that are looked up at once.
const MAX_LOOK_UPS: usize = 8;

/// Does all work, a few pieces at once, and returns the results in their order.
///
/// # Errors
/// The first refusal of the client. Nothing further begins then.
pub(super) async fn run_in_order<T>(
    work: impl Iterator<Item: Future<Output = Shared<T>>>,
) -> Shared<Vec<Shared<T>>> {
    let mut results = Vec::new();
    let mut stream = stream::iter(work).buffered(MAX_LOOK_UPS);
    while let Some(result) = stream.next().await {
        if is_refused(&result) {
            return result.map(|_| Vec::new());
        }
        results.push(result);
    }
    Ok(results)
}

/// The accounts of Java names, in lower case, that were looked up together.
#[derive(Debug, Default)]
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
            Some(Ok(None)) => Err(Arc::new(not_found(name))),
            Some(Err(error)) => Err(Arc::clone(error)),
        }
    }

    /// Adds what the look-up of these names found.
    fn extend(&mut self, names: &[String], found: Shared<FoundNames>) {
        match found {
            Ok(found) => {
                let found = found.into_iter().map(|(name, uuid)| (name, Ok(uuid)));
                self.0.extend(found);
            }
            Err(error) => {
                let failed = |name: &String| (name.clone(), Err(Arc::clone(&error)));
                self.0.extend(names.iter().map(failed));
            }
        }
    }
}

impl State {
    /// Looks all players up, a few at once.
    pub(super) async fn appearances(
        &self,
        client: &Client,
        params: PictureParams,
        inputs: &[String],
    ) -> Shared<Appearances> {
        let requests = inputs.iter().map(|input| {
            let request = params.of_player(input).reusing_player();
            self.validate(&request)
        });
        let requests: Vec<Shared<ValidRequest>> = requests.collect();
        let new = requests.iter().flatten();
        let new = new.filter_map(|request| self.new_player(request));
        let accounts = &self.look_up_names(client, new).await?;
        let look_up = |request: Shared<ValidRequest>| async move {
            let request = request?;
            let found = self.account_appearance(client, &request, accounts).await;
            found.inspect_err(|error| self.log_failure(&request.key, error))
        };
        run_in_order(requests.into_iter().map(look_up)).await
    }

    /// Returns the player of a request who has to be looked up.
    fn new_player<'a>(&self, request: &'a ValidRequest) -> Option<&'a PlayerId> {
        let is_known = || self.players.get(&request.skin, self.clock.now()).is_some();
        match &request.skin {
            // A player with a revision is in the folder of skins.
            SkinId::Player(player, None) if !is_known() => Some(player),
            _ => None,
        }
    }

    /// Looks a player up whose account may be known.
    async fn account_appearance(
        &self,
        client: &Client,
        request: &ValidRequest,
        accounts: &Accounts,
    ) -> Shared<Appearance> {
        let SkinId::Player(player, revision) = &request.skin else {
            return self.appearance(client, request, false).await;
        };
        let account = SkinId::Player(accounts.find(player.clone())?, *revision);
        let known = ValidRequest {
            skin: account,
            key: request.key.clone(),
            ..*request
        };
        let found = self.appearance(client, &known, false).await?;
        if known.skin != request.skin && self.is_current(&known.key) {
            // Other pictures are requested by the name.
            let now = self.clock.now();
            self.players.insert(&request.skin, now, &found.skin);
        }
        Ok(found)
    }

    /// Looks up the Java names among these players, several in one call. It leaves a single name to the
    /// look-up of its player, which takes no more calls.
    ///
    /// # Errors
    /// If the client is refused.
    pub(super) async fn look_up_names<'a>(
        &self,
        client: &Client,
        players: impl Iterator<Item = &'a PlayerId>,
    ) -> Shared<Accounts> {
        let names = players.filter_map(|player| match player {
            PlayerId::JavaName(name) => Some(name.to_ascii_lowercase()),
            _ => None,
        });
        let names: Vec<String> = names.collect::<BTreeSet<_>>().into_iter().collect();
        let mut accounts = Accounts::default();
        if names.len() < 2 {
            return Ok(accounts);
        }
        let look_up = |names: &[String]| {
            let names = names.to_vec();
            let call = move |source: &dyn SkinSource| source.java_uuids(&names);
            async {
                Ok(self
                    .call_source(client, 1, call)
                    .await?
                    .map_err(ServiceError::from)?)
            }
        };
        let calls = names.chunks(NAMES_PER_CALL);
        let found = run_in_order(calls.clone().map(look_up)).await?;
        for (names, found) in calls.zip(found) {
            accounts.extend(names, found);
        }
        Ok(accounts)
    }
}

fn not_found(name: &str) -> ServiceError {
    ServiceError::Upstream(UpstreamError::PlayerNotFound {
        step: Step::Identity,
        player: name.to_owned(),
    })
}
