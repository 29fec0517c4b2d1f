//! From a parsed request to its response.

mod preview;

use std::{borrow::Cow, panic::AssertUnwindSafe, sync::Arc};

use bytes::Bytes;
use effigy_render::ImageFormat;
use effigy_service::{Fault, Image, PictureOutcome, PictureRequest, Service, ServiceError};
use futures_util::FutureExt as _;
use hyper::{
    HeaderMap, Method, StatusCode,
    body::Incoming,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE, ALLOW,
        CACHE_CONTROL, HeaderValue, LOCATION,
    },
    http::request::Parts,
};
use tokio::{sync::Semaphore, time::Instant};

use crate::{
    config::Config,
    metrics::{self, CacheStatus, Metrics},
    openapi,
    respond::{
        Response,
        document::document_response,
        empty,
        error::{error, failure_response, internal_error},
        gzip, headers,
        image::{file_response, large_picture_response, picture_response},
        json, set, with_body,
    },
    routes::{Errors, Query, Rejection, Request, RouteMethod, Target},
    server::timeouts::Activity,
    site::{assets, landing, landing::Showcase, reference},
};

/// The handlers of all requests, and what they share.
pub(crate) struct App {
    service: Service,
    /// Bounds the previews in flight.
    previews: Semaphore,
    showcase: Showcase,
    metrics: Arc<Metrics>,
    started: Instant,
}

