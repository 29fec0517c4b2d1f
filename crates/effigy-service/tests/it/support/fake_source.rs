//! A source of skins that counts its calls, and can fail and wait.

mod accounts;
mod traits;

use std::{
    sync::{Arc, Condvar, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use effigy_player::{Model, PlayerId, Uuid};
use effigy_store::TextureId;
use effigy_upstream::{
    Account, Fetched, FileChecks, LimitReason, LookUp, Ping, Profile, ProfileSkin, ProviderChain,
    Rate, Step, TextureHash, TextureUrl, UpstreamError, UpstreamId, Validators,
};

use self::accounts::{Accounts, JavaAccount};

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
    /// The service's own limit is reached.
    Limited,
    /// The upstream rejects the call as one too many.
    TooMany,
    Panic,
    NoTexture {
        is_default: bool,
    },
    /// The texture is no skin.
    Broken {
        is_default: bool,
    },
}

/// A kind of call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Call {
    /// A look-up of a player from scratch.
    Profile,
    /// A look-up of a known account.
    Renewal,
    Skin,
    Cape,
    Hash,
}

/// A source of the players' skins, and of another one that the fallback player Steve has. Clones
/// share everything.
#[derive(Debug, Clone)]
pub(crate) struct FakeSource {
    state: Arc<(Mutex<State>, Condvar)>,
}

pub(crate) struct State {
    /// The calls for others than Steve.
    made: Vec<Call>,
    /// For each profile and each skin, whether it is Steve's, and the time until which the call may
    /// take.
    pub(crate) calls: Vec<(bool, Duration)>,
    pub(crate) pings: u64,
    /// The pings of further providers.
    pub(crate) other_pings: Vec<Ping>,
    player: Answer,
    steve: Answer,
    /// The file of every cape, or the status in place of it.
    pub(crate) cape: Result<&'static [u8], u16>,
    pub(crate) accounts: Accounts,
    /// `true` if the URL of a skin stays when the file changes.
    pub(crate) has_fixed_urls: bool,
    /// The number of skins that were not sent because the client had them.
    pub(crate) unchanged: u64,
    pub(crate) interval: Duration,
    pub(crate) fingerprint: &'static str,
    /// The folder of skins.
    folder: Option<Arc<ProviderChain>>,
    /// The providers that come before the folder.
    pub(crate) earlier: Vec<Arc<str>>,
    budget: Option<Rate>,
    /// The calls that a look-up needs at most. All other questions need one.
    pub(crate) calls_of_look_up: u32,
    is_held: bool,
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").finish_non_exhaustive()
    }
}

/// A player with an account.
struct Owner {
    account: Account,
    name: Option<String>,
    skin: &'static str,
}

impl FakeSource {
    pub(crate) fn new() -> Self {
        let state = State {
            made: Vec::new(),
            calls: Vec::new(),
            pings: 0,
            other_pings: Vec::new(),
            player: Answer::Own,
            steve: Answer::Own,
            cape: Ok(fixtures::cape()),
            accounts: Accounts::default(),
            has_fixed_urls: false,
            unchanged: 0,
            interval: Duration::ZERO,
            fingerprint: "fake",
            folder: None,
            earlier: Vec::new(),
            budget: None,
            calls_of_look_up: 1,
            is_held: false,
        };
        Self {
            state: Arc::new((Mutex::new(state), Condvar::new())),
        }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.0.lock().unwrap()
    }

    /// The calls for others than Steve, but without those for skins.
    pub(crate) fn lookups(&self) -> usize {
        let state = self.state();
        let others = state.made.iter().filter(|call| **call != Call::Skin);
        others.count()
    }

    /// The calls of one kind for others than Steve.
    pub(crate) fn calls_of(&self, kind: Call) -> usize {
        let state = self.state();
        let calls = state.made.iter().filter(|call| **call == kind);
        calls.count()
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
        state.player = player;
        state.steve = steve;
    }

    /// Changes the skin of the player of this name, to a fixture.
    pub(crate) fn wear(&self, name: &str, skin: &'static str) {
        self.state().accounts.named(name).skin = skin;
    }

    /// Gives an account another name.
    pub(crate) fn rename(&self, name: &str, new_name: &str) {
        self.state().accounts.named(name).name = new_name.to_owned();
    }

    /// Creates an account of this name, which is another one than before.
    pub(crate) fn create(&self, name: &str, uuid: u128, skin: &'static str) {
        self.state().accounts.add(JavaAccount {
            uuid,
            name: name.to_owned(),
            skin,
        });
    }

    /// Deletes an account. Nobody can take its name.
    pub(crate) fn delete(&self, name: &str) {
        self.state().accounts.delete(name);
    }

    /// Replaces the folder of skins: a file for each player and fixture.
    pub(crate) fn put_into_folder(&self, files: &[(&str, &str)]) {
        let file = |(player, skin): &(&str, &str)| {
            let bytes = fixtures::skin(skin).png.to_vec();
            (format!("{player}.png"), bytes)
        };
        let files: Vec<(String, Vec<u8>)> = files.iter().map(file).collect();
        let folder = ProviderChain::in_memory(files, FileChecks::NONE);
        self.state().folder = Some(Arc::new(folder));
    }

