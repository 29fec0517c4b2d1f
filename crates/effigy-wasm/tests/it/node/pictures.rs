//! Pictures in Node.js have the bytes of the library's.

use base64::{Engine, prelude::BASE64_STANDARD};
use effigy_parameters::{Limits, PictureSettings, find_view};
use effigy_render::{Cape, ImageFormat, Picture, Player, Skin, View};
use fixtures::{cape, skin};

use crate::support::node::evaluate;

/// Pictures with every kind of value, each as a call in a script and as the query of a URL.
const PICTURES: [(&str, &str, &str); 9] = [
    (
        "figure({ pose: 'walk', size: 256 })",
        "figure",
        "pose=walk&size=256",
    ),
    (
        "figure({ pose: ' Sneaking ', phase: null })",
        "figure",
        "pose=crouch",
    ),
    (
        "figure({ yaw: -30.5, 'right-arm': [-90, 0, 20] })",
        "figure",
        "yaw=-30.5&right-arm=-90,0,20",
    ),
    (
        "figure({ crop: 'content', shadow: true })",
        "figure",
        "crop=content&shadow",
    ),
    (
        "portrait(new URLSearchParams('pose=wave&size=64'))",
        "portrait",
        "pose=wave&size=64",
    ),
    (
        "cube({ 'light-from': [-60, 40], background: '#202225' })",
        "cube",
        "light-from=-60,40&background=202225",
    ),
    (
        "isobody({ facing: 'back-left', light: 'game' })",
        "isobody",
        "facing=back-left&light=game",
    ),
    (
        "head({ overlay: false, shape: 'circle', padding: 4 })",
        "face",
        "overlay=false&shape=circle&padding=4",
    ),
    (
        "player({ outline: 'red', 'outline-width': 2 })",
        "body",
        "outline=red&outline-width=2",
    ),
];

/// Returns what the library reads from the query of a URL.
fn parameters(view: &str, query: &str) -> PictureSettings {
    let pairs: Vec<(&str, &str)> = query
        .split('&')
        .map(|pair| pair.split_once('=').unwrap_or((pair, "")))
        .collect();
    let value = |name: &str| {
        let pair = pairs.iter().find(|pair| pair.0 == name);
        pair.map(|pair| pair.1)
    };
    PictureSettings::read(find_view(view).unwrap(), Limits::SERVICE, value).unwrap()
}

/// Asserts that the values of expressions are these bytes.
#[track_caller]
fn assert_files(rows: &[(String, Vec<u8>)]) {
    let expressions: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
    let Some(outcomes) = evaluate(&expressions) else {
        return;
    };
    for ((expression, file), outcome) in rows.iter().zip(outcomes) {
        let text = outcome.as_str().unwrap();
        let drawn = BASE64_STANDARD.decode(text);
        assert!(drawn.as_ref() == Ok(file), "{expression}: {:.80}", text);
    }
}

fn knight() -> Skin {
    Skin::decode(skin("knight").png, None).unwrap()
}

fn png(picture: &Picture<'_>) -> Vec<u8> {
    picture.encode_png().unwrap()
}

#[test]
fn every_view_has_a_method_that_draws_it() {
    let knight = knight();
    let mut rows = Vec::new();
    for view in View::WORDS {
        let picture = parameters(view, "size=64").spec.picture(&knight).unwrap();
        let file = png(&picture);
        let method = match *view {
            "body-back" => "bodyBack",
            "body-left" => "bodyLeft",
            "body-right" => "bodyRight",
            word => word,
        };
        rows.push((
            format!("skin('knight').{method}({{ size: 64 }}).toPng()"),
            file.clone(),
        ));
        let expression = format!("skin('knight').picture('{view}', {{ size: 64 }}).toPng()");
        rows.push((expression, file));
    }
    assert_files(&rows);
}

