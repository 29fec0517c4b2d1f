//! The rule "the player's own skin, else the default skin, else that of Steve". Spec, "Profile resolution".

use std::{
    sync::{Arc, Mutex},
    time::{Duration, Instant, SystemTime},
};

use effigy_player::{Model, PlayerId, Uuid};
use effigy_service::{
    Failure, Fault, FileRequest, Image, Origin, PictureParams, Service, ServiceConfig,
};
use effigy_upstream::{
    Account, LimitReason, Ping, Profile, ProfileSkin, SkinSource, Step, Terms, TextureHash,
    TextureUrl, UpstreamError,
};
use fixtures::MemoryStore;

use crate::support::{Asked as _, down};

/// An answer about a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Answer {
    Own,
    Default,
    /// A player without a skin.
    NoSkin,
    /// A provider that comes earlier failed.
    Uncertain,
    Missing,
    Down,
    Limited,
    NoTexture {
        is_default: bool,
    },
    /// The texture is no skin.
    Broken {
        is_default: bool,
    },
}

/// A source that knows two players, and the times until which its calls may take.
#[derive(Clone)]
struct Source {
    player: Answer,
    steve: Answer,
    calls: Arc<Mutex<Vec<(bool, Duration)>>>,
    began: Instant,
}

const WHOLE: Duration = Duration::from_secs(20);

const RETRY_AFTER: Duration = Duration::from_secs(7);

