//! From a request to its answer.

use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Instant,
};

use bytes::Bytes;
use effigy_player::Edition;
use effigy_render::ImageFormat;
use effigy_service::{DIRECTION_ERROR, Endpoint, PictureOutcome, PictureParams, Service};
use hyper::{
    Method, StatusCode,
    body::Body,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE, ALLOW,
        HeaderValue,
    },
    http::request::Parts,
};

use crate::{
    Config, Upstreams,
    metrics::{Kind, Metrics},
    openapi,
    preview::Previews,
    respond::answer::{Answer, empty, error, set},
    respond::error::say_when_to_come_again,
    respond::gzip,
    respond::headers,
    respond::image::{large_picture_answer, picture_answer},
    respond::json,
    routes::query::Query,
    routes::route::{Route, route},
    routes::route_name::route_name,
    routes::v1::Wishes,
    site::landing,
    site::landing::Showcase,
};

/// The methods that are served.
const METHODS: &str = "GET, HEAD, OPTIONS";

/// The methods of the one route that takes a body.
const PREVIEW_METHODS: &str = "POST, OPTIONS";

/// The service, as HTTP shows it.
pub(crate) struct App {
    service: Service,
    previews: Previews,
    showcase: Showcase,
    metrics: Arc<Metrics>,
    upstreams: Upstreams,
    started: Instant,
}

impl App {
    /// The surface of `service`.
    pub(crate) fn new(service: Service, config: Config) -> Self {
        Self {
            service,
            previews: Previews::new(),
            showcase: config.showcase,
            metrics: config.metrics,
            upstreams: config.upstreams,
            started: Instant::now(),
        }
    }

    pub(crate) fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    /// The answer to a request for a picture that is in memory. It takes so little that everything
    /// else of a request would be most of it, so it comes without any.
    pub(crate) fn respond_from_memory(&self, request: &Parts) -> Option<Answer> {
        if !matches!(request.method, Method::GET | Method::HEAD) {
            return None;
        }
        let begun = Instant::now();
        let (path, query) = (request.uri.path(), request.uri.query());
        let (name, (picture, input)) = match route(path) {
            Route::Picture { picture, input } => (picture.endpoint().word(), (picture, input)),
            Route::V1(wanted) => (route_name(path), wanted.picture(query)?),
            Route::Family(wanted) => (route_name(path), wanted.picture(query)?),
            _ => return None,
        };
        if picture.format() != ImageFormat::Png {
            // What is text may have to be compressed.
            return None;
        }
        let image = self.service.cached(&picture.of_player(&input))?;
        // What is in memory is a hit, whose headers are complete.
        let answer = picture_answer(
            picture,
            &input,
            &image,
            self.service.now(),
            &request.headers,
        );
        self.note(name, request, &answer, begun);
        Some(answer)
    }

    /// The whole answer to a request. It never fails: whatever goes wrong is an answer too.
    pub(crate) async fn respond<B>(&self, request: &Parts, body: B) -> Answer
    where
        B: Body<Data = Bytes> + Unpin,
    {
        let begun = Instant::now();
        let mut answer = match request.method {
            // To HEAD the server sends the same head and leaves the body out.
            Method::GET | Method::HEAD => {
                drop(body);
                self.get(request).await
            }
            Method::POST => self.post(request, body).await,
            Method::OPTIONS => preflight(methods(request)),
            _ => method_not_allowed(methods(request)),
        };
        gzip::compress(&mut answer, &request.headers);
        headers::dress(&mut answer);
        self.note(route_name(request.uri.path()), request, &answer, begun);
        answer
    }

    /// The figures of this process.
    fn figures(&self) -> Answer {
        let (service, upstreams) = (self.service.snapshot(), (self.upstreams.0)());
        json::metrics(self.metrics.text(&service, &upstreams))
    }

    /// Counts the request, and logs it for those who want to see each.
    fn note(&self, route: &str, request: &Parts, answer: &Answer, begun: Instant) {
        let (status, took) = (answer.status().as_u16(), begun.elapsed());
        let cache = answer.headers().get(headers::X_CACHE);
        let kind = match cache.map(HeaderValue::as_bytes) {
            Some(b"hit") => Kind::Hit,
            Some(b"stale") => Kind::Stale,
            Some(_) => Kind::Miss,
            None => Kind::Other,
        };
        let (method, path) = (&request.method, request.uri.path());
        self.metrics.answered(route, status, kind, took);
        tracing::debug!(%method, path, status, ?kind, ?took, "answered");
    }

    async fn get(&self, request: &Parts) -> Answer {
        let route = route(request.uri.path());
        let failure = failure_message(&route);
        match caught(self.follow(route, request)).await {
            Some(answer) => answer,
            None => error(StatusCode::INTERNAL_SERVER_ERROR, failure),
        }
    }

    async fn post<B>(&self, request: &Parts, body: B) -> Answer
    where
        B: Body<Data = Bytes> + Unpin,
    {
        match route(request.uri.path()) {
            Route::Preview(Some(picture)) => self.preview(picture, request.uri.query(), body).await,
            Route::V1Preview(view, form) => {
                let query = request.uri.query();
                let wishes = Wishes::of(&Query::parse(query));
                match wishes.and_then(|wishes| wishes.picture(view, form)) {
                    Ok(picture) => self.preview(picture, query, body).await,
                    Err(reason) => error(StatusCode::BAD_REQUEST, reason),
                }
            }
            Route::Preview(None) => error(StatusCode::BAD_REQUEST, DIRECTION_ERROR),
            _ => method_not_allowed(METHODS),
        }
    }