    /// Limits the calls. It has an effect on services that are created later.
    pub(crate) fn limit(&self, budget: Rate) {
        self.state().budget = Some(budget);
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
    fn count(&self, kind: Call, look_up: &LookUp) -> Result<(), UpstreamError> {
        look_up.count_call(UpstreamId(0));
        self.state().made.push(kind);
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

    /// Returns the account of a Java player.
    fn java_account(&self, player: &PlayerId) -> Option<JavaAccount> {
        let mut state = self.state();
        match player {
            PlayerId::JavaName(name) => state.accounts.find(name),
            PlayerId::JavaUuid(uuid) => state.accounts.of_uuid(uuid.0),
            PlayerId::BedrockXuid(_) | PlayerId::BedrockGamertag(_) => None,
        }
    }

    /// Answers a call for a profile.
    fn profile_of(
        &self,
        kind: Call,
        player: &PlayerId,
        look_up: &LookUp,
    ) -> Result<Profile, UpstreamError> {
        let is_steve = *player == PlayerId::JavaName("Steve".to_owned());
        let answer = self.answer_of(is_steve, look_up);
        if !is_steve {
            self.count(kind, look_up)?;
        }
        let is_default = skin_in_answer(answer, player)?;
        let owner = self.owner_of(player)?;
        let skin = is_default.map(|is_default| ProfileSkin {
            texture: self.skin_url(&owner.account, owner.skin),
            model: Some(Model::Classic),
            is_default,
        });
        Ok(Profile {
            skin,
            cape: self.cape_of(&owner),
            account: owner.account,
            name: owner.name,
            legacy: false,
            profile_actions: Vec::new(),
            provider: "fake".into(),
            is_certain: answer != Answer::Uncertain,
        })
    }

    /// Returns the account of a player.
    fn owner_of(&self, player: &PlayerId) -> Result<Owner, UpstreamError> {
        match player {
            PlayerId::BedrockXuid(xuid) => Ok(Owner {
                account: Account::Bedrock(Some(xuid.clone())),
                name: None,
                skin: SKIN,
            }),
            PlayerId::BedrockGamertag(tag) => Ok(Owner {
                account: Account::Bedrock(None),
                name: Some(tag.clone()),
                skin: SKIN,
            }),
            PlayerId::JavaName(_) | PlayerId::JavaUuid(_) => {
                let found = self.java_account(player);
                let found = found.ok_or_else(|| missing(player))?;
                Ok(Owner {
                    account: Account::Java(Uuid(found.uuid)),
                    name: Some(found.name),
                    skin: found.skin,
                })
            }
        }
    }

    /// Returns the URL of a player's cape. Java players have one unless their names say otherwise.
    fn cape_of(&self, owner: &Owner) -> Option<TextureUrl> {
        let Account::Java(_) = owner.account else {
            return None;
        };
        match &owner.name {
            Some(name) if !name.starts_with("Capeless") => Some(self.cape_url()),
            _ => None,
        }
    }

    /// Returns the URL of an account's skin.
    fn skin_url(&self, account: &Account, skin: &str) -> TextureUrl {
        match account {
            Account::Java(uuid) if self.state().has_fixed_urls => {
                TextureUrl::new(format!("{FIXED_URL}{uuid}"))
            }
            _ => TextureUrl::new(texture_url(skin)),
        }
    }

    fn cape_url(&self) -> TextureUrl {
        if self.state().has_fixed_urls {
            TextureUrl::new(FIXED_CAPE_URL)
        } else {
            TextureUrl::new(CAPE_URL)
        }
    }

    /// Returns the name of the fixture under a URL.
    fn skin_under(&self, url: &TextureUrl) -> &'static str {
        if let Some(uuid) = url.as_str().strip_prefix(FIXED_URL) {
            let uuid = u128::from_str_radix(uuid, 16).unwrap();
            return self.state().accounts.of_uuid(uuid).unwrap().skin;
        }
        let mut skins = fixtures::SKINS.iter();
        let skin = skins.find(|skin| texture_url(skin.name) == url.as_str());
        skin.unwrap().name
    }
}

/// The URL of every cape.
pub(crate) const CAPE_URL: &str = "https://textures.minecraft.net/texture/ca9e";

/// The URL of every cape if URLs stay when their files change.
const FIXED_CAPE_URL: &str = "http://localhost/cape";

/// The beginning of URLs that stay when their files change.
const FIXED_URL: &str = "http://localhost/skin/";

/// The skin of every player at first.
pub(crate) const SKIN: &str = "uv_classic";

pub(crate) const STEVES_SKIN: &str = "robot";

/// The pause that [`Answer::Limited`] names.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(7);

pub(crate) fn texture() -> &'static [u8] {
    fixtures::skin(SKIN).png
}

/// Returns the URL of a fixture, as the game's texture service has it.
pub(crate) fn texture_url(skin: &str) -> String {
    let id = TextureId::of(fixtures::skin(skin).png).to_string();
    let hash = TextureHash::parse(&id).unwrap();
    format!("https://textures.minecraft.net/texture/{}", hash.as_str())
}

fn missing(player: &PlayerId) -> UpstreamError {
    UpstreamError::PlayerNotFound {
        player: player.clone(),
    }
}

/// Returns the skin in an answer: the default one or not, or none.
fn skin_in_answer(answer: Answer, player: &PlayerId) -> Result<Option<bool>, UpstreamError> {
    match answer {
        Answer::Missing => Err(missing(player)),
        Answer::Down => Err(down()),
        Answer::Limited => Err(limited(LimitReason::RateLimit, RETRY_AFTER)),
        Answer::TooMany => Err(failed(Step::Session, 429)),
        Answer::Panic => panic!("the source is broken"),
        Answer::NoSkin => Ok(None),
        Answer::Own => Ok(Some(false)),
        Answer::Default | Answer::Uncertain => Ok(Some(true)),
        Answer::NoTexture { is_default } | Answer::Broken { is_default } => Ok(Some(is_default)),
    }
}

/// A file that is sent with this tag.
fn sent(file: Vec<u8>, tag: Option<&str>) -> Fetched {
    let validators = Validators {
        etag: tag.map(str::to_owned),
        last_modified: None,
    };
    Fetched::File { file, validators }
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
