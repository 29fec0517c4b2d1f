//! Files of the service: pictures, profiles and capes.

use effigy_service::{GroupRequest, PictureRequest};

use super::{Call, Handled, Handlers};
use crate::respond::file::{file_response, picture_response};

impl Handlers {
    pub(super) async fn picture(&self, request: PictureRequest, call: &Call<'_>) -> Handled {
        self.check_size(request.params)?;
        let image = self.service.picture(call.client, request.clone()).await?;
        let now = self.service.now();
        Ok(picture_response(&request, &image, now, &call.head.headers))
    }

    /// Responds with a picture of several players, or with their places.
    pub(super) async fn group(&self, request: GroupRequest, call: &Call<'_>) -> Handled {
        self.check_size(request.params())?;
        let image = self.service.group(call.client, request).await?;
        Ok(file_response(
            &image,
            self.service.now(),
            &call.head.headers,
        ))
    }

    pub(super) async fn profile(&self, input: &str, call: &Call<'_>) -> Handled {
        let image = self.service.profile(call.client, input).await?;
        Ok(file_response(
            &image,
            self.service.now(),
            &call.head.headers,
        ))
    }

    pub(super) async fn cape(&self, input: &str, call: &Call<'_>) -> Handled {
        let image = self.service.cape(call.client, input).await?;
        Ok(file_response(
            &image,
            self.service.now(),
            &call.head.headers,
        ))
    }
}
