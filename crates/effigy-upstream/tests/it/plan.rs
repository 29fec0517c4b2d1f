//! The plan of a look-up, and the calls that it has made.

use std::time::Duration;

use effigy_player::PlayerId;
use effigy_upstream::{
    BaseUrl, Endpoints, Profile, Profiles as _, ProviderChain, Rate, RateLimits, Status as _,
    Target, TextureHash, TextureUrl, Textures as _, Upstream, UpstreamConfig, UpstreamId,
};

use crate::providers::{config, write};
use crate::support::canned::{Answer, Canned, NOTCH, NOTCH_TEXTURE, texture};
use crate::support::resolve::{Resolve as _, look_up, profile};

/// Returns a plan as text: the number of calls, the provider and the upstream.
fn plan(chain: &ProviderChain, target: Target<'_>) -> Vec<String> {
    let states = chain.states();
    let mut lines = Vec::new();
    for planned in chain.calls_for(target) {
        let state = &states[planned.upstream.0];
        let calls = planned.calls;
        lines.push(format!("{calls} {} {}", state.provider, state.upstream));
    }
    lines
}

fn plan_of_player(chain: &ProviderChain, input: &str) -> Vec<String> {
    let player = PlayerId::detect(input).expect(input);
    plan(chain, Target::Player(&player))
}

#[test]
fn a_player_takes_as_many_calls_as_the_input_needs() {
    let chain = Canned::new().resolver();
    let session = "1 mojang session";
    for (input, expected) in [
        ("Notch", &["1 mojang identity_legacy", session][..]),
        (NOTCH, &[session]),
        (".Tag", &["2 geyser bedrock"]),
        // It is tried with a space, too.
        (".Some_Tag", &["3 geyser bedrock"]),
        ("00002535432196048835", &["1 geyser bedrock"]),
        // Nobody can have these.
        ("0000", &[]),
        ("Name with more than 25 characters", &[]),
        ("b50ad385-829d-3141-a216-7e7d7539ba7f", &[]),
    ] {
        assert_eq!(plan_of_player(&chain, input), expected, "{input}");
    }
}

#[test]
fn the_plan_sums_up_the_providers_that_can_know_the_player() {
    let chain = Canned::new().resolver_with(config(&[
        "skin-url=https://skins.example/{name}.png",
        "yggdrasil=one.example",
        "mojang",
        "geyser",
    ]));
    // The site may redirect three times.
    let site = "4 skin-url:skins.example texture";
    let own = |calls: u32| format!("{calls} yggdrasil:one.example profiles");
    let identity = "1 mojang identity_legacy";
    let session = "1 mojang session";
    let two = own(2);
    let by_name = [site, two.as_str(), identity, session];
    assert_eq!(plan_of_player(&chain, "Notch"), by_name);
    assert_eq!(plan_of_player(&chain, NOTCH), [own(1).as_str(), session]);
    assert_eq!(plan_of_player(&chain, ".Tag"), ["2 geyser bedrock"]);
}

#[test]
fn an_offline_uuid_may_be_looked_up_by_its_name() {
    let upstream = Canned::with_notch();
    let chain = upstream.resolver();
    assert!(profile(&chain, "Notch").is_ok());
    let planned = plan_of_player(&chain, "b50ad385-829d-3141-a216-7e7d7539ba7f");
    assert_eq!(planned, ["1 mojang identity_legacy", "1 mojang session"]);
}

fn plan_of_known(chain: &ProviderChain, known: &Profile, input: &str) -> Vec<String> {
    let player = PlayerId::detect(input).expect(input);
    let target = Target::Known {
        profile: known,
        player: &player,
    };
    plan(chain, target)
}

#[test]
fn a_known_player_takes_one_call() {
    let upstream = Canned::with_notch()
        .on("xuid/Tag", Answer::record("xuid-number"))
        .on("skin/2535432196048835", Answer::record("skin-none"));
    let chain = upstream.resolver();
    for (input, expected) in [
        ("Notch", "1 mojang session"),
        (NOTCH, "1 mojang session"),
        (".Tag", "1 geyser bedrock"),
    ] {
        let known = profile(&chain, input).expect(input);
        assert_eq!(plan_of_known(&chain, &known, input), [expected], "{input}");
    }
}

