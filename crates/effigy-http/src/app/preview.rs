//! Previews: pictures of the skin file in the body of a request. Nothing of it is stored.

use std::{future::poll_fn, pin::Pin, time::Duration};

use bytes::Bytes;
use effigy_player::Model;
use effigy_service::{PictureParams, PreviewError, Service};
use hyper::{
    StatusCode,
    body::Body,
    header::{CACHE_CONTROL, RETRY_AFTER},
};
use tokio::sync::Semaphore;

use crate::respond::{Response, error::error, set, with_body};

/// The longest skin file.
const MAX_FILE_BYTES: usize = 1 << 20;

/// The number of bytes that are read of a longer file before the error is sent. Many clients read no
/// response before they have sent their whole request.
const MAX_READ_BYTES: usize = 8 << 20;

/// How long a client may take to send the file.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(15);

/// The number of previews in flight, each with its file in memory.
const MAX_PREVIEWS: usize = 64;

/// The handler of previews.
#[derive(Debug)]
pub(super) struct Previews {
    permits: Semaphore,
}

/// Why there is no preview.
#[derive(Debug, PartialEq, Eq)]
enum Failure {
    /// Too many previews are in flight.
    Overloaded,
    /// The file is longer than a skin can be.
    FileTooLong,
    /// The file did not arrive in time, or the connection broke.
    Incomplete,
    /// No picture can be that large.
    PictureTooLarge,
    /// The file is not a skin.
    NotASkin(String),
    /// The picture could not be drawn.
    NotDrawn,
}

impl Previews {
    pub(super) fn new() -> Self {
        Self {
            permits: Semaphore::new(MAX_PREVIEWS),
        }
    }

    /// Responds with a picture of the skin in `body`.
    pub(super) async fn respond<B>(
        &self,
        service: &Service,
        params: PictureParams,
        model: Model,
        body: B,
    ) -> Response
    where
        B: Body<Data = Bytes> + Unpin,
    {
        match self.draw(service, params, model, body).await {
            Ok(file) => {
                let content_type = params.format().content_type();
                let mut response = with_body(StatusCode::OK, content_type, Bytes::from(file));
                set(&mut response, CACHE_CONTROL, "no-store");
                response
            }
            Err(failure) => failure.response(params.endpoint().error_message()),
        }
    }

    async fn draw<B>(
        &self,
        service: &Service,
        params: PictureParams,
        model: Model,
        body: B,
    ) -> Result<Vec<u8>, Failure>
    where
        B: Body<Data = Bytes> + Unpin,
    {
        if !params.can_exist() {
            return Err(Failure::PictureTooLarge);
        }
        let permit = self.permits.try_acquire();
        let _permit = permit.map_err(|_| Failure::Overloaded)?;
        let texture = tokio::time::timeout(UPLOAD_TIMEOUT, read(body)).await;
        let texture = texture.map_err(|_| Failure::Incomplete)??;
        Ok(service.preview(params, texture, model).await?)
    }
}

/// Reads the file, unless it is too long.
async fn read<B>(mut body: B) -> Result<Vec<u8>, Failure>
where
    B: Body<Data = Bytes> + Unpin,
{
    let (mut file, mut length) = (Vec::new(), 0);
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| Failure::Incomplete)?;
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
        return Err(Failure::FileTooLong);
    }
    Ok(file)
}

impl From<PreviewError> for Failure {
    fn from(error: PreviewError) -> Self {
        match error {
            PreviewError::NotASkin(reason) => Self::NotASkin(reason.to_string()),
            PreviewError::Service(error) if error.retry_after().is_some() => Self::Overloaded,
            error => {
                let error: &(dyn std::error::Error + 'static) = &error;
                tracing::warn!(error, "a preview was not drawn");
                Self::NotDrawn
            }
        }
    }
}

impl Failure {
    fn response(self, message_of_endpoint: &str) -> Response {
        match self {
            Self::Overloaded => {
                let message = "Too many previews at once";
                let mut response = error(StatusCode::SERVICE_UNAVAILABLE, message);
                set(&mut response, RETRY_AFTER, "1");
                response
            }
            Self::FileTooLong => {
                let message = "A skin file has at most 1 MiB";
                error(StatusCode::PAYLOAD_TOO_LARGE, message)
            }
            Self::Incomplete => {
                let message = "The skin file did not arrive completely in time";
                error(StatusCode::REQUEST_TIMEOUT, message)
            }
            Self::PictureTooLarge => {
                error(StatusCode::BAD_REQUEST, "The picture would be too large")
            }
            Self::NotASkin(reason) => {
                error(StatusCode::BAD_REQUEST, &format!("Not a skin: {reason}"))
            }
            Self::NotDrawn => error(StatusCode::INTERNAL_SERVER_ERROR, message_of_endpoint),
        }
    }
}
