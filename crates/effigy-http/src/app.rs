//! From a parsed request to its response.

mod admission;
mod call;
mod files;
mod pages;
mod preview;
mod profiles;
mod record;
mod simple;
mod substitute;

use std::{num::NonZeroU32, panic::AssertUnwindSafe, sync::Arc};

use effigy_render::ImageFormat;
use effigy_service::Service;
use futures_util::FutureExt as _;
use hyper::{Method, body::Incoming, http::request::Parts};
use tokio::{sync::Semaphore, time::Instant};

use crate::{
    access_log::AccessLog,
    clients::Clients,
    config::Config,
    metrics::Metrics,
    openapi,
    respond::{
        Response,
        error::{error, failure_response, internal_error, limited_response},
        gzip, headers,
        image::picture_response,
        json,
    },
    routes::{Errors, Rejection, Request, RouteMethod, Target},
    server::Connection,
    site::{assets, landing::Showcase, reference::reference},
};
use admission::is_of_page;
use call::{Call, Failure};
use pages::unknown_path;
use simple::{allowed_methods, method_not_allowed, preflight, redirect};

/// The handlers of all requests, and what they share.
pub(crate) struct App {
    service: Service,
    clients: Clients,
    /// Bounds the look-ups in the database for clients that have used their share.
    limited_lookups: Semaphore,
    /// Bounds the previews in flight.
    previews: Semaphore,
    /// Bounds the KiB of skin files that are arriving or being drawn.
    uploads: Semaphore,
    max_size: Option<NonZeroU32>,
    /// `false` if previews are off.
    has_previews: bool,
    /// `true` if the metrics have a listener of their own.
    has_metrics_door: bool,
    access_log: Option<AccessLog>,
    showcase: Showcase,
    metrics: Arc<Metrics>,
    started: Instant,
}

impl App {
    pub(crate) fn new(service: Service, config: Config, has_metrics_door: bool) -> Self {
        Self {
            service,
            clients: Clients::new(config.clients, Arc::clone(&config.metrics)),
            limited_lookups: Semaphore::new(1),
            previews: Semaphore::new(preview::MAX_PREVIEWS),
            uploads: Semaphore::new(preview::MAX_UPLOAD_KIB),
            max_size: config.max_size,
            has_previews: config.previews,
            has_metrics_door,
            access_log: config.access_log,
            showcase: config.showcase,
            metrics: config.metrics,
            started: Instant::now(),
        }
    }

    pub(crate) fn clients(&self) -> &Clients {
        &self.clients
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// Answers a request that arrived at `started`. It never fails: errors are responses too.
    pub(crate) async fn handle(
        &self,
        request: hyper::Request<Incoming>,
        started: Instant,
        connection: &Connection,
    ) -> Response {
        let (head, body) = request.into_parts();
        let mut request = Request::parse(head.uri.path(), head.uri.query());
        if let Err(rejection) = self.admit(&request, &head, connection.door) {
            request.target = Err(rejection);
        }
        let name = request.name;
        let response = match self.respond_from_memory(&request, &head) {
            Some(response) => response,
            // This future is large; boxed, it costs a hit nothing.
            None => {
                let call = Call {
                    head: &head,
                    connection,
                };
                Box::pin(self.respond(request, &call, body)).await
            }
        };
        self.record(name, &head, &response, started, connection);
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

    async fn respond(&self, request: Request, call: &Call<'_>, body: Incoming) -> Response {
        let head = call.head;
        let (method, errors) = (request.method, request.errors);
        let mut response = match (&head.method, method) {
            // The server sends the response to HEAD without its body.
            (&Method::GET | &Method::HEAD, RouteMethod::Get)
            | (&Method::POST, RouteMethod::Post) => {
                let response = self.respond_to_target(request.target, errors, call, body);
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
        call: &Call<'_>,
        body: Incoming,
    ) -> Response {
        let target = match target {
            Ok(target) => target,
            Err(rejection) if rejection == Rejection::NOT_FOUND => return unknown_path(call),
            Err(rejection) => return error(rejection.status, &rejection.message),
        };
        let message = target.error_message();
        // Spec: every render on the specified paths begins with a fresh look-up.
        let is_specified = matches!(errors, Errors::Specified(_));
        let target = if is_specified && !is_of_page(&call.head.headers) {
            target
        } else {
            target.reusing_player()
        };
        match self.try_respond(target, call, body).await {
            Ok(response) => response,
            Err(Failure::Service(failure)) => failure_response(errors, message, &failure),
            Err(Failure::Limited(limited)) => limited_response(errors, limited),
        }
    }

    async fn try_respond(
        &self,
        target: Target,
        call: &Call<'_>,
        body: Incoming,
    ) -> Result<Response, Failure> {
        let (service, head) = (&self.service, call.head);
        let headers = &head.headers;
        let response = match target {
            Target::Picture {
                request,
                substitute,
            } => self.picture(request, substitute, call).await?,
            Target::Arrangement(request) => self.arrangement(*request, call).await?,
            Target::Preview { params, model } => self.preview(params, model, body, call).await?,
            Target::Profiles(inputs) => self.profiles(&inputs, call).await?,
            Target::Profile(input) => self.profile(&input, call).await?,
            Target::Cape(input) => self.cape(&input, call).await?,
            Target::Count(edition) => json::count(edition, service.count(edition).await?),
            Target::Counts => json::counts(&service.counts().await?),
            Target::Health => {
                // A check looks a player up.
                self.clients.charge_miss(&self.client(call))?;
                json::health(&service.health().await, self.started)
            }
            Target::Presets => json::presets(headers),
            Target::Metrics => self.metrics_text(),
            Target::Redirect(path) => redirect(&path),
            Target::LandingPage => self.landing_page(call).await,
            Target::Asset(name) => assets::respond(&name, head.uri.query(), headers),
            Target::Reference(page) => reference(page).response(headers),
            Target::OpenApi => openapi::DOCUMENT.response(headers),
        };
        Ok(response)
    }
}
