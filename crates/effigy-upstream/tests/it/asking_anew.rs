//! Look-ups that ignore remembered answers about the player.

use effigy_player::PlayerId;
use effigy_upstream::Profiles as _;

use crate::support::canned::{Answer, Canned, session_of_notch};
use crate::support::resolve::{look_up, profile, renewed};

const SESSION: &str = "session/069a79f444e94726a5befca90e38aaf5";

#[test]
fn asking_anew_ignores_remembered_answers() {
    let notch = PlayerId::detect("Notch").expect("a name");
    for answer in [Answer::status(404), Answer::status(500)] {
        let upstream = Canned::with_notch().on("identity/Notch", answer);
        let chain = upstream.resolver();
        let anew = || chain.profile(&notch, &look_up(&chain).asking_anew());
        assert!(profile(&chain, "Notch").is_err());
        assert!(profile(&chain, "Notch").is_err());
        assert_eq!(upstream.calls(), ["identity/Notch"]);
        assert!(anew().is_err());
        assert_eq!(upstream.calls(), ["identity/Notch"]);
        // The answer is remembered as usual.
        assert!(profile(&chain, "Notch").is_err());
        assert!(upstream.calls().is_empty());
        let upstream = upstream.on("identity/Notch", Answer::record("identity-notch"));
        assert!(profile(&chain, "Notch").is_err());
        assert!(anew().is_ok());
        upstream.calls();
        assert!(profile(&chain, "Notch").is_ok(), "it is forgotten");
        assert_eq!(upstream.calls(), ["identity/Notch", SESSION]);
    }
}

#[test]
fn a_renewal_may_ask_anew() {
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    let known = profile(&chain, "Notch").expect("known");
    upstream.calls();
    let upstream = upstream.on(SESSION, Answer::status(204));
    assert!(renewed(&chain, &known, "Notch").is_err());
    let upstream = upstream.on(SESSION, session_of_notch("Notch"));
    assert!(renewed(&chain, &known, "Notch").is_err());
    let player = PlayerId::detect("Notch").expect("a name");
    let anew = look_up(&chain).asking_anew();
    assert!(chain.renewed(&known, &player, &anew).is_ok());
    assert_eq!(upstream.calls(), [SESSION, SESSION]);
}
