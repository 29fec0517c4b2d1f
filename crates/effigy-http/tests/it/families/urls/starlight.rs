//! Starlight's URLs.

use super::{Cut, Json, Names, Size, Skin, WORN, uuid};
use fixtures::client::Reply;

use crate::support::{assert_error, assert_picture, head, picture_of, skin_of};

#[test]
fn whole_figures_are_cut_to_the_figure() {
    let names = Names::new();
    let camera = "cameraPosition={%22x%22:%220%22,%22y%22:%2218%22,%22z%22:%2215%22}\
        &cameraFocalPoint={%22x%22:%220%22,%22y%22:%2215.9%22,%22z%22:%223.35%22}\
        &capeEnabled=True&capeTexture=http://textures.minecraft.net/texture/{T}";
    let behind = format!("/render/default/Notch/full?{camera}");
    names.check(
        "starlight",
        &[
            ("/render/ultimate/Notch/full?height=300", Cut(1159)),
            ("/render/default/Notch/full?renderScale=0.5", Cut(580)),
            ("/render/default/Notch/full?renderScale=3.2", Cut(2048)),
            ("/render/default/Notch/full?cameraFOV=90", Cut(889)),
            ("/render/isometric/Notch/full?renderScale=.1", Cut(116)),
            (&behind, Cut(1159)),
            (
                "/render/dungeons/Notch/full?borderHighlight=True&dropShadow=true",
                Cut(1159),
            ),
            ("/skin-render/relaxing/Notch/full/", Cut(1159)),
            ("/skin-render/Default/{U}", Cut(1159)),
            ("/render/sleeping/Notch/full.png", Cut(1159)),
        ],
    );
}

#[test]
fn other_crops_are_squares() {
    Names::new().check(
        "starlight",
        &[
            ("/render/ultimate/{U}/bust", Size(1159, 1159)),
            (
                "/render/ultimate/{U}/face?borderHighlight=true&borderHighlightRadius=5\
                 &dropShadow=true",
                Size(1159, 1159),
            ),
            ("/render/default/Notch/head", Size(1159, 1159)),
            ("/render/isometric/{D}/head", Size(1159, 1159)),
            ("/render/mojavatar/Notch?renderScale=0.1", Size(116, 116)),
            (
                "/render/head/Notch/full?borderHighlight=true&borderHighlightRadius=7",
                Size(1159, 1159),
            ),
        ],
    );
}

#[test]
fn a_picture_has_the_size_of_its_camera() {
    Names::new().check(
        "starlight",
        &[
            (
                "/render/isometric/Notch/full?cameraHeight=102",
                Size(102, 102),
            ),
            ("/render/walking/{U}/full?CAMERAWIDTH=100", Size(100, 100)),
            (
                "/render/dead/Notch/full?cameraWidth=100&cameraHeight=300",
                Size(100, 300),
            ),
            (
                "/render/dead/Notch/full?cameraWidth=1&cameraHeight=1",
                Size(1, 1),
            ),
            ("/render/head/Notch/full?cameraWidth=9999", Size(2048, 2048)),
        ],
    );
}

#[test]
fn pixels_are_drawn_flat() {
    let names = Names::new();
    names.check(
        "starlight",
        &[
            ("/render/pixel/Notch/full", Size(400, 800)),
            ("/render/pixel/Notch/full?cameraWidth=1", Size(1, 1)),
            ("/render/pixel/Gwendolin/full", Cut(800)),
            ("/render/pixel/Notch/face/", Size(800, 800)),
            ("/render/pixel/Notch/face?cameraWidth=8", Size(8, 8)),
        ],
    );
    let face = names.get("/starlight/render/pixel/Notch/face?cameraWidth=64");
    assert_picture(&face, head(WORN, 64), skin_of("Notch"));
}

#[test]
fn a_skin_is_served_or_converted() {
    Names::new().check(
        "starlight",
        &[
            ("/render/skin/Notch/default", Skin),
            ("/render/skin/Notch/processed", Size(64, 64)),
        ],
    );
}

#[test]
fn unknown_players_and_types_have_no_picture() {
    let names = Names::new();
    names.check(
        "starlight",
        &[
            ("/render/default/Nobody/full", Json(404)),
            ("/render/pixel/Nobody/face", Json(404)),
            (
                "/render/custom/Notch/full?wideModel=https://example.org/a.obj",
                Json(404),
            ),
            ("/render/wallpaper/herobrine_hill/Notch", Json(404)),
            ("/render/bitzel/Notch/face", Json(404)),
            ("/render/unknown/Notch/full", Json(404)),
            ("/render/default/Notch/feet", Json(404)),
            ("/render/default", Json(404)),
        ],
    );
    let error_of = |path: &str| names.get(&format!("/starlight{path}")).json()["error"].clone();
    let unknown = "Unknown player username/uuid.";
    assert_eq!(error_of("/render/default/Nobody/full"), unknown);
    assert_eq!(error_of("/info/user/Nobody"), unknown);
    assert_eq!(
        error_of("/render/custom/Notch/full"),
        "Custom models, wallpapers, ornaments and bitzel icons are not drawn here"
    );
}

