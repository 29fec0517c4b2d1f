//! From a request to its answer.

use std::{
    future::{Future, poll_fn},
    panic::{AssertUnwindSafe, catch_unwind},
    pin::pin,
    sync::Arc,
    task::Poll,
    time::Instant,
};

use effigy_player::Edition;
use effigy_render::Skin;
use effigy_service::{DIRECTION_ERROR, Endpoint, Picture, Service};
use effigy_store::Store;
use effigy_upstream::SkinSource;
use hyper::{
    HeaderMap, Method, StatusCode,
    header::{
        ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_MAX_AGE, ALLOW,
    },
    http::request::Parts,
};

use super::{
    answer::{Answer, empty, error, set},
    documents, encoding, headers,
    pictures::picture_answer,
    route::{Route, route},
};

/// The methods that are served.
const METHODS: &str = "GET, HEAD, OPTIONS";

/// The service, as HTTP shows it.
pub(crate) struct App<St, So> {
    service: Service<St, So>,
    started: Instant,
}

impl<St, So> App<St, So>
where
    St: Store,
    So: SkinSource<Skin = Skin>,
{
    pub(crate) fn new(service: Service<St, So>) -> Arc<Self> {
        let started = Instant::now();
        Arc::new(Self { service, started })
    }

    /// The whole answer to a request. It never fails: whatever goes wrong is an answer too.
    pub(crate) async fn respond(&self, request: &Parts) -> Answer {
        let mut answer = match request.method {
            // To HEAD the server sends the same head and leaves the body out.
            Method::GET | Method::HEAD => self.get(request).await,
            Method::OPTIONS => preflight(),
            _ => method_not_allowed(),
        };
        encoding::compress(&mut answer, &request.headers);
        headers::dress(&mut answer);
        answer
    }

    async fn get(&self, request: &Parts) -> Answer {
        let route = route(request.uri.path());
        let failure = failure_message(&route);
        match caught(self.follow(route, &request.headers)).await {
            Some(answer) => answer,
            None => error(StatusCode::INTERNAL_SERVER_ERROR, failure),
        }
    }

    async fn follow(&self, route: Route, request: &HeaderMap) -> Answer {
        match route {
            Route::Index => documents::index(),
            Route::Picture { picture, input } => self.picture(picture, &input, request).await,
            Route::BadDirection => error(StatusCode::BAD_REQUEST, DIRECTION_ERROR),
            Route::Count(edition) => match self.service.count(edition).await {
                Ok(count) => documents::count(edition, count),
                Err(_) => failed(count_endpoint(edition)),
            },
            Route::Counts => match self.service.counts().await {
                Ok(counts) => documents::counts(&counts),
                Err(_) => failed(Endpoint::AllStatsSorted),
            },
            Route::Health => documents::health(&self.service.health().await, self.started),
            Route::Presets => documents::presets(),
            Route::Malformed => error(StatusCode::BAD_REQUEST, "Malformed URL"),
            Route::NotFound => error(StatusCode::NOT_FOUND, "Not found"),
        }
    }

    async fn picture(&self, picture: Picture, input: &str, request: &HeaderMap) -> Answer {
        match self.service.image(picture, input).await {
            Ok(image) => picture_answer(picture, input, &image, self.service.now(), request),
            Err(_) => failed(picture.endpoint()),
        }
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

fn preflight() -> Answer {
    let mut answer = empty(StatusCode::NO_CONTENT);
    set(&mut answer, ALLOW, METHODS);
    set(&mut answer, ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    set(&mut answer, ACCESS_CONTROL_ALLOW_HEADERS, "*");
    set(&mut answer, ACCESS_CONTROL_MAX_AGE, "86400");
    answer
}

fn method_not_allowed() -> Answer {
    let mut answer = error(StatusCode::METHOD_NOT_ALLOWED, "Method not allowed");
    set(&mut answer, ALLOW, METHODS);
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
