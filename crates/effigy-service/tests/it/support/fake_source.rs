//! A source of skins that counts its calls, and can fail and wait.

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use effigy_player::{Edition, Model, PlayerId, Uuid};
use effigy_upstream::{
    Account, LimitReason, LookUp, Ping, PlannedCalls, Profile, ProfileSkin, Revision, SkinSource,
    Step, Target, TextureHash, TextureUrl, UpstreamCapacity, UpstreamError, UpstreamId,
};

/// An answer of the upstreams about a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    Own,
    Default,
    NoSkin,
    /// A provider failed, and a later one knows a player of this name.
    Uncertain,
    Missing,
    Down,
    Limited,
    Panic,
    NoTexture {
        is_default: bool,
    },
    /// The texture is no skin.
    Broken {
        is_default: bool,
    },
}

/// A source of one skin, and of another one that the fallback player Steve has. Clones share everything.
#[derive(Debug, Clone)]
pub(crate) struct FakeSource {
    state: Arc<(Mutex<State>, Condvar)>,
}

#[derive(Debug)]
pub(crate) struct State {
    /// The calls for others than Steve: profiles, capes and textures by hash.
    lookups: u64,
    /// For each profile and each skin, whether it is Steve's, and the time until which the call may take.
    pub(crate) calls: Vec<(bool, Duration)>,
    pub(crate) pings: u64,
    /// The pings of further providers.
    pub(crate) other_pings: Vec<Ping>,
    player: Answer,
    steve: Answer,
    /// The file of every cape, or the status in place of it.
    pub(crate) cape: Result<&'static [u8], u16>,
    skin: &'static str,
    /// The revision of the players whose names begin with `Npc`.
    revision: Option<Revision>,
    is_held: bool,
}

impl FakeSource {
    pub(crate) fn new() -> Self {
        let state = State {
            lookups: 0,
            calls: Vec::new(),
            pings: 0,
            other_pings: Vec::new(),
            player: Answer::Own,
            steve: Answer::Own,
            cape: Ok(fixtures::cape()),
            skin: SKIN,
            revision: None,
            is_held: false,
        };
        Self {
            state: Arc::new((Mutex::new(state), Condvar::new())),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.0.lock().unwrap()
    }

    pub(crate) fn lookups(&self) -> u64 {
        self.state().lookups
    }

    /// Changes the answer about every player. Steve is still there, unless everything is down.
    pub(crate) fn answer(&self, answer: Answer) {
        let steve = match answer {
            Answer::Down => Answer::Down,
            _ => Answer::Own,
        };
        self.answers(answer, steve);
    }

    pub(crate) fn answers(&self, player: Answer, steve: Answer) {
        let mut state = self.state();
        (state.player, state.steve) = (player, steve);
    }

    /// Changes the skin of every player but Steve, and the revision of those whose names begin with `Npc`.
    pub(crate) fn revise(&self, revision: Option<u128>, skin: &'static str) {
        let mut state = self.state();
        (state.revision, state.skin) = (revision, skin);
    }

    /// Makes every call wait until `release`.
    pub(crate) fn hold(&self) {
        self.state().is_held = true;
    }

    pub(crate) fn release(&self) {
        self.state().is_held = false;
        self.state.1.notify_all();
    }

    fn wait(&self) {
        let wait = self.state.1.wait_while(self.state(), |state| state.is_held);
        drop(wait.unwrap());
    }

    /// Counts a call, and waits.
    fn count(&self, look_up: &LookUp) -> Result<(), UpstreamError> {
        look_up.count_call(UpstreamId(0));
        self.state().lookups += 1;
        self.wait();
        let is_down = self.state().player == Answer::Down;
        if is_down { Err(down()) } else { Ok(()) }
    }

    /// Notes a call and returns the answer.
    fn answer_of(&self, is_steve: bool, look_up: &LookUp) -> Answer {
        let mut state = self.state();
        let left = look_up.deadline().saturating_duration_since(Instant::now());
        state.calls.push((is_steve, left));
        if is_steve { state.steve } else { state.player }
    }

    fn worn(&self) -> Vec<u8> {
        fixtures::skin(self.state().skin).png.to_vec()
    }
}

const CAPE_URL: &str = "http://localhost/texture/cape";
const SKIN_URL: &str = "http://localhost/texture/skin";
const STEVE_URL: &str = "http://localhost/texture/steve";

/// The skin of every player at first.
const SKIN: &str = "uv_classic";

pub(crate) const STEVES_SKIN: &str = "robot";

/// The pause that [`Answer::Limited`] names.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(7);

pub(crate) fn texture() -> &'static [u8] {
    fixtures::skin(SKIN).png
}

