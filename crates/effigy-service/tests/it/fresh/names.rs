//! Names: whose they are, and whom a record is believed for.

use effigy_service::{Fault, ShelfLife};
use fixtures::Failing;

use crate::support::{Answer, Bench, Call, HOUR, MINUTE, NOTCH, SKIN, face, until};

/// A service that knows a player by name and by UUID.
async fn bench() -> Bench {
    let bench = Bench::new();
    for input in ["Notch", NOTCH] {
        bench.served(face(8, input)).await;
    }
    bench
}

impl Bench {
    /// The party at fault for a failure to show a face.
    async fn fault_of(&self, input: &str) -> Option<Fault> {
        let shown = self.get(face(8, input)).await;
        shown.err().map(|error| error.fault())
    }
}

#[tokio::test]
async fn a_deleted_player_is_not_shown_any_more() {
    for input in ["Notch", NOTCH] {
        let bench = bench().await;
        bench.source.delete("Notch");
        bench.clock.advance(MINUTE);
        assert_eq!(bench.fault_of(input).await, Some(Fault::NotFound));
        // Nothing of the player is left to show in an outage.
        bench.source.answer(Answer::Down);
        for other in ["Notch", NOTCH] {
            assert_eq!(
                bench.fault_of(other).await,
                Some(Fault::Upstream),
                "{other}"
            );
        }
    }
}

#[tokio::test]
async fn a_deleted_player_is_deleted_from_the_store() {
    let bench = bench().await;
    bench.service.flush().await;
    assert_eq!(bench.store.players().len(), 2);
    bench.source.delete("Notch");
    bench.clock.advance(MINUTE);
    assert_eq!(bench.fault_of("Notch").await, Some(Fault::NotFound));
    bench.service.flush().await;
    assert_eq!(bench.store.players(), []);
}

/// The deletion waits for the database.
#[tokio::test]
async fn a_deleted_player_who_is_still_stored_is_not_shown() {
    let bench = bench().await;
    bench.service.flush().await;
    bench.store.fail(Failing::Writes);
    bench.source.delete("Notch");
    bench.clock.advance(MINUTE);
    assert_eq!(bench.fault_of("Notch").await, Some(Fault::NotFound));
    assert_eq!(bench.store.players().len(), 2);
    bench.source.answer(Answer::Down);
    for input in ["Notch", NOTCH] {
        assert_eq!(
            bench.fault_of(input).await,
            Some(Fault::Upstream),
            "{input}"
        );
    }
}

/// Renames a player, and gives the name to another account.
fn hand_over(bench: &Bench) {
    bench.source.rename("Notch", "Persson");
    bench.source.create("Notch", 99, "knight");
}

#[tokio::test]
async fn an_old_name_shows_its_new_owner() {
    let bench = bench().await;
    hand_over(&bench);
    bench.clock.advance(MINUTE);
    assert_eq!(bench.seen("Notch").await, "knight");
    assert_eq!(bench.seen(NOTCH).await, SKIN);
    assert_eq!(bench.seen("Persson").await, SKIN);
}

/// The check of the UUID tells that the name is another account's.
#[tokio::test]
async fn a_check_by_uuid_drops_the_old_name() {
    let bench = bench().await;
    hand_over(&bench);
    bench.clock.advance(MINUTE);
    assert_eq!(bench.seen(NOTCH).await, SKIN);
    assert_eq!(bench.seen("Notch").await, "knight");
}

#[tokio::test]
async fn a_shared_check_answers_each_name_with_its_own_record() {
    let bench = bench().await;
    hand_over(&bench);
    bench.clock.advance(HOUR);
    bench.source.hold();
    let by_name = bench.spawn(face(8, "Notch"));
    until(|| bench.source.calls_of(Call::Renewal) == 1).await;
    let by_uuid = bench.spawn(face(8, NOTCH));
    tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    bench.source.release();
    let by_name = by_name.await.unwrap().unwrap();
    let by_uuid = by_uuid.await.unwrap().unwrap();
    assert_eq!(*by_name.file.data, crate::support::drawn_face("knight", 8));
    assert_eq!(*by_uuid.file.data, crate::support::drawn_face(SKIN, 8));
}

