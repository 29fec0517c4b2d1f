//! The transport over the network: HTTP/1.1 with ureq and rustls.

use std::io::{self, Read as _};
use std::time::{Duration, SystemTime};

use quick_cache::sync::Cache;
use ureq::http::{HeaderMap, HeaderName, header};
use ureq::unversioned::resolver::{DefaultResolver, Resolver};
use ureq::unversioned::transport::DefaultConnector;

use super::dns_filter::{DnsFilter, MAX_HOSTS};
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
/// what came over the wire. It rejects a host name that resolves to a loopback, private or
/// otherwise not public address, unless the operator has set that host.
#[derive(Debug, Clone)]
pub struct UreqTransport {
    /// For public addresses only, and for any.
    agents: [ureq::Agent; 2],
}

impl UreqTransport {
    /// Creates a transport. Its user agent is `Effigy/<version>`, with the contact
    /// in parentheses.
    ///
    /// # Errors
    ///
    /// [`ConfigError`] if the contact cannot be sent in a header.
    pub fn new(contact: Option<&str>) -> Result<Self, ConfigError> {
        Self::with_dns(contact, <[DefaultResolver; 2]>::default(), CONNECT_TIMEOUT)
    }

    fn with_dns(
        contact: Option<&str>,
        dns: [impl Resolver; 2],
        connect_timeout: Duration,
    ) -> Result<Self, ConfigError> {
        let config = ureq::Agent::config_builder()
            .user_agent(user_agent(contact)?)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_resolve(Some(connect_timeout))
            .timeout_connect(Some(connect_timeout))
            .max_idle_connections_per_host(IDLE_PER_HOST)
            .max_idle_connections(4 * IDLE_PER_HOST)
            .build();
        let [public, any] = dns;
        let agents = [(public, false), (any, true)].map(|(inner, any_address)| {
            let filter = DnsFilter {
                inner,
                any_address,
                found: Cache::new(MAX_HOSTS),
            };
            ureq::Agent::with_parts(config.clone(), DefaultConnector::new(), filter)
        });
        Ok(Self { agents })
    }
}

impl Transport for UreqTransport {
    fn send(&self, request: &Request) -> Result<Response, TransportError> {
        let (url, timeout) = (request.url.as_str(), Some(request.timeout));
        let agent = &self.agents[usize::from(request.any_address)];
        let response = match &request.json {
            None => {
                let mut get = agent.get(url);
                for (name, value) in conditions(&request.validators) {
                    get = get.header(name, value);
                }
                get.config().timeout_global(timeout).build().call()
            }
            Some(json) => {
                let post = agent.post(url).config().timeout_global(timeout);
                post.build().content_type("application/json").send(json)
            }
        };
        let mut response = response.map_err(transport_error)?;
        let status = response.status().as_u16();
        let retry_after = retry_after(response.headers());
        let location = header_text(response.headers(), header::LOCATION.as_str())
            .or_else(|| header_text(response.headers(), API_LOCATION))
            .map(str::to_owned);
        let validators = Validators::new(
            header_text(response.headers(), header::ETAG.as_str()),
            header_text(response.headers(), header::LAST_MODIFIED.as_str()),
        );
        let (mut body, max_body) = (Vec::new(), request.max_body);
        let reader = response.body_mut().as_reader();
        let read = reader
            .take((max_body as u64).saturating_add(1))
            .read_to_end(&mut body);
        // A read error must not hide another status, which already is an error.
        if status == 200 {
            read.map_err(|error| transport_error(error.into()))?;
            if body.len() > max_body {
                return Err(TransportError::TooLarge { max_body });
            }
        }
        Ok(Response {
            status,
            retry_after,
            location,
            validators,
            body,
        })
    }
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
    match contact.map(str::trim) {
        None | Some("") => Ok(name.to_owned()),
        Some(contact) if contact.bytes().all(|byte| matches!(byte, b' '..=b'~')) => {
            Ok(format!("{name} (+{contact})"))
        }
        Some(contact) => Err(ConfigError::Contact {
            contact: contact.to_owned(),
        }),
    }
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
    use std::net::{SocketAddr, TcpListener};
    use std::time::Instant;

    use url::Url;

    use super::*;
    use crate::transport::Step;
    use crate::transport::tests::CannedDns;

    /// Two resolvers with this answer for every name.
    fn dns(answer: Result<SocketAddr, fn() -> ureq::Error>) -> [CannedDns; 2] {
        [(); 2].map(|()| CannedDns::new(answer.map(|address| vec![address])))
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
            let transport = UreqTransport::with_dns(None, dns(Err(failure)), CONNECT_TIMEOUT);
            let transport = transport.expect("a good config");
            let error = transport.send(&request("a.b", true));
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
            let transport = UreqTransport::with_dns(None, dns(Ok(loopback)), CONNECT_TIMEOUT);
            let transport = transport.expect("a good config");
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

    /// A server that does not speak TLS does not reject it either.
    #[test]
    fn connecting_has_a_timeout_of_its_own() {
        let (_server, address) = server();
        let timeout = Duration::from_millis(200);
        let transport = UreqTransport::with_dns(None, dns(Ok(address)), timeout);
        let mut request = request("skins.internal", true);
        request.url.set_scheme("https").expect("a scheme");
        let start = Instant::now();
        let error = transport.expect("a good config").send(&request);
        let is_timeout = matches!(error, Err(TransportError::Timeout));
        assert!(
            is_timeout && start.elapsed() < request.timeout / 3,
            "{error:?}"
        );
    }
}