#[test]
fn a_known_player_of_a_site_takes_its_redirects() {
    let upstream = Canned::new().on("*", Answer::texture("any"));
    let chain = upstream.resolver_with(config(&["skin-url=https://skins.example/{name}"]));
    let known = profile(&chain, "Notch").expect("known");
    let planned = plan_of_known(&chain, &known, "Notch");
    assert_eq!(planned, ["4 skin-url:skins.example texture"]);
}

#[test]
fn a_known_player_behind_a_server_takes_all_calls() {
    let upstream = Canned::with_notch();
    let known = profile(&upstream.resolver(), "Notch").expect("known");
    let providers = ["yggdrasil=one.example", "mojang"];
    let chain = upstream.resolver_with(config(&providers));
    let planned = plan_of_known(&chain, &known, "Notch");
    assert_eq!(planned, plan_of_player(&chain, "Notch"));
    assert_eq!(planned.len(), 3);
}

#[test]
fn a_known_offline_player_takes_the_calls_for_the_name() {
    let upstream = Canned::with_notch();
    let known = profile(&upstream.resolver(), "Notch").expect("known");
    let chain = upstream.resolver();
    let planned = plan_of_known(&chain, &known, "b50ad385-829d-3141-a216-7e7d7539ba7f");
    assert_eq!(planned, ["1 mojang identity_legacy", "1 mojang session"]);
}

#[test]
fn a_known_player_with_a_file_at_hand_takes_no_call() {
    let upstream = Canned::with_notch();
    let known = profile(&upstream.resolver(), "Notch").expect("known");
    let folder = tempfile::TempDir::new().expect("a folder");
    let spec = format!("folder={}", folder.path().display());
    let chain = upstream.resolver_with(config(&[&spec, "mojang"]));
    assert_eq!(plan_of_known(&chain, &known, "Notch").len(), 1);
    write(folder.path(), "Notch.png", b"mine");
    chain.refresh(0);
    assert!(plan_of_known(&chain, &known, "Notch").is_empty());
}

#[test]
fn textures_take_one_call_to_their_service() {
    let chain = Canned::new().resolver();
    let hash = TextureHash::parse(&"a".repeat(64)).expect("a hash");
    let one = ["1 textures texture"];
    assert_eq!(plan(&chain, Target::Hash(&hash)), one);
    let named = TextureUrl::new("https://textures.minecraft.net/texture/1");
    assert_eq!(plan(&chain, Target::Texture(&named)), one);
    let refused = TextureUrl::new("https://evil.example/texture/1");
    assert!(plan(&chain, Target::Texture(&refused)).is_empty());
}

#[test]
fn files_at_hand_take_no_call() {
    let folder = tempfile::TempDir::new().expect("a folder");
    write(folder.path(), "Alice.png", texture("slim"));
    let spec = format!("folder={}", folder.path().display());
    let chain = Canned::new().resolver_with(config(&[&spec, "mojang"]));
    assert!(plan_of_player(&chain, "alice").is_empty());
    let worn = profile(&chain, "Alice").expect("known").skin.expect("worn");
    assert!(plan(&chain, Target::Texture(&worn.texture)).is_empty());
    let hash = worn.texture.as_str().strip_prefix("/v1/texture/");
    let hash = TextureHash::parse(hash.expect("a path")).expect("a hash");
    assert!(plan(&chain, Target::Hash(&hash)).is_empty());
    // Others are not in the folder.
    assert_eq!(plan_of_player(&chain, "Notch").len(), 2);
}

#[test]
fn the_plan_names_the_form_that_is_called() {
    let refused = Answer::status(403);
    let upstream = Canned::with_notch()
        .on("*", Answer::status(404))
        .on("identity/Notch", refused.clone());
    let chain = upstream.resolver();
    for name in ["One", "Two", "Three", "Four"] {
        let legacy = format!("identity/{name}");
        drop(upstream.clone().on(&legacy, refused.clone()));
        assert!(chain.resolve(name).is_err());
    }
    let current = ["1 mojang identity_current", "1 mojang session"];
    assert_eq!(plan_of_player(&chain, "Five"), current);
    upstream.pass(Duration::from_secs(1));
    let legacy = ["1 mojang identity_legacy", "1 mojang session"];
    assert_eq!(plan_of_player(&chain, "Five"), legacy);
}

