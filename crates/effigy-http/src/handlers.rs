//! From a parsed request to its response.

mod admission;
mod family_profiles;
mod finish;
mod fixed;
mod form;
mod operations;
mod pages;
mod preview;
mod profiles;
mod refusals;
mod reports;

use std::{panic::AssertUnwindSafe, sync::Arc};

use effigy_service::{Client, Failure, FileRequest, ServedFile, Service, ServiceError};
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Either, Ready, ready},
};
use hyper::{
    Method,
    body::{Body as _, Incoming},
    http::request::Parts,
};
use tokio::{task::yield_now, time::Instant};

use self::{
    fixed::{method_not_allowed, preflight},
    refusals::RefusalLog,
};
use crate::{
    clients::Clients,
    config::Config,
    connection::Connection,
    respond::{
        Response,
        encoding::{accepts_gzip, encode},
        image::CacheControl,
        is_compressible,
        rate_limit::{is_private, set_rate_limits},
    },
    routes::{Operation, ParsedRequest, Rejection, version},
};

/// The longest file that is sent at once, without a future.
const SMALL_FILE: usize = 32 << 10;

/// The handlers of all requests, and the state that they share.
pub(crate) struct Handlers {
    pub(crate) config: Arc<Config>,
    pub(crate) clients: Clients,
    pub(crate) service: Service,
    refusals: RefusalLog,
    /// The rules by which clients may cache files.
    pub(crate) cache_control: CacheControl,
    started: Instant,
}

/// A request as it was received, and the client that sent it.
struct Call {
    head: Parts,
    client: Client,
    connection: Arc<Connection>,
    started: Instant,
    request: ParsedRequest,
}

/// The response, or the reason why a request failed.
type Handled = Result<Response, Failure>;

impl Handlers {
    pub(crate) fn new(service: Service, config: Config) -> Self {
        if let Some(log) = &config.access_log {
            // Another server of this process may have set it.
            let _ = config.metrics.lost_lines.set(log.lost_lines());
        }
        Self {
            clients: Clients::new(config.trusted_proxies.clone(), config.denied.clone()),
            service,
            refusals: RefusalLog::default(),
            cache_control: CacheControl::new(config.max_age),
            config: Arc::new(config),
            started: Instant::now(),
        }
    }

