//! The interface of one provider of skins, and how one is set up.

use std::sync::Arc;

use effigy_player::PlayerId;
use url::Url;

use super::local::skins::LocalSkins;
use crate::caller::Caller;
use crate::error::{Result, UpstreamError};
use crate::limits::Upstream;
use crate::profile::Profile;

/// The longest name that a provider other than Mojang is asked for, in characters.
const MAX_NAME: usize = 32;

/// The Java player whom a check looks up.
pub(crate) const PROBED_PLAYER: &str = "Notch";

/// A provider of skins: the protocol of one kind of service or folder, and nothing else. The chain adds the
/// order, the memory of missing players, the default skins and the check of texture URLs, and the caller the
/// limits and timeouts.
pub(crate) trait Provider: Send + Sync + 'static {
    /// Returns `true` if this kind of provider can know the player. Otherwise it is not asked. By default, it
    /// can know Java players.
    fn can_know(&self, player: &PlayerId) -> bool {
        match player {
            PlayerId::JavaName(name) => is_possible_name(name),
            PlayerId::JavaUuid(_) => true,
            _ => false,
        }
    }

    /// Looks a player up, who may be known without a skin. The URLs of the textures are not yet checked.
    ///
    /// # Errors
    ///
    /// [`PlayerNotFound`](UpstreamError::PlayerNotFound) if the provider does not know the player. Any other error says
    /// nothing about the player.
    fn look_up(&self, caller: &Caller, player: &PlayerId) -> Result<Profile>;

    /// Returns `true` if the provider ignores the case of Java names.
    fn ignores_case(&self) -> bool {
        false
    }

    /// Returns `true` if the provider says that its textures come from this host, in addition to the hosts
    /// that are known from the settings.
    fn names_host(&self, url: &Url) -> bool {
        let _ = url;
        false
    }

    /// Returns the skins if all of them are in memory.
    fn local(&self) -> Option<Arc<LocalSkins>> {
        None
    }

    /// Checks that the provider answers.
    ///
    /// # Errors
    ///
    /// [`UpstreamError`] with the reason if it does not.
    fn ping(&self, caller: &Caller) -> Result<()> {
        // The provider need not know the player.
        let player = PlayerId::JavaName(PROBED_PLAYER.to_owned());
        let found = self.look_up(caller, &player).map(drop);
        found.or_else(UpstreamError::if_outage)
    }

    /// Reads what has changed since the last time, if it is due. It is called every second, and at the start.
    fn refresh(&self, caller: &Caller) {
        let _ = caller;
    }
}

/// A provider that is set up.
pub(crate) struct Opened {
    pub(crate) provider: Box<dyn Provider>,
    /// The servers that it calls.
    pub(crate) servers: Vec<Url>,
    /// The services that it calls there.
    pub(crate) upstreams: &'static [Upstream],
}

impl Opened {
    /// A provider that reads files.
    pub(crate) fn local(provider: impl Provider) -> Self {
        Self {
            provider: Box::new(provider),
            servers: Vec::new(),
            upstreams: &[],
        }
    }
}

/// Returns `true` if a player of a provider other than Mojang can have this name: any text of a bounded length
/// that is one segment of a path.
pub(crate) fn is_possible_name(name: &str) -> bool {
    let is_allowed = |c: char| !c.is_control() && !"/\\?#".contains(c);
    let is_dots = name.bytes().all(|byte| byte == b'.');
    !is_dots && name.chars().count() <= MAX_NAME && name.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_other_providers() {
        let longest = "é".repeat(32);
        for name in [
            "Notch",
            "Two Words",
            "玩家一号",
            "a+b",
            "{x}:;",
            "a.b",
            &longest,
        ] {
            assert!(is_possible_name(name), "{name}");
        }
        let too_long = "x".repeat(33);
        for name in [
            "", ".", "..", "a/b", "a\\b", "a?b", "a#b", "a\tb", "a\u{7f}", &too_long,
        ] {
            assert!(!is_possible_name(name), "{name}");
        }
    }
}
