//! The real transport: HTTP/1.1 over ureq and rustls.

use std::io::{self, Read as _};
use std::time::{Duration, SystemTime};

use ureq::config::Config;
use ureq::http::{HeaderMap, header};
use ureq::unversioned::resolver::{DefaultResolver, Resolver};
use ureq::unversioned::transport::DefaultConnector;

use crate::checked_look_up::{CheckedLookUp, NotPublic};
use crate::textures::own_hosts;
use crate::{ConfigError, Policy, Request, Response, Transport, TransportError, UpstreamConfig};

/// How much is read of a body that comes with a status other than 200, for the words in it.
const MAX_REFUSAL: u64 = 16 * 1024;

/// Connections kept open to one host between calls. A burst opens more, and closes them again.
const IDLE_PER_HOST: usize = 16;

/// Performs the calls over the network, keeping connections open between them.
///
/// It uses no proxy, keeps no cookies and asks for no compression, so a body is never larger than
/// what came over the wire. A name is refused that stands for a loopback, private or otherwise not
/// public address, unless it is one that the operator has set.
#[derive(Debug, Clone)]
pub struct UreqTransport {
    agent: ureq::Agent,
}

impl UreqTransport {
    /// A transport to public hosts that names itself `Effigy/<version>`, with the contact in
    /// parentheses.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Contact`] where the contact cannot be put into a header.
    pub fn new(contact: Option<&str>) -> Result<Self, ConfigError> {
        Self::for_config(&UpstreamConfig {
            contact: contact.map(str::to_owned),
            ..UpstreamConfig::default()
        })
    }

    /// The transport for these services, which may have any address where they are the operator's
    /// own.
    ///
    /// # Errors
    ///
    /// [`ConfigError::Contact`] where the contact cannot be put into a header, and
    /// [`ConfigError::TextureHost`] for a texture host that is none.
    pub fn for_config(config: &UpstreamConfig) -> Result<Self, ConfigError> {
        let look_up = CheckedLookUp::new(DefaultResolver::default(), own_hosts(config)?);
        let agent = agent_config(config.contact.as_deref(), config.policy)?;
        Ok(Self::with_look_up(agent, look_up))
    }

    fn with_look_up(config: Config, look_up: impl Resolver) -> Self {
        let agent = ureq::Agent::with_parts(config, DefaultConnector::new(), look_up);
        Self { agent }
    }
}

fn agent_config(contact: Option<&str>, policy: Policy) -> Result<Config, ConfigError> {
    Ok(ureq::Agent::config_builder()
        .user_agent(user_agent(contact)?)
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .timeout_resolve(Some(policy.connect_timeout))
        .timeout_connect(Some(policy.connect_timeout))
        .max_idle_connections_per_host(IDLE_PER_HOST)
        .max_idle_connections(4 * IDLE_PER_HOST)
        .build())
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
        error => io_failure(error.into_io()),
    }
}

fn io_failure(source: io::Error) -> TransportError {
    match source.get_ref().and_then(|inner| inner.downcast_ref()) {
        Some(NotPublic { host, address }) => TransportError::NotPublic {
            host: host.clone(),
            address: *address,
        },
        None if source.kind() == io::ErrorKind::TimedOut => TransportError::Timeout,
        None => TransportError::Io { source },
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

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader, Write as _};
    use std::net::{SocketAddr, TcpListener};
    use std::thread;

    use ureq::http::Uri;
    use ureq::unversioned::resolver::ResolvedSocketAddrs;
    use ureq::unversioned::transport::NextTimeout;
    use url::Url;

    use super::*;

    /// Finds one address for every name.
    #[derive(Debug)]
    struct Always(SocketAddr);

    impl Resolver for Always {
        fn resolve(
            &self,
            _: &Uri,
            _: &Config,
            _: NextTimeout,
        ) -> Result<ResolvedSocketAddrs, ureq::Error> {
            let mut addresses = self.empty();
            addresses.push(self.0);
            Ok(addresses)
        }
    }

    /// Asks a host whose name stands for `server`.
    fn ask(
        host: &str,
        server: &TcpListener,
        config: &UpstreamConfig,
    ) -> Result<Response, TransportError> {
        let address = server.local_addr().expect("an address");
        let own = own_hosts(config).expect("good hosts");
        let look_up = CheckedLookUp::new(Always(address), own);
        let agent = agent_config(None, config.policy).expect("no contact is a good one");
        let transport = UreqTransport::with_look_up(agent, look_up);
        transport.get(&Request {
            step: crate::Step::Texture,
            url: Url::parse(&format!("http://{host}/texture/abc")).expect(host),
            timeout: Duration::from_secs(30),
            max_body: 10,
        })
    }

    fn server() -> TcpListener {
        TcpListener::bind("127.0.0.1:0").expect("a free port")
    }

    #[test]
    fn a_public_name_that_stands_for_a_loopback_address_is_not_connected() {
        for host in ["textures.minecraft.net", "api.geysermc.org", "x.mojang.com"] {
            let server = server();
            let error = ask(host, &server, &UpstreamConfig::default()).expect_err(host);
            assert!(
                matches!(&error, TransportError::NotPublic { host: refused, address }
                    if refused == host && address.is_loopback()),
                "{error:?}"
            );
            // Who had connected would wait to be accepted.
            server.set_nonblocking(true).unwrap();
            let nobody = server.accept().expect_err(host);
            assert_eq!(nobody.kind(), io::ErrorKind::WouldBlock);
        }
    }

    #[test]
    fn the_operators_own_name_is() {
        let config = UpstreamConfig {
            texture_hosts: vec!["skins.internal".to_owned()],
            ..UpstreamConfig::default()
        };
        let server = server();
        let serving = server.try_clone().unwrap();
        thread::spawn(move || {
            let (mut stream, _) = serving.accept()?;
            let head = BufReader::new(&stream).lines().map_while(Result::ok);
            head.take_while(|line| !line.is_empty()).for_each(drop);
            stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        });
        let response = ask("skins.internal", &server, &config).unwrap();
        assert_eq!(response.body, b"hi");
    }
}
