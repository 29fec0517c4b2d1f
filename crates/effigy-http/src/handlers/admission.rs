//! Parsing of requests, and the rejections that don't depend on the route.

use effigy_parameters::Family;
use effigy_service::Client;
use hyper::{
    StatusCode, Version,
    header::HOST,
    http::{request::Parts, uri::Authority},
};

use super::Handlers;
use crate::{
    config::Paths,
    routes::{Operation, ParsedRequest, Rejection, Surface, version},
};

/// The message for a request that names no host, or several. RFC 9112, 3.2.
const ONE_HOST: &str = "A request must have one Host header";

impl Handlers {
    /// Parses a request, and decides if it is rejected.
    pub(super) fn parse(&self, head: &Parts, client: Client) -> ParsedRequest {
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

    /// Parses the URL of a request. At the host of a family, all paths but the probes are the
    /// family's.
    fn parse_url(&self, head: &Parts) -> ParsedRequest {
        let path = head.uri.path();
        let query = head.uri.query();
        let request = ParsedRequest::parse(path, query);
        match self.family_at_host(head) {
            // The path is parsed again, as the family's.
            Some(family) if !is_probe(&request) => {
                ParsedRequest::parse_of_host(family, path, query)
            }
            _ => request,
        }
    }

    /// Returns the family whose URLs are at the root of the host of a request.
    fn family_at_host(&self, head: &Parts) -> Option<Family> {
        if self.config.family_hosts.is_empty() {
            return None;
        }
        self.config.family_of_host(&host(head)?)
    }

    /// Checks a request, whatever its route is.
    ///
    /// # Errors
    /// If the request does not name one host, if the operator has turned the operation off, or if
    /// the picture would be larger than the operator allows.
    fn admit(&self, request: &ParsedRequest, head: &Parts) -> Result<(), Rejection> {
        if !has_one_host(head) {
            return Err(Rejection::bad_request(ONE_HOST));
        }
        if !self.is_on(request) {
            return Err(Rejection::NOT_FOUND);
        }
        if let Some(max) = self.config.max_size
            && let Ok(operation) = &request.operation
            && let Some(size) = operation.size()
            && size.get() > max.get()
        {
            return Err(match request.surface {
                Surface::Specified(message) => {
                    Rejection::new(StatusCode::INTERNAL_SERVER_ERROR, message)
                }
                _ => Rejection::bad_request(format!("Size must be a whole number from 1 to {max}")),
            });
        }
        Ok(())
    }

    /// Returns `true` if this listener answers requests for the operation.
    fn is_on(&self, request: &ParsedRequest) -> bool {
        match &request.operation {
            Ok(Operation::Live | Operation::Ready) => true,
            Ok(Operation::Metrics) => self.config.paths != Paths::AllButMetrics,
            _ if self.config.paths == Paths::Metrics => false,
            Ok(Operation::Preview { .. } | Operation::Form { .. }) => self.config.previews,
            _ => true,
        }
    }
}

fn is_probe(request: &ParsedRequest) -> bool {
    matches!(
        request.operation,
        Ok(Operation::Health | Operation::Live | Operation::Ready)
    )
}

/// Returns `true` if a request names one host. In HTTP/1.0, it may name none.
fn has_one_host(head: &Parts) -> bool {
    match head.headers.get_all(HOST).iter().count() {
        0 => head.version == Version::HTTP_10,
        count => count == 1,
    }
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
