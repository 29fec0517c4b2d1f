//! The rule "the player's own skin, else the default skin, else that of Steve". Spec, "Profile
//! resolution".

use effigy_service::{Failure, Fault, Origin, PictureParams, ShelfLife};

use crate::support::{Answer, Bench, RETRY_AFTER, STEVES_SKIN, texture};

/// A service whose upstreams have these answers about players and about Steve.
fn bench(player: Answer, steve: Answer) -> Bench {
    let bench = Bench::new();
    bench.source.answers(player, steve);
    bench
}

impl Bench {
    /// The rule for the skin that is shown on a path that accepts fallbacks, and `true` if it is
    /// Steve's.
    async fn shown(&self, input: &str) -> Result<(ShelfLife, bool), Failure> {
        let served = self.get(PictureParams::SKIN.of_player(input)).await?;
        let is_steves = served.file.data == fixtures::skin(STEVES_SKIN).png;
        assert!(is_steves || served.file.data == texture());
        assert_eq!(served.origin, Origin::Render);
        Ok((served.shelf_life, is_steves))
    }

    fn calls_for_steve(&self) -> usize {
        let calls = self.source.state().calls.clone().into_iter();
        calls.filter(|(is_steve, _)| *is_steve).count()
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
    let right = ShelfLife::RestOfHour;
    let outage = ShelfLife::Revalidate;
    let rows = [
        // A Java player gets the fallback only in the place of the default skin.
        ("Notch", Answer::Own, Some((right, false))),
        ("Notch", Answer::Uncertain, Some((outage, false))),
        ("Notch", Answer::Default, Some((right, false))),
        ("Notch", Answer::NoSkin, Some((right, true))),
        ("Notch", Answer::Missing, None),
        ("Notch", Answer::Down, None),
        ("Notch", NO_TEXTURES[0], None),
        ("Notch", NO_TEXTURES[1], None),
        ("Notch", NO_TEXTURES[2], Some((outage, true))),
        ("Notch", NO_TEXTURES[3], Some((outage, true))),
        // A Bedrock player always does.
        (".Tag", Answer::Own, Some((right, false))),
        (".Tag", Answer::Uncertain, Some((outage, false))),
        (".Tag", Answer::NoSkin, Some((right, true))),
        (".Tag", Answer::Missing, Some((right, true))),
        (".Tag", Answer::Down, Some((outage, true))),
        (".Tag", NO_TEXTURES[0], Some((outage, true))),
        (".Tag", NO_TEXTURES[1], Some((outage, true))),
    ];
    for (input, answer, expected) in rows {
        for steve in [Answer::Own, Answer::Default] {
            let bench = bench(answer, steve);
            let shown = bench.shown(input).await.ok();
            assert_eq!(shown, expected, "{input} {answer:?} {steve:?}");
            let shows_steve = expected.is_some_and(|(_, is_steves)| is_steves);
            assert_eq!(bench.calls_for_steve(), if shows_steve { 2 } else { 0 });
        }
    }
}

#[tokio::test]
async fn a_fallback_player_who_may_be_another_one_is_not_stored() {
    for answer in [Answer::NoSkin, Answer::Missing] {
        let shown = bench(answer, Answer::Uncertain).shown(".Tag").await;
        assert_eq!(shown.unwrap(), (ShelfLife::Revalidate, true));
    }
}

#[tokio::test]
async fn an_unavailable_fallback_is_an_outage_and_tried_once() {
    let rows = [Answer::Down, Answer::NoSkin];
    for steve in rows.into_iter().chain(NO_TEXTURES) {
        let bench = bench(Answer::Missing, steve);
        let error = bench.shown(".Tag").await.unwrap_err();
        assert!(error.is_outage(), "{steve:?} {error:?}");
        let has_profile = !matches!(steve, Answer::Down | Answer::NoSkin);
        assert_eq!(bench.calls_for_steve(), if has_profile { 2 } else { 1 });
    }
}

#[tokio::test]
async fn the_built_in_player_replaces_an_unknown_fallback() {
    let bench = bench(Answer::Missing, Answer::Missing);
    let served = bench.served(PictureParams::SKIN.of_player(".Tag")).await;
    let built_in = include_bytes!("../../assets/built-in.png");
    assert!(served.file.data[..] == built_in[..] && served.origin == Origin::Render);
}

#[tokio::test]
async fn the_fallback_is_only_looked_up_for_players_who_may_wear_it() {
    let rows = [
        (Answer::Missing, Fault::NotFound, None),
        (Answer::NoSkin, Fault::NotFound, None),
        (Answer::Down, Fault::Upstream, None),
        (Answer::Limited, Fault::Overloaded, Some(RETRY_AFTER)),
        (NO_TEXTURES[0], Fault::Upstream, None),
    ];
    for (answer, fault, retry_after) in rows {
        // It is not available either.
        let bench = bench(answer, Answer::Down);
        let request = PictureParams::OWN_SKIN.of_player(".Tag");
        let error = bench.get(request).await.unwrap_err();
        assert_eq!(error.fault(), fault, "{answer:?}: {error:?}");
        assert_eq!(error.retry_after(), retry_after, "{answer:?}");
        assert_eq!(bench.calls_for_steve(), 0);
    }
    // A limit of the fallback's upstream ends as well.
    let bench = bench(Answer::Missing, Answer::Limited);
    let error = bench.shown(".Tag").await.unwrap_err();
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
        let bench = bench(answer, Answer::Own);
        bench.shown(input).await.unwrap();
        let calls = bench.source.state().calls.clone().into_iter();
        // To the second, because some time passes.
        let left = calls.map(|(_, left)| left.as_secs_f64().round());
        assert_eq!(left.collect::<Vec<f64>>(), expected, "{input} {answer:?}");
    }
}
