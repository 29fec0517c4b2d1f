//! From a parsed request to its response.

mod family_profiles;
mod form;
mod pages;
mod preview;
mod profiles;
mod refusals;
mod reports;

use std::{
    panic::AssertUnwindSafe,
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use effigy_service::{Client, Failure, FileRequest, FileSpec, ServedFile, Service, ServiceError};
use futures_util::{
    FutureExt as _,
    future::{BoxFuture, Either, Ready, ready},
};
use hyper::{
    Method, StatusCode, Version,
    body::{Body as _, Incoming},
    header::{
        ACCEPT, ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE,
        ALLOW, CACHE_CONTROL, CONNECTION, HOST, HeaderValue, LOCATION, VARY,
    },
    http::{request::Parts, uri::Authority},
};
use tokio::{task::yield_now, time::Instant};

use self::refusals::RefusalLog;
use crate::{
    access_log::Access,
    clients::Clients,
    config::{Config, Paths},
    openapi,
    respond::{
        Response, accepts_gzip, cache_status, empty, encode,
        family::add_family_headers,
        image::{CacheControl, picture_response},
        is_compressible,
        rate_limit::{is_private, set_rate_limits},
        set,
    },
    routes::{Operation, ParsedRequest, Rejection, version},
    server::connection::Connection,
    site::{FAMILIES, NOT_FOUND_PAGE, REFERENCE, assets},
};

/// The message of a request that names no host, or several. RFC 9112, 3.2.
const ONE_HOST: &str = "A request must have one Host header";

/// The longest file that is sent at once, without a task.
const SMALL_FILE: usize = 32 << 10;

/// The handlers of all requests, and what they share.
pub(crate) struct Handlers {
    pub(crate) config: Arc<Config>,
    pub(crate) clients: Clients,
    pub(crate) service: Service,
    refusals: RefusalLog,
    /// The rules by which clients may cache files.
    pub(crate) cache_control: CacheControl,
    started: Instant,
}

/// A request as it was received, and whom it is from.
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
        let is_pipelined = connection.begin(started);
        let (head, mut body) = request.into_parts();
        let client = self.clients.of_request(connection.peer, &head.headers);
        let parsed = self.parse(&head, client);
        let cached = match &parsed.operation {
            // A list takes a while to be read.
            Ok(Operation::File(file)) if !matches!(*file.spec, FileSpec::Group(_)) => {
                self.service.cached(file)
            }
            _ => None,
        };
        let call = Call {
            client,
            head,
            connection: Arc::clone(connection),
            started,
            request: parsed,
        };
        if let (Ok(Operation::File(file)), Some(image)) = (&call.request.operation, &cached)
            && !is_pipelined
            && is_ready(image, &call.head)
        {
            // At once, because a future keeps the request, and with it the buffer that the next one is read into.
            let response = self.picture_response(file, image, &call);
            return Either::Left(ready(self.finish(&call, response)));
        }
        let handlers = Arc::clone(self);
        Either::Right(Box::pin(async move {
            if is_pipelined {
                // Requests that arrive together take turns with those of other connections.
                yield_now().await;
            }
            let response = handlers.respond(cached, &call, &mut body).await;
            if !body.is_end_stream() {
                tokio::spawn(preview::skip(body));
            }
            handlers.finish(&call, response)
        }))
    }

    /// Parses a request, unless it is rejected.
    fn parse(&self, head: &Parts, client: Client) -> ParsedRequest {
        if self.clients.is_denied(client) {
            return ParsedRequest::denied();
        }
        let mut request = self.parse_url(head);
        if let Err(rejection) = self.admit(&request, head) {
            request.operation = Err(rejection);
        }
        if let Ok(Operation::File(file)) = &mut request.operation {
            file.client = client;
            file.version = version(head.uri.query());
        }
        request
    }

    /// Parses the URL of a request. At the host of a family, all paths are the family's but those
    /// of the probes.
    fn parse_url(&self, head: &Parts) -> ParsedRequest {
        let path = head.uri.path();
        let query = head.uri.query();
        let request = ParsedRequest::parse(path, query);
        if self.config.family_hosts.is_empty() {
            return request;
        }
        let is_for_all_hosts = matches!(
            request.operation,
            Ok(Operation::Health | Operation::Live | Operation::Ready)
        );
        match host(head).and_then(|host| self.config.family_of_host(&host)) {
            Some(family) if !is_for_all_hosts => ParsedRequest::parse_of_host(family, path, query),
            _ => request,
        }
    }

    /// The response with a picture.
    fn picture_response(&self, request: &FileRequest, image: &ServedFile, call: &Call) -> Response {
        let now = self.service.now();
        let headers = &call.head.headers;
        let mut response = picture_response(request, image, now, headers, &self.cache_control);
        if let Some(family) = call.request.family {
            add_family_headers(&mut response, family, image);
        }
        response
    }

    /// Counts the bytes of a response, and the request.
    fn finish(&self, call: &Call, response: Response) -> Response {
        let waiting = self.service.memory().send(response.body());
        let mut response = if waiting.is_some() {
            response
        } else {
            let refused = self.service.refuse_for_memory().into();
            self.failed(call, &refused)
        };
        if self.is_closing() {
            set(&mut response, CONNECTION, "close");
        }
        let now = Instant::now();
        self.record(call, &response, now - call.started);
        call.connection.send(now, waiting);
        response
    }

    fn is_closing(&self) -> bool {
        self.config.closing.load(Ordering::Relaxed)
    }

    /// # Errors
    /// If the request does not name one host, or asks for something that is turned off, or for a size that the operator does
    /// not want.
    fn admit(&self, request: &ParsedRequest, head: &Parts) -> Result<(), Rejection> {
        let hosts = head.headers.get_all(HOST).iter().count();
        let has_one_host = hosts == 1 || hosts == 0 && head.version == Version::HTTP_10;
        let is_on = match (&request.operation, self.config.paths) {
            (Ok(Operation::Live | Operation::Ready), _) => true,
            (Ok(Operation::Metrics), paths) => paths != Paths::AllButMetrics,
            (_, Paths::Metrics) => false,
            (Ok(Operation::Preview { .. } | Operation::Form { .. }), _) => self.config.previews,
            _ => true,
        };
        if !has_one_host {
            return Err(Rejection::bad_request(ONE_HOST));
        }
        if !is_on {
            return Err(Rejection::NOT_FOUND);
        }
        if let Some(max) = self.config.max_size
            && let Ok(operation) = &request.operation
            && operation.size().is_some_and(|size| size.get() > max.get())
        {
            return Err(match request.failure {
                Some(message) => Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, message),
                None => {
                    Rejection::bad_request(format!("Size must be a whole number from 1 to {max}"))
                }
            });
        }
        Ok(())
    }

    async fn respond(
        &self,
        cached: Option<ServedFile>,
        call: &Call,
        body: &mut Incoming,
    ) -> Response {
        let mut response = self.unencoded(cached, call, body).await;
        let encoded = encode(
            &mut response,
            &call.head.headers,
            &self.service,
            call.client,
        )
        .await;
        if let Err(refused) = encoded {
            response = self.failed(call, &refused);
        }
        if call.client.is_limited() && is_private(&response) {
            set_rate_limits(&mut response, &self.service.allowances(call.client));
        }
        response
    }

    /// Returns the response to a failure, which is logged if it is a refusal of the client.
    fn failed(&self, call: &Call, failure: &ServiceError) -> Response {
        self.refusals.log(call.client, &call.head, failure);
        call.request.failure_response(failure)
    }

    /// Returns the response before it is compressed for its client.
    async fn unencoded(
        &self,
        cached: Option<ServedFile>,
        call: &Call,
        body: &mut Incoming,
    ) -> Response {
        if call.request.operation == Err(Rejection::DENIED) {
            return call.request.rejection_response(&Rejection::DENIED);
        }
        let methods = call.request.methods();
        let method = &call.head.method;
        if method == Method::OPTIONS {
            return preflight(methods);
        }
        // Unknown paths are 404 for every method, never 405.
        let is_unknown =
            matches!(&call.request.operation, Err(error) if error.status == StatusCode::NOT_FOUND);
        let is_allowed = methods.split(", ").any(|allowed| method == allowed);
        if !is_unknown && !is_allowed {
            return method_not_allowed(&call.request);
        }
        // The server sends the response to HEAD without its body. The panic hook has logged a panic,
        // which must not harm other requests on the connection.
        let performed = AssertUnwindSafe(self.perform(cached, call, body)).catch_unwind();
        let handled = match performed.await {
            Ok(handled) => handled,
            Err(_) => Err(ServiceError::Interrupted.into()),
        };
        handled.unwrap_or_else(|failure| self.failed(call, &failure))
    }

    /// Performs the operation of a request, unless it has been rejected.
    async fn perform(
        &self,
        cached: Option<ServedFile>,
        call: &Call,
        body: &mut Incoming,
    ) -> Handled {
        let operation = match &call.request.operation {
            Ok(operation) => operation,
            Err(unknown) if *unknown == Rejection::NOT_FOUND => {
                return Ok(unknown_path(&call.request, &call.head));
            }
            Err(rejection) => return Ok(call.request.rejection_response(rejection)),
        };
        let service = &self.service;
        let headers = &call.head.headers;
        let client = call.client;
        Ok(match operation {
            Operation::Live => reports::probe(false),
            Operation::Ready => reports::probe(self.is_closing()),
            Operation::Health => reports::health(&service.health().await, self.started),
            Operation::File(request) => {
                let image = match cached {
                    Some(image) => image,
                    None => service.get(request).await?,
                };
                self.picture_response(request, &image, call)
            }
            Operation::Preview { params, model } => {
                self.preview(*params, *model, body, call).await?
            }
            Operation::Form { params, model } => self.form(*params, *model, body, call).await?,
            Operation::FamilyProfile(form, input) => {
                self.family_profile(*form, input, call).await?
            }
            Operation::Profiles(inputs) => self.profiles(inputs, call).await?,
            Operation::Refresh(input) => reports::refreshed(&service.refresh(client, input).await?),
            Operation::Count(edition) => reports::count(*edition, &service.counts(client).await?),
            Operation::Counts => reports::counts(&service.counts(client).await?),
            Operation::Metrics => self.metrics(call).await?,
            Operation::Redirect(url) => redirect(url),
            Operation::LandingPage => self.landing_page(call).await?,
            Operation::Asset(name) => assets::respond(name, call.head.uri.query(), headers),
            Operation::Reference => REFERENCE.at(call.head.uri.path()).response(headers),
            Operation::Families => FAMILIES.at(call.head.uri.path()).response(headers),
            Operation::OpenApi => openapi::DOCUMENT.response(headers),
        })
    }

    /// Counts the request, and logs it: in the access log if there is one, and at the level `debug`.
    fn record(&self, call: &Call, response: &Response, duration: Duration) {
        let (request, status, cache) = (&call.head, response.status(), cache_status(response));
        let metrics = &self.config.metrics;
        metrics.count(call.request.name, status, cache, duration);
        if let Some(log) = &self.config.access_log {
            log.log(&Access {
                client: call.client.address(),
                request,
                response,
                duration,
            });
        }
        let (method, path, status) = (&request.method, request.uri.path(), status.as_u16());
        tracing::debug!(%method, path, status, ?cache, took = ?duration, "answered");
    }
}

