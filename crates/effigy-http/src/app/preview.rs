//! Previews: pictures of the skin file in the body of a request. Nothing of it is stored.

use std::{future::poll_fn, pin::Pin, time::Duration};

use bytes::Bytes;
use effigy_player::Model;
use effigy_service::{PictureParams, PreviewError};
use hyper::{
    StatusCode,
    body::{Body as _, Incoming},
    header::{CACHE_CONTROL, RETRY_AFTER},
};

use super::App;
use crate::{
    respond::{Response, error::error, set, with_body},
    routes::Rejection,
};

/// The number of previews in flight, each with its file in memory.
pub(super) const MAX_PREVIEWS: usize = 64;

/// The longest skin file.
const MAX_FILE_BYTES: usize = 1 << 20;

/// The number of bytes that are read of a longer file before the error is sent. Many clients read no
/// response before they have sent their whole request.
const MAX_READ_BYTES: usize = 8 << 20;

/// How long a client may take to send the file.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(15);

const OVERLOADED: Rejection =
    Rejection::new(StatusCode::SERVICE_UNAVAILABLE, "Too many previews at once");
const TOO_LONG: Rejection = Rejection::new(
    StatusCode::PAYLOAD_TOO_LARGE,
    "A skin file has at most 1 MiB",
);
const INCOMPLETE: Rejection = Rejection::new(
    StatusCode::REQUEST_TIMEOUT,
    "The skin file did not arrive completely in time",
);

impl App {
    /// Responds with a picture of the skin in `body`.
    pub(super) async fn preview(
        &self,
        params: PictureParams,
        model: Model,
        body: Incoming,
    ) -> Response {
        match self.draw_preview(params, model, body).await {
            Ok(file) => {
                let content_type = params.format().content_type();
                let mut response = with_body(StatusCode::OK, content_type, Bytes::from(file));
                set(&mut response, CACHE_CONTROL, "no-store");
                response
            }
            Err(rejection) => {
                let mut response = error(rejection.status, &rejection.message);
                if rejection == OVERLOADED {
                    set(&mut response, RETRY_AFTER, "1");
                }
                response
            }
        }
    }

    async fn draw_preview(
        &self,
        params: PictureParams,
        model: Model,
        body: Incoming,
    ) -> Result<Vec<u8>, Rejection> {
        if !params.can_exist() {
            return Err(Rejection::from("The picture would be too large"));
        }
        let permit = self.previews.try_acquire();
        let _permit = permit.map_err(|_| OVERLOADED)?;
        let texture = tokio::time::timeout(UPLOAD_TIMEOUT, read(body)).await;
        let texture = texture.map_err(|_| INCOMPLETE)??;
        let file = self.service.preview(params, texture, model).await;
        file.map_err(|error| rejection(&error, params))
    }
}

/// Reads the file, unless it is too long.
async fn read(mut body: Incoming) -> Result<Vec<u8>, Rejection> {
    let (mut file, mut length) = (Vec::new(), 0);
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| INCOMPLETE)?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        length += data.len();
        if length <= MAX_FILE_BYTES {
            file.extend_from_slice(&data);
        } else if length > MAX_READ_BYTES {
            break;
        }
    }
    if length > MAX_FILE_BYTES {
        return Err(TOO_LONG);
    }
    Ok(file)
}

fn rejection(error: &PreviewError, params: PictureParams) -> Rejection {
    match error {
        PreviewError::NotASkin(reason) => Rejection {
            status: StatusCode::BAD_REQUEST,
            message: format!("Not a skin: {reason}").into(),
        },
        PreviewError::Service(error) if error.retry_after().is_some() => OVERLOADED,
        error => {
            let message = params.endpoint().error_message();
            let error: &(dyn std::error::Error + 'static) = error;
            tracing::warn!(error, "a preview was not drawn");
            Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, message)
        }
    }
}
