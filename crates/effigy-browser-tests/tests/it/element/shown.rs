//! The player whom the element shows: a silhouette if the player is not available or not known yet.

use super::*;

/// A condition: the silhouette is shown, in the place of a figure.
const SILHOUETTE: &str = "canvas.hidden && image.hidden && figure.internals.role === 'img' \
    && figure.shadowRoot.querySelector('svg').getBoundingClientRect().height === 2 * figure.size";

/// A condition: the picture of the page inside the element is shown.
const INSIDE: &str = "!figure.shadowRoot.querySelector('slot').hidden";

/// The title of the silhouette.
const TITLE: &str = "figure.shadowRoot.querySelector('svg title').textContent";

/// A successful load, as [`events`] has it.
fn loaded_once() -> Value {
    json!([["load", null, null]])
}

/// Runs a script after which the silhouette is shown, and returns the events of the page.
fn refused(browser: &Browser, script: &str) -> Value {
    events(browser);
    browser.script(script);
    browser.wait_for("events.length");
    browser.wait_for(SILHOUETTE);
    events(browser)
}

#[test]
fn a_missing_player_is_a_silhouette_and_an_error() {
    let (server, browser) = or_skip!(embedded("size=96"));
    let message = server.error_of("/v1/figure/Nobody");
    let told = refused(&browser, "figure.player = 'Nobody';");
    assert_eq!(told, json!([["error", 404, message]]));
}

#[test]
fn an_error_is_said_in_label_title_and_console() {
    let (server, browser) = or_skip!(embedded("size=96"));
    browser.log("browser");
    let message = server.error_of("/v1/figure/Nobody");
    refused(&browser, "figure.player = 'Nobody';");
    let label = format!("Nobody: {message}");
    browser.assert_is("figure.internals.ariaLabel", label.as_str());
    browser.assert_is(TITLE, label);
    let console = format!("{:?}", browser.log("browser"));
    assert!(console.contains(&message), "{console}");
    browser.script("figure.player = 'Reynard';");
    browser.wait_for(&served("/Reynard?"));
    browser.assert_is(TITLE, "");
}

#[test]
fn a_skin_that_cannot_be_drawn_is_an_error() {
    let (server, browser) = or_skip!(embedded("size=96"));
    let message = server.error_of("/v1/figure/Truncated?size=96");
    let told = refused(&browser, "figure.player = 'Truncated';");
    assert_eq!(told[0][2], message);
}

#[test]
fn an_element_without_a_player_is_an_error() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    let told = refused(&browser, "figure.player = null;");
    let message = "The attribute player is missing";
    assert_eq!(told, json!([["error", 0, message]]));
    browser.script("figure.player = 'Reynard';");
    browser.wait_for(&served("/Reynard?"));
}

#[test]
fn a_player_after_a_missing_one_is_shown_and_turned() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    refused(&browser, "figure.player = 'Nobody';");
    browser.script("figure.player = 'Reynard';");
    browser.wait_for(&served("/Reynard?"));
    assert_eq!(events(&browser), loaded_once());
    browser.assert_is("figure.internals.ariaLabel", "Reynard");
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
}

/// The browser could draw the previous player, since it has loaded that skin.
#[test]
fn the_previous_player_is_not_drawn_for_a_missing_one() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    let told = refused(&browser, "figure.player = 'Nobody';");
    assert_eq!(told[0][1], 404);
}

#[test]
fn the_previous_pose_is_not_drawn_for_an_unknown_one() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    let told = refused(&browser, "figure.pose = 'moonwalk';");
    assert_eq!(told[0][1], 400);
    assert!(told[0][2].as_str().unwrap().starts_with("Pose must be"));
    browser.script("figure.pose = 'walk';");
    browser.wait_for(&drawn("85"));
}

#[test]
fn a_server_that_cannot_be_asked_is_an_error() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    for (url, message) in [
        ("http://127.0.0.1:9", "The server cannot be reached"),
        ("localhost:3005", "The server has no valid URL"),
    ] {
        let told = refused(&browser, &format!("figure.server = {url:?};"));
        assert_eq!(told, json!([["error", 0, message]]));
    }
}

