//! Previews: pictures of the skin file in the body of a request. Nothing is stored.

use std::time::Duration;

use bytes::Bytes;
use effigy_player::Model;
use effigy_service::{Failure, PictureParams};
use http_body_util::BodyExt as _;
use hyper::{
    HeaderMap, StatusCode,
    body::{Body as _, Incoming},
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue},
};
use tokio::time::{Instant, timeout};

use super::{
    Call, Handled, Handlers,
    form::{self, Form},
};
use crate::{
    respond::{empty, error::rejection_response, image::set_content, set},
    routes::Rejection,
};

/// The longest skin file.
const MAX_FILE_BYTES: usize = 1 << 20;

/// The unit in which the memory of an upload grows.
const STEP_BYTES: usize = 64 << 10;

/// The greatest number of pieces in which a file may arrive.
const MAX_PIECES: usize = 8 << 10;

/// The time in which a client must send the file.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(15);

/// The number of bytes that are read of a body after its request has been rejected. Many clients
/// read no response before they have sent their whole request.
const MAX_SKIPPED_BYTES: usize = 8 << 20;

/// The length below which a piece of a skipped body is small, because a packet could hold more.
const SMALL_PIECE: usize = 1 << 10;

/// The number of bytes that a small piece counts as, because reading it takes about as much work.
const SMALL_PIECE_COST: usize = 16 << 10;

/// The media type of forms.
const FORM_TYPE: &[u8] = b"multipart/form-data";

const NOT_A_FORM: Rejection = Rejection::new(
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    "Send the skin file itself as the body, not a form: curl --data-binary @skin.png <URL>",
);

const TOO_LONG: Rejection = Rejection::new(
    StatusCode::PAYLOAD_TOO_LARGE,
    "A skin file has at most 1 MiB",
);

const TOO_SLOW: Rejection = Rejection::new(
    StatusCode::REQUEST_TIMEOUT,
    "The skin file took too long to arrive",
);

const TOO_MANY_PIECES: Rejection = Rejection::new(
    StatusCode::PAYLOAD_TOO_LARGE,
    "The skin file arrives in too many pieces",
);

const NO_SKIN: Rejection = Rejection::new(
    StatusCode::BAD_REQUEST,
    "The form has no file named \"skin\"",
);

const MALFORMED: Rejection = Rejection::new(
    StatusCode::BAD_REQUEST,
    "The body of the request is malformed",
);

/// The reason why there is no picture of an upload.
enum UploadError {
    /// The request is at fault.
    Rejected(Rejection),
    /// The service has refused or failed to draw the file.
    Failed(Failure),
}

impl UploadError {
    /// Responds to the rejection, or passes the failure on.
    fn answer(self) -> Handled {
        match self {
            Self::Rejected(rejection) => Ok(rejection_response(&rejection)),
            Self::Failed(failure) => Err(failure),
        }
    }
}

impl From<Rejection> for UploadError {
    fn from(rejection: Rejection) -> Self {
        Self::Rejected(rejection)
    }
}

impl From<Failure> for UploadError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Handlers {
    /// Responds with a picture of the skin file that is the body.
    pub(super) async fn preview(
        &self,
        params: PictureParams,
        model: Option<Model>,
        body: &mut Incoming,
        call: &Call,
    ) -> Handled {
        if is_form(&call.head.headers) {
            return Ok(rejection_response(&NOT_A_FORM));
        }
        match self.upload(body, call).await {
            Ok(file) => self.drawn_upload(params, model, file, call).await,
            Err(error) => error.answer(),
        }
    }

    /// Responds with a picture of the skin file that is the body, or in a form there.
    pub(super) async fn form(
        &self,
        params: PictureParams,
        model: Option<Model>,
        body: &mut Incoming,
        call: &Call,
    ) -> Handled {
        match self.form_upload(body, call).await {
            Ok(form) => {
                let model = model.or(form.model);
                self.drawn_upload(params, model, form.skin, call).await
            }
            Err(error) => error.answer(),
        }
    }

