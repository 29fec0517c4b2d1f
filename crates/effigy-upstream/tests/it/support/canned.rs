//! Upstreams that answer from a table, at once or after the delay that the table gives.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use effigy_player::Model;
use effigy_upstream::{
    ProviderChain, ReceivedFile, Request, Response, Transport, TransportError, UpstreamConfig,
    UpstreamError, Validators,
};

use super::resolve::{Resolve as _, Resolved, unnamed};

/// The short form of each kind of call in the tests, and the beginning of its URL.
const CALLS: [(&str, &str); 6] = [
    (
        "identity/",
        "https://api.mojang.com/users/profiles/minecraft/",
    ),
    (
        "current/",
        "https://api.minecraftservices.com/minecraft/profile/lookup/name/",
    ),
    (
        "session/",
        "https://sessionserver.mojang.com/session/minecraft/profile/",
    ),
    ("xuid/", "https://api.geysermc.org/v2/xbox/xuid/"),
    ("skin/", "https://api.geysermc.org/v2/skin/"),
    ("texture/", "https://textures.minecraft.net/texture/"),
];

/// The beginning of a PNG with the size of a skin.
pub(crate) const SKIN_HEADER: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x40\0\0\0\x40";

pub(crate) const NOTCH: &str = "069a79f444e94726a5befca90e38aaf5";
pub(crate) const NOTCH_TEXTURE: &str =
    "texture/292009a4925b58f02c77dadc3ecef07ea4c7472f64e0fdc32ce5522489362680";
pub(crate) const BEDROCK_TEXTURE: &str =
    "texture/57a7a9ad34f3ab7e03c2a8cd9a5bd6a6d4de80fd4b1e6cdb5ec17d6a1ad2c1f0";
pub(crate) const STEVE_CALLS: [&str; 3] = [
    "identity/Steve",
    "session/8667ba71b85a4004af54457a9734eed7",
    "texture/60a5bd016b3c9a1b9272e4929e30827a67be4ebb219017adbbc4a4d22ebd5b1",
];

/// One answer.
#[derive(Debug, Clone)]
pub(crate) enum Answer {
    /// A status and a body.
    Status(u16, Vec<u8>),
    /// A status with `Retry-After`.
    RetryAfter(u16, Duration),
    /// A file with its validators.
    Tagged(Validators, Vec<u8>),
    /// A status with the address that it points to.
    Located(u16, String),
    /// A timeout.
    Hang,
    /// A body that is too large.
    TooLarge,
    /// A broken connection.
    Reset,
    /// No connection.
    Refused,
    /// An answer after a delay.
    Slow(Duration, Box<Answer>),
}

impl Answer {
    pub(crate) fn ok(body: impl AsRef<[u8]>) -> Self {
        Self::Status(200, body.as_ref().to_owned())
    }

    pub(crate) fn texture(text: &str) -> Self {
        Self::ok(texture(text))
    }

    pub(crate) fn status(status: u16) -> Self {
        Self::Status(status, Vec::new())
    }

    /// A status, with a file of `fixtures/upstream` as the body.
    pub(crate) fn file(status: u16, name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/upstream");
        Self::Status(status, fs::read(folder.join(name)).expect(name))
    }

    /// The status 200, with a JSON file of `fixtures/upstream` as the body.
    pub(crate) fn record(name: &str) -> Self {
        Self::file(200, &format!("{name}.json"))
    }

    pub(crate) fn after(self, time: Duration) -> Self {
        Self::Slow(time, Box::new(self))
    }
}

/// Returns a session profile with this textures object.
pub(crate) fn session_with(textures: &str) -> Answer {
    let value = BASE64_STANDARD.encode(textures);
    Answer::ok(format!(
        r#"{{"properties":[{{"name":"textures","value":"{value}"}}]}}"#
    ))
}

/// Returns the session profile of Notch under this name, without a skin.
pub(crate) fn session_of_notch(name: &str) -> Answer {
    let profile = serde_json::json!({ "id": NOTCH, "name": name, "properties": [] });
    Answer::ok(profile.to_string())
}

/// Returns a textures object whose skin has this URL.
pub(crate) fn textures_with_url(url: &str) -> String {
    serde_json::json!({ "textures": { "SKIN": { "url": url } } }).to_string()
}

/// The upstreams, and a clock that tests advance.
#[derive(Debug, Clone)]
pub(crate) struct Canned(Arc<State>);

#[derive(Debug)]
struct State {
    answers: Mutex<HashMap<String, Answer>>,
    calls: Mutex<Vec<Request>>,
    now: Mutex<Instant>,
}

impl Canned {
    /// Upstreams that know Steve only.
    pub(crate) fn new() -> Self {
        let [identity, session, texture] = STEVE_CALLS;
        Self(Arc::new(State {
            answers: Mutex::default(),
            calls: Mutex::default(),
            now: Mutex::new(Instant::now()),
        }))
        .on(identity, Answer::record("identity-steve"))
        .on(session, Answer::record("session-steve"))
        .on(texture, Answer::texture("Steve"))
    }

    /// Upstreams that know Notch as well.
    pub(crate) fn with_notch() -> Self {
        let session = format!("session/{NOTCH}");
        Self::new()
            .on("identity/Notch", Answer::record("identity-notch"))
            .on(&session, Answer::record("session-notch"))
            .on(NOTCH_TEXTURE, Answer::texture("Notch"))
    }

