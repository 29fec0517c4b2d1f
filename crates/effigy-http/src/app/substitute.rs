//! Pictures of other players, which take the place of one that is not available.

use effigy_service::{Fault, Image, Origin, PictureOutcome, PictureRequest, Service, ServiceError};

use super::files::{Made, Outcome};
use crate::routes::Substitute;

/// A picture of the requested player or of the substitute.
pub(super) struct Shown {
    pub(super) outcome: PictureOutcome,
    is_substitute: bool,
}

impl From<PictureOutcome> for Shown {
    fn from(outcome: PictureOutcome) -> Self {
        Self {
            outcome,
            is_substitute: false,
        }
    }
}

impl From<Image> for Shown {
    fn from(image: Image) -> Self {
        PictureOutcome::Image(image).into()
    }
}

impl Outcome for Shown {
    /// Before a substitute was found in the cache, the requested player was looked up.
    fn is_hit(&self) -> bool {
        !self.is_substitute
            && matches!(&self.outcome, PictureOutcome::Image(image) if image.is_hit())
    }
}

/// Makes a picture of the requested player. If that fails and the substitute may be shown, makes one of
/// the substitute, or of the built-in player if an outage prevents that too.
pub(super) async fn make_picture(
    service: &Service,
    request: &PictureRequest,
    substitute: Option<Substitute>,
) -> Made<Shown> {
    let own = service.picture(request.clone()).await;
    let (error, substitute) = match (own, substitute) {
        (Err(error), Some(substitute)) if is_replaced(&error, &substitute) => (error, substitute),
        (own, _) => return own.map(Shown::from),
    };
    let other = request.params().of_player(&substitute.player);
    let outcome = match service.picture(other.reusing_player()).await {
        Err(failure) if failure.is_outage() && substitute.in_outage => {
            let built_in = service.built_in_picture(request.params()).await?;
            PictureOutcome::Image(built_in)
        }
        outcome if error.is_outage() => not_cacheable(outcome?),
        outcome => outcome?,
    };
    Ok(Shown {
        outcome,
        is_substitute: true,
    })
}

fn is_replaced(error: &ServiceError, substitute: &Substitute) -> bool {
    match error.fault() {
        Fault::Request | Fault::NotFound => true,
        Fault::Upstream | Fault::Overloaded => substitute.in_outage,
        Fault::Internal => false,
    }
}

/// Keeps clients from showing another player after the outage.
fn not_cacheable(outcome: PictureOutcome) -> PictureOutcome {
    let origin = Origin::OutageFallback;
    match outcome {
        PictureOutcome::Image(image) => PictureOutcome::Image(Image { origin, ..image }),
        PictureOutcome::Large(mut picture) => {
            picture.origin = origin;
            PictureOutcome::Large(picture)
        }
    }
}
