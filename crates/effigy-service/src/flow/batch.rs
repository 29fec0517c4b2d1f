//! The appearance of each player in a picture of several.

use std::sync::Arc;

use effigy_player::PlayerId;

use super::{java_names::Accounts, run_in_order};
use crate::{
    ArrangementRequest, Fault, Origin, PictureParams, Service,
    error::Shared,
    flow::{appearance::Appearance, picture::ValidRequest, skin::SkinId},
    service::Inner,
};

/// The players of a picture, or why one is missing.
pub(super) type Appearances = Vec<Shared<Appearance>>;

impl Service {
    /// Looks all players up, a few at once.
    pub(super) async fn appearances(
        &self,
        params: PictureParams,
        players: &[String],
    ) -> Appearances {
        let requests = players.iter().map(|player| {
            let request = params.of_player(player).reusing_player();
            self.validate(request)
        });
        let requests: Vec<Shared<ValidRequest>> = requests.collect();
        let new = requests
            .iter()
            .flatten()
            .filter_map(|request| self.inner.new_player(request));
        let accounts = Arc::new(self.inner.look_up_names(new).await);
        let look_up = |request: Shared<ValidRequest>| {
            let (inner, accounts) = (Arc::clone(&self.inner), Arc::clone(&accounts));
            async move {
                let request = request?;
                let entry = request.entry.clone();
                let look = inner.appearance_by(request, &accounts).await;
                look.inspect_err(|error| inner.log_failure(&entry, error))
            }
        };
        run_in_order(requests.into_iter().map(look_up)).await
    }

    /// Puts the substitute in the places of players who are not available.
    pub(super) async fn with_substitute(
        &self,
        request: &ArrangementRequest,
        looks: Appearances,
    ) -> Appearances {
        let Some(player) = request.substitute() else {
            return looks;
        };
        if looks.iter().all(Result::is_ok) {
            return looks;
        }
        let players = [player.to_owned()];
        let found = self.appearances(request.params(), &players).await;
        let substitute = match found.into_iter().next() {
            Some(Ok(look)) => look,
            Some(Err(error)) if error.is_outage() => Appearance::built_in(),
            _ => return looks,
        };
        let shown = |look: Shared<Appearance>| match look {
            Err(error) if error.is_outage() => Ok(Appearance {
                origin: Origin::OutageFallback,
                ..substitute.clone()
            }),
            Err(error) if error.fault() != Fault::Internal => Ok(substitute.clone()),
            look => look,
        };
        looks.into_iter().map(shown).collect()
    }
}

impl Inner {
    /// Returns the player of a request who has to be looked up.
    fn new_player<'a>(&self, request: &'a ValidRequest) -> Option<&'a PlayerId> {
        match &request.skin {
            // A player with a revision is in the folder of skins.
            SkinId::Player(player, None)
                if self.players.get(&request.skin, self.clock.now()).is_none() =>
            {
                Some(player)
            }
            _ => None,
        }
    }

    /// Looks a player up whose account may be known.
    async fn appearance_by(
        self: &Arc<Self>,
        request: ValidRequest,
        accounts: &Accounts,
    ) -> Shared<Appearance> {
        let SkinId::Player(player, revision) = request.skin.clone() else {
            return self.appearance_for(&request, false).await;
        };
        let account = SkinId::Player(accounts.find(player)?, revision);
        let known = ValidRequest {
            skin: account,
            ..request
        };
        let look = self.appearance_for(&known, false).await?;
        if known.skin != request.skin && self.is_current(&known.entry) {
            // Other pictures are requested by the name.
            self.players
                .insert(&request.skin, self.clock.now(), &look.skin);
        }
        Ok(look)
    }
}
