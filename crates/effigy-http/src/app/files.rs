//! Pictures, profiles and capes: files from the cache, or made at the expense of the client's share.

use std::sync::Arc;

use effigy_service::{
    ArrangementRequest, Endpoint, Image, LargePicture, Origin, PictureOutcome, PictureParams,
    PictureRequest, ServiceError,
};

use super::{App, Call, Failure, substitute::make_picture};
use crate::{
    clients::Charge,
    respond::{
        Response,
        image::{Sending, file_response, large_picture_response, picture_response},
    },
    routes::Substitute,
};

pub(super) type Made<T> = Result<T, Arc<ServiceError>>;

/// A file that was found or made.
pub(super) trait Outcome: From<Image> {
    /// Returns `true` if it was in the cache.
    fn is_hit(&self) -> bool;
}

impl Outcome for Image {
    fn is_hit(&self) -> bool {
        self.origin == Origin::Cache
    }
}

impl App {
    /// Responds with a picture of the requested player, or of the substitute.
    pub(super) async fn picture(
        &self,
        request: PictureRequest,
        substitute: Option<Substitute>,
        call: &Call<'_>,
    ) -> Result<Response, Failure> {
        if self.exceeds_max_size(request.params()) {
            return Err(ServiceError::TooLarge.into());
        }
        let make = make_picture(&self.service, &request, substitute);
        let stored = self.service.stored_picture(&request);
        match self.find_or_make(call, 1, stored, make).await?.outcome {
            PictureOutcome::Image(image) => {
                let now = self.service.now();
                let headers = &call.head.headers;
                Ok(picture_response(&request, &image, now, headers))
            }
            PictureOutcome::Large(picture) => {
                let begin = |picture: &LargePicture| self.begin_large_picture(picture, call);
                large_picture_response(*picture, call.head, begin).await
            }
        }
    }

    /// Takes what the client uses while a large picture is sent to it.
    pub(super) fn begin_large_picture(
        &self,
        picture: &LargePicture,
        call: &Call<'_>,
    ) -> Result<Sending, Failure> {
        let client = self.client(call);
        let place = self
            .clients
            .begin_large_picture(&client, picture.is_giant());
        Ok(Sending {
            _place: place?,
            _large_picture: call.connection.activity.begin_large_picture(),
        })
    }

    /// Returns `true` if the operator does not want pictures of that size.
    pub(super) fn exceeds_max_size(&self, params: PictureParams) -> bool {
        let spec = self.max_size.and_then(|max| Some((params.spec()?, max)));
        spec.is_some_and(|(spec, max)| spec.size.get() > max.get())
    }

    pub(super) async fn profile(&self, input: &str, call: &Call<'_>) -> Result<Response, Failure> {
        let make = self.service.profile(input);
        self.file(Endpoint::Profile, input, call, make).await
    }

    pub(super) async fn cape(&self, input: &str, call: &Call<'_>) -> Result<Response, Failure> {
        let make = self.service.cape(input);
        self.file(Endpoint::Cape, input, call, make).await
    }

    async fn file(
        &self,
        endpoint: Endpoint,
        input: &str,
        call: &Call<'_>,
        make: impl Future<Output = Made<Image>>,
    ) -> Result<Response, Failure> {
        let stored = self.service.stored_file(endpoint, input);
        let file = self.find_or_make(call, 1, stored, make).await?;
        Ok(file_response(&file, self.service.now(), &call.head.headers))
    }

    /// Responds with a picture of several players, or with their places.
    /// Each player costs a miss.
    pub(super) async fn arrangement(
        &self,
        request: ArrangementRequest,
        call: &Call<'_>,
    ) -> Result<Response, Failure> {
        if self.exceeds_max_size(request.params()) {
            return Err(ServiceError::TooLarge.into());
        }
        let make = self.service.arrangement(request.clone());
        let stored = self.service.stored_arrangement(&request);
        let misses = request.players().len();
        let file = self.find_or_make(call, misses, stored, make).await?;
        Ok(file_response(&file, self.service.now(), &call.head.headers))
    }

    /// Has a file made, which costs the client `misses` if it is not in the cache. A client that has
    /// used its share gets cached files only.
    pub(super) async fn find_or_make<T: Outcome>(
        &self,
        call: &Call<'_>,
        misses: usize,
        stored: impl Future<Output = Option<Image>>,
        make: impl Future<Output = Made<T>>,
    ) -> Result<T, Failure> {
        match self.clients.charge_misses(&self.client(call), misses) {
            Ok(charges) => {
                let made = make.await?;
                if made.is_hit() {
                    charges.into_iter().for_each(Charge::refund);
                }
                Ok(made)
            }
            Err(limited) => {
                // Such clients wait for each other, so that they leave the database to others.
                let _turn = self.limited_lookups.acquire().await;
                Ok(stored.await.ok_or(limited)?.into())
            }
        }
    }
}
