//! The transport over the network: HTTP/1.1 with ureq and rustls.

use std::io::{self, Read as _};
use std::time::{Duration, SystemTime};

use ureq::Body;
use ureq::http::{HeaderMap, HeaderName, header};
use ureq::unversioned::resolver::{DefaultResolver, Resolver};
use ureq::unversioned::transport::DefaultConnector;

use super::dns_filter::{DnsFilter, REUSE};
use super::{Request, Response, Transport, TransportError};
use crate::{ConfigError, Validators};

/// The number of idle connections per host. A burst opens more and closes them again.
const IDLE_PER_HOST: usize = 16;

/// The address of the API of a Yggdrasil server, in the responses of its site.
const API_LOCATION: &str = "x-authlib-injector-api-location";

/// The time limit of a DNS look-up, and of the connection with its TLS handshake.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Performs calls over the network and keeps connections open between them.
///
/// It uses no proxy, stores no cookies and requests no compression, so a body is never larger than
/// the bytes that came over the wire. It rejects a host name that resolves to a loopback, private
/// or otherwise not public address, unless the operator has set that host.
#[derive(Debug, Clone)]
pub struct UreqTransport {
    /// Calls public addresses only.
    public: ureq::Agent,
    /// Calls any address.
    any_address: ureq::Agent,
}

/// The timing of connections.
#[derive(Debug, Clone, Copy)]
struct Timing {
    connect_timeout: Duration,
    /// The time for which the addresses of a host are used again.
    dns_reuse: Duration,
}

impl Timing {
    const DEFAULT: Self = Self {
        connect_timeout: CONNECT_TIMEOUT,
        dns_reuse: REUSE,
    };
}

impl UreqTransport {
    /// Creates a transport. Its user agent is `Effigy/<version>`, with the contact
    /// in parentheses.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the contact cannot be sent in a header.
    pub fn new(contact: Option<&str>) -> Result<Self, ConfigError> {
        Self::with_dns(contact, DefaultResolver::default, Timing::DEFAULT)
    }

    /// Creates a transport whose agents have a resolver each.
    fn with_dns<R: Resolver>(
        contact: Option<&str>,
        resolver: impl Fn() -> R,
        timing: Timing,
    ) -> Result<Self, ConfigError> {
        let config = ureq::Agent::config_builder()
            .user_agent(user_agent(contact)?)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_resolve(Some(timing.connect_timeout))
            .timeout_connect(Some(timing.connect_timeout))
            .max_idle_connections_per_host(IDLE_PER_HOST)
            .max_idle_connections(4 * IDLE_PER_HOST)
            .build();
        let agent = |any_address| {
            let filter = DnsFilter::new(resolver(), any_address, timing.dns_reuse);
            ureq::Agent::with_parts(config.clone(), DefaultConnector::new(), filter)
        };
        Ok(Self {
            public: agent(false),
            any_address: agent(true),
        })
    }

    /// Sends a request. The body of the response is not read yet.
    fn call(&self, request: &Request) -> Result<ureq::http::Response<Body>, ureq::Error> {
        let agent = if request.any_address {
            &self.any_address
        } else {
            &self.public
        };
        let url = request.url.as_str();
        let timeout = Some(request.timeout);
        if let Some(json) = &request.json {
            let post = agent.post(url).content_type("application/json");
            return post.config().timeout_global(timeout).build().send(json);
        }
        let mut get = agent.get(url);
        for (name, value) in conditions(&request.validators) {
            get = get.header(name, value);
        }
        get.config().timeout_global(timeout).build().call()
    }
}

impl Transport for UreqTransport {
    fn send(&self, request: &Request) -> Result<Response, TransportError> {
        let mut response = self.call(request).map_err(transport_error)?;
        let status = response.status().as_u16();
        let headers = response.headers();
        let retry_after = retry_after(headers);
        let location = header_text(headers, header::LOCATION.as_str())
            .or_else(|| header_text(headers, API_LOCATION))
            .map(str::to_owned);
        let validators = Validators::new(
            header_text(headers, header::ETAG.as_str()),
            header_text(headers, header::LAST_MODIFIED.as_str()),
        );
        let body = read_body(response.body_mut(), status, request.max_body)?;
        Ok(Response {
            status,
            retry_after,
            location,
            validators,
            body,
        })
    }
}