/// Returns `true` if a file in memory answers a request with little more work. The headers of a hit are complete.
fn is_ready(image: &ServedFile, head: &Parts) -> bool {
    let is_text = is_compressible(image.file.content_type.as_bytes());
    let is_accepted = !is_text || image.is_gzip() == accepts_gzip(&head.headers);
    is_accepted
        && image.file.data.len() <= SMALL_FILE
        && matches!(head.method, Method::GET | Method::HEAD)
}

/// Returns the name of the host to which a request is sent, without its port.
fn host(head: &Parts) -> Option<String> {
    if let Some(authority) = head.uri.authority() {
        return Some(authority.host().to_owned());
    }
    let text = head.headers.get(HOST)?.to_str().ok()?;
    let authority: Authority = text.trim().parse().ok()?;
    Some(authority.host().to_owned())
}

fn preflight(methods: &'static str) -> Response {
    let mut response = empty(StatusCode::NO_CONTENT);
    set(&mut response, ALLOW, methods);
    set(&mut response, ACCESS_CONTROL_ALLOW_METHODS, methods);
    set(&mut response, ACCESS_CONTROL_ALLOW_HEADERS, "*");
    set(&mut response, ACCESS_CONTROL_MAX_AGE, "86400");
    response
}

fn method_not_allowed(request: &ParsedRequest) -> Response {
    let mut response = request.rejection_response(&Rejection::METHOD);
    set(&mut response, ALLOW, request.methods());
    response
}

