//! The ways in which a request names its player: prefixes, hashes, several names at once.

use effigy_player::{BedrockPrefixes, Model};
use effigy_render::{Facing, ImageFormat, PictureSpec, Player, Size, Skin, View};
use effigy_service::{
    Client, Fault, FileRequest, FileSpec, PictureParams, ServiceError, ShelfLife, Substitute,
    SubstitutePlayer,
};
use effigy_store::TextureId;
use effigy_upstream::TextureHash;

use crate::support::{Answer, Bench, face, group, specified, texture};

/// A service for a server with these prefixes.
fn bench(prefixes: &[&str]) -> Bench {
    let prefixes = prefixes.iter().map(|&prefix| prefix.to_owned());
    let prefixes = BedrockPrefixes::new(prefixes).unwrap();
    Bench::with_config(|config| config.bedrock_prefixes = prefixes)
}

/// The edition and the name in a player's profile.
async fn profile(bench: &Bench, input: &str) -> (String, String) {
    let served = bench.profile(input).await.unwrap();
    let document: serde_json::Value = serde_json::from_slice(&served.file.data).unwrap();
    let field = |name: &str| document[name].as_str().unwrap().to_owned();
    (field("edition"), field("name"))
}

/// The hash of the skin that everybody wears.
fn hash() -> String {
    TextureId::of(texture()).to_string()
}

fn params() -> PictureParams {
    PictureParams::beyond_specification(
        PictureSpec::new(View::Bust, Size::px(24)),
        ImageFormat::Png,
    )
}

/// A picture of the first of several inputs that exists, or of the default.
fn any_of(inputs: &[&str], default: Option<&'static str>) -> FileRequest {
    let mut request = params().of_player(inputs[0]);
    for input in &inputs[1..] {
        let spec = FileSpec::Picture(params(), (*input).to_owned());
        request.alternatives.push(spec);
    }
    request.substitute = default.map(|player| Substitute {
        player: SubstitutePlayer::Named(player.into()),
        otherwise: None,
        in_outage: true,
    });
    request
}

#[tokio::test]
async fn a_prefix_makes_a_bedrock_player() {
    let bench = bench(&["*"]);
    let bedrock = |name: &str| ("bedrock".to_owned(), name.to_owned());
    assert_eq!(profile(&bench, "*gamer_tag").await, bedrock("gamer_tag"));
    assert_eq!(profile(&bench, ".Gamer+Tag").await, bedrock("Gamer Tag"));
    let plain = Bench::new();
    // The fake source has an account for every name.
    assert_eq!(profile(&plain, "*gamer_tag").await.0, "java");
}

#[tokio::test]
async fn a_name_without_a_gamertag_is_a_java_player() {
    let bench = bench(&["BE_", "*"]);
    let java = ("java".to_owned(), "BE_Nobody".to_owned());
    assert_eq!(profile(&bench, "BE_Nobody").await, java);
    bench.served(face(8, "BE_Nobody")).await;
    assert_eq!(bench.java_count().await, 1);
}

#[tokio::test]
async fn capes_refreshes_and_groups_know_the_java_player() {
    let bench = bench(&["BE_"]);
    let cape = bench.cape("BE_Nobody").await.unwrap();
    assert_eq!(cape.file.data, fixtures::cape());
    let refreshed = bench.service.refresh(Client::SERVICE, "BE_Nobody").await;
    assert_eq!(refreshed.unwrap().profile["edition"], "java");
    let several = FileSpec::Group(group(&["BE_Nobody"])).into();
    assert!(bench.get(several).await.is_ok());
}

/// No account has the name, or no Java account can have it.
#[tokio::test]
async fn if_neither_player_exists_the_bedrock_one_is_missing() {
    let bench = bench(&["BE_", "*"]);
    for input in ["BE_nobody1", "*Nobody", "BE_Nobody else"] {
        let error = bench.profile(input).await.unwrap_err();
        assert_eq!(error.fault(), Fault::NotFound, "{input}");
        let reason = format!("{error:?}");
        assert!(reason.contains("BedrockGamertag"), "{reason}");
        let refresh = bench.service.refresh(Client::SERVICE, input).await;
        assert_eq!(refresh.unwrap_err().fault(), Fault::NotFound, "{input}");
    }
}

#[tokio::test]
async fn an_outage_makes_no_bedrock_player_a_java_player() {
    let bench = bench(&["BE_"]);
    bench.profile("Notch").await.unwrap();
    bench.source.answer(Answer::Down);
    let lookups = bench.source.lookups();
    let error = bench.profile("BE_Notch").await.unwrap_err();
    assert_eq!(error.fault(), Fault::Upstream);
    assert_eq!(bench.source.lookups(), lookups + 1);
}

#[tokio::test]
async fn specified_routes_know_only_the_dot() {
    let bench = bench(&["BE_"]);
    let head = specified::head(None, effigy_render::Layers::Base);
    bench.served(head.of_player("BE_Tag")).await;
    assert_eq!(bench.java_count().await, 1);
    bench.served(face(8, "BE_Tag")).await;
    assert_eq!(bench.bedrock_count().await, 1);
}

