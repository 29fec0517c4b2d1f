//! The picture of another player, if the requested one is not available.

use super::picture::Billing;
use crate::{
    FileRequest, FileSpec, PictureParams, ServedFile, ServiceError, ShelfLife, Substitute,
    SubstitutePlayer, Substitution,
    error::{Failure, Fault, Result},
    flow::Flow,
    outfit::SubstituteOutfit,
};

impl Flow {
    /// Returns the picture of the substitute, or of the built-in player, after this failure of the
    /// request's own picture.
    pub(crate) async fn substitute(
        &self,
        params: PictureParams,
        request: &FileRequest,
        substitute: &Substitute,
        error: Failure,
    ) -> Result<ServedFile> {
        let params = params.of_substitute();
        let shelf_life = error.shelf_life_of_substitute();
        let player = &substitute.player;
        let failure = match self.picture_instead(params, request, player).await {
            Ok(shown) => return Ok(shown.at_most(shelf_life)),
            Err(failure) => failure,
        };
        if failure.fault() != Fault::NotFound {
            return Err(failure);
        }
        let Some(other) = substitute.otherwise else {
            // Neither player exists. The client asked for the first one.
            return Err(error);
        };
        let other = SubstitutePlayer::Named(other.into());
        let shown = self.picture_instead(params, request, &other).await?;
        Ok(shown.at_most(shelf_life))
    }

    /// Returns another file that shows the player of a request.
    pub(crate) async fn alternative(
        &self,
        request: &FileRequest,
        alternative: &FileSpec,
    ) -> Result<ServedFile> {
        let alternative = FileRequest::from(alternative.clone())
            .from_client(request.client)
            .with_version(request.version);
        Box::pin(self.file(&alternative)).await
    }

    /// Returns the picture of a substitute, or of the built-in player in an outage.
    async fn picture_instead(
        &self,
        params: PictureParams,
        request: &FileRequest,
        substitute: &SubstitutePlayer,
    ) -> Result<ServedFile> {
        let replacement = match substitute {
            SubstitutePlayer::Named(name) => params.of_player(name.clone()),
            SubstitutePlayer::DefaultSkin => {
                let skin = self.default_skin_of_request(request);
                params.of_texture(skin.hash, skin.model)
            }
        };
        let replacement = replacement.from_client(self.askers.first());
        let failure = match Box::pin(self.file(&replacement)).await {
            Ok(served) => return Ok(served.with_substitution(Some(Substitution::Default))),
            Err(failure) => failure,
        };
        let Some(built_in) = SubstituteOutfit::built_in(substitute, &failure) else {
            return Err(failure);
        };
        let outfit = built_in.outfit;
        let served = self.picture(&params, outfit, Billing::UNCOUNTED).await?;
        Ok(served.with_substitution(Some(built_in.substitution)))
    }
}

impl Failure {
    /// Returns the rule by which clients may cache what is shown in place of a file that failed.
    pub(crate) fn shelf_life_of_substitute(&self) -> ShelfLife {
        // Clients must not show another player after the outage.
        if self.is_outage() {
            ShelfLife::Revalidate
        } else {
            ShelfLife::Short
        }
    }

    /// Returns `true` if an alternative may help: not if the client is refused or the service
    /// itself is at fault.
    pub(crate) fn leaves_alternatives(&self) -> bool {
        !matches!(self.fault(), Fault::Limited | Fault::Internal)
    }

    /// Returns the graver failure of this file and an alternative: a refusal, else an outage, else
    /// this failure.
    pub(crate) fn or_graver(self, other: Self) -> Self {
        if !other.leaves_alternatives() {
            return other;
        }
        if other.is_outage() && !self.is_outage() {
            return other;
        }
        self
    }
}

impl Substitute {
    /// Returns `true` if the substitute is shown after this failure.
    pub(crate) fn replaces(&self, error: &ServiceError) -> bool {
        // The specified pictures of a missing Bedrock player need Steve.
        if matches!(error, ServiceError::NoFallback(_)) {
            return true;
        }
        // The player has no skin that could be shown, even after an outage.
        if error.has_bad_texture() {
            return true;
        }
        match error.fault() {
            Fault::Request | Fault::NotFound => true,
            Fault::Upstream | Fault::Overloaded => self.in_outage,
            Fault::Limited | Fault::Internal => false,
        }
    }
}