#[test]
fn upstreams_and_states_have_one_order() {
    let identity = Rate::new(7, Duration::from_secs(10));
    let config = UpstreamConfig {
        endpoints: Endpoints {
            java_identity: BaseUrl::parse("http://127.0.0.1:1").expect("a url"),
            ..Endpoints::default()
        },
        rate_limits: RateLimits {
            identity,
            ..RateLimits::default()
        },
        ..config(&["mojang", "geyser", "yggdrasil=one.example"])
    };
    let chain = Canned::new().resolver_with(config);
    let upstreams = chain.upstreams();
    let states = chain.states();
    assert_eq!(upstreams.len(), states.len());
    for (capacity, state) in upstreams.iter().zip(&states) {
        assert_eq!(capacity.max_in_flight, 128);
        let budget = match state.upstream {
            Upstream::IdentityLegacy | Upstream::IdentityCurrent => identity,
            Upstream::Session => Rate::new(390, Duration::from_secs(10)),
            Upstream::Bedrock => Rate::new(120, Duration::from_secs(60)),
            _ => None,
        };
        assert_eq!(capacity.budget, budget, "{}", state.upstream);
        assert_eq!(state.rate_limit_left, budget.map(Rate::amount));
    }
}

/// Looks a player up, and returns the numbers of calls to the first three upstreams.
fn calls_made(chain: &ProviderChain, input: &str) -> Vec<u32> {
    let look_up = look_up(chain);
    let player = PlayerId::detect(input).expect(input);
    drop(chain.profile(&player, &look_up));
    let ids = (0..3).map(UpstreamId);
    ids.map(|id| look_up.calls_made(id)).collect()
}

#[test]
fn a_look_up_counts_the_calls_that_were_made() {
    let upstream = Canned::with_notch().on("identity/Nobody", Answer::status(404));
    let limited = UpstreamConfig {
        rate_limits: RateLimits {
            session: Rate::new(1, Duration::from_secs(10)),
            ..RateLimits::default()
        },
        ..config(&["mojang"])
    };
    let chain = upstream.resolver_with(limited);
    assert_eq!(calls_made(&chain, "Nobody"), [1, 0, 0]);
    assert_eq!(calls_made(&chain, "Nobody"), [0, 0, 0], "it is remembered");
    assert_eq!(calls_made(&chain, "Notch"), [1, 0, 1]);
    // The budget of the session service is used up.
    assert_eq!(calls_made(&chain, "Notch"), [1, 0, 0]);
    assert_eq!(calls_made(&chain, NOTCH), [0, 0, 0]);
}

#[test]
fn probes_are_not_counted_as_calls_of_a_look_up() {
    let upstream = Canned::with_notch().on("*", Answer::status(500));
    let chain = upstream.resolver_with(config(&["mojang"]));
    for name in ["One", "Two", "Three"] {
        assert_eq!(calls_made(&chain, name), [1, 0, 0]);
    }
    upstream.calls();
    // The probe is answered, so the call of the look-up is made.
    assert_eq!(calls_made(&chain, "Four"), [1, 0, 0]);
    assert_eq!(upstream.calls(), ["identity/Notch", "identity/Four"]);
}

#[test]
fn textures_count_for_the_texture_service() {
    let chain = Canned::with_notch().resolver_with(config(&["mojang"]));
    let look_up = look_up(&chain);
    let named = TextureUrl::new(format!("https://textures.minecraft.net/{NOTCH_TEXTURE}"));
    assert!(chain.texture(&named, None, &look_up).is_ok());
    assert_eq!(look_up.calls_made(UpstreamId(3)), 1);
}

#[test]
fn the_description_of_a_server_is_not_counted() {
    let upstream = Canned::new()
        .on("https://one.example/", Answer::ok("{}"))
        .on("*", Answer::status(204));
    let chain = upstream.resolver_with(config(&["yggdrasil=one.example"]));
    assert_eq!(calls_made(&chain, NOTCH), [1, 0, 0]);
    assert_eq!(upstream.calls().len(), 2);
}
