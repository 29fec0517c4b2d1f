//! From a parsed request to its response.

mod catch_panic;
mod preview;

use std::{borrow::Cow, sync::Arc, time::Instant};

use bytes::Bytes;
use effigy_render::ImageFormat;
use effigy_service::{
    Endpoint, Fault, Image, PictureOutcome, PictureRequest, Service, ServiceError,
};
use hyper::{
    HeaderMap, Method, StatusCode,
    body::Body,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE, ALLOW,
        CACHE_CONTROL, HeaderValue, LOCATION,
    },
    http::request::Parts,
};

use crate::{
    config::Config,
    metrics::{self, CacheStatus, Metrics},
    openapi,
    respond::{
        Response,
        document::document_response,
        empty,
        error::{self, error},
        gzip, headers,
        image::{file_response, large_picture_response, picture_response},
        json, set, with_body,
    },
    routes::{Errors, Query, Rejection, Request, RouteMethod, Target},
    site::{assets, landing, landing::Showcase, reference},
};
use catch_panic::catch_panic;
use preview::Previews;

/// The handlers of all requests, and what they share.
pub(crate) struct App {
    service: Service,
    previews: Previews,
    showcase: Showcase,
    metrics: Arc<Metrics>,
    started: Instant,
}

impl App {
    pub(crate) fn new(service: Service, config: Config) -> Self {
        Self {
            service,
            previews: Previews::new(),
            showcase: config.showcase,
            metrics: config.metrics,
            started: Instant::now(),
        }
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Answers a request. It never fails: errors are responses too.
    pub(crate) async fn handle<B>(&self, head: Parts, body: B) -> Response
    where
        B: Body<Data = Bytes> + Unpin,
    {
        let started = Instant::now();
        let request = Request::parse(head.uri.path(), head.uri.query());
        let name = request.name;
        let response = match self.respond_from_memory(&request, &head) {
            Some(response) => response,
            // This future is large; boxed, it costs a hit nothing.
            None => Box::pin(self.respond(request, &head, body)).await,
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

    async fn respond<B>(&self, request: Request, head: &Parts, body: B) -> Response
    where
        B: Body<Data = Bytes> + Unpin,
    {
        let method = request.route.map_or(RouteMethod::Get, |route| route.method);
        let mut response = match (&head.method, method) {
            // The server sends the response to HEAD without its body.
            (&Method::GET | &Method::HEAD, RouteMethod::Get)
            | (&Method::POST, RouteMethod::Post) => {
                let errors = request.route.map_or(Errors::None, |route| route.errors);
                let response = catch_panic(self.route(request.target, errors, head, body)).await;
                response.unwrap_or_else(|| internal_error(errors))
            }
            (&Method::OPTIONS, _) => preflight(allowed_methods(method)),
            _ => method_not_allowed(allowed_methods(method)),
        };
        gzip::compress(&mut response, &head.headers);
        headers::set_headers(&mut response);
        response
    }

    async fn route<B>(
        &self,
        target: Result<Target, Rejection>,
        errors: Errors,
        head: &Parts,
        body: B,
    ) -> Response
    where
        B: Body<Data = Bytes> + Unpin,
    {
        match target {
            Err(rejection) => rejected(rejection),
            Ok(Target::Preview { params, model }) => {
                self.previews
                    .respond(&self.service, params, model, body)
                    .await
            }
            Ok(target) => {
                drop(body);
                self.get(target, errors, head).await
            }
        }
    }

    async fn get(&self, target: Target, errors: Errors, head: &Parts) -> Response {
        let (service, headers) = (&self.service, &head.headers);
        match target {
            Target::Picture {
                request,
                substitute,
            } => self.picture(request, substitute, errors, head).await,
            Target::Profile(input) => {
                let profile = service.profile(&input).await;
                self.file(profile, Endpoint::Profile, errors, headers)
            }
            Target::Cape(input) => {
                let cape = service.cape(&input).await;
                self.file(cape, Endpoint::Cape, errors, headers)
            }
            Target::Count(edition) => match service.count(edition).await {
                Ok(count) => json::count(edition, count),
                Err(error) => failed(errors, Endpoint::AllStats, &error),
            },
            Target::Counts => match service.counts().await {
                Ok(counts) => json::counts(&counts),
                Err(error) => failed(errors, Endpoint::AllStatsSorted, &error),
            },
            Target::Health => json::health(&service.health().await, self.started),
            Target::Presets => json::presets(),
            Target::Metrics => self.metrics_text(),
            Target::Redirect(path) => redirect(&path),
            Target::LandingPage => {
                landing::page(Query::new(head.uri.query()), &self.showcase, headers)
            }
            Target::Asset(name) => assets::respond(&name, head.uri.query(), headers),
            Target::Reference => html(reference::page(), headers),
            Target::OpenApi => {
                let document = Bytes::from(openapi::document().to_string());
                document_response("application/json", document, headers)
            }
            // Its route has another method.
            Target::Preview { .. } => rejected(Rejection::NotFound),
        }
    }

    async fn picture(
        &self,
        request: PictureRequest,
        substitute: Option<Cow<'static, str>>,
        errors: Errors,
        head: &Parts,
    ) -> Response {
        let mut outcome = self.service.picture(request.clone()).await;
        if let (Err(error), Some(player)) = (&outcome, substitute)
            && matches!(error.fault(), Fault::Request | Fault::NotFound)
        {
            let other = request.params().of_player(&player);
            outcome = self.service.picture(other).await;
        }
        let response = match outcome {
            Ok(PictureOutcome::Image(image)) => {
                let now = self.service.now();
                Ok(picture_response(&request, &image, now, &head.headers))
            }
            Ok(PictureOutcome::Large(picture)) => large_picture_response(*picture, head).await,
            Err(error) => Err(error),
        };
        response.unwrap_or_else(|error| failed(errors, request.endpoint(), &error))
    }

    fn file(
        &self,
        file: Result<Image, Arc<ServiceError>>,
        endpoint: Endpoint,
        errors: Errors,
        headers: &HeaderMap,
    ) -> Response {
        match file {
            Ok(file) => file_response(&file, self.service.now(), headers),
            Err(error) => failed(errors, endpoint, &error),
        }
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

/// The response to a failure of the service. The endpoint is that of the request.
fn failed(errors: Errors, endpoint: Endpoint, failure: &ServiceError) -> Response {
    match errors {
        Errors::Specified(_) | Errors::None => {
            error::with_retry_after(internal_error(errors), failure)
        }
        Errors::ByReason { not_found } => error::failure_by_reason(failure, not_found),
        Errors::ByStatus => error::failure(failure, endpoint.error_message()),
    }
}

fn internal_error(errors: Errors) -> Response {
    let message = match errors {
        Errors::Specified(endpoint) => endpoint.error_message(),
        _ => error::INTERNAL,
    };
    error(StatusCode::INTERNAL_SERVER_ERROR, message)
}

fn rejected(rejection: Rejection) -> Response {
    match rejection {
        Rejection::NotFound => error(StatusCode::NOT_FOUND, "Not found"),
        Rejection::BadRequest(reason) => error(StatusCode::BAD_REQUEST, reason),
        Rejection::Unprocessable(reason) => error(StatusCode::UNPROCESSABLE_ENTITY, reason),
    }
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