fn redirect(url: &str) -> Response {
    let mut response = empty(StatusCode::MOVED_PERMANENTLY);
    if let Ok(url) = HeaderValue::from_bytes(url.as_bytes()) {
        response.headers_mut().insert(LOCATION, url);
    }
    set(&mut response, CACHE_CONTROL, "public, max-age=3600");
    response
}

/// Responds to a path that no route has: with a page if the client shows pages. Browsers ask for images
/// where a page has one, and take anything.
fn unknown_path(request: &ParsedRequest, head: &Parts) -> Response {
    let mut accepted = head.headers.get_all(ACCEPT).iter();
    let shows_pages = accepted.any(|value| {
        let value = value.to_str().unwrap_or_default();
        value.to_ascii_lowercase().contains("text/html")
    });
    let mut response = if shows_pages {
        NOT_FOUND_PAGE
            .at(head.uri.path())
            .uncached_response(StatusCode::NOT_FOUND, &head.headers)
    } else {
        request.rejection_response(&Rejection::NOT_FOUND)
    };
    set(&mut response, VARY, "Accept, Accept-Encoding");
    response
}

#[cfg(test)]
mod tests {
    use std::time::UNIX_EPOCH;

    use super::*;

    #[test]
    fn small_files_alone_are_sent_at_once() {
        let ready = |bytes: usize, content_type: &str, method: Method| {
            let image = ServedFile::made(vec![0; bytes], content_type, UNIX_EPOCH);
            let request = hyper::Request::builder().method(method).body(());
            let (head, ()) = request.unwrap().into_parts();
            is_ready(&image, &head)
        };
        let png = "image/png";
        assert!(ready(SMALL_FILE, png, Method::GET) && ready(1, png, Method::HEAD));
        assert!(!ready(SMALL_FILE + 1, png, Method::GET) && !ready(1, png, Method::POST));
        assert!(ready(1, "image/svg+xml", Method::GET));
    }
}