#[test]
fn the_server_may_be_below_a_path_of_a_proxy() {
    let (server, browser) = or_skip!(embedded("size=96"));
    let below_path = format!("{}/skins/", server.url);
    requested(&browser, "");
    browser.script(&format!("figure.server = {below_path:?};"));
    browser.wait_for("events.length");
    let pictures = format!("{below_path}v1/figure/Gwendolin?");
    assert!(!requested(&browser, &pictures).is_empty());
}

#[test]
fn a_picture_that_is_asked_for_twice_is_loaded_once() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    events(&browser);
    // The second change comes while the picture of the first one is on its way.
    browser.promise(
        "(figure.player = 'Reynard', Promise.resolve().then(() => 0).then(() => { \
             figure.label = 'He'; \
             return new Promise((resolve) => setTimeout(resolve, 300)); \
         }))",
    );
    browser.wait_for(&served("/Reynard?"));
    assert_eq!(events(&browser), loaded_once());
}

#[test]
fn a_page_chooses_the_default() {
    for default in ["Reynard", "default-skin"] {
        let (_server, browser) = or_skip!(embedded(&format!("size=96 default={default}")));
        browser.script("figure.player = 'Nobody';");
        browser.wait_for(&served("/Nobody?"));
        assert_eq!(events(&browser), loaded_once());
        browser.drag("effigy-figure", &[[2, 0]; 40]);
        browser.wait_for(&drawn("85"));
        assert_eq!(requested(&browser, "yaw=85"), [""; 0]);
    }
}

/// Puts a picture of Gwendolin into the element, which scripts have as `inside`.
fn put_picture_inside(server: &Server, browser: &Browser) {
    let picture = format!(
        "<img alt=Gwen src={}/v1/face/Gwendolin?size=96>",
        server.url
    );
    browser.script(&format!(
        "figure.innerHTML = {picture:?}; window.inside = figure.firstChild;"
    ));
    browser.wait_for(&format!("{INSIDE} && image.hidden"));
}

#[test]
fn a_picture_inside_is_shown_until_the_player_changes() {
    let (server, browser) = or_skip!(embedded("size=96"));
    put_picture_inside(&server, &browser);
    browser.wait_for("figure.internals.ariaLabel === 'Gwen'");
    browser.script("figure.player = 'Reynard';");
    browser.wait_for(&served("/Reynard?"));
    browser.assert_is("figure.internals.ariaLabel", "Reynard");
}

#[test]
fn a_picture_inside_that_changes_with_the_player_is_shown() {
    let (server, browser) = or_skip!(embedded("size=96"));
    put_picture_inside(&server, &browser);
    requested(&browser, "");
    let other = format!("{}/v1/face/Hazel?size=96", server.url);
    let shown_early = browser.promise(&format!(
        "(figure.player = 'Corvina', inside.src = {other:?}, \
          Promise.resolve().then(() => 0).then(() => {INSIDE}))"
    ));
    assert_eq!(shown_early, false, "the browser still shows the old one");
    browser.wait_for(&format!("{INSIDE} && image.hidden"));
    assert_eq!(requested(&browser, "/v1/figure/"), [""; 0]);
}

#[test]
fn a_picture_inside_may_change_first_or_be_lazy() {
    let (server, browser) = or_skip!(embedded("size=96"));
    put_picture_inside(&server, &browser);
    let hazel = format!("{}/v1/bust/Hazel", server.url);
    browser.script(&format!("inside.src = {hazel:?}; figure.player = 'Hazel';"));
    browser.wait_for(&format!("{INSIDE} && inside.naturalWidth"));
    let corvina = format!("{}/v1/bust/Corvina", server.url);
    browser.script(&format!(
        "figure.player = 'Corvina'; figure.innerHTML = '<img loading=lazy src={corvina}>'; \
         window.inside = figure.firstChild;"
    ));
    browser.wait_for(&format!("{INSIDE} && inside.naturalWidth"));
}

#[test]
fn a_picture_inside_that_cannot_be_loaded_is_replaced() {
    let (server, browser) = or_skip!(embedded("size=96"));
    put_picture_inside(&server, &browser);
    browser.script("inside.src = 'http://127.0.0.1:9/a.png';");
    browser.wait_for(&served("/Gwendolin?"));
}