impl App {
    pub(crate) fn new(service: Service, config: Config) -> Self {
        Self {
            service,
            previews: Semaphore::new(preview::MAX_PREVIEWS),
            showcase: config.showcase,
            metrics: config.metrics,
            started: Instant::now(),
        }
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Answers a request that arrived at `started`. It never fails: errors are responses too.
    pub(crate) async fn handle(
        &self,
        request: hyper::Request<Incoming>,
        started: Instant,
        connection: &Arc<Activity>,
    ) -> Response {
        let (head, body) = request.into_parts();
        let request = Request::parse(head.uri.path(), head.uri.query());
        let name = request.name;
        let response = match self.respond_from_memory(&request, &head) {
            Some(response) => response,
            // This future is large; boxed, it costs a hit nothing.
            None => Box::pin(self.respond(request, &head, body, connection)).await,
        };
        self.record(name, &head, &response, started);
        response
    }

    /// Answers a request for a PNG in memory. The headers of a hit are complete, and PNGs are not
    /// compressed, so nothing else is left to do.
    fn respond_from_memory(&self, request: &Request, head: &Parts) -> Option<Response> {
        let Ok(Target::Picture { request, .. }) = &request.target else {
            return None;
        };
        let is_get = matches!(head.method, Method::GET | Method::HEAD);
        if !is_get || request.params().format() != ImageFormat::Png {
            return None;
        }
        let image = self.service.cached(request)?;
        let now = self.service.now();
        Some(picture_response(request, &image, now, &head.headers))
    }

    async fn respond(
        &self,
        request: Request,
        head: &Parts,
        body: Incoming,
        connection: &Arc<Activity>,
    ) -> Response {
        let (method, errors) = match request.route {
            Some(route) => (route.method, route.errors),
            None => (RouteMethod::Get, Errors::None),
        };
        let mut response = match (&head.method, method) {
            // The server sends the response to HEAD without its body.
            (&Method::GET | &Method::HEAD, RouteMethod::Get)
            | (&Method::POST, RouteMethod::Post) => {
                let response =
                    self.respond_to_target(request.target, errors, head, body, connection);
                // The panic hook has logged a panic, which must not harm other requests on the connection.
                let response = AssertUnwindSafe(response).catch_unwind().await;
                response.unwrap_or_else(|_| internal_error(errors))
            }
            (&Method::OPTIONS, _) => preflight(allowed_methods(method)),
            _ => method_not_allowed(allowed_methods(method)),
        };
        gzip::compress(&mut response, &head.headers);
        headers::set_headers(&mut response);
        response
    }

    async fn respond_to_target(
        &self,
        target: Result<Target, Rejection>,
        errors: Errors,
        head: &Parts,
        body: Incoming,
        connection: &Arc<Activity>,
    ) -> Response {
        let target = match target {
            Ok(target) => target,
            Err(rejection) => return error(rejection.status, &rejection.message),
        };
        let message = target.error_message();
        // Spec: every render on the specified paths begins with a fresh look-up.
        let is_specified = matches!(errors, Errors::Specified(_));
        let target = if is_specified && !is_of_page(&head.headers) {
            target
        } else {
            target.reusing_player()
        };
        let outcome = self.try_respond(target, head, body, connection).await;
        outcome.unwrap_or_else(|failure| failure_response(errors, message, &failure))
    }

    async fn try_respond(
        &self,
        target: Target,
        head: &Parts,
        body: Incoming,
        connection: &Arc<Activity>,
    ) -> Result<Response, Arc<ServiceError>> {
        let (service, headers) = (&self.service, &head.headers);
        let response = match target {
            Target::Picture {
                request,
                substitute,
            } => self.picture(request, substitute, head, connection).await?,
            Target::Preview { params, model } => self.preview(params, model, body).await,
            Target::Profile(input) => self.file(&service.profile(&input).await?, headers),
            Target::Cape(input) => self.file(&service.cape(&input).await?, headers),
            Target::Count(edition) => json::count(edition, service.count(edition).await?),
            Target::Counts => json::counts(&service.counts().await?),
            Target::Health => json::health(&service.health().await, self.started),
            Target::Presets => json::presets(),
            Target::Metrics => self.metrics_text(),
            Target::Redirect(path) => redirect(&path),
            Target::LandingPage => {
                let query = Query::new(head.uri.query());
                html(landing::page(query, &self.showcase), headers)
            }
            Target::Asset(name) => assets::respond(&name, head.uri.query(), headers),
            Target::Reference => html(reference::page(), headers),
            Target::OpenApi => {
                let document = Bytes::from(openapi::document().to_string());
                document_response("application/json", document, headers)
            }
        };
        Ok(response)
    }

    async fn picture(
        &self,
        request: PictureRequest,
        substitute: Option<Cow<'static, str>>,
        head: &Parts,
        connection: &Arc<Activity>,
    ) -> Result<Response, Arc<ServiceError>> {
        let mut outcome = self.service.picture(request.clone()).await;
        if let (Err(error), Some(player)) = (&outcome, substitute)
            && matches!(error.fault(), Fault::Request | Fault::NotFound)
        {
            let other = request.params().of_player(&player).reusing_player();
            outcome = self.service.picture(other).await;
        }
        match outcome? {
            PictureOutcome::Image(image) => {
                let now = self.service.now();
                Ok(picture_response(&request, &image, now, &head.headers))
            }
            PictureOutcome::Large(picture) => {
                let sending = connection.begin_large_picture();
                large_picture_response(*picture, head, sending).await
            }
        }
    }

    fn file(&self, file: &Image, headers: &HeaderMap) -> Response {
        file_response(file, self.service.now(), headers)
    }

    fn metrics_text(&self) -> Response {
        let text = self
            .metrics
            .text(&self.service.snapshot(), &self.service.states());
        let mut response = with_body(StatusCode::OK, metrics::CONTENT_TYPE, Bytes::from(text));
        set(&mut response, CACHE_CONTROL, "no-store");
        response
    }

    /// Counts the request, and logs it at the level `debug`.
    fn record(&self, route: &str, head: &Parts, response: &Response, started: Instant) {
        let (status, took) = (response.status(), started.elapsed());
        let cache = response.headers().get(headers::X_CACHE);
        let cache = CacheStatus::of(cache.map(HeaderValue::as_bytes));
        self.metrics.observe_request(route, status, cache, took);
        let (method, path, status) = (&head.method, head.uri.path(), status.as_u16());
        tracing::debug!(%method, path, status, ?cache, ?took, "answered");
    }
}

/// Returns whether a page of this service sends the request, as browsers state it.
fn is_of_page(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site");
    site.is_some_and(|site| site == "same-origin")
}

const fn allowed_methods(method: RouteMethod) -> &'static str {
    match method {
        RouteMethod::Get => "GET, HEAD, OPTIONS",
        RouteMethod::Post => "POST, OPTIONS",
    }
}

fn preflight(methods: &'static str) -> Response {
    let mut response = empty(StatusCode::NO_CONTENT);
    set(&mut response, ALLOW, methods);
    set(&mut response, ACCESS_CONTROL_ALLOW_METHODS, methods);
    set(&mut response, ACCESS_CONTROL_ALLOW_HEADERS, "*");
    set(&mut response, ACCESS_CONTROL_MAX_AGE, "86400");
    response
}

fn method_not_allowed(methods: &'static str) -> Response {
    let mut response = error(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed");
    set(&mut response, ALLOW, methods);
    response
}

fn redirect(path: &str) -> Response {
    let mut response = empty(StatusCode::MOVED_PERMANENTLY);
    if let Ok(path) = HeaderValue::from_str(path) {
        response.headers_mut().insert(LOCATION, path);
    }
    set(&mut response, CACHE_CONTROL, "public, max-age=3600");
    response
}

fn html(page: String, headers: &HeaderMap) -> Response {
    document_response("text/html; charset=utf-8", Bytes::from(page), headers)
}
