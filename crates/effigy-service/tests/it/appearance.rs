//! Capes and names on pictures.

use crate::support::{Bench, Call, specified, texture};
use effigy_player::Model;
use effigy_render::{Cape, ImageFormat, Light, PictureSpec, Player, Size, Skin, View};
use effigy_service::{FileRequest, Origin, PictureParams, ServedFile, ShelfLife};

fn spec(view: View) -> PictureSpec {
    PictureSpec::new(view, Size::new(32).unwrap())
}

fn request(spec: PictureSpec, input: &str) -> FileRequest {
    PictureParams::beyond_specification(spec, ImageFormat::Png).of_player(input)
}

fn figure(input: &str) -> FileRequest {
    request(spec(View::Figure), input)
}

/// The picture that the renderer draws of a player, with the fixtures' cape or without.
fn drawn(spec: PictureSpec, name: &str, has_cape: bool) -> Vec<u8> {
    let skin = Skin::decode(texture(), Model::Classic).unwrap();
    let cape = Cape::decode(fixtures::cape()).unwrap();
    let mut player = Player::new(&skin).named(name);
    if has_cape {
        player = player.with_cape(&cape);
    }
    let picture = spec.picture(player).unwrap();
    picture.encode(ImageFormat::Png).unwrap()
}

#[track_caller]
fn assert_drawn(served: &ServedFile, spec: PictureSpec, name: &str, has_cape: bool) {
    let expected = drawn(spec, name, has_cape);
    assert!(served.file.data == expected, "{spec:?} of {name}");
    let other = drawn(spec, name, !has_cape);
    assert!(expected != other, "the cape is out of sight");
}

#[tokio::test]
async fn a_picture_shows_the_cape_that_the_profile_names() {
    let bench = Bench::new();
    // Seen from behind, so that the whole cape is in sight.
    let camera = effigy_render::Camera::orthographic(160.0, 0.0);
    for view in [View::Figure, View::Portrait, View::IsometricBody] {
        let spec = spec(view).with_cape(true).with_camera(camera);
        let served = bench.served(request(spec, "Notch")).await;
        assert_drawn(&served, spec, "Notch", true);
        assert_eq!(served.origin, Origin::Render);
    }
    // One look-up and one cape for all.
    assert_eq!(bench.source.lookups(), 2);
    let bare = spec(View::Figure).with_cape(false);
    let served = bench.served(request(bare, "Notch")).await;
    assert!(served.file.data == drawn(bare, "Notch", false));
    assert_eq!(bench.source.lookups(), 2);
}

#[tokio::test]
async fn pictures_that_show_no_cape_fetch_none() {
    let size = Some(32);
    let bench = Bench::new();
    let lit = spec(View::IsometricBody).with_light(Light::Soft);
    let requests = [
        specified::avatar(size, effigy_render::Facing::Left).of_player("Notch"),
        PictureParams::SKIN.of_player("Notch"),
        request(spec(View::Cube), "Notch"),
        request(lit, "Notch"),
        figure("Capeless"),
    ];
    for request in requests {
        bench.served(request).await;
    }
    assert_eq!(bench.source.calls_of(Call::Cape), 0);
}

#[tokio::test]
async fn names_give_ears_and_turn_players_upside_down() {
    let bench = Bench::new();
    let bare = spec(View::Figure).with_cape(false);
    let plain = drawn(bare, "Notch", false);
    for name in ["deadmau5", "Dinnerbone", "Grumm"] {
        let served = bench.served(request(bare, name)).await;
        let expected = drawn(bare, name, false);
        assert!(served.file.data == expected && expected != plain, "{name}");
        // A gamertag does not.
        let of_gamertag = bench.served(request(bare, &format!(".{name}"))).await;
        assert!(of_gamertag.file.data == plain, "{name}");
    }
}

#[tokio::test]
async fn a_cape_that_is_not_available_never_fails_the_picture() {
    let rows = [
        (Err(500), ShelfLife::Revalidate),
        (Err(429), ShelfLife::Revalidate),
        // The upstream says that there is none.
        (Err(404), ShelfLife::Usual),
        (Err(410), ShelfLife::Usual),
        // Nobody could show this file.
        (Ok(texture()), ShelfLife::Usual),
    ];
    for (answer, shelf_life) in rows {
        let bench = Bench::new();
        bench.source.state().cape = answer;
        let served = bench.served(figure("Notch")).await;
        assert_drawn(&served, spec(View::Figure), "Notch", false);
        let found = (served.origin, served.shelf_life);
        let expected = (Origin::Render, shelf_life);
        assert_eq!(found, expected, "{:?}", answer.map(<[u8]>::len));
        assert_eq!(bench.java_count().await, 1);

        bench.source.state().cape = Ok(fixtures::cape());
        let again = bench.served(figure("Notch")).await;
        let is_stored = shelf_life == ShelfLife::Usual;
        assert_drawn(&again, spec(View::Figure), "Notch", !is_stored);
    }
}