#[test]
fn parameters_are_those_of_urls() {
    let knight = knight();
    let mut rows = Vec::new();
    for (call, view, query) in PICTURES {
        let picture = parameters(view, query).spec.picture(&knight).unwrap();
        rows.push((format!("skin('knight').{call}.toPng()"), png(&picture)));
    }
    assert_files(&rows);
}

#[test]
fn pixels_and_svg_are_those_of_the_library() {
    let knight = knight();
    let parameters = parameters("figure", "size=32");
    let picture = parameters.spec.picture(&knight).unwrap();
    let figure = "skin('knight').figure({ size: 32 })";
    assert_files(&[
        (format!("{figure}.data"), picture.to_rgba().unwrap()),
        (
            format!("Buffer.from({figure}.toSvg())"),
            picture.encode(ImageFormat::Svg).unwrap(),
        ),
    ]);
}

#[test]
fn picture_has_its_width_and_height() {
    let figure = "skin('knight').figure({ size: 100 })";
    let expressions = [format!(
        "[{figure}.width, {figure}.height, {figure}.data.length]"
    )];
    let Some(outcomes) = evaluate(&expressions) else {
        return;
    };
    assert_eq!(outcomes, [serde_json::json!([100, 200, 100 * 200 * 4])]);
}

#[test]
fn moving_pictures_move_as_those_of_urls() {
    let knight = knight();
    let mut rows = Vec::new();
    for (call, view, query) in [
        (
            "portrait({ pose: 'wave', size: 32 })",
            "portrait",
            "pose=wave&size=32",
        ),
        ("cube({ size: 16 })", "cube", "size=16"),
        (
            "figure({ size: 16, turn: true, animate: true })",
            "figure",
            "size=16&turn&animate",
        ),
    ] {
        let parameters = parameters(view, query);
        let motion = parameters.motion_by_default().unwrap();
        let animation = parameters.spec.animation(&knight, motion).unwrap();
        let call = format!("skin('knight').{call}");
        rows.push((format!("{call}.toApng()"), animation.encode_apng().unwrap()));
        rows.push((format!("{call}.toGif()"), animation.encode_gif().unwrap()));
    }
    assert_files(&rows);
}

#[test]
fn picture_without_movement_stands_still_in_a_gif() {
    let knight = knight();
    let picture = parameters("cube", "size=16").spec.picture(&knight).unwrap();
    let call = "skin('knight').cube({ size: 16, turn: false, animate: false }).toGif()";
    assert_files(&[(call.to_owned(), picture.encode(ImageFormat::Gif).unwrap())]);
}

#[test]
fn cape_name_and_model_change_the_player() {
    let slim = Skin::decode(skin("knight").png, effigy_render::Model::Slim).unwrap();
    let cape = Cape::decode(cape()).unwrap();
    let player = Player::new(&slim).named("Dinnerbone").with_cape(&cape);
    let picture = parameters("figure", "size=64&yaw=155")
        .spec
        .picture(player)
        .unwrap();
    let call = "skin('knight', { model: 'slim', cape: file('cape'), name: 'Dinnerbone' })\
                .figure({ size: 64, yaw: 155 }).toPng()";
    assert_files(&[(call.to_owned(), png(&picture))]);
}

#[test]
fn model_is_guessed_without_one() {
    let expressions = [
        "skin('knight').model".to_owned(),
        "skin('fox').model".to_owned(),
    ];
    let Some(outcomes) = evaluate(&expressions) else {
        return;
    };
    assert_eq!(outcomes, ["classic", "slim"]);
}

#[test]
fn files_are_read_from_every_kind_of_buffer() {
    let face = png(&parameters("face", "size=8")
        .spec
        .picture(&knight())
        .unwrap());
    let mut rows = Vec::new();
    for buffer in [
        "file('knight')",
        "new Uint8Array(file('knight'))",
        "new Uint8Array(file('knight')).buffer",
        "new DataView(new Uint8Array(file('knight')).buffer)",
    ] {
        rows.push((
            format!("Skin.decode({buffer}).face({{ size: 8 }}).toPng()"),
            face.clone(),
        ));
    }
    assert_files(&rows);
}
