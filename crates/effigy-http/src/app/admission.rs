//! The admission of requests, and the clients that they are from.

use hyper::{HeaderMap, Version, header::HOST, http::request::Parts};

use super::{App, Call};
use crate::{
    clients::Client,
    routes::{Rejection, Request, Target},
    server::Door,
};

/// The message of a request that names no host, or several. RFC 9112, 3.2.
const ONE_HOST: &str = "A request must have one Host header";

impl App {
    /// # Errors
    /// If the request does not name one host, or what it asks for is not served through this door.
    pub(super) fn admit(
        &self,
        request: &Request,
        head: &Parts,
        door: Door,
    ) -> Result<(), Rejection> {
        if !has_one_host(head) {
            return Err(Rejection::from(ONE_HOST));
        }
        match self.is_served(request, door) {
            true => Ok(()),
            false => Err(Rejection::NOT_FOUND),
        }
    }

    /// Returns `true` if the request may come through this door.
    fn is_served(&self, request: &Request, door: Door) -> bool {
        match (&request.target, door) {
            (Ok(Target::Metrics), Door::Public) => !self.has_metrics_door,
            (Ok(Target::Preview { .. }), Door::Public) => self.has_previews,
            (target, Door::Metrics) => matches!(target, Ok(Target::Metrics)),
            (_, Door::Public) => true,
        }
    }

    /// Returns the client that sent a request.
    pub(super) fn client(&self, call: &Call<'_>) -> Client {
        self.clients
            .client(call.connection.peer, &call.head.headers)
    }
}

/// Returns `true` if a page of this service sends the request, as browsers state it.
pub(super) fn is_of_page(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site");
    site.is_some_and(|site| site == "same-origin")
}

/// Returns `true` if the request names one host. HTTP/1.0 requires none, and HTTP/2 has another way.
fn has_one_host(head: &Parts) -> bool {
    let mut hosts = head.headers.get_all(HOST).iter();
    match hosts.next() {
        Some(_) => hosts.next().is_none(),
        None => head.version != Version::HTTP_11,
    }
}
