//! Players as inputs: their look-up, their capes and the fallback.

use effigy_render::{Camera, Cape, Layers, PictureSpec, Size, View};
use fixtures::{FakeUpstream, Fault, Step, skin};

use crate::support::{
    SkinFolder, assert_refused, drawn, drawn_with_cape, head, player, services, text,
};

/// Returns the words that let the command use the fake upstream.
fn upstream_words(upstream: &FakeUpstream) -> String {
    services(upstream).join(" ")
}

#[test]
fn players_are_looked_up() {
    let files = SkinFolder::new();
    let upstream = FakeUpstream::start();
    let services = upstream_words(&upstream);
    let words = format!("head knight.png Reynard .Two%20Words -o new/faces {services}");
    assert_eq!(files.notices(&words), "Wrote 3 pictures to new/faces\n");
    for (file, name) in [
        ("knight_head.png", "knight"),
        ("Reynard_head.png", "fox"),
        (".Two Words_head.png", "scientist"),
    ] {
        let expected = drawn(head(Layers::Base, 128), name);
        assert!(
            files.read(&format!("new/faces/{file}")) == expected,
            "{file}"
        );
    }
    let skin_file = files.picture(&format!("skin Gwendolin {services}"));
    assert!(skin_file == skin("knight").png);
    let nobody = files.render(&format!("head Nobody {services}"));
    assert_refused(&nobody, 1, &["Nobody"]);
}

#[test]
fn players_are_named_as_in_urls_of_the_service() {
    let files = SkinFolder::new();
    let upstream = FakeUpstream::start();
    let services = upstream_words(&upstream);
    let body = player(Layers::WithOverlay, 128);
    for (words, skin) in [
        ("body .Two+Words", "scientist"),
        ("body *SlimPocket --bedrock-prefix=*", "gardener"),
        // No Bedrock player has the gamertag `ard`, so it is a Java name.
        ("body Reynard --bedrock-prefix=Reyn", "fox"),
        (
            "body 7cb3ba52ddd5cc82c0b050c3f920f87da36add80165846f479079663805433db",
            "gardener",
        ),
    ] {
        let picture = files.picture(&format!("{words} {services}"));
        assert!(picture == drawn(body, skin), "{words}");
    }
}

#[test]
fn placeholders_and_unknown_hashes_are_refused() {
    let files = SkinFolder::new();
    let upstream = FakeUpstream::start();
    let services = upstream_words(&upstream);
    let placeholder = files.render(&format!("body {{uuid}} -o - {services}"));
    assert_refused(&placeholder, 1, &["placeholder"]);
    let unknown_hash = "1".repeat(64);
    let unknown = files.render(&format!("body {unknown_hash} -o - {services}"));
    assert_refused(&unknown, 1, &["cannot get the texture"]);
}

#[test]
fn fallback_skins_are_errors_unless_they_are_allowed() {
    let files = SkinFolder::new();
    let upstream = FakeUpstream::start();
    let services = upstream_words(&upstream);
    let assert_fallback = |player: &str, reason: &str| {
        let words = format!("face {player} --log=off {services}");
        let refused = files.render(&format!("{words} -o -"));
        assert_refused(&refused, 1, &[reason, "--allow-fallback"]);
        let picture = files.picture(&format!("{words} --allow-fallback"));
        assert!(picture == drawn(head(Layers::WithOverlay, 128), "neutral"));
    };
    assert_fallback(".Nobody", "no such player");
    assert_fallback(".NoPocketSkin", "has no skin");
    let words = format!("face .Nobody --allow-fallback -o - {services}");
    let warned = files.render(&words);
    assert!(text(&warned.stderr).contains("is drawn with a fallback skin"));
    upstream.set_fault(Step::BedrockSkin, Some(Fault::status(500)));
    assert_fallback(".Bluejay", "status 500");
}

#[test]
fn players_wear_their_capes() {
    let files = SkinFolder::new();
    let upstream = FakeUpstream::start();
    let words = format!("figure Corvina --yaw 160 {}", upstream_words(&upstream));
    let camera = Camera::perspective(160.0, 16.0, 30.0);
    let figure = PictureSpec::new(View::Figure, Size::px(128)).with_camera(camera);
    assert!(files.picture(&words) == drawn_with_cape(figure, "wizard"));
    let bare = files.picture(&format!("{words} --no-cape"));
    assert!(bare == drawn(figure, "wizard"));
    // A look-up takes three calls, and the cape another one.
    assert_eq!(upstream.total_calls(), 4 + 3);
    files.picture(&words.replace("figure", "cube"));
    assert_eq!(upstream.total_calls(), 7 + 3, "a cube shows no cape");
}

#[test]
fn capes_are_pictures_of_files_and_players() {
    let files = SkinFolder::new();
    let cape = Cape::decode(fixtures::cape()).unwrap();
    let drawn = |width| cape.front(Size::px(width)).unwrap().encode_png().unwrap();
    let words = "cape cape.png";
    assert_eq!(files.notices(words), "Wrote cape_cape.png\n");
    assert!(files.read("cape_cape.png") == drawn(128));
    let upstream = FakeUpstream::start();
    let services = upstream_words(&upstream);
    let of_player = files.picture(&format!("cape Corvina --size 40 {services}"));
    assert!(of_player == drawn(40));
    let without_cape = files.render(&format!("cape Reynard -o - {services}"));
    let message = "cannot get the cape of Reynard: the player has no cape";
    assert_refused(&without_cape, 1, &[message]);
}
