//! The picture of a specified route: the answer of an hour. Spec, "Common rules" 6.

use std::sync::Arc;

use effigy_player::PlayerId;

use super::picture::{Billing, check_size};
use crate::{
    Origin, PictureParams, ServedFile, ShelfLife,
    error::Result,
    flow::{Flow, Made},
    players::requested::RequestedPlayer,
    request::key::Key,
};

impl Flow {
    /// Returns the picture of a specified route if it is in memory.
    pub(super) fn cached_specified(
        &self,
        params: &PictureParams,
        input: &str,
    ) -> Option<ServedFile> {
        let id = PlayerId::detect(input).ok()?;
        if self.state.source.local(&id).is_some() {
            return None;
        }
        let key = Key::specified(*params, input, self.state.ignores_case);
        self.state.in_memory(&key)
    }

    /// Returns the picture of a specified route: the answer of the last hour, or the picture of a
    /// fresh look-up.
    pub(super) async fn specified(&self, params: PictureParams, input: &str) -> Result<ServedFile> {
        let player = RequestedPlayer::specified(input)?;
        if self.state.source.local(&player.id).is_some() {
            return self.specified_of_folder(&params, &player).await;
        }
        let key = Key::specified(params, input, self.state.ignores_case);
        let make = move |flow: Self| async move { flow.make_specified(params, &player).await };
        self.kept_or_made(&key, make).await
    }

    /// Returns the picture of a player in the folder of skins, whose file may change at any time.
    async fn specified_of_folder(
        &self,
        params: &PictureParams,
        player: &RequestedPlayer,
    ) -> Result<ServedFile> {
        let current = self.current(player).await?;
        let outfit = self.outfit(player, &current, params).await?;
        let billing = Billing::of(&player.id);
        self.picture(params, outfit.without_name(), billing).await
    }

    /// Makes the picture of a fresh look-up.
    async fn make_specified(
        &self,
        params: PictureParams,
        player: &RequestedPlayer,
    ) -> Result<Made> {
        check_size(&params)?;
        self.charge_drawing(params.drawing_cost())?;
        let outfit = self.specified_outfit(player, &params).await?;
        self.state.files.count_render(player.id.edition());
        let picture = self.picture_of_route(&params, outfit.without_name());
        let mut served = picture.await?.with_origin(Origin::Render);
        // The hour begins now, however old a stored picture of the same content is.
        let mut file = (*served.file).clone();
        file.created_at = self.state.now();
        served.file = Arc::new(file);
        // A picture that clients must not cache is no answer for an hour.
        if served.shelf_life == ShelfLife::Revalidate {
            Ok(Made::Incomplete(served))
        } else {
            Ok(Made::Complete(
                served.with_shelf_life(ShelfLife::RestOfHour),
            ))
        }
    }
}
