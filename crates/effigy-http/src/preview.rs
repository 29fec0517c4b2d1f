//! Pictures of a skin that the request brings, for those who draw one. Nothing of it is kept.

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

use crate::{
    respond::answer::{Answer, error, set, whole},
    routes::query::Query,
};

/// The longest skin file.
const LONGEST: usize = 1 << 20;

/// So much of a longer one is still read, so that the client hears what is wrong with it: many do
/// not listen before they have said all.
const HEARD_OUT: usize = 8 << 20;

/// How long a client may take to send it.
const PATIENCE: Duration = Duration::from_secs(15);

/// How many previews may be under way at once, each with its file in memory.
const PLACES: usize = 64;

/// Takes the files of previews, a bounded number of them at once.
#[derive(Debug)]
pub(crate) struct Previews {
    places: Semaphore,
}

/// Why there is no preview.
#[derive(Debug, PartialEq, Eq)]
enum Refusal {
    /// All places are taken.
    Busy,
    /// The file is longer than a skin can be.
    TooLong,
    /// The file did not come in time, or its connection broke.
    Incomplete,
    /// The model is none.
    Model,
    /// The picture is larger than any can be.
    Size,
    /// The file is no skin.
    NotASkin(String),
    /// The picture cannot be drawn.
    Failed,
}

impl Previews {
    pub(crate) fn new() -> Self {
        Self {
            places: Semaphore::new(PLACES),
        }
    }

    /// The picture of the skin in `body`.
    pub(crate) async fn answer<B>(
        &self,
        service: &Service,
        picture: PictureParams,
        query: Option<&str>,
        body: B,
    ) -> Answer
    where
        B: Body<Data = Bytes> + Unpin,
    {
        match self.drawn(service, picture, query, body).await {
            Ok(png) => {
                let mut answer = whole(
                    StatusCode::OK,
                    picture.format().content_type(),
                    Bytes::from(png),
                );
                set(&mut answer, CACHE_CONTROL, "no-store");
                answer
            }
            Err(refusal) => refusal.answer(picture),
        }
    }

    async fn drawn<B>(
        &self,
        service: &Service,
        picture: PictureParams,
        query: Option<&str>,
        body: B,
    ) -> Result<Vec<u8>, Refusal>
    where
        B: Body<Data = Bytes> + Unpin,
    {
        let model = model(query)?;
        if !picture.can_exist() {
            return Err(Refusal::Size);
        }
        let _place = self.places.try_acquire().map_err(|_| Refusal::Busy)?;
        let texture = tokio::time::timeout(PATIENCE, received(body)).await;
        let texture = texture.map_err(|_| Refusal::Incomplete)??;
        let drawn = service.preview(picture, texture, model).await;
        drawn.map_err(Refusal::from)
    }
}

impl From<PreviewError> for Refusal {
    fn from(reason: PreviewError) -> Self {
        match reason {
            PreviewError::NotASkin(reason) => Self::NotASkin(reason.to_string()),
            PreviewError::Service(error) if error.retry_after().is_some() => Self::Busy,
            reason => {
                let reason: &(dyn std::error::Error + 'static) = &reason;
                tracing::warn!(reason, "a preview was not drawn");
                Self::Failed
            }
        }
    }
}

/// The model that the query names; classic where it names none.
fn model(query: Option<&str>) -> Result<Model, Refusal> {
    match Query::parse(query).get("model") {
        None => Ok(Model::default()),
        Some(model) => model.parse().map_err(|_| Refusal::Model),
    }
}

/// The whole body, where it is not too long.
async fn received<B>(mut body: B) -> Result<Vec<u8>, Refusal>
where
    B: Body<Data = Bytes> + Unpin,
{
    let (mut file, mut length) = (Vec::new(), 0);
    while let Some(frame) = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
        let frame = frame.map_err(|_| Refusal::Incomplete)?;
        let Ok(data) = frame.into_data() else {
            continue;
        };
        length += data.len();
        if length <= LONGEST {
            file.extend_from_slice(&data);
        } else if length > HEARD_OUT {
            break;
        }
    }
    if length > LONGEST {
        return Err(Refusal::TooLong);
    }
    Ok(file)
}

impl Refusal {
    fn answer(self, picture: PictureParams) -> Answer {
        let (status, message) = match self {
            Self::Busy => {
                let message = "Too many previews at once";
                let mut answer = error(StatusCode::SERVICE_UNAVAILABLE, message);
                set(&mut answer, RETRY_AFTER, "1");
                return answer;
            }
            Self::TooLong => {
                let message = "A skin file has at most 1 MiB";
                return error(StatusCode::PAYLOAD_TOO_LARGE, message);
            }
            Self::NotASkin(reason) => {
                let message = format!("Not a skin: {reason}");
                return error(StatusCode::BAD_REQUEST, &message);
            }
            Self::Incomplete => (
                StatusCode::REQUEST_TIMEOUT,
                "The skin file did not arrive whole in time",
            ),
            Self::Model => (
                StatusCode::BAD_REQUEST,
                "Model must be \"classic\" or \"slim\"",
            ),
            Self::Size => (StatusCode::BAD_REQUEST, "No picture can be that large"),
            Self::Failed => (
                StatusCode::INTERNAL_SERVER_ERROR,
                picture.endpoint().error_message(),
            ),
        };
        error(status, message)
    }
}
