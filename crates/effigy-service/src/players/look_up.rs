//! The look-up of skins, with the rule "the player's own skin, else the default skin, else that of Steve".
//! Spec, "Profile resolution".

use std::{sync::Arc, time::Instant};

use effigy_player::{Edition, Model, PlayerId};
use effigy_upstream::{Revision, SkinSource, TextureHash, TextureUrl, UpstreamError, error_chain};

use super::appearance::PlayerSkin;
use crate::{
    error::{Fault, ServiceError, Shared},
    image::SkinOrigin,
};

/// The Java player whose skin is the fallback.
const FALLBACK_PLAYER: &str = "Steve";

/// The share of the time of a look-up that is reserved for the fallback skin: a quarter.
const FALLBACK_SHARE: u32 = 4;

/// The identity of a skin that can be looked up.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum SkinId {
    /// The skin of a player, in this revision of the player's files.
    Player(PlayerId, Option<Revision>),
    /// A texture on a model.
    Texture(TextureHash, Model),
    /// The skin that is shown instead of one that is not available.
    Fallback,
}

/// The outcome of a look-up.
#[derive(Debug, Clone)]
pub(crate) enum LookUp {
    /// The skin of the player.
    Found(Arc<PlayerSkin>),
    /// The fallback skin is to be shown.
    Fallback(Fallback),
}

/// A player who is shown with the fallback skin.
#[derive(Debug, Clone)]
pub(crate) struct Fallback {
    /// The reason.
    origin: SkinOrigin,
    name: Option<String>,
    cape: Option<TextureUrl>,
}

impl PlayerSkin {
    /// Looks a player up, and decodes the skin or the fallback skin. Blocks.
    ///
    /// # Errors
    /// If there is no such Java player, or an upstream fails and so does the fallback.
    pub fn resolve(source: &dyn SkinSource, player: &PlayerId) -> Shared<Self> {
        match SkinId::Player(player.clone(), None).look_up(source)? {
            LookUp::Found(skin) => Ok(Arc::unwrap_or_clone(skin)),
            LookUp::Fallback(fallback) => {
                let skin = fallback_skin(SkinId::Fallback.look_up(source))?;
                Ok(fallback.with_skin(&skin))
            }
        }
    }
}

impl SkinId {
    /// Returns the form under which the skin is kept.
    pub(crate) fn folded(&self, ignores_case: bool) -> Self {
        match self {
            Self::Player(player, revision) => Self::Player(player.folded(ignores_case), *revision),
            id => id.clone(),
        }
    }

    /// Looks the skin up and decodes it. Blocks.
    pub(crate) fn look_up(&self, source: &dyn SkinSource) -> Shared<LookUp> {
        let (now, end) = (Instant::now(), source.deadline());
        let reserve = end.saturating_duration_since(now) / FALLBACK_SHARE;
        let found = match self {
            Self::Player(player, _) => {
                let early_end = end.checked_sub(reserve).unwrap_or(end);
                look_up(source, player, [early_end, end])
            }
            Self::Texture(hash, model) => {
                let skin = source.texture_by_hash(hash);
                let skin = skin.and_then(|texture| decode(texture, *model));
                skin.map(|skin| LookUp::Found(Arc::new(skin)))
            }
            Self::Fallback => {
                let player = PlayerId::JavaName(FALLBACK_PLAYER.to_owned());
                look_up(source, &player, [now + reserve; 2])
            }
        };
        Ok(found.map_err(ServiceError::from)?)
    }
}

impl LookUp {
    /// Returns `true` unless the skin is another player's because of an outage.
    pub(crate) fn is_certain(&self) -> bool {
        match self {
            Self::Found(skin) => skin.origin.is_storable(),
            Self::Fallback(fallback) => fallback.origin.is_storable(),
        }
    }

    /// The approximate bytes of the skin.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Found(skin) => skin.texture.len() + size_of_val(skin.skin.texels()),
            Self::Fallback(_) => 0,
        }
    }
}