#[test]
fn parameters_change_the_picture() {
    let names = Names::new();
    let shown = |path: &str| names.get(&format!("/starlight/render/{path}")).body;
    let plain = shown("default/Corvina/full?cameraHeight=64");
    assert_ne!(plain, shown("crouching/Corvina/full?cameraHeight=64"));
    let point = "{%22x%22:%2210%22,%22y%22:%2220%22,%22z%22:%225%22}";
    for parameter in [
        "borderHighlight=true",
        "borderHighlight=true&borderHighlightRadius=1",
        "borderHighlight=true&borderHighlightColor=%23ff0000",
        "dropShadow=true",
        "isometric=true",
        "playerModelShading=false",
        "cameraFOV=100",
        &format!("dirLightPos={point}"),
        &format!("cameraPosition={point}"),
        &format!("cameraPosition={point}&capeEnabled=false"),
    ] {
        let changed = shown(&format!("default/Corvina/full?cameraHeight=64&{parameter}"));
        assert_ne!(changed, plain, "{parameter}");
    }
}

/// The type of the skin belongs to a skin by URL alone.
#[test]
fn parameters_that_cannot_be_read_count_as_absent() {
    let names = Names::new();
    let shown = |path: &str| names.get(&format!("/starlight/render/default/{path}")).body;
    let odd = "borderHighlight=maybe&borderHighlightRadius=wide&skinType=slim&cameraPosition=here\
        &dirLightPos=1&cameraFOV=x&renderScale=-1&skinUrl=&capeEnabled";
    let plain = shown("Corvina/full?cameraHeight=64");
    let same = shown(&format!("Corvina/full?cameraHeight=64&{odd}"));
    assert_eq!(same, plain);
}

/// Asks for a figure of a skin by URL, with this query.
fn figure_by_url(names: &Names, query: &str) -> Reply {
    let path = "/starlight/render/default/steve/full?cameraHeight=64";
    names.get(&format!("{path}&{query}"))
}

#[test]
fn a_skin_by_url_is_that_of_its_hash() {
    let names = Names::new();
    let upstream = names.server.upstream.url();
    let hash = "skinUrl=http://textures.minecraft.net/texture/{T}";
    let by_hash = figure_by_url(&names, hash);
    let by_url = figure_by_url(&names, &format!("skinUrl={upstream}/texture/{{T}}"));
    assert_eq!(by_hash.status, 200);
    assert_eq!(by_url.body, by_hash.body);
    let escaped = upstream.replace('/', "%2F");
    let in_path = names.get(&format!(
        "/starlight/render/default/url/{escaped}%2Ftexture%2F{{T}}/full?cameraHeight=64"
    ));
    assert_eq!(in_path.body, by_url.body);
}

#[test]
fn a_skin_by_url_may_be_slim() {
    let names = Names::new();
    let url = format!("{}/texture/{{T}}", names.server.upstream.url());
    let classic = figure_by_url(&names, &format!("skinUrl={url}"));
    let slim = figure_by_url(&names, &format!("skinType=Slim&skinurl={url}"));
    assert_ne!(slim.body, classic.body);
}

#[test]
fn a_file_by_url_is_the_texture() {
    let names = Names::new();
    let skin = names.get(&format!(
        "/starlight/render/skin/steve/default?skinUrl={}/texture/{{T}}",
        names.server.upstream.url()
    ));
    assert_eq!(picture_of(&skin), picture_of(&names.get("/v1/skin/Notch")));
}

#[test]
fn a_skin_by_url_is_of_a_host_that_textures_may_have() {
    let names = Names::new();
    for url in [
        "https://example.org/a.png",
        "data:image/png;base64,AAAA",
        "file:///etc/passwd",
        "http://169.254.169.254/latest",
    ] {
        let refused = figure_by_url(&names, &format!("skinUrl={url}"));
        assert_eq!(refused.status, 400, "{url}");
        let body = refused.json();
        let message = body["error"].as_str().unwrap();
        assert!(message.contains("--texture-host"), "{message}");
    }
}

#[test]
fn a_url_without_a_skin_is_not_found() {
    let names = Names::new();
    let upstream = names.server.upstream.url();
    let gone = figure_by_url(&names, &format!("skinUrl={upstream}/texture/none"));
    assert_error(&gone, 404, "There is no skin at this URL");
    let hash = "0".repeat(64);
    let unknown = format!("skinUrl=https://textures.minecraft.net/texture/{hash}");
    assert_error(&figure_by_url(&names, &unknown), 404, "No such texture");
    let not_png = format!("skinUrl={upstream}/users/profiles/minecraft/Notch");
    assert_eq!(figure_by_url(&names, &not_png).status, 404);
}

#[test]
fn information_has_uuid_and_texture_size() {
    let names = Names::new();
    names.check(
        "starlight",
        &[
            ("/info/user/Notch", Json(200)),
            ("/info/user/{D}/", Json(200)),
            ("/info/user/Nobody", Json(404)),
        ],
    );
    let info = names.get("/starlight/info/user/Notch").json();
    assert_eq!(info["playerUUID"], uuid());
    assert_eq!(info["skinTextureWidth"], 64);
}
