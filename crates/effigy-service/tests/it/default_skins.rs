//! The default skins of players who are missing.

use effigy_player::{BedrockPrefixes, Model};
use effigy_render::{ImageFormat, PictureSpec, Size, View};
use effigy_service::{
    FileSpec, GroupRequest, PictureParams, ServedFile, Substitute, SubstitutePlayer,
};
use effigy_upstream::{DefaultSkin, offline_uuid};
use fixtures::Image;

use crate::support::{Answer, Bench, Call};

/// A name that nobody has. Its offline UUID has a slim default skin, and the fake source sends a
/// texture of the classic model for it.
const MISSING: &str = "nobody";

/// A picture that shows the arms.
fn bust() -> PictureSpec {
    PictureSpec::new(View::Bust, Size::px(24))
}

fn params() -> PictureParams {
    PictureParams::beyond_specification(bust(), ImageFormat::Png)
}

/// Returns the bust of a player, or the default skin of a missing one.
async fn bust_of(bench: &Bench, player: &str) -> ServedFile {
    let mut request = params().of_player(player);
    request.substitute = Some(Substitute {
        player: SubstitutePlayer::DefaultSkin,
        otherwise: None,
        in_outage: true,
    });
    bench.served(request).await
}

/// Returns a sheet with the busts of players, or the default skins of missing ones.
async fn sheet_of(bench: &Bench, players: &[&str]) -> ServedFile {
    let players = players.iter().map(|&name| name.to_owned()).collect();
    let mut sheet = GroupRequest::new(bust(), Some(1), players).unwrap();
    sheet.substitute = Some(SubstitutePlayer::DefaultSkin);
    bench.served(FileSpec::Group(sheet).into()).await
}

/// Returns the bust of the missing player's default skin on a model.
async fn on_model(bench: &Bench, model: Model) -> ServedFile {
    let skin = DefaultSkin::of_uuid(offline_uuid(MISSING));
    bench.served(params().of_texture(skin.hash, model)).await
}

#[tokio::test]
async fn default_skin_has_the_model_of_the_game() {
    let bench = Bench::new();
    let shown = bust_of(&bench, MISSING).await;
    assert!(shown.file.data == on_model(&bench, Model::Slim).await.file.data);
    // Without a model, the texture would be drawn on the classic one.
    assert!(shown.file.data != on_model(&bench, Model::Classic).await.file.data);
}

#[tokio::test]
async fn sheet_has_the_model_of_each_default_skin() {
    let bench = Bench::new();
    let sheet = sheet_of(&bench, &[MISSING]).await;
    let slim = on_model(&bench, Model::Slim).await;
    let pixels = |served: &ServedFile| Image::decode(&served.file.data).unwrap();
    fixtures::compare(&pixels(&slim), &pixels(&sheet), 0).unwrap();
}

/// A client must not pay for a call for each of many missing players.
#[tokio::test]
async fn sheet_asks_for_an_unusable_default_skin_once() {
    let bench = Bench::new();
    bench.source.answer(Answer::Broken { is_default: false });
    sheet_of(&bench, &[MISSING; 20]).await;
    assert_eq!(bench.source.calls_of(Call::Hash), 1);
}

#[tokio::test]
async fn gamertag_with_a_prefix_is_shown_as_steve() {
    let prefixes = BedrockPrefixes::new(["*".to_owned()]).unwrap();
    let bench = Bench::with_config(|config| config.bedrock_prefixes = prefixes);
    bench.source.answer(Answer::Missing);
    // The default skin of a Java player with this name would be slim.
    let shown = bust_of(&bench, "*nobody").await;
    let steve = DefaultSkin::steve();
    let expected = params().of_texture(steve.hash, steve.model);
    let expected = bench.served(expected).await;
    assert!(shown.file.data == expected.file.data);
}

#[tokio::test]
async fn default_skin_counts_as_no_render() {
    let bench = Bench::new();
    bust_of(&bench, MISSING).await;
    assert_eq!(bench.java_count().await, 0);
}
