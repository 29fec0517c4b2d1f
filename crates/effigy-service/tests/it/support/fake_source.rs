//! A source of skins that counts its calls, and can fail and wait.

use std::{
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

use effigy_player::{Edition, PlayerId, Uuid};
use effigy_upstream::{
    Account, LimitReason, Ping, Profile, ProfileSkin, Revision, SkinSource, Step, Terms,
    TextureHash, TextureUrl, UpstreamError,
};

/// The skin that a look-up leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SkinOrigin {
    Own,
    DefaultSkin,
    /// There is no such player.
    PlayerNotFound,
    Outage,
    /// A provider failed, and a later one knows a player of this name.
    Uncertain,
}

/// An answer of the upstreams.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Skin(SkinOrigin),
    NotFound,
    Down,
    Panic,
}

/// A source of one skin. Clones share their counts and their answer.
#[derive(Debug, Clone)]
pub(crate) struct FakeSource {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    lookups: AtomicU64,
    pings: AtomicU64,
    /// The pings of further providers.
    other_pings: Mutex<Vec<Ping>>,
    answer: Mutex<Answer>,
    /// The answer to requests for capes.
    cape: Mutex<CapeAnswer>,
    skin: Mutex<&'static str>,
    /// The revision of the players whose names begin with `Npc`.
    revision: Mutex<Option<Revision>>,
    /// `true` while calls wait.
    held: Mutex<bool>,
    released: Condvar,
}

impl FakeSource {
    pub(crate) fn new() -> Self {
        let shared = Shared {
            lookups: AtomicU64::new(0),
            pings: AtomicU64::new(0),
            other_pings: Mutex::default(),
            answer: Mutex::new(Answer::Skin(SkinOrigin::Own)),
            cape: Mutex::new(CapeAnswer::Cape),
            skin: Mutex::new(SKIN),
            revision: Mutex::new(None),
            held: Mutex::new(false),
            released: Condvar::new(),
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    pub(crate) fn lookups(&self) -> u64 {
        self.shared.lookups.load(Ordering::SeqCst)
    }

    pub(crate) fn pings(&self) -> u64 {
        self.shared.pings.load(Ordering::SeqCst)
    }

    pub(crate) fn add_ping(&self, ping: Ping) {
        self.shared.other_pings.lock().unwrap().push(ping);
    }

    pub(crate) fn answer(&self, answer: Answer) {
        *self.shared.answer.lock().unwrap() = answer;
    }

    /// Changes the answer to requests for capes.
    pub(crate) fn answer_capes(&self, answer: CapeAnswer) {
        *self.shared.cape.lock().unwrap() = answer;
    }

    /// Changes the skin of every player.
    pub(crate) fn wear(&self, skin: &'static str) {
        *self.shared.skin.lock().unwrap() = skin;
    }

    /// Changes the skin of every player, and the revision of those whose names begin with `Npc`.
    pub(crate) fn revise(&self, revision: Option<u128>, skin: &'static str) {
        *self.shared.revision.lock().unwrap() = revision;
        self.wear(skin);
    }

    /// Makes every call wait until `release`.
    pub(crate) fn hold(&self) {
        *self.shared.held.lock().unwrap() = true;
    }

    pub(crate) fn release(&self) {
        *self.shared.held.lock().unwrap() = false;
        self.shared.released.notify_all();
    }

    fn wait(&self) {
        let held = self.shared.held.lock().unwrap();
        let released = &self.shared.released;
        drop(released.wait_while(held, |held| *held).unwrap());
    }

    fn current(&self) -> Answer {
        *self.shared.answer.lock().unwrap()
    }

    fn worn(&self) -> Vec<u8> {
        let name = *self.shared.skin.lock().unwrap();
        fixtures::skin(name).png.to_vec()
    }

    /// Charges for the call, counts it, and returns the current answer.
    fn answered(&self, terms: Terms<'_>) -> Result<SkinOrigin, UpstreamError> {
        if let Some(Err(retry_after)) = terms.payer.map(|payer| payer.charge()) {
            return Err(UpstreamError::Limited {
                step: Step::Session,
                reason: LimitReason::Share,
                retry_after,
            });
        }
        self.shared.lookups.fetch_add(1, Ordering::SeqCst);
        self.wait();
        match self.current() {
            Answer::Skin(origin) => Ok(origin),
            Answer::NotFound => Err(UpstreamError::PlayerNotFound {
                player: PlayerId::JavaName("nobody".to_owned()),
            }),
            Answer::Down => Err(down()),
            Answer::Panic => panic!("the source is broken"),
        }
    }
}

/// An answer to a request for a cape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CapeAnswer {
    Cape,
    /// A PNG that is no cape.
    Skin,
    Status(u16),
}

const CAPE_URL: &str = "http://localhost/texture/cape";
const SKIN_URL: &str = "http://localhost/texture/skin";
const DEFAULT_URL: &str = "http://localhost/texture/default";

fn has_cape(player: &PlayerId) -> bool {
    *player != PlayerId::JavaName("Capeless".to_owned())
}

/// The skin of every player at first.
const SKIN: &str = "uv_classic";

/// Its texture.
pub(crate) fn texture() -> &'static [u8] {
    fixtures::skin(SKIN).png
}