#[tokio::test]
async fn specified_pictures_stay_upright_whatever_the_name() {
    let bench = Bench::new();
    let avatar = specified::avatar(Some(32), Facing::Left);
    let plain = bench.served(avatar.of_player("Notch")).await;
    let upright = bench.served(avatar.of_player("Dinnerbone")).await;
    assert!(plain.file.data == upright.file.data);
    let spec = PictureSpec::new(View::IsometricBody, Size::px(32)).with_facing(Facing::Left);
    let own = PictureParams::beyond_specification(spec, ImageFormat::Png);
    let turned = bench.served(own.of_player("Dinnerbone")).await;
    let skin = Skin::decode(texture(), Model::Classic).unwrap();
    let expected = spec
        .picture(Player::new(&skin).named("Dinnerbone"))
        .unwrap();
    assert!(turned.file.data == expected.encode(ImageFormat::Png).unwrap());
}

#[tokio::test]
async fn the_hash_of_a_texture_may_stand_for_a_player() {
    let bench = Bench::new();
    let by_hash = bench.served(params().of_player(hash())).await;
    let parsed = TextureHash::parse(&hash()).unwrap();
    let by_texture = bench.served(params().of_texture(parsed, None)).await;
    let by_player = bench.served(params().of_player("Notch")).await;
    assert!(by_hash.file.data == by_texture.file.data);
    assert!(by_hash.file.data == by_player.file.data);
    assert_eq!(by_hash.shelf_life, ShelfLife::Day);
}

#[tokio::test]
async fn a_group_may_name_a_hash() {
    let bench = Bench::new();
    let of = |players: &[&str]| FileSpec::Group(group(players)).into();
    let with_hash = bench.served(of(&[&hash(), "Notch"])).await;
    let of_players = bench.served(of(&["Notch", "Notch"])).await;
    assert!(with_hash.file.data == of_players.file.data);
}

#[tokio::test]
async fn a_hash_has_no_profile() {
    let bench = Bench::new();
    // Leading zeros do not make it an XUID.
    let with_zeros = format!("0000{}", "1".repeat(56));
    for input in [hash(), with_zeros] {
        let error = bench.profile(&input).await.unwrap_err();
        assert!(matches!(*error, ServiceError::InputIsTexture), "{error}");
    }
    assert_eq!(bench.source.lookups(), 0);
}

#[tokio::test]
async fn the_texture_of_a_hash_tells_its_model() {
    let bench = Bench::new();
    let slim = TextureId::of(fixtures::skin("uv_slim").png).to_string();
    let drawn = bench.served(params().of_player(slim.clone())).await;
    let parsed = TextureHash::parse(&slim).unwrap();
    let own = params().of_texture(parsed.clone(), Model::Slim);
    assert!(drawn.file.data == bench.served(own).await.file.data);
    let wide = params().of_texture(parsed, Model::Classic);
    assert!(drawn.file.data != bench.served(wide).await.file.data);
    let png = fixtures::skin("uv_slim").png.to_vec();
    let service = &bench.service;
    let preview = service.preview(Client::SERVICE, params(), png, None).await;
    assert!(drawn.file.data == preview.unwrap().file.data);
}

#[tokio::test]
async fn the_first_name_that_exists_is_shown() {
    let bench = Bench::new();
    bench.source.wear("Wizard", "wizard");
    let wizard = bench.served(params().of_player("Wizard")).await;
    let plain = bench.served(params().of_player("Notch")).await;
    let unknown = "f".repeat(64);
    for (inputs, default, expected, shelf_life) in [
        (vec!["Wizard", "Notch"], None, &wizard, ShelfLife::Usual),
        (vec!["nobody1", "Wizard"], None, &wizard, ShelfLife::Short),
        (
            vec![&*unknown, "nobody2", "Notch"],
            None,
            &plain,
            ShelfLife::Short,
        ),
        (vec!["{uuid}"], Some("Wizard"), &wizard, ShelfLife::Short),
        (vec![""], Some("Wizard"), &wizard, ShelfLife::Short),
        (
            vec!["nobody1", "nobody2"],
            Some("Wizard"),
            &wizard,
            ShelfLife::Short,
        ),
    ] {
        let served = bench.served(any_of(&inputs, default)).await;
        assert!(served.file.data == expected.file.data, "{inputs:?}");
        assert_eq!(served.shelf_life, shelf_life, "{inputs:?}");
    }
    let missing = bench.get(any_of(&["nobody1", "nobody2"], None)).await;
    assert_eq!(missing.unwrap_err().fault(), Fault::NotFound);
    let malformed = bench.get(any_of(&["{uuid}"], None)).await;
    assert_eq!(malformed.unwrap_err().fault(), Fault::Request);
}

#[tokio::test]
async fn an_outage_of_one_name_is_told() {
    let bench = Bench::new();
    bench.served(params().of_player("Notch")).await;
    bench.source.answer(Answer::Down);
    // The second name is known, but the first one may be somebody else.
    let served = bench.served(any_of(&["Grumm", "Notch"], None)).await;
    assert_eq!(served.shelf_life, ShelfLife::Revalidate);
    let error = bench.get(any_of(&["{uuid}", "Grumm"], None)).await;
    assert_eq!(error.unwrap_err().fault(), Fault::Upstream);
}

#[tokio::test]
async fn a_missing_texture_shows_the_default() {
    let bench = Bench::new();
    let unknown = TextureHash::parse(&"f".repeat(64)).unwrap();
    let mut request = params().of_texture(unknown, None);
    assert!(bench.get(request.clone()).await.is_err());
    request.substitute = any_of(&["Notch"], Some("Notch")).substitute;
    let served = bench.served(request).await;
    let plain = bench.served(params().of_player("Notch")).await;
    assert!(served.file.data == plain.file.data);
    assert_eq!(served.shelf_life, ShelfLife::Short);
}