impl Fallback {
    /// Returns the player with the fallback skin.
    pub(crate) fn with_skin(self, skin: &PlayerSkin) -> PlayerSkin {
        let origin = match skin.origin {
            // The fallback player may be another one, too.
            SkinOrigin::Uncertain => SkinOrigin::Outage,
            _ => self.origin,
        };
        PlayerSkin {
            origin,
            name: self.name,
            cape: self.cape,
            ..skin.clone()
        }
    }
}

/// Returns the fallback skin. A failure says nothing about the requested player, even if there is no such
/// fallback player; a refusal belongs to the client.
pub(crate) fn fallback_skin(found: Shared<LookUp>) -> Shared<Arc<PlayerSkin>> {
    let error = match found {
        Ok(LookUp::Found(skin)) => return Ok(skin),
        Ok(LookUp::Fallback(Fallback { origin, .. })) => {
            Arc::new(ServiceError::OnlyFallback { origin })
        }
        Err(error) if error.fault() == Fault::Limited => return Err(error),
        Err(error) => error,
    };
    Err(Arc::new(ServiceError::NoFallback(error)))
}

/// Looks a player up. What the fallback can follow ends early.
fn look_up(
    source: &dyn SkinSource,
    player: &PlayerId,
    [early_end, end]: [Instant; 2],
) -> Result<LookUp, UpstreamError> {
    let is_bedrock = player.edition() == Edition::Bedrock;
    let end = |has_fallback| if has_fallback { early_end } else { end };
    let fallback = |origin, name, cape| LookUp::Fallback(Fallback { origin, name, cape });
    let profile = match source.profile(player, end(is_bedrock)) {
        Err(error) if is_bedrock => return Ok(fallback(origin_after(&error), None, None)),
        profile => profile?,
    };
    // That of a Bedrock player has no effect on pictures.
    let (name, cape) = (profile.name.filter(|_| !is_bedrock), profile.cape);
    let Some(skin) = profile.skin else {
        let origin = match profile.is_certain {
            true => SkinOrigin::DefaultSkin,
            false => SkinOrigin::Outage,
        };
        return Ok(fallback(origin, name, cape));
    };
    let has_fallback = is_bedrock || skin.is_default;
    let texture = source.texture(&skin.texture, end(has_fallback));
    let found = match texture.and_then(|texture| decode(texture, skin.model)) {
        Err(error) if has_fallback => return Ok(fallback(origin_after(&error), name, cape)),
        found => found?,
    };
    let origin = match (profile.is_certain, skin.is_default) {
        (false, _) => SkinOrigin::Uncertain,
        (true, true) => SkinOrigin::DefaultSkin,
        (true, false) => SkinOrigin::Own,
    };
    Ok(LookUp::Found(Arc::new(PlayerSkin {
        origin,
        name,
        cape,
        ..found
    })))
}

fn decode(texture: Vec<u8>, model: Model) -> Result<PlayerSkin, UpstreamError> {
    let skin = PlayerSkin::of_texture(texture, model);
    skin.map_err(|source| UpstreamError::Decode {
        source: source.into(),
    })
}

/// Returns the origin of the fallback skin, and logs the failure that it hides from the caller.
fn origin_after(error: &UpstreamError) -> SkinOrigin {
    if !error.is_outage() {
        return SkinOrigin::PlayerNotFound;
    }
    let reason = error_chain(error);
    tracing::warn!("the fallback skin is shown because of an outage: {reason}");
    SkinOrigin::Outage
}

#[cfg(test)]
mod tests {
    use std::{sync::Mutex, time::Duration};

    use effigy_player::Uuid;
    use effigy_upstream::{Account, Profile, ProfileSkin, Step};

    use super::*;