impl SkinSource for FakeSource {
    fn deadline(&self) -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn profile(&self, player: &PlayerId, look_up: &LookUp) -> Result<Profile, UpstreamError> {
        let name = match player {
            PlayerId::JavaUuid(_) => Some("Notch"),
            PlayerId::JavaName(name) | PlayerId::BedrockGamertag(name) => Some(&**name),
            PlayerId::BedrockXuid(_) => None,
        };
        let begins = |begin| name.is_some_and(|name| name.starts_with(begin));
        let is_steve = name == Some("Steve");
        let answer = match self.answer_of(is_steve, look_up) {
            Answer::Own if begins("nobody") => Answer::Missing,
            answer => {
                if !is_steve {
                    self.count(look_up)?;
                }
                answer
            }
        };
        let is_default = match answer {
            Answer::Missing => {
                let player = player.clone();
                return Err(UpstreamError::PlayerNotFound { player });
            }
            Answer::Down => return Err(down()),
            Answer::Limited => return Err(limited(LimitReason::RateLimit, RETRY_AFTER)),
            Answer::Panic => panic!("the source is broken"),
            Answer::NoSkin => None,
            Answer::Own => Some(false),
            Answer::Default | Answer::Uncertain => Some(true),
            Answer::NoTexture { is_default } | Answer::Broken { is_default } => Some(is_default),
        };
        let is_java = player.edition() == Edition::Java;
        let url = if is_steve { STEVE_URL } else { SKIN_URL };
        Ok(Profile {
            account: match is_java {
                true => Account::Java(Uuid(7)),
                false => Account::Bedrock(None),
            },
            skin: is_default.map(|is_default| ProfileSkin {
                texture: TextureUrl::new(url),
                model: Some(Model::Classic),
                is_default,
            }),
            cape: (is_java && !begins("Capeless")).then(|| TextureUrl::new(CAPE_URL)),
            name: name.map(str::to_owned),
            provider: "fake".into(),
            is_certain: answer != Answer::Uncertain,
        })
    }

    fn texture(&self, url: &TextureUrl, look_up: &LookUp) -> Result<Vec<u8>, UpstreamError> {
        if url.as_str() == CAPE_URL {
            let cape = self.state().cape;
            self.count(look_up)?;
            let failed = |status| failed(Step::Texture, status);
            return cape.map(<[u8]>::to_vec).map_err(failed);
        }
        let is_steve = url.as_str() == STEVE_URL;
        match self.answer_of(is_steve, look_up) {
            Answer::NoTexture { .. } => Err(down()),
            Answer::Broken { .. } => Ok(b"broken".to_vec()),
            _ if is_steve => Ok(fixtures::skin(STEVES_SKIN).png.to_vec()),
            _ => Ok(self.worn()),
        }
    }

    fn texture_by_hash(&self, _: &TextureHash, look_up: &LookUp) -> Result<Vec<u8>, UpstreamError> {
        self.count(look_up)?;
        Ok(self.worn())
    }

    fn calls_for(&self, target: Target<'_>) -> Vec<PlannedCalls> {
        let upstream = UpstreamId(0);
        let call = vec![PlannedCalls { upstream, calls: 1 }];
        match target {
            Target::Player(PlayerId::JavaName(name)) if self.revision(name).is_some() => Vec::new(),
            _ => call,
        }
    }

    fn upstreams(&self) -> Vec<UpstreamCapacity> {
        vec![UpstreamCapacity {
            budget: None,
            max_in_flight: 128,
        }]
    }

    fn revision(&self, input: &str) -> Option<Revision> {
        let revision = self.state().revision;
        revision.filter(|_| input.to_lowercase().starts_with("npc"))
    }

    fn ping(&self) -> Vec<Ping> {
        self.state().pings += 1;
        self.wait();
        let player = self.state().player;
        let answer = match player {
            Answer::Down => Err(down().into()),
            Answer::Panic => panic!("the source is broken"),
            _ => Ok(()),
        };
        let first = Ping {
            provider: "first".into(),
            answer,
            response_time: Duration::from_millis(7),
            age: Duration::ZERO,
        };
        [&[first], &*self.state().other_pings].concat()
    }
}

fn limited(reason: LimitReason, retry_after: Duration) -> UpstreamError {
    UpstreamError::Limited {
        step: Step::Session,
        reason,
        retry_after,
    }
}

fn failed(step: Step, status: u16) -> UpstreamError {
    UpstreamError::Status {
        step,
        status,
        retry_after: None,
    }
}

pub(crate) fn down() -> UpstreamError {
    failed(Step::Identity, 503)
}
