//! The traits of a source of skins.

use std::time::{Duration, Instant};

use effigy_player::PlayerId;
use effigy_store::TextureId;
use effigy_upstream::{
    Account, Fetched, LocalProfile, LookUp, Ping, PlannedCalls, Profile, Profiles, Status, Step,
    Target, TextureHash, TextureUrl, Textures, UpstreamCapacity, UpstreamError, UpstreamId,
    Validators,
};

use super::{
    Answer, CAPE_URL, Call, FIXED_CAPE_URL, FakeSource, STEVES_SKIN, down, failed, sent, texture,
};

impl Profiles for FakeSource {
    fn deadline(&self) -> Instant {
        Instant::now() + Duration::from_secs(20)
    }

    fn profile(&self, player: &PlayerId, look_up: &LookUp) -> Result<Profile, UpstreamError> {
        let is_nobody = match player {
            PlayerId::JavaName(name) => name.contains("nobody"),
            PlayerId::BedrockGamertag(tag) => tag.to_lowercase().starts_with("nobody"),
            _ => false,
        };
        if is_nobody {
            let player = player.clone();
            return Err(UpstreamError::PlayerNotFound { player });
        }
        self.profile_of(Call::Profile, player, look_up)
    }

    fn renewed(
        &self,
        known: &Profile,
        player: &PlayerId,
        look_up: &LookUp,
    ) -> Result<Profile, UpstreamError> {
        let account = match &known.account {
            Account::Java(uuid) => PlayerId::JavaUuid(*uuid),
            Account::Bedrock(Some(xuid)) => PlayerId::BedrockXuid(xuid.clone()),
            Account::Bedrock(None) => player.clone(),
        };
        self.profile_of(Call::Renewal, &account, look_up)
    }

    fn local(&self, player: &PlayerId) -> Option<LocalProfile> {
        let folder = self.state().folder.clone()?;
        let mut local = folder.local(player)?;
        local.earlier.clone_from(&self.state().earlier);
        Some(local)
    }

    fn fingerprint(&self) -> String {
        self.state().fingerprint.to_owned()
    }

    fn profile_interval(&self, _: &str) -> Duration {
        self.state().interval
    }

    fn calls_for(&self, target: Target<'_>) -> Vec<PlannedCalls> {
        let calls = match target {
            Target::Player(player) if self.local(player).is_some() => return Vec::new(),
            Target::Player(_) => self.state().calls_of_look_up,
            _ => 1,
        };
        let upstream = UpstreamId(0);
        vec![PlannedCalls { upstream, calls }]
    }
}

impl Textures for FakeSource {
    fn texture(
        &self,
        url: &TextureUrl,
        known: Option<&Validators>,
        look_up: &LookUp,
    ) -> Result<Fetched, UpstreamError> {
        if [CAPE_URL, FIXED_CAPE_URL].contains(&url.as_str()) {
            let cape = self.state().cape;
            self.count(Call::Cape, look_up)?;
            let file = cape.map_err(|status| failed(Step::Texture, status))?;
            return Ok(sent(file.to_vec(), None));
        }
        let skin = self.skin_under(url);
        let is_steve = skin == STEVES_SKIN;
        let answer = self.answer_of(is_steve, look_up);
        self.state().made.push(Call::Skin);
        match answer {
            Answer::Down if !is_steve => return Err(down()),
            Answer::NoTexture { .. } => return Err(down()),
            Answer::Broken { .. } => return Ok(sent(b"broken".to_vec(), None)),
            _ => {}
        }
        if known.is_some_and(|known| known.etag.as_deref() == Some(skin)) {
            self.state().unchanged += 1;
            return Ok(Fetched::Unchanged);
        }
        Ok(sent(fixtures::skin(skin).png.to_vec(), Some(skin)))
    }

    /// Returns the fixture of the hash, or the usual skin, but nothing of the hash `ff…`.
    fn texture_by_hash(
        &self,
        hash: &TextureHash,
        look_up: &LookUp,
    ) -> Result<Vec<u8>, UpstreamError> {
        self.count(Call::Hash, look_up)?;
        if hash.as_str().starts_with("ff") {
            let hash = hash.clone();
            return Err(UpstreamError::TextureNotFound { hash });
        }
        let answer = self.state().player;
        if let Answer::Broken { .. } = answer {
            return Ok(b"broken".to_vec());
        }
        let known = fixtures::SKINS
            .iter()
            .find(|skin| TextureId::of(skin.png).to_string() == hash.as_str());
        Ok(known.map_or_else(|| texture().to_vec(), |skin| skin.png.to_vec()))
    }
}

impl Status for FakeSource {
    fn upstreams(&self) -> Vec<UpstreamCapacity> {
        vec![UpstreamCapacity {
            budget: self.state().budget,
            max_in_flight: 128,
        }]
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
