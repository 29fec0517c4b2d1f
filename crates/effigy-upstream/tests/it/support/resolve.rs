//! A whole look-up: the profile of a player, and the skin that it names.

use std::sync::Arc;

use effigy_player::{Model, PlayerId};
use effigy_upstream::{
    Account, Fetched, LookUp, Profile, SkinSource, TextureHash, TextureUrl, UpstreamError,
};

/// A skin, and the other fields of the profile.
#[derive(Debug)]
pub(crate) struct Resolved {
    pub(crate) texture: Vec<u8>,
    pub(crate) model: Model,
    /// `Own`, or `Default` for the game's default skin.
    pub(crate) origin: Origin,
    pub(crate) account: Account,
    pub(crate) name: Option<String>,
    pub(crate) cape: Option<TextureUrl>,
}

/// The outcome of a look-up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    Own,
    /// The player has set no skin.
    Default,
    NotFound,
    Outage,
}

pub(crate) trait Resolve {
    /// Looks a player up and fetches the skin, if the player has one.
    fn resolve_any(&self, input: &str) -> Result<Option<Resolved>, UpstreamError>;

    /// Looks a player with a skin up and fetches it.
    fn resolve(&self, input: &str) -> Result<Resolved, UpstreamError> {
        self.resolve_any(input)
            .map(|resolved| resolved.expect("a skin"))
    }

    /// Returns the answer of the first provider that looks up Java names.
    fn first_ping(&self) -> Result<(), Arc<UpstreamError>>;
}

impl<S: SkinSource> Resolve for S {
    fn first_ping(&self) -> Result<(), Arc<UpstreamError>> {
        self.ping().swap_remove(0).answer
    }

    fn resolve_any(&self, input: &str) -> Result<Option<Resolved>, UpstreamError> {
        let look_up = look_up(self);
        let profile = profile(self, input)?;
        let Some(skin) = profile.skin else {
            return Ok(None);
        };
        Ok(Some(Resolved {
            texture: whole_file(self.texture(&skin.texture, None, &look_up)?),
            model: skin.model.expect("the provider states it"),
            origin: if skin.is_default {
                Origin::Default
            } else {
                Origin::Own
            },
            account: profile.account,
            name: profile.name,
            cape: profile.cape,
        }))
    }
}

/// Begins a look-up.
pub(crate) fn look_up(source: &impl SkinSource) -> LookUp {
    LookUp::until(source.deadline())
}

/// Looks a player up.
pub(crate) fn profile(source: &impl SkinSource, input: &str) -> Result<Profile, UpstreamError> {
    let player = PlayerId::detect(input).expect(input);
    source.profile(&player, &look_up(source))
}

/// Fetches the file of a texture that a profile names.
pub(crate) fn file(source: &impl SkinSource, url: &TextureUrl) -> Result<Vec<u8>, UpstreamError> {
    let fetched = source.texture(url, None, &look_up(source))?;
    Ok(whole_file(fetched))
}

/// Looks a known player up again.
pub(crate) fn renewed(
    source: &impl SkinSource,
    known: &Profile,
    input: &str,
) -> Result<Profile, UpstreamError> {
    let player = PlayerId::detect(input).expect(input);
    source.renewed(known, &player, &look_up(source))
}

/// Returns the file of an answer to a request without a condition.
pub(crate) fn whole_file(fetched: Fetched) -> Vec<u8> {
    match fetched {
        Fetched::File { file, .. } => file,
        Fetched::Unchanged => panic!("no validators were sent"),
    }
}

/// Fetches the file of a hash.
pub(crate) fn file_of_hash(source: &impl SkinSource, hash: &str) -> Result<Vec<u8>, UpstreamError> {
    let hash = TextureHash::parse(hash).expect(hash);
    source.texture_by_hash(&hash, &look_up(source))
}

/// Returns a failure without the name of the provider.
pub(crate) fn unnamed(error: &UpstreamError) -> &UpstreamError {
    match error {
        UpstreamError::Provider { source, .. } => source,
        error => error,
    }
}

/// Returns the outcome of a look-up in a word.
pub(crate) fn origin(resolved: &Result<Option<Resolved>, UpstreamError>) -> Origin {
    match resolved {
        Ok(Some(resolved)) => resolved.origin,
        Ok(None) => Origin::Default,
        Err(error) if error.is_outage() => Origin::Outage,
        Err(_) => Origin::NotFound,
    }
}
