//! Known players who are looked up again.

use std::time::Duration;

use effigy_player::{PlayerId, Uuid};
use effigy_upstream::{Profile, ProviderChain, UpstreamError};

use crate::providers::{config, write};
use crate::support::canned::{Answer, Canned, NOTCH, kind, session_of_notch};
use crate::support::resolve::{profile, renewed};

const SESSION: &str = "session/069a79f444e94726a5befca90e38aaf5";
const SKIN: &str = "skin/2535432196048835";

/// Looks a player up, and forgets the calls for that.
fn known_player(upstream: &Canned, chain: &ProviderChain, input: &str) -> Profile {
    let known = profile(chain, input).expect(input);
    upstream.calls();
    known
}

/// Returns the player of an error that there is no such player.
fn missing(error: UpstreamError) -> PlayerId {
    match error {
        UpstreamError::PlayerNotFound { player } => player,
        error => panic!("{error:?}"),
    }
}

#[test]
fn a_java_account_takes_one_session_call() {
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    for input in ["Notch", "nOTCH", NOTCH] {
        let known = known_player(&upstream, &chain, "Notch");
        let found = renewed(&chain, &known, input).expect(input);
        assert_eq!(found, known, "{input}");
        assert_eq!(upstream.calls(), [SESSION], "{input}");
    }
}

#[test]
fn a_renewal_has_the_current_textures() {
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    let known = known_player(&upstream, &chain, "Notch");
    let _upstream = upstream.on(SESSION, session_of_notch("Notch"));
    let found = renewed(&chain, &known, "Notch").expect("known");
    assert!(found.skin.expect("a default skin").is_default);
}

#[test]
fn a_renamed_player_has_the_new_name() {
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    let known = known_player(&upstream, &chain, "Notch");
    let upstream = upstream.on(SESSION, session_of_notch("Persson"));
    let found = renewed(&chain, &known, "Notch").expect("the account is there");
    assert_eq!(found.name.as_deref(), Some("Persson"));
    assert_eq!(found.account, known.account);
    assert!(found.is_certain);
    assert_eq!(upstream.calls(), [SESSION], "the caller compares the names");
    // Another account has taken the name over.
    let _upstream = upstream.on("identity/Notch", Answer::record("identity-steve"));
    let other = profile(&chain, "Notch").expect("the other account");
    assert_ne!(other.account, known.account);
}