impl Source {
    fn new(player: Answer, steve: Answer) -> Self {
        let (calls, began) = (Arc::default(), Instant::now());
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

    async fn ask(&self, request: FileRequest) -> Result<Image, Failure> {
        let service = Service::new(
            Arc::new(MemoryStore::default()),
            Arc::new(self.clone()),
            Arc::new(SystemTime::now),
            ServiceConfig::default(),
        );
        service.unwrap().image(request).await
    }

    /// The name of the skin that is shown for a player on a path that accepts fallbacks, and the picture's origin.
    async fn shown(&self, input: &str) -> Result<(Origin, &'static str), Failure> {
        let image = self.ask(PictureParams::SKIN.of_player(input)).await?;
        let skins = ["knight", "robot"];
        let is_shown = |name: &&str| image.file.data == fixtures::skin(name).png;
        Ok((image.origin, skins.into_iter().find(is_shown).unwrap()))
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

    fn profile(&self, player: &PlayerId, terms: Terms<'_>) -> Result<Profile, UpstreamError> {
        let is_steve = *player == PlayerId::JavaName("Steve".to_owned());
        let answer = self.answer(is_steve, terms.deadline);
        let is_default = match answer {
            Answer::Missing => {
                let player = player.clone();
                return Err(UpstreamError::PlayerNotFound { player });
            }
            Answer::Down => return Err(down()),
            Answer::Limited => {
                return Err(UpstreamError::Limited {
                    step: Step::Session,
                    reason: LimitReason::RateLimit,
                    retry_after: RETRY_AFTER,
                });
            }
            Answer::NoSkin => None,
            Answer::Own | Answer::Uncertain => Some(false),
            Answer::Default => Some(true),
            Answer::NoTexture { is_default } | Answer::Broken { is_default } => Some(is_default),
        };
        let texture = TextureUrl::new(if is_steve { "steve" } else { "player" });
        Ok(Profile {
            account: Account::Java(Uuid(7)),
            name: Some("Name".to_owned()),
            skin: is_default.map(|is_default| ProfileSkin {
                texture,
                model: Some(Model::Classic),
                is_default,
            }),
            cape: None,
            provider: "test".into(),
            is_certain: answer != Answer::Uncertain,
        })
    }

    fn texture(&self, url: &TextureUrl, terms: Terms<'_>) -> Result<Vec<u8>, UpstreamError> {
        let is_steve = url.as_str() == "steve";
        let skin = if is_steve { "robot" } else { "knight" };
        match self.answer(is_steve, terms.deadline) {
            Answer::NoTexture { .. } => Err(down()),
            Answer::Broken { .. } => Ok(b"broken".to_vec()),
            _ => Ok(fixtures::skin(skin).png.to_vec()),
        }
    }

    fn texture_by_hash(&self, hash: &TextureHash, _: Terms<'_>) -> Result<Vec<u8>, UpstreamError> {
        Err(UpstreamError::TextureNotFound { hash: hash.clone() })
    }

    fn ping(&self) -> Vec<Ping> {
        Vec::new()
    }
}

const NO_TEXTURES: [Answer; 4] = [
    Answer::NoTexture { is_default: false },
    Answer::Broken { is_default: false },
    Answer::NoTexture { is_default: true },
    Answer::Broken { is_default: true },
];

#[tokio::test]
async fn own_skin_else_default_skin_else_steve() {
    let (right, outage) = (Origin::Render, Origin::OutageFallback);
    let rows = [
        // A Java player gets the fallback only in the place of the default skin.
        ("Notch", Answer::Own, Some((right, "knight"))),
        ("Notch", Answer::Uncertain, Some((outage, "knight"))),
        ("Notch", Answer::Default, Some((right, "knight"))),
        ("Notch", Answer::NoSkin, Some((right, "robot"))),
        ("Notch", Answer::Missing, None),
        ("Notch", Answer::Down, None),
        ("Notch", NO_TEXTURES[0], None),
        ("Notch", NO_TEXTURES[1], None),
        ("Notch", NO_TEXTURES[2], Some((outage, "robot"))),
        ("Notch", NO_TEXTURES[3], Some((outage, "robot"))),
        // A Bedrock player always does.
        (".Tag", Answer::Own, Some((right, "knight"))),
        (".Tag", Answer::Uncertain, Some((outage, "knight"))),
        (".Tag", Answer::NoSkin, Some((right, "robot"))),
        (".Tag", Answer::Missing, Some((right, "robot"))),
        (".Tag", Answer::Down, Some((outage, "robot"))),
        (".Tag", NO_TEXTURES[0], Some((outage, "robot"))),
        (".Tag", NO_TEXTURES[1], Some((outage, "robot"))),
    ];
    for (input, answer, expected) in rows {
        for steve in [Answer::Own, Answer::Default] {
            let source = Source::new(answer, steve);
            let shown = source.shown(input).await.ok();
            assert_eq!(shown, expected, "{input} {answer:?} {steve:?}");
            let shows_steve = expected.is_some_and(|(_, skin)| skin == "robot");
            assert_eq!(source.calls_for_steve(), if shows_steve { 2 } else { 0 });
        }
    }
}

#[tokio::test]
async fn a_fallback_player_who_may_be_another_one_is_not_stored() {
    for answer in [Answer::NoSkin, Answer::Missing] {
        let shown = Source::new(answer, Answer::Uncertain).shown(".Tag").await;
        assert_eq!(shown.unwrap(), (Origin::OutageFallback, "robot"));
    }
}

#[tokio::test]
async fn a_fallback_that_is_not_available_is_an_outage_and_tried_once() {
    let rows = [Answer::Down, Answer::NoSkin];
    for steve in rows.into_iter().chain(NO_TEXTURES) {
        let source = Source::new(Answer::Missing, steve);
        let error = source.shown(".Tag").await.unwrap_err();
        assert!(error.is_outage(), "{steve:?} {error:?}");
        let has_profile = !matches!(steve, Answer::Down | Answer::NoSkin);
        assert_eq!(source.calls_for_steve(), if has_profile { 2 } else { 1 });
    }
}

#[tokio::test]
async fn the_built_in_player_is_shown_where_nobody_knows_the_fallback() {
    let source = Source::new(Answer::Missing, Answer::Missing);
    let request = PictureParams::SKIN.of_player(".Tag");
    let image = source.ask(request).await.unwrap();
    let built_in = include_bytes!("../../assets/built-in.png");
    assert!(image.file.data[..] == built_in[..] && image.origin == Origin::Render);
}

#[tokio::test]
async fn the_fallback_is_not_looked_up_for_who_may_not_be_shown_with_it() {
    let rows = [
        (Answer::Missing, Fault::NotFound, None),
        (Answer::NoSkin, Fault::NotFound, None),
        (Answer::Down, Fault::Upstream, None),
        (Answer::Limited, Fault::Overloaded, Some(RETRY_AFTER)),
        (NO_TEXTURES[0], Fault::Upstream, None),
    ];
    for (answer, fault, retry_after) in rows {
        // It is not available either.
        let source = Source::new(answer, Answer::Down);
        let request = PictureParams::OWN_SKIN.of_player(".Tag");
        let error = source.ask(request).await.unwrap_err();
        assert_eq!(error.fault(), fault, "{answer:?}: {error:?}");
        assert_eq!(error.retry_after(), retry_after, "{answer:?}");
        assert_eq!(source.calls_for_steve(), 0);
    }
    // A limit of the fallback's upstream ends as well.
    let source = Source::new(Answer::Missing, Answer::Limited);
    let error = source.shown(".Tag").await.unwrap_err();
    assert_eq!(error.retry_after(), Some(RETRY_AFTER));
}

#[tokio::test]
async fn the_last_quarter_of_the_time_is_for_the_fallback() {
    let rows: [(_, _, &[f64]); 3] = [
        ("Notch", Answer::Own, &[20.0, 20.0]),
        ("Notch", NO_TEXTURES[2], &[20.0, 15.0, 5.0, 5.0]),
        (".Tag", NO_TEXTURES[0], &[15.0, 15.0, 5.0, 5.0]),
    ];
    for (input, answer, expected) in rows {
        let source = Source::new(answer, Answer::Own);
        source.shown(input).await.unwrap();
        let calls = source.calls.lock().unwrap();
        // To the second, because some time passes.
        let left = calls.iter().map(|(_, left)| left.as_secs_f64().round());
        assert_eq!(left.collect::<Vec<f64>>(), expected, "{input} {answer:?}");
    }
}