    /// Sets the answer to a call. `*` means every call without an answer of its own.
    pub(crate) fn on(self, call: &str, answer: Answer) -> Self {
        let mut answers = locked(&self.0.answers);
        answers.insert(call.to_owned(), answer);
        drop(answers);
        self
    }

    /// Advances the clock.
    pub(crate) fn pass(&self, time: Duration) {
        *locked(&self.0.now) += time;
    }

    /// Takes the calls that were made since the last time.
    pub(crate) fn requests(&self) -> Vec<Request> {
        std::mem::take(&mut *locked(&self.0.calls))
    }

    /// Takes the calls in their short form.
    pub(crate) fn calls(&self) -> Vec<String> {
        self.requests().iter().map(short).collect()
    }

    pub(crate) fn resolver(&self) -> ProviderChain {
        self.resolver_with(UpstreamConfig::default())
    }

    pub(crate) fn resolver_with(&self, config: UpstreamConfig) -> ProviderChain {
        let clock = self.clone();
        ProviderChain::new(self.clone(), config)
            .expect("a good configuration")
            .with_clock(move || *locked(&clock.0.now))
    }

    /// Resolves an input with a resolver of its own.
    pub(crate) fn resolve(&self, input: &str) -> Result<Resolved, UpstreamError> {
        self.resolve_any(input)
            .map(|resolved| resolved.expect("a skin"))
    }

    /// Resolves a player who may have no skin.
    pub(crate) fn resolve_any(&self, input: &str) -> Result<Option<Resolved>, UpstreamError> {
        self.resolver().resolve_any(input)
    }

    fn perform(&self, answer: Answer, request: &Request) -> Result<Response, TransportError> {
        match answer {
            Answer::Hang => {
                self.pass(request.timeout);
                Err(TransportError::Timeout)
            }
            Answer::Slow(time, _) if time >= request.timeout => self.perform(Answer::Hang, request),
            Answer::Slow(time, delayed) => {
                self.pass(time);
                self.perform(*delayed, request)
            }
            Answer::TooLarge => Err(TransportError::TooLarge {
                max_body: request.max_body,
            }),
            Answer::Reset => Err(TransportError::Io {
                source: io::ErrorKind::ConnectionReset.into(),
            }),
            Answer::Refused => Err(TransportError::Unreachable {
                source: io::ErrorKind::ConnectionRefused.into(),
            }),
            complete => Ok(response_of(complete)),
        }
    }
}

/// Returns the response of an answer that is complete at once.
fn response_of(answer: Answer) -> Response {
    let mut response = Response::default();
    match answer {
        Answer::Status(status, body) => {
            response.status = status;
            response.body = body;
        }
        Answer::RetryAfter(status, after) => {
            response.status = status;
            response.retry_after = Some(after);
        }
        Answer::Tagged(validators, body) => {
            response.status = 200;
            response.validators = validators;
            response.body = body;
        }
        Answer::Located(status, to) => {
            response.status = status;
            response.location = Some(to);
        }
        other => panic!("{other:?} is no complete response"),
    }
    response
}

impl Transport for Canned {
    fn send(&self, request: &Request) -> Result<Response, TransportError> {
        locked(&self.0.calls).push(request.clone());
        let call = short(request);
        let answers = locked(&self.0.answers);
        let answer = answers.get(&call).or(answers.get("*")).cloned();
        drop(answers);
        self.perform(answer.unwrap_or_else(|| panic!("{call}?")), request)
    }
}

fn locked<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().expect("a test uses it on one thread")
}

fn short(request: &Request) -> String {
    let url = request.url.as_str();
    CALLS
        .iter()
        .find_map(|(short, prefix)| Some(format!("{short}{}", url.strip_prefix(prefix)?)))
        .unwrap_or_else(|| url.to_owned())
}

/// Returns the short form of an error.
pub(crate) fn kind(error: &UpstreamError) -> String {
    match unnamed(error) {
        UpstreamError::PlayerNotFound { .. } | UpstreamError::OfflineUuid { .. } => {
            "not found".to_owned()
        }
        UpstreamError::TextureUrl { .. } => "a url that is not allowed".to_owned(),
        UpstreamError::File { .. } => "a file".to_owned(),
        UpstreamError::Status { status, .. } => status.to_string(),
        UpstreamError::Transport { source, .. } => source.to_string(),
        UpstreamError::Shape {
            field: "the JSON object",
            ..
        } => "no object".to_owned(),
        UpstreamError::Shape { field, .. } => (*field).to_owned(),
        UpstreamError::BadTexture {
            received: ReceivedFile::Status(status),
        } => status.to_string(),
        UpstreamError::BadTexture { received } => received.to_string(),
        UpstreamError::Decode { .. } => "decode".to_owned(),
        UpstreamError::Limited { reason, .. } => reason.to_string(),
        error => panic!("{error:?}"),
    }
}

/// Returns a file that begins like a PNG.
pub(crate) fn texture(text: &str) -> Vec<u8> {
    [SKIN_HEADER, text.as_bytes()].concat()
}

/// Returns the text after the header of a texture, and its model.
pub(crate) fn skin(resolved: &Resolved) -> (String, Model) {
    let text = resolved.texture.strip_prefix(SKIN_HEADER).expect("a png");
    (String::from_utf8_lossy(text).into_owned(), resolved.model)
}