#[test]
fn an_answer_without_a_name_confirms_none() {
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    let known = known_player(&upstream, &chain, "Notch");
    let _upstream = upstream.on(SESSION, Answer::ok(r#"{"properties":[]}"#));
    let found = renewed(&chain, &known, "Notch").expect("known");
    assert_eq!(found.name, None);
}

#[test]
fn an_account_that_is_gone_is_no_player() {
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    let known = known_player(&upstream, &chain, "Notch");
    let upstream = upstream.on(SESSION, Answer::status(204));
    for calls in [&[SESSION][..], &[]] {
        let error = renewed(&chain, &known, "Notch").expect_err("it is gone");
        assert_eq!(missing(error), PlayerId::JavaName("Notch".to_owned()));
        assert_eq!(upstream.calls(), calls, "it is remembered");
    }
}

#[test]
fn an_outage_of_a_renewal_is_an_error() {
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    let known = known_player(&upstream, &chain, "Notch");
    for (answer, expected) in [
        (Answer::status(500), "500"),
        (Answer::Hang, "no complete response in time"),
        (session_of_notch("Notch"), "found"),
    ] {
        let _upstream = upstream.clone().on(SESSION, answer);
        let found = renewed(&chain, &known, "Notch");
        let outcome = found.map_or_else(|error| kind(&error), |_| "found".to_owned());
        assert_eq!(outcome, expected);
        // Until then, it is remembered.
        upstream.pass(Duration::from_secs(2));
    }
}

#[test]
fn a_bedrock_account_takes_one_skin_call() {
    let upstream = Canned::new()
        .on("xuid/Tag", Answer::record("xuid-number"))
        .on(SKIN, Answer::record("skin-record"));
    let chain = upstream.resolver();
    let known = known_player(&upstream, &chain, ".Tag");
    let found = renewed(&chain, &known, ".Tag").expect("known");
    assert_eq!(found, known);
    assert_eq!(found.name.as_deref(), Some("Tag"));
    assert_eq!(upstream.calls(), [SKIN]);
    let upstream = upstream.on(SKIN, Answer::status(404));
    let error = renewed(&chain, &known, ".Tag").expect_err("it is gone");
    assert_eq!(missing(error), PlayerId::BedrockGamertag("Tag".to_owned()));
    assert_eq!(upstream.calls(), [SKIN]);
}

#[test]
fn a_site_of_pictures_is_asked_for_what_its_template_needs() {
    let offline = "b50ad385829d3141a2167e7d7539ba7f";
    for (template, input, sent) in [
        ("{name}", "Notch", "Notch"),
        ("{uuid}", offline, offline),
        ("{dashed}", NOTCH, "069a79f4-44e9-4726-a5be-fca90e38aaf5"),
    ] {
        let url = format!("https://skins.example/{sent}.png");
        let upstream = Canned::new().on(&url, Answer::texture("one"));
        let provider = format!("skin-url=https://skins.example/{template}.png");
        let chain = upstream.resolver_with(config(&[&provider]));
        let known = known_player(&upstream, &chain, input);
        let upstream = upstream.on(&url, Answer::texture("two"));
        let found = renewed(&chain, &known, input).expect(input);
        assert_eq!(found.name, known.name, "{template}");
        assert_ne!(found.skin, known.skin, "{template}");
        assert_eq!(upstream.calls(), [url], "{template}");
    }
}

#[test]
fn the_folder_of_skinsrestorer_is_read_again() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let player = "players/b50ad385-829d-3141-a216-7e7d7539ba7f.player";
    let choice = r#"{"skinIdentifier":{"identifier":"knight","type":"CUSTOM"}}"#;
    // A textures object without a skin.
    let skin = r#"{"value":"eyJ0ZXh0dXJlcyI6e319"}"#;
    write(folder.path(), player, choice);
    write(folder.path(), "skins/knight.customskin", skin);
    let upstream = Canned::with_notch();
    let provider = format!("skinsrestorer={}", folder.path().display());
    let chain = upstream.resolver_with(config(&[&provider, "mojang"]));
    let known = known_player(&upstream, &chain, "Notch");
    assert_eq!(&*known.provider, "skinsrestorer");
    assert_eq!(renewed(&chain, &known, "Notch").ok(), Some(known.clone()));
    assert!(upstream.calls().is_empty());
    // Without a choice, the player has the skin of the account, as in the plugin.
    write(folder.path(), player, "{}");
    let found = renewed(&chain, &known, "Notch").expect("known to Mojang");
    assert_eq!(&*found.provider, "mojang");
    assert!(found.is_certain);
    assert_eq!(upstream.calls(), ["identity/Notch", SESSION]);
}

#[test]
fn a_renewal_of_a_name_behind_a_failure_is_not_certain() {
    let folder = tempfile::TempDir::new().expect("a folder");
    write(folder.path(), "players/x.player", "{}");
    let upstream = Canned::with_notch();
    let provider = format!("skinsrestorer={}", folder.path().display());
    let chain = upstream.resolver_with(config(&[&provider, "mojang"]));
    let known = known_player(&upstream, &chain, "Notch");
    assert!(renewed(&chain, &known, "Notch").is_ok_and(|found| found.is_certain));
    folder.close().expect("a folder of one's own");
    for (input, is_certain) in [("Notch", false), (NOTCH, true)] {
        let found = renewed(&chain, &known, input).expect(input);
        assert_eq!(found.is_certain, is_certain, "{input}");
    }
}

/// A server that comes before or after Mojang, and knows nobody.
fn with_server(providers: &[&str]) -> (Canned, ProviderChain) {
    let names = "https://one.example/api/profiles/minecraft";
    let upstream = Canned::with_notch()
        .on("https://one.example/", Answer::ok("{}"))
        .on(names, Answer::ok("[]"))
        .on("*", Answer::status(204));
    let chain = upstream.resolver_with(config(providers));
    for place in 0..chain.provider_count() {
        chain.refresh(place);
    }
    (upstream, chain)
}

#[test]
fn an_earlier_server_that_could_know_the_player_is_asked() {
    let (upstream, chain) = with_server(&["yggdrasil=one.example", "mojang", "geyser"]);
    let known = known_player(&upstream, &chain, "Notch");
    upstream.pass(Duration::from_secs(60));
    assert!(renewed(&chain, &known, "Notch").is_ok());
    let names = "https://one.example/api/profiles/minecraft";
    assert_eq!(upstream.calls(), [names, "identity/Notch", SESSION]);
    // The server may know the player by now.
    upstream.pass(Duration::from_secs(60));
    let account = serde_json::json!([{ "id": NOTCH, "name": "Notch" }]);
    let session = format!(
        "https://one.example/sessionserver/{}",
        SESSION.replace('/', "/minecraft/profile/")
    );
    let _upstream = upstream
        .on(names, Answer::ok(account.to_string()))
        .on(&session, session_of_notch("Notch"));
    let found = renewed(&chain, &known, "Notch").expect("known");
    assert_eq!(&*found.provider, "yggdrasil:one.example");
}

#[test]
fn a_later_server_is_asked_only_if_the_account_is_gone() {
    let (upstream, chain) = with_server(&["mojang", "yggdrasil=one.example"]);
    let known = known_player(&upstream, &chain, "Notch");
    assert!(renewed(&chain, &known, "Notch").is_ok());
    assert_eq!(upstream.calls(), [SESSION]);
    let upstream = upstream.on(SESSION, Answer::status(204));
    let error = renewed(&chain, &known, "Notch").expect_err("nobody knows it");
    assert!(!error.is_outage());
    let names = "https://one.example/api/profiles/minecraft";
    // The name may belong to another account of an earlier provider.
    let calls = upstream.calls();
    assert_eq!(calls, [SESSION, "identity/Notch", SESSION, names]);
}

#[test]
fn a_provider_that_left_the_chain_is_looked_up_from_scratch() {
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    let mut known = known_player(&upstream, &chain, "Notch");
    known.provider = "yggdrasil:one.example".into();
    let found = renewed(&chain, &known, "Notch").expect("known to Mojang");
    assert_eq!(&*found.provider, "mojang");
    assert_eq!(upstream.calls(), ["identity/Notch", SESSION]);
}

#[test]
fn an_offline_uuid_follows_the_name_that_it_was_computed_from() {
    let offline = "b50ad385-829d-3141-a216-7e7d7539ba7f";
    let upstream = Canned::with_notch();
    let known = known_player(&upstream, &upstream.resolver(), "Notch");
    // Nobody has asked this process for the name.
    let chain = upstream.resolver();
    let found = renewed(&chain, &known, offline).expect("the name is known");
    assert_eq!(found, known);
    assert_eq!(upstream.calls(), ["identity/Notch", SESSION]);
    // The name belongs to another account by now.
    let _upstream = upstream.on("identity/Notch", Answer::record("identity-steve"));
    let other = renewed(&chain, &known, offline).expect("the other account");
    assert_ne!(other.account, known.account);
    let mut renamed = known.clone();
    renamed.name = Some("Persson".to_owned());
    let fresh = Canned::with_notch().resolver();
    let error = renewed(&fresh, &renamed, offline).expect_err("the name is not known");
    let uuid = Uuid::parse(offline).expect("a uuid");
    let UpstreamError::OfflineUuid { uuid: reported } = error else {
        panic!("{error:?}");
    };
    assert_eq!(reported, uuid);
}

#[test]
fn a_renewal_remembers_the_name_for_its_offline_uuid() {
    let offline = "b50ad385-829d-3141-a216-7e7d7539ba7f";
    let upstream = Canned::with_notch();
    let known = known_player(&upstream, &upstream.resolver(), "Notch");
    let chain = upstream.resolver();
    assert!(profile(&chain, offline).is_err());
    assert!(renewed(&chain, &known, "Notch").is_ok());
    assert!(profile(&chain, offline).is_ok());
    // Not the name that the account has left.
    let renaming = upstream.on(SESSION, session_of_notch("Persson")).resolver();
    assert!(renewed(&renaming, &known, "Notch").is_ok());
    assert!(profile(&renaming, offline).is_err());
}

#[test]
fn a_stored_profile_is_renewed_like_a_known_one() {
    let upstream = Canned::with_notch();
    let known = known_player(&upstream, &upstream.resolver(), "Notch");
    let json = serde_json::to_string(&known).expect("it can be stored");
    let read: Profile = serde_json::from_str(&json).expect("it can be read");
    assert_eq!(read, known);
    assert!(renewed(&upstream.resolver(), &read, "Notch").is_ok());
    assert_eq!(upstream.calls(), [SESSION]);
}
