//! The transport: one request, its response, and its errors.

mod dns_filter;
pub(crate) mod ureq_transport;

use std::{io, net::IpAddr, sync::Arc, time::Duration};

use url::Url;

use crate::{UpstreamError, Validators};

/// Performs requests. It follows no redirects and returns every status as a [`Response`].
pub trait Transport: Send + Sync + 'static {
    /// Performs the request.
    ///
    /// # Errors
    ///
    /// [`TransportError`] if no complete response arrives within the request's limits.
    fn send(&self, request: &Request) -> Result<Response, TransportError>;
}

impl<F> Transport for F
where
    F: Fn(&Request) -> Result<Response, TransportError> + Send + Sync + 'static,
{
    fn send(&self, request: &Request) -> Result<Response, TransportError> {
        self(request)
    }
}

/// One request: a POST of JSON, or a GET.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The provider that is called, by its kind and host.
    pub provider: Arc<str>,
    /// The step of a look-up that the call is part of.
    pub step: Step,
    /// The http or https URL, without user name and fragment.
    pub url: Url,
    /// The JSON to post. Without it, the request is a GET.
    pub json: Option<Vec<u8>>,
    /// The validators of the file that is known (`If-None-Match`, `If-Modified-Since`). With them,
    /// the response may be a 304.
    pub validators: Validators,
    /// The time limit of the call, from the DNS look-up to the last byte.
    pub timeout: Duration,
    /// The largest body that is accepted, in bytes.
    pub max_body: usize,
    /// `true` if the operator has set the host of the URL, which may then have an address that is
    /// not public.
    pub any_address: bool,
}

effigy_player::word_enum! {
    /// A step of a look-up: one kind of call. Its word is for metrics and messages.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Step {
        /// Java name to UUID.
        Identity = "identity",
        /// Java UUID to the profile that names the texture.
        Session = "session",
        /// Bedrock gamertag to XUID.
        Xuid = "xuid",
        /// XUID to the record that names the texture.
        BedrockSkin = "bedrock_skin",
        /// The texture itself.
        Texture = "texture",
        /// The description of a Yggdrasil server.
        Metadata = "metadata",
    }
}

impl Step {
    /// Returns the error of a response in which a field is missing or malformed.
    pub(crate) const fn malformed(self, field: &'static str) -> UpstreamError {
        let step = self;
        UpstreamError::Shape { step, field }
    }
}

/// A response of any status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// The time to wait before the next call (`Retry-After`).
    pub retry_after: Option<Duration>,
    /// The address that the response points to: `Location`, or `X-Authlib-Injector-API-Location`.
    pub location: Option<String>,
    /// The validators of the body (`ETag`, `Last-Modified`).
    pub validators: Validators,
    /// The body. It is certain to be complete only with status 200.
    pub body: Vec<u8>,
}

impl Response {
    /// The response to a request for something that does not exist.
    pub(crate) fn not_found() -> Self {
        Self {
            status: 404,
            ..Self::default()
        }
    }

    /// Returns the error for a response whose status says nothing about a player.
    pub(crate) const fn failure(&self, step: Step) -> UpstreamError {
        UpstreamError::Status {
            step,
            status: self.status,
            retry_after: self.retry_after,
        }
    }

    /// Returns `true` if the body is empty or a JSON object, as in answers of the services. Any
    /// other body is a page of a proxy in between, which says nothing about a player.
    pub(crate) fn is_from_service(&self) -> bool {
        let body = self.body.trim_ascii();
        body.is_empty() || body.starts_with(b"{")
    }
}

/// The reason why no complete response arrived. The network or the upstream is at fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The time limit passed before the last byte came.
    #[error("no complete response in time")]
    Timeout,
    /// The body is larger than any valid response.
    #[error("the response is larger than {max_body} bytes")]
    TooLarge {
        /// The largest body that would have been accepted.
        max_body: usize,
    },
    /// The host name resolves to an address that is not on the public internet.
    #[error("the host {host} has the address {address}, which is not public")]
    NotPublic {
        /// The host.
        host: String,
        /// Its address.
        address: IpAddr,
    },
    /// There is no connection, so the request was not sent: the host has no address, or does not
    /// accept connections.
    #[error("there is no connection")]
    Unreachable {
        /// The cause.
        #[source]
        source: io::Error,
    },
    /// The connection failed, was closed early, or the peer did not speak HTTP.
    #[error("the connection failed")]
    Io {
        /// The cause.
        #[source]
        source: io::Error,
    },
}

#[cfg(test)]
mod tests;
