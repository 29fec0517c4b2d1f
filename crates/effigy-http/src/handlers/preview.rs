//! Previews: pictures of the skin file in the body of a request. Nothing of it is stored.

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

/// The bytes in which an upload takes memory.
const STEP_BYTES: usize = 64 << 10;

/// The number of bytes that are read of a body after its request has been rejected. Many clients read no
/// response before they have sent their whole request.
const MAX_READ_BYTES: usize = 8 << 20;

/// A piece of a body that is skipped counts as so many bytes if it is smaller than a packet of a network.
const SMALL_PIECE: usize = 1 << 10;
const SMALL_PIECE_COST: usize = 16 << 10;

/// The most pieces in which a file arrives.
const MAX_PIECES: usize = 8 << 10;

/// The time in which a client must send the file.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(15);

/// `/v1/preview` takes the file alone, which a client can send as easily as a form.
const FORM: Rejection = Rejection::new(
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    "Send the skin file itself as the body, not a form: curl --data-binary @skin.png <URL>",
);
const FORM_TYPE: &[u8] = b"multipart/form-data";
const TOO_LONG: Rejection = Rejection::new(
    StatusCode::PAYLOAD_TOO_LARGE,
    "A skin file has at most 1 MiB",
);
const INCOMPLETE: Rejection = Rejection::new(
    StatusCode::REQUEST_TIMEOUT,
    "The skin file took too long to arrive",
);

const PIECES: Rejection = Rejection::new(
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

/// The file, unless the request is rejected with a message of its own, or fails like others.
type Upload = Result<Result<Vec<u8>, Rejection>, Failure>;

impl Handlers {
    /// Responds with a picture of the skin in `body`.
    pub(super) async fn preview(
        &self,
        params: PictureParams,
        model: Option<Model>,
        body: &mut Incoming,
        call: &Call,
    ) -> Handled {
        if is_form(&call.head.headers) {
            return Ok(rejection_response(&FORM));
        }
        match self.upload(body, call).await? {
            Ok(file) => self.drawn_upload(params, model, file, call).await,
            Err(rejection) => Ok(rejection_response(&rejection)),
        }
    }

    /// Responds with a picture of the skin in a form, or in `body` itself.
    pub(super) async fn form(
        &self,
        params: PictureParams,
        model: Option<Model>,
        body: &mut Incoming,
        call: &Call,
    ) -> Handled {
        let file = match self.upload(body, call).await? {
            Ok(file) => file,
            Err(rejection) => return Ok(rejection_response(&rejection)),
        };
        if !is_form(&call.head.headers) {
            return self.drawn_upload(params, model, file, call).await;
        }
        let boundary = form::boundary(&call.head.headers);
        let Some(form) = boundary.and_then(|boundary| Form::parse(&file, &boundary)) else {
            return Ok(rejection_response(&NO_SKIN));
        };
        let model = model.or(form.model);
        let skin = file[form.skin].to_vec();
        self.drawn_upload(params, model, skin, call).await
    }

    /// Reads the body of a request in time.
    async fn upload(&self, body: &mut Incoming, call: &Call) -> Upload {
        let upload = timeout(UPLOAD_TIMEOUT, self.read(body, call)).await;
        call.connection.work(Instant::now());
        upload.unwrap_or(Ok(Err(INCOMPLETE)))
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

    /// Reads the file, unless it is too long.
    async fn read(&self, body: &mut Incoming, call: &Call) -> Upload {
        if body.size_hint().lower() > MAX_FILE_BYTES as u64 {
            return Ok(Err(TOO_LONG));
        }
        let mut file = Vec::new();
        let mut counted = 0;
        let mut data = Bytes::new();
        for _ in 0..MAX_PIECES {
            let length = file.len() + data.len();
            if length > MAX_FILE_BYTES {
                return Ok(Err(TOO_LONG));
            }
            // A connection on which nothing arrives takes room as well.
            while counted < length.max(1) {
                let part = self.service.memory().receive(STEP_BYTES);
                let part = part.ok_or_else(|| self.service.refuse_for_memory())?;
                call.connection.keep(part);
                counted += STEP_BYTES;
            }
            // No more than is counted, and nothing before it is needed.
            if !data.is_empty() {
                file.reserve_exact(counted - file.len());
            }
            file.extend_from_slice(&data);
            call.connection.receive(Instant::now());
            data = match next_data(body).await {
                None => return Ok(Ok(file)),
                Some(Ok(next)) => next,
                Some(Err(_)) => return Ok(Err(MALFORMED)),
            };
        }
        Ok(Err(PIECES))
    }
}

/// Returns `true` for the body that HTML forms and `curl -F` send.
fn is_form(headers: &HeaderMap) -> bool {
    let media_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    media_type.is_some_and(|text| text.to_ascii_lowercase().starts_with(FORM_TYPE))
}

/// Reads the next bytes of a body.
async fn next_data(body: &mut Incoming) -> Option<Result<Bytes, hyper::Error>> {
    let frame = body.frame().await?;
    // Trailers mean nothing.
    Some(frame.map(|frame| frame.into_data().unwrap_or_default()))
}

/// Skips the rest of a body for a while, so that its client reads the response. The body ends with its connection,
/// which waits for the next request meanwhile, and no longer than any other does.
pub(super) async fn skip(mut body: Incoming) {
    let mut left = MAX_READ_BYTES;
    while let Some(Ok(data)) = next_data(&mut body).await
        && left > data.len()
    {
        left = left.saturating_sub(match data.len() {
            ..SMALL_PIECE => SMALL_PIECE_COST,
            length => length,
        });
    }
}