#[test]
fn pictures_far_down_a_page_wait() {
    let (server, browser) = or_skip!(embedded("size=96"));
    requested(&browser, "");
    browser.script(&format!(
        "const far = document.createElement('div'); far.style.marginTop = '5000px'; \
         far.innerHTML = '<effigy-figure player=Reynard></effigy-figure>\
             <effigy-figure player=Hazel loading=eager></effigy-figure>'; \
         for (const figure of far.children) figure.server = {:?}; \
         document.body.append(far); window.far = far.firstChild;",
        server.url
    ));
    pause(&browser, 500);
    let urls = requested(&browser, "/v1/figure/");
    assert!(urls.len() == 1 && urls[0].contains("/Hazel?"), "{urls:?}");
    // The element keeps a place for its picture.
    browser.assert_is("far.getBoundingClientRect().height", 256);
    browser.script("far.scrollIntoView();");
    browser.wait_for("far.shadowRoot.querySelector('img').naturalWidth > 0");
    assert_eq!(requested(&browser, "/v1/figure/Reynard?").len(), 1);
}

#[test]
fn a_picture_that_was_refused_is_not_drawn() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.script("figure.padding = 300;");
    browser.wait_for(SILHOUETTE);
    browser.promise("figure.load()");
    pause(&browser, 300);
    browser.wait_for(SILHOUETTE);
}

#[test]
fn a_picture_that_could_not_be_loaded_is_tried_again() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.block(&["*/v1/*"]);
    refused(&browser, "figure.player = 'Reynard';");
    browser.block(&[]);
    browser.script("figure.rest();");
    browser.wait_for(&served("/Reynard?"));
    browser.wait_for("figure.internals.ariaLabel === 'Reynard'");
}

#[test]
fn an_impossible_size_is_replaced_by_the_nearest_one() {
    let (_server, browser) = or_skip!(embedded("size=64"));
    for (size, shown) in [("5000", 2048), ("0.2", 1), ("-5", 128), ("", 128)] {
        browser.script(&format!("figure.size = {size:?};"));
        browser.wait_for(&served(&format!("size={shown}&")));
        browser.assert_is("figure.offsetWidth", shown);
    }
    for event in events(&browser).as_array().unwrap() {
        assert_eq!(event[0], "load");
    }
}

#[test]
fn a_number_that_cannot_be_read_is_reported_and_has_its_default() {
    let (_server, browser) = or_skip!(embedded("size=64"));
    for (name, value, shown) in [
        ("size", "big", "size=128&"),
        ("pitch", "huge", "pitch=16"),
        ("yaw", "Infinity", "yaw=25"),
        ("zoom", "far", "size=128&"),
    ] {
        events(&browser);
        browser.log("browser");
        browser.script(&format!("figure.setAttribute({name:?}, {value:?});"));
        browser.wait_for("events.length");
        browser.wait_for(&served(shown));
        let message = format!("The attribute {name} must be a number, not \"{value}\"");
        assert_eq!(events(&browser)[0], json!(["error", 0, message]));
        let console = format!("{:?}", browser.log("browser"));
        assert!(console.contains(&format!("attribute {name}")), "{console}");
    }
}

#[test]
fn a_pose_keeps_its_side_if_the_yaw_cannot_be_read() {
    let (_server, browser) = or_skip!(embedded("size=64 pose=lie yaw=left pitch"));
    browser.wait_for(&served("yaw=60&pitch=28"));
}

#[test]
fn a_property_that_cannot_be_read_is_reported() {
    let (_server, browser) = or_skip!(embedded("size=64"));
    events(&browser);
    browser.script("figure.pitch = 'huge';");
    browser.wait_for("events.length");
    let message = "The attribute pitch must be a number, not \"huge\"";
    assert_eq!(events(&browser)[0], json!(["error", 0, message]));
    browser.assert_is("figure.pitch", 16);
}

#[test]
fn a_texture_is_turned_without_a_profile() {
    let (server, browser) = or_skip!(embedded("size=96"));
    let hash = server.hash_of("Gwendolin");
    browser.script(&format!("figure.player = {hash:?};"));
    browser.wait_for(&served(&hash));
    requested(&browser, "");
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    let requests = requested(&browser, "/v1/");
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert!(requests[0].contains(&format!("/v1/texture/{hash}")));
}
