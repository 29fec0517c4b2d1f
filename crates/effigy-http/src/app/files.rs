//! Pictures, profiles and capes: files from the cache, or made at the expense of the client's share.

use std::{borrow::Cow, sync::Arc};

use effigy_service::{
    Endpoint, Fault, Image, LargePicture, Origin, PictureOutcome, PictureParams, PictureRequest,
    ServiceError,
};

use super::{App, Call, Failure};
use crate::respond::{
    Response,
    image::{Sending, file_response, large_picture_response, picture_response},
};

type Made = Result<PictureOutcome, Arc<ServiceError>>;

impl App {
    /// Responds with a picture of the requested player, or of the substitute if there is no such player.
    pub(super) async fn picture(
        &self,
        request: PictureRequest,
        substitute: Option<Cow<'static, str>>,
        call: &Call<'_>,
    ) -> Result<Response, Failure> {
        if self.exceeds_max_size(request.params()) {
            return Err(ServiceError::TooLarge.into());
        }
        let make = self.make_picture(&request, substitute);
        let stored = self.service.stored_picture(&request);
        match self.find_or_make(call, stored, make).await? {
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
        let make = async { Ok(self.service.profile(input).await?.into()) };
        self.file(Endpoint::Profile, input, call, make).await
    }

    pub(super) async fn cape(&self, input: &str, call: &Call<'_>) -> Result<Response, Failure> {
        let make = async { Ok(self.service.cape(input).await?.into()) };
        self.file(Endpoint::Cape, input, call, make).await
    }

    async fn file(
        &self,
        endpoint: Endpoint,
        input: &str,
        call: &Call<'_>,
        make: impl Future<Output = Made>,
    ) -> Result<Response, Failure> {
        let stored = self.service.stored_file(endpoint, input);
        let outcome = self.find_or_make(call, stored, make).await?;
        let PictureOutcome::Image(file) = outcome else {
            unreachable!("profiles and capes are files");
        };
        Ok(file_response(&file, self.service.now(), &call.head.headers))
    }

    /// Has a file made, which costs the client one miss if it is not in the cache. A client that has
    /// used its share gets cached files only.
    async fn find_or_make(
        &self,
        call: &Call<'_>,
        stored: impl Future<Output = Option<Image>>,
        make: impl Future<Output = Made>,
    ) -> Result<PictureOutcome, Failure> {
        match self.clients.charge_miss(&self.client(call)) {
            Ok(charge) => {
                let made = make.await?;
                let is_hit = |image: &Image| image.origin == Origin::Cache;
                if matches!(&made, PictureOutcome::Image(image) if is_hit(image)) {
                    charge.refund();
                }
                Ok(made)
            }
            Err(limited) => {
                let image = stored.await.ok_or(limited)?;
                Ok(PictureOutcome::Image(image))
            }
        }
    }

    async fn make_picture(
        &self,
        request: &PictureRequest,
        substitute: Option<Cow<'static, str>>,
    ) -> Made {
        let outcome = self.service.picture(request.clone()).await;
        match (&outcome, substitute) {
            (Err(error), Some(player))
                if matches!(error.fault(), Fault::Request | Fault::NotFound) =>
            {
                let other = request.params().of_player(&player).reusing_player();
                self.service.picture(other).await
            }
            _ => outcome,
        }
    }
}
