//! One GET: what is asked, what comes back, and how it can fail.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::time::Duration;

use url::Url;

use crate::Step;

/// Performs a GET. It follows no redirects and gives every status back as a [`Response`].
pub trait Transport: Send + Sync + 'static {
    /// Performs the request.
    ///
    /// # Errors
    ///
    /// [`TransportError`] where no whole response arrived within the request's limits.
    fn get(&self, request: &Request) -> Result<Response, TransportError>;
}

/// One GET.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The step of a look-up that the call is part of.
    pub step: Step,
    /// Where to: http or https, without user name and fragment.
    pub url: Url,
    /// How long everything may take, from the look-up of the host's address to the last byte.
    pub timeout: Duration,
    /// The largest body that is accepted, in bytes.
    pub max_body: usize,
}

/// What an upstream answered, whatever its status.
#[derive(Clone, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: u16,
    /// How long the upstream asks to be left alone for (`Retry-After`).
    pub retry_after: Option<Duration>,
    /// The body. Only a 200's is sure to be whole.
    pub body: Vec<u8>,
}

impl Response {
    /// Whether the body is a JSON object or nothing, as services refuse. Anything else is a page
    /// that something in between has put in its place, and tells nothing about a player.
    pub(crate) fn is_plain(&self) -> bool {
        let body = self.body.trim_ascii();
        body.is_empty() || body.starts_with(b"{")
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("status", &self.status)
            .field("retry_after", &self.retry_after)
            .field("body_len", &self.body.len())
            .finish()
    }
}

/// Why no whole response arrived. The network or the upstream is at fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The time was up before the last byte came.
    #[error("no whole answer in time")]
    Timeout,
    /// The body is larger than any honest answer.
    #[error("the answer is larger than {max_body} bytes")]
    TooLarge {
        /// The largest body that would have been accepted.
        max_body: usize,
    },
    /// The host's name stands for an address that is not on the public internet.
    #[error("the host {host} has the address {address}, which is not a public one")]
    NotPublic {
        /// The host.
        host: String,
        /// Its address.
        address: IpAddr,
    },
    /// The connection could not be made, or broke, or spoke no HTTP.
    #[error("the connection failed")]
    Io {
        /// What went wrong.
        #[source]
        source: io::Error,
    },
}