#[tokio::test]
async fn a_name_that_nobody_has_taken_is_not_found() {
    let bench = bench().await;
    bench.source.rename("Notch", "Persson");
    bench.clock.advance(MINUTE);
    assert_eq!(bench.fault_of("Notch").await, Some(Fault::NotFound));
    // The account is still there.
    bench.source.answer(Answer::Down);
    assert_eq!(bench.seen(NOTCH).await, SKIN);
}

#[tokio::test]
async fn after_a_restart_an_old_name_is_looked_up() {
    let bench = bench().await;
    hand_over(&bench);
    bench.clock.advance(MINUTE);
    bench.served(face(8, NOTCH)).await;
    let restarted = bench.restarted().await;
    assert_eq!(restarted.seen("Notch").await, "knight");
}

#[tokio::test]
async fn names_are_not_looked_up_again_while_the_profile_has_them() {
    let bench = bench().await;
    for checks in 1..=3 {
        bench.clock.advance(HOUR);
        bench.served(face(8, "Notch")).await;
        assert_eq!(bench.source.calls_of(Call::Renewal), checks);
    }
    assert_eq!(bench.source.calls_of(Call::Profile), 1);
}

#[tokio::test]
async fn an_uncertain_record_answers_its_request() {
    let bench = Bench::new();
    bench.source.answer(Answer::Uncertain);
    for look_ups in 1..=2 {
        let served = bench.served(face(8, "Notch")).await;
        assert_eq!(served.shelf_life, ShelfLife::Revalidate);
        assert_eq!(bench.source.calls_of(Call::Profile), look_ups);
    }
    bench.service.flush().await;
    assert_eq!(bench.store.players(), []);
}

#[tokio::test]
async fn an_uncertain_record_replaces_nothing() {
    let bench = bench().await;
    bench.source.wear("Notch", "knight");
    bench.source.answer(Answer::Uncertain);
    bench.clock.advance(MINUTE);
    for _ in 0..2 {
        assert_eq!(bench.seen("Notch").await, SKIN);
    }
    bench.source.answer(Answer::Own);
    assert_eq!(bench.seen("Notch").await, "knight");
}

#[tokio::test]
async fn records_of_another_chain_of_providers_are_not_used() {
    let bench = bench().await;
    bench.service.flush().await;
    bench.source.state().fingerprint = "other";
    let other = bench.another(|_| ());
    bench.source.answer(Answer::Down);
    for input in ["Notch", NOTCH] {
        assert_eq!(
            other.fault_of(input).await,
            Some(Fault::Upstream),
            "{input}"
        );
    }
}

#[tokio::test]
async fn a_record_from_the_future_is_old() {
    let bench = bench().await;
    bench.source.wear("Notch", "knight");
    bench.clock.set_back(MINUTE * 10);
    assert_eq!(bench.seen("Notch").await, "knight");
    let restarted = bench.restarted().await;
    bench.clock.set_back(MINUTE * 10);
    bench.source.wear("Notch", "wizard");
    assert_eq!(restarted.seen("Notch").await, "wizard");
}

/// No profile of a Bedrock player carries the gamertag, so only a look-up tells whose it is.
#[tokio::test]
async fn the_account_of_a_gamertag_is_looked_up_every_hour() {
    let bench = Bench::new();
    bench.served(face(8, ".Two Words")).await;
    let rows = [(MINUTE, 1, 1), (HOUR, 2, 1)];
    for (age, look_ups, renewals) in rows {
        bench.clock.advance(age);
        bench.served(face(8, ".Two Words")).await;
        bench.until_idle().await;
        assert_eq!(bench.source.calls_of(Call::Profile), look_ups, "{age:?}");
        assert_eq!(bench.source.calls_of(Call::Renewal), renewals, "{age:?}");
    }
}