    /// An answer of the source for one player's profile and skin.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    enum Answer {
        Own,
        /// The player may be another one of the same name.
        Uncertain,
        Default,
        NoSkin,
        Missing,
        Down,
        /// The profile is there, but not the texture.
        NoTexture {
            is_default: bool,
        },
        /// The texture is no skin.
        Broken {
            is_default: bool,
        },
    }

    /// A source that knows two players, and the times until which their calls may take.
    struct Source {
        player: Answer,
        steve: Answer,
        calls: Mutex<Vec<(bool, Duration)>>,
        began: Instant,
    }

    const WHOLE: Duration = Duration::from_secs(20);

    fn down() -> UpstreamError {
        let step = Step::Texture;
        UpstreamError::Status { step, status: 500 }
    }

    impl Source {
        fn new(player: Answer, steve: Answer) -> Self {
            let (calls, began) = (Mutex::default(), Instant::now());
            Self {
                player,
                steve,
                calls,
                began,
            }
        }

        fn answer(&self, is_steve: bool, deadline: Instant) -> Answer {
            let left = deadline.saturating_duration_since(self.began);
            self.calls.lock().unwrap().push((is_steve, left));
            if is_steve { self.steve } else { self.player }
        }

        fn resolve(
            &self,
            input: &str,
        ) -> Result<(SkinOrigin, &'static str, Option<String>), String> {
            let player = PlayerId::detect(input).unwrap();
            let found = PlayerSkin::resolve(self, &player);
            let found = found.map_err(|error| error_chain(&*error))?;
            let skins = ["knight", "robot"].map(|name| (name, fixtures::skin(name).png));
            let (name, _) = skins
                .into_iter()
                .find(|(_, png)| found.texture == *png)
                .unwrap();
            Ok((found.origin, name, found.name))
        }

        fn calls_for_steve(&self) -> usize {
            let calls = self.calls.lock().unwrap();
            calls.iter().filter(|(is_steve, _)| *is_steve).count()
        }
    }

    impl SkinSource for Source {
        fn deadline(&self) -> Instant {
            self.began + WHOLE
        }

        fn profile(&self, player: &PlayerId, deadline: Instant) -> Result<Profile, UpstreamError> {
            let is_steve = *player == PlayerId::JavaName("Steve".to_owned());
            let answer = self.answer(is_steve, deadline);
            let is_default = match answer {
                Answer::Missing => {
                    let player = player.clone();
                    return Err(UpstreamError::PlayerNotFound { player });
                }
                Answer::Down => return Err(down()),
                Answer::NoSkin => None,
                Answer::Own | Answer::Uncertain => Some(false),
                Answer::Default => Some(true),
                Answer::NoTexture { is_default } | Answer::Broken { is_default } => {
                    Some(is_default)
                }
            };
            let texture = TextureUrl::new(if is_steve { "steve" } else { "player" });
            Ok(Profile {
                account: Account::Java(Uuid::from_u128(7)),
                name: Some("Name".to_owned()),
                skin: is_default.map(|is_default| ProfileSkin {
                    texture,
                    model: Model::Classic,
                    is_default,
                }),
                cape: None,
                provider: "test".into(),
                is_certain: answer != Answer::Uncertain,
            })
        }

        fn texture(&self, url: &TextureUrl, deadline: Instant) -> Result<Vec<u8>, UpstreamError> {
            let is_steve = url.as_str() == "steve";
            let skin = if is_steve { "robot" } else { "knight" };
            match self.answer(is_steve, deadline) {
                Answer::NoTexture { .. } => Err(down()),
                Answer::Broken { .. } => Ok(b"broken".to_vec()),
                _ => Ok(fixtures::skin(skin).png.to_vec()),
            }
        }

        fn texture_by_hash(&self, hash: &TextureHash) -> Result<Vec<u8>, UpstreamError> {
            Err(UpstreamError::TextureNotFound { hash: hash.clone() })
        }

        fn ping(&self) -> Result<(), UpstreamError> {
            Ok(())
        }
    }

    const NO_TEXTURES: [Answer; 4] = [
        Answer::NoTexture { is_default: false },
        Answer::Broken { is_default: false },
        Answer::NoTexture { is_default: true },
        Answer::Broken { is_default: true },
    ];

    #[test]
    fn own_skin_else_default_skin_else_steve() {
        use SkinOrigin::{DefaultSkin, Outage, Own, PlayerNotFound, Uncertain};
        let rows = [
            // A Java player gets the fallback only in the place of the default skin.
            ("Notch", Answer::Own, Some((Own, "knight"))),
            ("Notch", Answer::Uncertain, Some((Uncertain, "knight"))),
            ("Notch", Answer::Default, Some((DefaultSkin, "knight"))),
            ("Notch", Answer::NoSkin, Some((DefaultSkin, "robot"))),
            ("Notch", Answer::Missing, None),
            ("Notch", Answer::Down, None),
            ("Notch", NO_TEXTURES[0], None),
            ("Notch", NO_TEXTURES[1], None),
            ("Notch", NO_TEXTURES[2], Some((Outage, "robot"))),
            ("Notch", NO_TEXTURES[3], Some((Outage, "robot"))),
            // A Bedrock player always does.
            (".Tag", Answer::Own, Some((Own, "knight"))),
            (".Tag", Answer::Uncertain, Some((Uncertain, "knight"))),
            (".Tag", Answer::NoSkin, Some((DefaultSkin, "robot"))),
            (".Tag", Answer::Missing, Some((PlayerNotFound, "robot"))),
            (".Tag", Answer::Down, Some((Outage, "robot"))),
            (".Tag", NO_TEXTURES[0], Some((Outage, "robot"))),
            (".Tag", NO_TEXTURES[1], Some((Outage, "robot"))),
        ];
        for (input, answer, expected) in rows {
            for steve in [Answer::Own, Answer::Default] {
                let source = Source::new(answer, steve);
                let found = source.resolve(input);
                let skin = found
                    .as_ref()
                    .ok()
                    .map(|(origin, skin, _)| (*origin, *skin));
                assert_eq!(skin, expected, "{input} {answer:?} {steve:?}");
                let shows_steve = expected.is_some_and(|(_, skin)| skin == "robot");
                assert_eq!(source.calls_for_steve(), if shows_steve { 2 } else { 0 });
                // A gamertag has no effect on pictures.
                let is_java = !input.starts_with('.');
                assert!(found.is_err() || found.unwrap().2.is_some() == is_java);
            }
        }
    }

    #[test]
    fn a_skin_that_is_kept_counts_with_its_texture_and_its_texels() {
        let texture = fixtures::skin("knight").png;
        let skin = PlayerSkin::of_texture(texture, Model::Classic).unwrap();
        let bytes = LookUp::Found(Arc::new(skin)).bytes();
        assert_eq!(bytes, texture.len() + 64 * 64 * 4);
    }

    #[test]
    fn a_fallback_player_who_may_be_another_one_is_not_stored() {
        for answer in [Answer::NoSkin, Answer::Missing] {
            let found = Source::new(answer, Answer::Uncertain)
                .resolve(".Tag")
                .unwrap();
            assert_eq!((found.0, found.1), (SkinOrigin::Outage, "robot"));
            assert!(!found.0.is_storable());
        }
    }

    #[test]
    fn a_fallback_that_is_not_available_is_an_outage_and_tried_once() {
        let rows = [Answer::Missing, Answer::Down, Answer::NoSkin];
        for steve in rows.into_iter().chain(NO_TEXTURES) {
            let source = Source::new(Answer::Missing, steve);
            let player = PlayerId::detect(".Tag").unwrap();
            let error = PlayerSkin::resolve(&source, &player).unwrap_err();
            assert!(error.is_outage(), "{steve:?} {error:?}");
            assert!(error_chain(&*error).starts_with("no fallback skin: "));
            let has_profile = !matches!(steve, Answer::Missing | Answer::Down | Answer::NoSkin);
            assert_eq!(source.calls_for_steve(), if has_profile { 2 } else { 1 });
        }
    }

    #[test]
    fn the_last_quarter_of_the_time_is_for_the_fallback() {
        let left = |input, answer| {
            let source = Source::new(answer, Answer::Own);
            source.resolve(input).unwrap();
            let calls = source.calls.lock().unwrap();
            // To the second, because some time passes.
            let left = calls.iter().map(|(_, left)| left.as_secs_f64().round());
            left.collect::<Vec<f64>>()
        };
        assert_eq!(left("Notch", Answer::Own), [20.0, 20.0]);
        assert_eq!(left("Notch", NO_TEXTURES[2]), [20.0, 15.0, 5.0, 5.0]);
        assert_eq!(left(".Tag", NO_TEXTURES[0]), [15.0, 15.0, 5.0, 5.0]);
    }
}
