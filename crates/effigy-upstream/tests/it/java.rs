//! Java players: the calls, their order, and what each answer means.

use effigy_player::{Model, PlayerId, Uuid};
use effigy_upstream::{Account, SkinSource as _};

use crate::support::canned::{Answer, Canned, NOTCH, NOTCH_TEXTURE, kind, skin, texture};
use crate::support::resolve::Origin;

#[test]
fn a_name_takes_three_calls_and_a_uuid_two() {
    let session = format!("session/{NOTCH}");
    let by_name = vec!["identity/Notch", &session, NOTCH_TEXTURE];
    for (input, calls) in [
        ("nOTCH", vec!["identity/nOTCH", &session, NOTCH_TEXTURE]),
        ("Notch", by_name.clone()),
        (NOTCH, by_name[1..].to_vec()),
        (
            "069A79F4-44E9-4726-A5BE-FCA90E38AAF5",
            by_name[1..].to_vec(),
        ),
    ] {
        let identity = Answer::file(200, "identity-notch.json");
        let account = Account::Java(Uuid::parse(NOTCH).expect("a uuid"));
        let upstream = Canned::with_notch().on("identity/nOTCH", identity);
        let resolved = upstream.resolve(input).unwrap();
        assert_eq!(resolved.origin, Origin::Own, "{input}");
        // As the player writes it.
        assert_eq!(resolved.name.as_deref(), Some("Notch"));
        assert_eq!(resolved.account, account);
        assert_eq!(skin(&resolved), ("Notch".to_owned(), Model::Classic));
        assert_eq!(resolved.texture, texture("Notch"));
        assert_eq!(upstream.calls(), calls, "{input}");
    }
}

#[test]
fn the_public_service_is_not_asked_for_names_that_no_account_has() {
    let too_long = "x".repeat(26);
    for name in [
        &too_long, "a/b", "名", "é", "a\tb", "a+b", "a@b", "$x", "\0", "x'--", ".", "..", "...", "",
    ] {
        let upstream = Canned::new();
        let player = PlayerId::JavaName(name.to_owned());
        let resolver = upstream.resolver();
        let error = resolver.profile(&player, resolver.deadline().into());
        let error = error.unwrap_err();
        assert_eq!(kind(&error), "not found", "{name:?}");
        assert!(upstream.calls().is_empty(), "{name:?}");
    }
    let longest = "x".repeat(25);
    for (name, sent) in [
        (longest.as_str(), longest.as_str()),
        ("a.b-c_d", "a.b-c_d"),
        ("Old Name", "Old%20Name"),
    ] {
        let call = format!("identity/{sent}");
        let upstream = Canned::new().on(&call, Answer::status(404));
        assert!(upstream.resolve(name).is_err());
        assert_eq!(upstream.calls(), [call]);
    }
}
