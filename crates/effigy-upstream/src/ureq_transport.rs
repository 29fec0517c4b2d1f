//! The real transport: HTTP/1.1 over ureq and rustls.

use std::io::{self, Read as _};
use std::time::{Duration, SystemTime};

use ureq::http::{HeaderMap, header};

use crate::{ConfigError, Request, Response, Transport, TransportError};

/// How much is read of a body that comes with a status other than 200, for the words in it.
const MAX_REFUSAL: u64 = 16 * 1024;

/// Connections kept open to one host.
const IDLE_PER_HOST: usize = 8;

/// Performs the calls over the network, keeping connections open between them.
///
/// It uses no proxy, keeps no cookies and asks for no compression, so a body is never larger than
/// what came over the wire.
#[derive(Debug, Clone)]
pub struct UreqTransport {
    agent: ureq::Agent,
}

impl UreqTransport {
    /// A transport that names itself `Effigy/<version>`, with the contact in parentheses.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Contact`] where the contact cannot be put into a header.
    pub fn new(contact: Option<&str>) -> Result<Self, ConfigError> {
        let agent = ureq::Agent::config_builder()
            .user_agent(user_agent(contact)?)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .max_idle_connections_per_host(IDLE_PER_HOST)
            .max_idle_connections(4 * IDLE_PER_HOST)
            .build()
            .new_agent();
        Ok(Self { agent })
    }
}

impl Transport for UreqTransport {
    fn get(&self, request: &Request) -> Result<Response, TransportError> {
        let mut answer = self
            .agent
            .get(request.url.as_str())
            .config()
            .timeout_global(Some(request.timeout))
            .build()
            .call()
            .map_err(failure)?;
        let status = answer.status().as_u16();
        let retry_after = retry_after(answer.headers());
        let body = match status {
            200 => whole(answer.body_mut().as_reader(), request.max_body)?,
            _ => beginning(answer.body_mut().as_reader()),
        };
        Ok(Response {
            status,
            retry_after,
            body,
        })
    }
}

/// The body, where it is no larger than allowed.
fn whole(reader: impl io::Read, max_body: usize) -> Result<Vec<u8>, TransportError> {
    let mut body = Vec::new();
    let one_more = u64::try_from(max_body).map_or(u64::MAX, |max| max.saturating_add(1));
    reader
        .take(one_more)
        .read_to_end(&mut body)
        .map_err(|error| failure(error.into()))?;
    if body.len() > max_body {
        return Err(TransportError::TooLarge { max_body });
    }
    Ok(body)
}

/// What can be read of a body whose status already says that something is wrong: that it breaks off
/// must not hide the status.
fn beginning(reader: impl io::Read) -> Vec<u8> {
    let mut body = Vec::new();
    match reader.take(MAX_REFUSAL).read_to_end(&mut body) {
        Ok(_) | Err(_) => body,
    }
}

fn failure(error: ureq::Error) -> TransportError {
    match error {
        ureq::Error::Timeout(_) => TransportError::Timeout,
        error => TransportError::Io {
            source: error.into_io(),
        },
    }
}

fn user_agent(contact: Option<&str>) -> Result<String, ConfigError> {
    let name = concat!("Effigy/", env!("CARGO_PKG_VERSION"));
    let Some(contact) = contact.map(str::trim).filter(|contact| !contact.is_empty()) else {
        return Ok(name.to_owned());
    };
    if !contact.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
        return Err(ConfigError::Contact {
            value: contact.to_owned(),
        });
    }
    Ok(format!("{name} (+{contact})"))
}

/// How long the upstream asks to be left alone for. A date counts from the upstream's own clock
/// where it tells its time.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let value = text(header::RETRY_AFTER)?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let now = text(header::DATE)
        .and_then(|date| httpdate::parse_http_date(date).ok())
        .unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default())
}