/// Returns the failure that makes a skin of this origin necessary.
fn failure(origin: SkinOrigin) -> UpstreamError {
    match origin {
        SkinOrigin::Outage => down(),
        _ => UpstreamError::PlayerNotFound {
            player: PlayerId::JavaName("nobody".to_owned()),
        },
    }
}

impl SkinSource for FakeSource {
    fn deadline(&self) -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn profile(&self, player: &PlayerId, terms: Terms<'_>) -> Result<Profile, UpstreamError> {
        use SkinOrigin::{DefaultSkin, Own};
        // A player in the folder of skins takes no call.
        let terms = match player {
            PlayerId::JavaName(name) if self.revision(name).is_some() => terms.deadline.into(),
            _ => terms,
        };
        let is_fallback = *player == PlayerId::JavaName("Steve".to_owned());
        let origin = match self.current() {
            // The fallback player is looked up with another one.
            Answer::Skin(origin) if is_fallback && origin != Own => Own,
            Answer::NotFound | Answer::Down if is_fallback => return Err(down()),
            Answer::Skin(_) if is_nobody(player) => {
                return Err(failure(SkinOrigin::PlayerNotFound));
            }
            _ => self.answered(terms)?,
        };
        let is_java = player.edition() == Edition::Java;
        let name = match player {
            _ if !is_java && origin != Own && origin != DefaultSkin => return Err(failure(origin)),
            PlayerId::JavaUuid(_) => Some("Notch".to_owned()),
            PlayerId::JavaName(name) | PlayerId::BedrockGamertag(name) => Some(name.clone()),
            PlayerId::BedrockXuid(_) => None,
        };
        let has_skin = is_java || origin == Own;
        let url = if origin == Own { SKIN_URL } else { DEFAULT_URL };
        let account = match is_java {
            true => Account::Java(Uuid(7)),
            false => Account::Bedrock(None),
        };
        Ok(Profile {
            account,
            skin: has_skin.then(|| ProfileSkin {
                texture: TextureUrl::new(url),
                model: Some(effigy_player::Model::Classic),
                is_default: origin != Own,
            }),
            cape: (is_java && has_cape(player)).then(|| TextureUrl::new(CAPE_URL)),
            name,
            provider: "fake".into(),
            is_certain: origin != SkinOrigin::Uncertain,
        })
    }

    fn texture(&self, url: &TextureUrl, terms: Terms<'_>) -> Result<Vec<u8>, UpstreamError> {
        if url.as_str() == CAPE_URL {
            let step = Step::Texture;
            let file = match *self.shared.cape.lock().unwrap() {
                CapeAnswer::Cape => Ok(fixtures::cape().to_vec()),
                CapeAnswer::Skin => Ok(texture().to_vec()),
                CapeAnswer::Status(status) => Err(UpstreamError::Status {
                    step,
                    status,
                    retry_after: None,
                }),
            };
            self.answered(terms)?;
            return file;
        }
        match self.current() {
            Answer::Skin(origin @ (SkinOrigin::PlayerNotFound | SkinOrigin::Outage))
                if url.as_str() == DEFAULT_URL =>
            {
                Err(failure(origin))
            }
            _ => Ok(self.worn()),
        }
    }

    fn texture_by_hash(&self, _: &TextureHash, terms: Terms<'_>) -> Result<Vec<u8>, UpstreamError> {
        self.answered(terms)?;
        Ok(self.worn())
    }

    fn revision(&self, input: &str) -> Option<Revision> {
        let revision = *self.shared.revision.lock().unwrap();
        revision.filter(|_| input.to_lowercase().starts_with("npc"))
    }

    fn ping(&self) -> Vec<Ping> {
        self.shared.pings.fetch_add(1, Ordering::SeqCst);
        self.wait();
        let answer = match self.current() {
            Answer::Skin(_) | Answer::NotFound => Ok(()),
            Answer::Down => Err(down().into()),
            Answer::Panic => panic!("the source is broken"),
        };
        let first = Ping {
            provider: "first".into(),
            answer,
            response_time: Duration::from_millis(7),
            age: Duration::ZERO,
        };
        let others = self.shared.other_pings.lock().unwrap();
        [&[first], &**others].concat()
    }
}

pub(crate) fn down() -> UpstreamError {
    UpstreamError::Status {
        step: Step::Identity,
        status: 503,
        retry_after: None,
    }
}

/// Returns `true` for a name that no player has.
fn is_nobody(player: &PlayerId) -> bool {
    matches!(player, PlayerId::JavaName(name) if name.starts_with("nobody"))
}
