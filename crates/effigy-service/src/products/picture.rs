//! The picture of one player.

use effigy_player::{Edition, PlayerId};

use crate::{
    Origin, PictureParams, ServedFile, ServiceError,
    error::Result,
    flow::{Flow, Made},
    outfit::Outfit,
    request::key::{Key, PictureKey},
    served_file::PNG,
};

/// The bookkeeping of a picture that is drawn: the count of renders, and the client's charge.
#[derive(Debug, Clone, Copy)]
pub(super) struct Billing {
    /// The edition whose renders are counted, or `None` for a texture without a player. Spec,
    /// "Stats".
    pub(super) counted_for: Option<Edition>,
    /// `true` if the client was charged for drawing before the player was looked up.
    pub(super) already_charged: bool,
}

impl Billing {
    /// A render that counts for no edition.
    pub(super) const UNCOUNTED: Self = Self {
        counted_for: None,
        already_charged: false,
    };

    /// A render of a player.
    pub(super) fn of(player: &PlayerId) -> Self {
        Self {
            counted_for: Some(player.edition()),
            already_charged: false,
        }
    }
}

impl Flow {
    /// Returns the picture of the player that an input names, if no check is due and it is in
    /// memory.
    pub(super) fn cached_picture(
        &self,
        params: &PictureParams,
        input: &str,
        version: Option<u64>,
    ) -> Option<ServedFile> {
        let player = self.requested_player(input).ok()?;
        let current = self.remembered(&player.id, version)?;
        let outfit = self.known_outfit(&current, params)?;
        self.cached_picture_of_outfit(params, &outfit)
    }

    /// Returns the picture of an outfit if it is in memory.
    pub(super) fn cached_picture_of_outfit(
        &self,
        params: &PictureParams,
        outfit: &Outfit,
    ) -> Option<ServedFile> {
        let served = match picture_key(params, outfit) {
            Some(key) => self.state.in_memory(&key)?,
            // A file that was not decoded may be no skin.
            None => {
                let skin = self.remembered_skin(outfit.skin.id, outfit.model)?;
                let file = ServedFile::made(skin.texture.clone(), PNG, self.state.now());
                file.with_origin(Origin::Cache)
            }
        };
        Some(outfit.shown_by(served))
    }

    /// Returns the picture of the player that an input names.
    pub(super) async fn picture_of_player(
        &self,
        params: &PictureParams,
        input: &str,
        version: Option<u64>,
    ) -> Result<ServedFile> {
        check_size(params)?;
        let cost = params.drawing_cost();
        let found = self.resolved_for_drawing(input, version, cost).await?;
        let outfit = self.outfit(&found.player, &found.current, params).await?;
        let billing = Billing {
            already_charged: found.charged,
            ..Billing::of(&found.player.id)
        };
        self.picture(params, outfit, billing).await
    }

    /// Returns the picture of an outfit: kept, or drawn once for all who ask.
    pub(super) async fn picture(
        &self,
        params: &PictureParams,
        outfit: Outfit,
        billing: Billing,
    ) -> Result<ServedFile> {
        let Some(key) = picture_key(params, &outfit) else {
            return self.own_texture(&outfit).await;
        };
        let own_params = *params;
        let own_outfit = outfit.clone();
        let draw = move |flow: Self| async move {
            if !billing.already_charged {
                flow.charge_drawing(own_params.drawing_cost())?;
            }
            if let Some(edition) = billing.counted_for {
                flow.state.files.count_render(edition);
            }
            flow.drawn(own_params, &own_outfit).await
        };
        // Those who join a complete picture become askers of its drawing alone. An incomplete one
        // answers this request only, so nobody joins.
        let served = if outfit.complete {
            self.kept_or_made(&key, draw).await?
        } else {
            draw(self.clone()).await?.into_file()
        };
        Ok(outfit.shown_by(served))
    }

    /// Returns the picture of an outfit for a specified route, which has charged and counted it. The
    /// store gets the picture under the key of the route, so under its own key it is only kept in
    /// memory.
    pub(super) async fn picture_of_route(
        &self,
        params: &PictureParams,
        outfit: Outfit,
    ) -> Result<ServedFile> {
        let Some(key) = picture_key(params, &outfit) else {
            return self.own_texture(&outfit).await;
        };
        let own_params = *params;
        let own_outfit = outfit.clone();
        let draw = move |flow: Self| async move { flow.drawn(own_params, &own_outfit).await };
        // The clients who wait for the route's file are the askers of this flow, in which the
        // picture is drawn, so it is drawn in the turn of any of them.
        let served = if outfit.complete {
            self.remembered_or_made(&key, draw).await?
        } else {
            draw(self.clone()).await?.into_file()
        };
        Ok(outfit.shown_by(served))
    }

    /// Draws an outfit.
    async fn drawn(&self, params: PictureParams, outfit: &Outfit) -> Result<Made> {
        let appearance = self.appearance(outfit).await?;
        let is_complete = appearance.is_complete;
        let served = self.draw(params, appearance).await?;
        Ok(Made::new(served, is_complete))
    }

    /// Returns the file of an outfit's skin.
    ///
    /// # Errors
    /// If it is not available, or is not a skin. So it is decoded, although the file itself is
    /// shown.
    async fn own_texture(&self, outfit: &Outfit) -> Result<ServedFile> {
        let (_, skin) = self.skin_in(outfit).await?;
        let served = ServedFile::made(skin.texture.clone(), PNG, self.state.now());
        Ok(outfit.shown_by(served))
    }
}

/// Checks that a picture can be drawn, before anything is done for it.
pub(super) fn check_size(params: &PictureParams) -> Result<(), ServiceError> {
    if params.can_exist() {
        Ok(())
    } else {
        Err(ServiceError::TooLarge)
    }
}

/// Returns the key of the picture of an outfit, or `None` for the unmodified texture.
fn picture_key(params: &PictureParams, outfit: &Outfit) -> Option<Key> {
    let spec = params.spec?;
    Some(Key::Picture(PictureKey {
        spec,
        format: params.format,
        motion: params.motion,
        outfit: outfit.key(),
    }))
}

impl Outfit {
    /// Limits how long clients may cache a picture of the outfit, and marks the picture as stale if
    /// the outfit is.
    fn shown_by(&self, served: ServedFile) -> ServedFile {
        // A picture that lacks something has a stricter rule already, and keeps it.
        let shown = served.at_most(self.shelf_life);
        shown.marked_stale(self.stale)
    }
}
