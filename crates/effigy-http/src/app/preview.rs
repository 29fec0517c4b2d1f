//! Previews: pictures of the skin file in the body of a request. Nothing of it is stored.

use std::{error::Error, future::poll_fn, io, pin::Pin, time::Duration};

use bytes::Bytes;
use effigy_player::Model;
use effigy_service::{PictureParams, Preview, PreviewError, ServiceError};
use hyper::{
    HeaderMap, StatusCode,
    body::{Body as _, Incoming},
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue, RETRY_AFTER},
};
use tokio::sync::SemaphorePermit;

use super::{App, Call, Failure};
use crate::{
    respond::{Response, error::error, image::stream_response, set, with_body},
    routes::Rejection,
};

/// The number of previews in flight, each with its file in memory.
pub(super) const MAX_PREVIEWS: usize = 64;

/// The KiB of all skin files that are arriving or being drawn.
pub(super) const MAX_UPLOAD_KIB: usize = 64 << 10;

/// The longest skin file.
const MAX_FILE_BYTES: usize = 1 << 20;

/// The number of bytes that are read of a body after its request has been rejected. Many clients read no
/// response before they have sent their whole request.
const MAX_READ_BYTES: usize = 8 << 20;

/// The time in which a client must send the file.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(15);

/// Reading forms would take a parser, and a client can send the file without one as easily.
const FORM: Rejection = Rejection::new(
    StatusCode::UNSUPPORTED_MEDIA_TYPE,
    "Send the skin file itself as the body, not a form: curl --data-binary @skin.png <URL>",
);
const FORM_TYPE: &[u8] = b"multipart/form-data";
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
const MALFORMED: Rejection = Rejection::new(
    StatusCode::BAD_REQUEST,
    "The body of the request is malformed",
);

impl App {
    /// Responds with a picture of the skin in `body`. What is left of the body then is skipped.
    pub(super) async fn preview(
        &self,
        params: PictureParams,
        model: Model,
        mut body: Incoming,
        call: &Call<'_>,
    ) -> Result<Response, Failure> {
        let drawn = match self.clients.begin_preview(&self.client(call)) {
            Ok(_place) if is_form(&call.head.headers) => Ok(Err(FORM)),
            Ok(_place) => Ok(self.draw_preview(params, model, &mut body).await),
            Err(limited) => Err(limited),
        };
        if !body.is_end_stream() {
            tokio::spawn(skip(body));
        }
        let mut response = match drawn? {
            Ok(Preview::File(file)) => {
                let content_type = params.format().content_type();
                with_body(StatusCode::OK, content_type, Bytes::from(file))
            }
            Ok(Preview::Large(picture)) => {
                let sending = self.begin_large_picture(&picture, call)?;
                match picture.begin().await {
                    Ok(stream) => stream_response(stream, sending),
                    Err(failure) => rejected(&rejection_by_service(&failure, params)),
                }
            }
            Err(rejection) => rejected(&rejection),
        };
        set(&mut response, CACHE_CONTROL, "no-store");
        Ok(response)
    }

    async fn draw_preview(
        &self,
        params: PictureParams,
        model: Model,
        body: &mut Incoming,
    ) -> Result<Preview, Rejection> {
        if !params.can_exist() || self.exceeds_max_size(params) {
            return Err(Rejection::from("The picture would be too large"));
        }
        let upload = tokio::time::timeout(UPLOAD_TIMEOUT, self.read(body)).await;
        let (texture, _kib) = upload.map_err(|_| INCOMPLETE)??;
        // A client that sends slowly holds no place.
        let permit = self.previews.try_acquire();
        let _permit = permit.map_err(|_| OVERLOADED)?;
        let file = self.service.preview(params, texture, model).await;
        file.map_err(|error| rejection(&error, params))
    }

    /// Reads the file, unless it is too long. The permit counts its KiB.
    async fn read(&self, body: &mut Incoming) -> Result<(Vec<u8>, SemaphorePermit<'_>), Rejection> {
        if body.size_hint().lower() > MAX_FILE_BYTES as u64 {
            return Err(TOO_LONG);
        }
        let acquire = |kib| self.uploads.try_acquire_many(kib).map_err(|_| OVERLOADED);
        let (mut file, mut permit) = (Vec::new(), acquire(0)?);
        while let Some(data) = next_data(body).await {
            let data = data.map_err(|error| broken(&error))?;
            file.extend_from_slice(&data);
            if file.len() > MAX_FILE_BYTES {
                return Err(TOO_LONG);
            }
            let kib = file.len().div_ceil(1 << 10) - permit.num_permits();
            permit.merge(acquire(u32::try_from(kib).expect("at most 1024"))?);
        }
        Ok((file, permit))
    }
}

/// Returns `true` for the body that HTML forms and `curl -F` send.
fn is_form(headers: &HeaderMap) -> bool {
    let media_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes);
    let start = media_type.and_then(|text| text.get(..FORM_TYPE.len()));
    start.is_some_and(|start| start.eq_ignore_ascii_case(FORM_TYPE))
}

/// Reads the next bytes of a body.
async fn next_data(body: &mut Incoming) -> Option<Result<Bytes, hyper::Error>> {
    loop {
        let frame = poll_fn(|context| Pin::new(&mut *body).poll_frame(context)).await?;
        // Otherwise it has trailers, which mean nothing.
        match frame.map(hyper::body::Frame::into_data) {
            Ok(Ok(data)) => return Some(Ok(data)),
            Ok(Err(_)) => {}
            Err(error) => return Some(Err(error)),
        }
    }
}

/// Skips the rest of a body for a while, so that its client reads the response.
async fn skip(mut body: Incoming) {
    let skip = async {
        let mut left = MAX_READ_BYTES;
        while let Some(Ok(data)) = next_data(&mut body).await
            && left > data.len()
        {
            left -= data.len();
        }
    };
    // A client that takes longer loses its connection.
    let _ = tokio::time::timeout(UPLOAD_TIMEOUT, skip).await;
}

/// The rejection of a body that cannot be read to its end.
fn broken(error: &hyper::Error) -> Rejection {
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    match cause.map(io::Error::kind) {
        Some(io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData) => MALFORMED,
        _ => INCOMPLETE,
    }
}

fn rejection(error: &PreviewError, params: PictureParams) -> Rejection {
    match error {
        PreviewError::NotASkin(reason) => Rejection {
            status: StatusCode::BAD_REQUEST,
            message: format!("Not a skin: {reason}").into(),
        },
        PreviewError::Service(error) => rejection_by_service(error, params),
        error => not_drawn(error, params),
    }
}

fn rejection_by_service(error: &ServiceError, params: PictureParams) -> Rejection {
    match error.retry_after() {
        Some(_) => OVERLOADED,
        None => not_drawn(error, params),
    }
}

fn not_drawn(error: &(dyn Error + 'static), params: PictureParams) -> Rejection {
    tracing::debug!(error, "a preview was not drawn");
    let message = params.endpoint().error_message();
    Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, message)
}

fn rejected(rejection: &Rejection) -> Response {
    let mut response = error(rejection.status, &rejection.message);
    if *rejection == OVERLOADED {
        set(&mut response, RETRY_AFTER, "1");
    }
    response
}