/// Reads a body. Only the one of a response with status 200 has to be complete, because any other
/// status is an answer already.
fn read_body(incoming: &mut Body, status: u16, max_body: usize) -> Result<Vec<u8>, TransportError> {
    let limit = (max_body as u64).saturating_add(1);
    let mut body = Vec::new();
    let read = incoming.as_reader().take(limit).read_to_end(&mut body);
    if status == 200 {
        read.map_err(|error| transport_error(error.into()))?;
        if body.len() > max_body {
            return Err(TransportError::TooLarge { max_body });
        }
    }
    Ok(body)
}

/// Returns the headers that ask for a file only if it has changed.
fn conditions(validators: &Validators) -> Vec<(HeaderName, String)> {
    let known = validators.sendable();
    let mut headers = Vec::new();
    if let Some(etag) = known.etag {
        headers.push((header::IF_NONE_MATCH, etag));
    }
    if let Some(time) = known.last_modified {
        headers.push((header::IF_MODIFIED_SINCE, time));
    }
    headers
}

fn transport_error(error: ureq::Error) -> TransportError {
    use io::ErrorKind::{ConnectionRefused, HostUnreachable, NetworkUnreachable, TimedOut};
    if matches!(error, ureq::Error::Timeout(_)) {
        return TransportError::Timeout;
    }
    match error.into_io().downcast() {
        Ok(error) => error,
        Err(source) => match source.kind() {
            TimedOut => TransportError::Timeout,
            ConnectionRefused | HostUnreachable | NetworkUnreachable => {
                TransportError::Unreachable { source }
            }
            _ => TransportError::Io { source },
        },
    }
}

fn user_agent(contact: Option<&str>) -> Result<String, ConfigError> {
    let name = concat!("Effigy/", env!("CARGO_PKG_VERSION"));
    let contact = contact.unwrap_or_default().trim();
    if contact.is_empty() {
        return Ok(name.to_owned());
    }
    let is_printable = contact.bytes().all(|byte| matches!(byte, b' '..=b'~'));
    if !is_printable {
        return Err(ConfigError::Contact {
            contact: contact.to_owned(),
        });
    }
    Ok(format!("{name} (+{contact})"))
}

fn header_text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