    async fn preview<B>(&self, picture: PictureParams, query: Option<&str>, body: B) -> Answer
    where
        B: Body<Data = Bytes> + Unpin,
    {
        let preview = self.previews.answer(&self.service, picture, query, body);
        let drawn = caught(preview).await;
        drawn.unwrap_or_else(|| failed(picture.endpoint()))
    }

    async fn follow(&self, route: Route, request: &Parts) -> Answer {
        let (query, headers) = (request.uri.query(), &request.headers);
        match route {
            Route::Index => landing::page(query, &self.showcase, headers),
            Route::Asset(asset) => asset.answer(query, headers),
            Route::Family(path) => path.answer(&self.service, query, headers).await,
            Route::OpenApi => openapi::openapi(headers),
            Route::Reference => openapi::reference(headers),
            Route::V1(path) => path.answer(&self.service, query, headers).await,
            Route::Preview(_) | Route::V1Preview(..) => method_not_allowed(PREVIEW_METHODS),
            Route::Picture { picture, input } => self.picture(picture, &input, request).await,
            Route::BadDirection => error(StatusCode::BAD_REQUEST, DIRECTION_ERROR),
            Route::Count(edition) => match self.service.count(edition).await {
                Ok(count) => json::count(edition, count),
                Err(_) => failed(count_endpoint(edition)),
            },
            Route::Counts => match self.service.counts().await {
                Ok(counts) => json::counts(&counts),
                Err(_) => failed(Endpoint::AllStatsSorted),
            },
            Route::Health => json::health(&self.service.health().await, self.started),
            Route::Presets => json::presets(),
            Route::Metrics => self.figures(),
            Route::Malformed => error(StatusCode::BAD_REQUEST, "Malformed URL"),
            Route::NotFound => error(StatusCode::NOT_FOUND, "Not found"),
        }
    }

    async fn picture(&self, picture: PictureParams, input: &str, request: &Parts) -> Answer {
        let answer = match self.service.picture(picture.of_player(input)).await {
            Ok(PictureOutcome::Image(image)) => {
                let now = self.service.now();
                Ok(picture_answer(
                    picture,
                    input,
                    &image,
                    now,
                    &request.headers,
                ))
            }
            Ok(PictureOutcome::Large(picture)) => large_picture_answer(*picture, request).await,
            Err(error) => Err(error),
        };
        answer.unwrap_or_else(|error| {
            let mut answer = failed(picture.endpoint());
            say_when_to_come_again(&mut answer, &error);
            answer
        })
    }
}

fn count_endpoint(edition: Edition) -> Endpoint {
    match edition {
        Edition::Java => Endpoint::AllStats,
        Edition::Bedrock => Endpoint::AllStatsBedrock,
    }
}

/// The endpoint's one answer to any failure.
fn failed(endpoint: Endpoint) -> Answer {
    error(StatusCode::INTERNAL_SERVER_ERROR, endpoint.error_message())
}

/// What the caller of a route is told when the program itself fails.
fn failure_message(route: &Route) -> &'static str {
    match route {
        Route::Picture { picture, .. } => picture.endpoint().error_message(),
        Route::Count(edition) => count_endpoint(*edition).error_message(),
        Route::Counts => Endpoint::AllStatsSorted.error_message(),
        Route::Health => Endpoint::Health.error_message(),
        _ => "Internal server error",
    }
}

/// The methods that the request's path takes.
fn methods(request: &Parts) -> &'static str {
    match route(request.uri.path()) {
        Route::Preview(_) | Route::V1Preview(..) => PREVIEW_METHODS,
        _ => METHODS,
    }
}

fn preflight(methods: &'static str) -> Answer {
    let mut answer = empty(StatusCode::NO_CONTENT);
    set(&mut answer, ALLOW, methods);
    set(&mut answer, ACCESS_CONTROL_ALLOW_METHODS, methods);
    set(&mut answer, ACCESS_CONTROL_ALLOW_HEADERS, "*");
    set(&mut answer, ACCESS_CONTROL_MAX_AGE, "86400");
    answer
}

fn method_not_allowed(methods: &'static str) -> Answer {
    let mut answer = error(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed");
    set(&mut answer, ALLOW, methods);
    answer
}

/// What `work` gives, or nothing when it panics: one request must not harm the others on its
/// connection.
async fn caught<T>(work: impl Future<Output = T>) -> Option<T> {
    let mut work = pin!(work);
    poll_fn(|context| {
        match catch_unwind(AssertUnwindSafe(|| work.as_mut().poll(context))) {
            Ok(poll) => poll.map(Some),
            // The panic hook has told what and where; the work is not polled again.
            Err(_) => Poll::Ready(None),
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_panic_is_caught() {
        let broken = async {
            tokio::task::yield_now().await;
            panic!("the handler is broken")
        };
        let outcome: Option<()> = caught(broken).await;
        assert_eq!(outcome, None);
        assert_eq!(caught(async { 7 }).await, Some(7));
    }
}