    /// Answers a request. Errors are responses too.
    pub(crate) fn handle(
        self: &Arc<Self>,
        request: hyper::Request<Incoming>,
        connection: &Arc<Connection>,
    ) -> Either<Ready<Response>, BoxFuture<'static, Response>> {
        let started = Instant::now();
        let is_pipelined = connection.begin_request(started);
        let (head, body) = request.into_parts();
        let client = self.clients.of_request(connection.peer, &head.headers);
        let call = Call {
            request: self.parse(&head, client),
            client,
            head,
            connection: Arc::clone(connection),
            started,
        };
        let cached = self.cached(&call.request);
        // A pipelined request waits for its turn first, however quick its response is.
        if !is_pipelined && let Some(response) = self.quick_response(cached.as_ref(), &call) {
            return Either::Left(ready(self.finish(&call, response)));
        }
        let handlers = Arc::clone(self);
        Either::Right(Box::pin(async move {
            if is_pipelined {
                // Requests that arrive together take turns with requests on other connections.
                yield_now().await;
            }
            handlers.answer(call, cached, body).await
        }))
    }

    /// Returns the file of a request, if it is in memory.
    fn cached(&self, request: &ParsedRequest) -> Option<ServedFile> {
        match &request.operation {
            Ok(Operation::File(file)) => self.service.cached(file),
            _ => None,
        }
    }

    /// Returns the response with a small file in memory, which is sent without a future. A future
    /// would keep the head of the request, which is a part of the connection's read buffer, so the
    /// connection would need another buffer for the next request.
    fn quick_response(&self, cached: Option<&ServedFile>, call: &Call) -> Option<Response> {
        let image = cached?;
        let Ok(Operation::File(file)) = &call.request.operation else {
            return None;
        };
        if !is_quick(image, &call.head) {
            return None;
        }
        Some(self.picture_response(file, image, call))
    }

    /// Answers a request in a future.
    async fn answer(&self, call: Call, cached: Option<ServedFile>, mut body: Incoming) -> Response {
        let response = self.respond(cached, &call, &mut body).await;
        if !body.is_end_stream() {
            tokio::spawn(preview::skip(body));
        }
        self.finish(&call, response)
    }

    /// Returns the response in the encoding that the client accepts.
    async fn respond(
        &self,
        cached: Option<ServedFile>,
        call: &Call,
        body: &mut Incoming,
    ) -> Response {
        let mut response = self.unencoded(cached, call, body).await;
        let headers = &call.head.headers;
        if let Err(refused) = encode(&mut response, headers, &self.service, call.client).await {
            response = self.failed(call, &refused);
        }
        if call.client.is_limited() && is_private(&response) {
            set_rate_limits(&mut response, &self.service.allowances(call.client));
        }
        response
    }

    /// Returns the response before it is compressed or decompressed for its client.
    async fn unencoded(
        &self,
        cached: Option<ServedFile>,
        call: &Call,
        body: &mut Incoming,
    ) -> Response {
        let request = &call.request;
        if request.operation == Err(Rejection::DENIED) {
            return request.rejection_response(&Rejection::DENIED);
        }
        let method = &call.head.method;
        if method == Method::OPTIONS {
            return preflight(request);
        }
        // Unknown paths are 404 for every method, never 405.
        let is_unknown = matches!(&request.operation, Err(rejection) if rejection.is_not_found());
        if !is_unknown && !request.methods.include(method) {
            return method_not_allowed(request);
        }
        // The panic hook has logged a panic, which must not harm other requests on the connection.
        let performed = AssertUnwindSafe(self.perform(cached, call, body)).catch_unwind();
        match performed.await {
            Ok(Ok(response)) => response,
            Ok(Err(failure)) => self.failed(call, &failure),
            Err(_panic) => self.failed(call, &ServiceError::Interrupted),
        }
    }

    /// Returns a file for the client of a call, in the version that its query names.
    async fn file(&self, file: impl Into<FileRequest>, call: &Call) -> Result<ServedFile, Failure> {
        let request = file
            .into()
            .from_client(call.client)
            .with_version(version(call.head.uri.query()));
        self.service.get(&request).await
    }

    /// Returns the response to a failure, which is logged if the client has reached a limit.
    fn failed(&self, call: &Call, failure: &ServiceError) -> Response {
        self.refusals.log(call.client, &call.head, failure);
        call.request.failure_response(failure)
    }
}

/// Returns `true` if a file in memory is small and needs no other step of
/// [`respond`](Handlers::respond): it has an encoding that the client accepts. `RateLimit` headers
/// are no part of a hit, because shared caches may keep it.
fn is_quick(image: &ServedFile, head: &Parts) -> bool {
    let is_text = is_compressible(image.file.content_type.as_bytes());
    let has_right_encoding = !is_text || image.is_gzip() == accepts_gzip(&head.headers);
    let is_read = matches!(head.method, Method::GET | Method::HEAD);
    has_right_encoding && is_read && image.file.data.len() <= SMALL_FILE
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    fn is_quick_file(bytes: usize, content_type: &str, method: Method) -> bool {
        let image = ServedFile::made(vec![0; bytes], content_type, UNIX_EPOCH);
        let request = hyper::Request::builder().method(method).body(());
        let (head, ()) = request.unwrap().into_parts();
        is_quick(&image, &head)
    }

    #[test]
    fn only_small_files_are_sent_without_a_future() {
        assert!(is_quick_file(SMALL_FILE, "image/png", Method::GET));
        assert!(!is_quick_file(SMALL_FILE + 1, "image/png", Method::GET));
    }

    #[test]
    fn only_reading_methods_are_answered_without_a_future() {
        assert!(is_quick_file(1, "image/png", Method::HEAD));
        assert!(!is_quick_file(1, "image/png", Method::POST));
    }

    /// The client doesn't accept gzip, and the file isn't compressed.
    #[test]
    fn text_in_the_right_encoding_is_sent_without_a_future() {
        assert!(is_quick_file(1, "image/svg+xml", Method::GET));
    }
}