/// Returns the time to wait before the next call. A date is compared with the upstream's own clock
/// if it sends a `Date` header.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let value = header_text(headers, header::RETRY_AFTER.as_str())?.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let now = header_text(headers, header::DATE.as_str())
        .and_then(|date| httpdate::parse_http_date(date).ok())
        .unwrap_or_else(SystemTime::now);
    Some(until.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::net::{SocketAddr, TcpListener};
    use std::sync::Arc;
    use std::thread::{self, JoinHandle};
    use std::time::Instant;

    use parking_lot::Mutex;
    use url::Url;

    use super::*;
    use crate::transport::Step;
    use crate::transport::tests::{CannedDns, MovingDns};

    /// A transport whose names all have this address.
    fn transport_to(address: SocketAddr, timing: Timing) -> UreqTransport {
        let dns = || CannedDns::new(Ok(vec![address]));
        UreqTransport::with_dns(None, dns, timing).expect("a good config")
    }

    #[test]
    fn the_user_agent_has_the_contact() {
        let name = concat!("Effigy/", env!("CARGO_PKG_VERSION"));
        let url = "https://example.com/me";
        let both = format!("{name} (+{url})");
        for (contact, expected) in [(None, name), (Some(" "), name), (Some(url), &both)] {
            assert_eq!(user_agent(contact).as_deref(), Ok(expected));
        }
        for value in ["a\r\nX: y", "é", "a\0b"] {
            let error = UreqTransport::new(Some(value)).unwrap_err();
            let problem = "may only have printable ASCII characters";
            assert_eq!(error.to_string(), format!("{value:?} {problem}"));
        }
    }

    #[test]
    fn without_an_address_nothing_is_sent() {
        let failures: [fn() -> ureq::Error; 3] = [
            || ureq::Error::HostNotFound,
            || ureq::Error::Timeout(ureq::Timeout::Resolve),
            || io::Error::other("the name server is gone").into(),
        ];
        for failure in failures {
            let dns = || CannedDns::new(Err(failure));
            let transport = UreqTransport::with_dns(None, dns, Timing::DEFAULT);
            let error = transport
                .expect("a good config")
                .send(&request("a.b", true));
            let is_unsent = matches!(error, Err(TransportError::Unreachable { .. }));
            assert!(is_unsent, "{error:?}");
        }
    }

    fn request(host: &str, any_address: bool) -> Request {
        Request {
            provider: "test".into(),
            any_address,
            step: Step::Texture,
            url: Url::parse(&format!("http://{host}/texture/abc")).expect(host),
            json: None,
            validators: Validators::default(),
            timeout: Duration::from_secs(30),
            max_body: 10,
        }
    }

    fn server() -> (TcpListener, SocketAddr) {
        let server = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = server.local_addr().expect("an address");
        (server, address)
    }

    #[test]
    fn a_public_host_with_a_loopback_address_is_rejected() {
        // An address in the URL is resolved like a name.
        for host in ["textures.minecraft.net", "127.0.0.1", "[::1]"] {
            let (server, loopback) = server();
            let transport = transport_to(loopback, Timing::DEFAULT);
            let error = transport.send(&request(host, false)).expect_err(host);
            assert!(
                matches!(&error, TransportError::NotPublic { host: refused, address }
                    if refused == host && address.is_loopback()),
                "{error:?}"
            );
            // A connection would be waiting to be accepted.
            server.set_nonblocking(true).unwrap();
            let waiting = server.accept().expect_err(host);
            assert_eq!(waiting.kind(), io::ErrorKind::WouldBlock);
        }
    }

    /// A server that does not speak TLS may never answer the handshake.
    #[test]
    fn connecting_has_a_timeout_of_its_own() {
        let (_server, address) = server();
        let timing = Timing {
            connect_timeout: Duration::from_millis(200),
            ..Timing::DEFAULT
        };
        let mut request = request("skins.internal", true);
        request.url.set_scheme("https").expect("a scheme");
        let start = Instant::now();
        let error = transport_to(address, timing).send(&request);
        let is_timeout = matches!(error, Err(TransportError::Timeout));
        assert!(
            is_timeout && start.elapsed() < request.timeout / 3,
            "{error:?}"
        );
    }

    /// Answers the first request with this body, and closes the connection and the listener.
    fn answer_once(server: TcpListener, body: &'static str) -> JoinHandle<()> {
        thread::spawn(move || {
            let (mut connection, _) = server.accept().expect("a connection");
            let mut received = [0; 4096];
            let length = connection.read(&mut received).expect("a request");
            assert!(received[..length].starts_with(b"GET /texture/abc"));
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            connection.write_all(head.as_bytes()).expect("a client");
            connection.write_all(body.as_bytes()).expect("a client");
        })
    }

    /// The test switches the address for which the resolver is asked, as an upstream that moves
    /// does.
    #[test]
    fn an_upstream_that_moves_is_found_at_its_new_address() {
        let (old_server, old_address) = server();
        let (new_server, new_address) = server();
        let address = Arc::new(Mutex::new(old_address));
        let dns = || MovingDns(Arc::clone(&address));
        let timing = Timing {
            dns_reuse: Duration::from_millis(300),
            ..Timing::DEFAULT
        };
        let transport = UreqTransport::with_dns(None, dns, timing).expect("a good config");
        let request = request("skins.internal", true);
        let old = answer_once(old_server, "old");
        assert_eq!(transport.send(&request).expect("it answers").body, b"old");
        old.join().expect("it has answered");

        *address.lock() = new_address;
        let new = answer_once(new_server, "new");
        let deadline = Instant::now() + Duration::from_secs(20);
        let found = loop {
            match transport.send(&request) {
                Ok(response) => break response,
                Err(error) => assert!(Instant::now() < deadline, "{error:?}"),
            }
            thread::sleep(Duration::from_millis(20));
        };
        assert_eq!(found.body, b"new");
        new.join().expect("it has answered");
    }
}