    async fn drawn_upload(
        &self,
        params: PictureParams,
        model: Option<Model>,
        file: Vec<u8>,
        call: &Call,
    ) -> Handled {
        let drawn = self.service.preview(call.client, params, file, model);
        let image = drawn.await?;
        let mut response = empty(StatusCode::OK);
        set_content(&mut response, &image);
        set(&mut response, CACHE_CONTROL, "no-store");
        Ok(response)
    }

    /// Reads a skin file that is the body of a request, or in a form there.
    async fn form_upload(&self, body: &mut Incoming, call: &Call) -> Result<FormSkin, UploadError> {
        let headers = &call.head.headers;
        let file = self.upload(body, call).await?;
        if is_form(headers) {
            return FormSkin::read(&file, headers);
        }
        Ok(FormSkin {
            skin: file,
            model: None,
        })
    }

    /// Reads the body of a request.
    ///
    /// # Errors
    /// If the body is too long or takes too long, or if there is no memory for it.
    async fn upload(&self, body: &mut Incoming, call: &Call) -> Result<Vec<u8>, UploadError> {
        let upload = timeout(UPLOAD_TIMEOUT, self.read(body, call)).await;
        call.connection.end_receiving(Instant::now());
        match upload {
            Ok(result) => result,
            Err(_elapsed) => Err(TOO_SLOW.into()),
        }
    }

    async fn read(&self, body: &mut Incoming, call: &Call) -> Result<Vec<u8>, UploadError> {
        if body.size_hint().lower() > MAX_FILE_BYTES as u64 {
            return Err(TOO_LONG.into());
        }
        let mut file = Vec::new();
        // A connection on which nothing arrives takes memory as well.
        let mut counted = self.count_step(call)?;
        for _ in 0..MAX_PIECES {
            call.connection.begin_receiving(Instant::now());
            let Some(piece) = next_data(body).await else {
                return Ok(file);
            };
            let Ok(data) = piece else {
                return Err(MALFORMED.into());
            };
            let length = file.len() + data.len();
            if length > MAX_FILE_BYTES {
                return Err(TOO_LONG.into());
            }
            while counted < length {
                counted += self.count_step(call)?;
            }
            // The file takes no more memory than is counted.
            file.reserve_exact(counted - file.len());
            file.extend_from_slice(&data);
        }
        Err(TOO_MANY_PIECES.into())
    }

    /// Counts more memory for an upload until its response is sent. Returns the number of bytes.
    fn count_step(&self, call: &Call) -> Result<usize, UploadError> {
        match self.service.waiting_memory().reserve_for_upload(STEP_BYTES) {
            Some(part) => {
                call.connection.hold_until_sent(part);
                Ok(STEP_BYTES)
            }
            None => Err(Failure::from(self.service.refuse_for_memory()).into()),
        }
    }
}

/// A skin file from a form.
struct FormSkin {
    skin: Vec<u8>,
    /// The model, if the form names it.
    model: Option<Model>,
}

impl FormSkin {
    fn read(body: &[u8], headers: &HeaderMap) -> Result<Self, UploadError> {
        let boundary = form::boundary(headers).ok_or(NO_SKIN)?;
        let form = Form::parse(body, &boundary).ok_or(NO_SKIN)?;
        Ok(Self {
            skin: body[form.skin].to_vec(),
            model: form.model,
        })
    }
}

/// Returns `true` for the body that HTML forms and `curl -F` send.
fn is_form(headers: &HeaderMap) -> bool {
    let media_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    media_type.is_some_and(|text| text.to_ascii_lowercase().starts_with(FORM_TYPE))
}

/// Reads the next bytes of a body. Trailers count as an empty piece.
async fn next_data(body: &mut Incoming) -> Option<Result<Bytes, hyper::Error>> {
    let frame = body.frame().await?;
    Some(frame.map(|frame| frame.into_data().unwrap_or_default()))
}

/// Skips the rest of a body for a while, so that its client reads the response. The connection
/// counts as waiting for its next request, and is closed like any other if that takes too long.
pub(super) async fn skip(mut body: Incoming) {
    let mut left = MAX_SKIPPED_BYTES;
    while let Some(Ok(data)) = next_data(&mut body).await
        && left > data.len()
    {
        let cost = if data.len() < SMALL_PIECE {
            SMALL_PIECE_COST
        } else {
            data.len()
        };
        left = left.saturating_sub(cost);
    }
}
