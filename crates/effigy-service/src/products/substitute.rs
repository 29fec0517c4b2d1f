//! The picture of another player, if the requested one is not available.

use super::picture::Accounts;
use crate::{
    FileRequest, FileSpec, PictureParams, ServedFile, ServiceError, ShelfLife, Substitute,
    Substitution,
    error::{Failure, Fault, Result},
    flow::Flow,
    outfit::Outfit,
};

impl Flow {
    /// Returns the picture of the substitute after this failure of the player's own, or that of the
    /// built-in player.
    pub(crate) async fn substitute(
        &self,
        params: PictureParams,
        substitute: &Substitute,
        error: Failure,
    ) -> Result<ServedFile> {
        let params = params.of_substitute();
        let first = self.picture_instead(&params, &substitute.player).await;
        let shown = match (first, substitute.otherwise) {
            (Err(failure), Some(other)) if failure.fault() == Fault::NotFound => {
                self.picture_instead(&params, other).await?
            }
            // The requested player is missing, too.
            (Err(failure), None) if failure.fault() == Fault::NotFound => return Err(error),
            (shown, _) => shown?,
        };
        Ok(shown.at_most(error.shelf_life_of_substitute()))
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

    /// Returns the picture of a substitute, or that of the built-in player.
    async fn picture_instead(&self, params: &PictureParams, player: &str) -> Result<ServedFile> {
        let request: FileRequest = params.of_player(player).from_client(self.askers.first());
        let failure = match Box::pin(self.file(&request)).await {
            Ok(served) => return Ok(served.substituting(Substitution::Default)),
            Err(failure) => failure,
        };
        let Some(built_in) = Outfit::instead_of(player, &failure) else {
            return Err(failure);
        };
        let substitution = if failure.is_outage() {
            Substitution::Fallback
        } else {
            // Steve or Alex, whom the providers don't know.
            Substitution::Default
        };
        let served = self.picture(params, built_in, Accounts::UNCOUNTED).await?;
        Ok(served.substituting(substitution))
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

    /// Returns `true` unless the client is refused or the service itself is at fault, which an
    /// alternative does not mend.
    pub(crate) fn leaves_alternatives(&self) -> bool {
        !matches!(self.fault(), Fault::Limited | Fault::Internal)
    }

    /// Returns the failure that tells more about a player whom two files show: an outage, else this
    /// one. A refusal comes before both.
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
        match error.fault() {
            // The specified pictures of a missing Bedrock player need Steve.
            _ if matches!(error, ServiceError::NoFallback(_)) => true,
            // The player has no skin that could be shown, whatever becomes of the outage.
            _ if error.has_bad_texture() => true,
            Fault::Request | Fault::NotFound => true,
            Fault::Upstream | Fault::Overloaded => self.in_outage,
            Fault::Limited | Fault::Internal => false,
        }
    }
}
