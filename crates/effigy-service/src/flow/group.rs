//! The flow of a picture of several players, and how several are looked up.

use effigy_player::Edition;
use effigy_render::{Cape, Player};
use futures_util::{StreamExt as _, stream};

use super::Flow;
use crate::{
    Fault, GroupRequest, Image, Origin,
    error::{Failure, Result},
    players::{Appearance, name_as_written},
};

/// The players of one request that are looked up at once.
const MAX_LOOK_UPS: usize = 8;

/// A player's place in a picture.
pub(super) struct Place {
    /// The player or the substitute, or why neither is shown.
    pub(super) shown: Result<Appearance>,
    /// The edition of the player, or none if the player is missing.
    pub(super) edition: Option<Edition>,
}

impl Place {
    /// Returns the player with the decoded cape. A substitute, and a player whose name is not known, is called as the
    /// request has it.
    pub(super) fn player<'a>(
        &'a self,
        cape: Option<&'a Cape>,
        input: &'a str,
    ) -> Option<Player<'a>> {
        let shown = self.shown.as_ref().ok()?;
        let name = name_as_written(input, shown.name()).filter(|_| self.edition.is_some());
        Some(shown.player(cape).with_label(name.unwrap_or(input)))
    }

    /// Returns `true` unless what is shown may change when an outage is over.
    pub(super) fn is_certain(&self) -> bool {
        match &self.shown {
            Ok(appearance) => appearance.origin == Origin::Render,
            Err(error) => error.is_certain(),
        }
    }
}

/// Does all work, a few pieces at once, and returns the results in their order.
///
/// # Errors
/// The first refusal of the client. Nothing further begins then.
pub(super) async fn run_in_order<T>(
    work: Vec<impl Future<Output = Result<T>>>,
) -> Result<Vec<Result<T>>> {
    let mut results = Vec::new();
    let mut stream = stream::iter(work).buffered(MAX_LOOK_UPS);
    while let Some(result) = stream.next().await {
        match result {
            Err(error) if error.fault() == Fault::Limited => return Err(error),
            result => results.push(result),
        }
    }
    Ok(results)
}

impl Flow {
    /// Resolves the players, counts a render of each, and draws.
    pub(super) async fn group(&self, group: GroupRequest, has_stale: bool) -> Result<Image> {
        self.charge_drawing(group.drawing_cost())?;
        let mut places = self.places(&group, &group.players).await?;
        let mut errors = places.iter().filter_map(|place| place.shown.as_ref().err());
        let lacks_player = errors.clone().next().is_some();
        if has_stale && let Some(outage) = errors.find(|error| error.is_outage()) {
            return Err(outage.clone());
        }
        if lacks_player && let Some(input) = &group.substitute {
            self.fill(&group, input, &mut places).await?;
        }
        let mut shown = places.iter().map(|place| &place.shown);
        if let (Some(Err(error)), true) = (shown.next(), shown.all(Result::is_err)) {
            return Err(error.clone());
        }
        let drawn = places.iter().filter(|_| !group.is_places);
        for edition in drawn.filter_map(|place| place.edition) {
            self.state.files.count_render(edition);
        }
        let image = self.draw_group(group, places).await?;
        Ok(image.lacking_player(lacks_player, self.state.now()))
    }

    /// Looks players up, a few at once.
    async fn places(&self, group: &GroupRequest, inputs: &[String]) -> Result<Vec<Place>> {
        let params = group.params();
        let look_up = async |input: &str| -> Result<_> {
            let player = self.player(input, true)?;
            let shown = self.appearance(&player, params, false).await?;
            Ok((shown, player.id.edition()))
        };
        let look_ups = inputs.iter().map(|input| async {
            let found = Box::pin(look_up(input)).await;
            found.inspect_err(|error| self.log_failure(params.endpoint, input, error))
        });
        let found = run_in_order(look_ups.collect()).await?;
        let places = found.into_iter().map(|found| Place {
            edition: found.as_ref().ok().map(|(_, edition)| *edition),
            shown: found.map(|(shown, _)| shown),
        });
        Ok(places.collect())
    }

    /// Puts the substitute in the places of players who are not available.
    async fn fill(&self, group: &GroupRequest, input: &String, places: &mut [Place]) -> Result<()> {
        let mut substitute = self.places(group, std::slice::from_ref(input)).await?;
        let instead = |error: Failure| Appearance::instead_of(input, &error);
        let Some(substitute) = substitute.remove(0).shown.map_or_else(instead, Some) else {
            return Ok(());
        };
        for place in places {
            place.shown = match &place.shown {
                Err(error) if error.is_outage() => {
                    Ok(substitute.clone().with_origin(Origin::OutageFallback))
                }
                Err(error) if error.fault() != Fault::Internal => Ok(substitute.clone()),
                _ => continue,
            };
        }
        Ok(())
    }
}
