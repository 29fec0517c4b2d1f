//! The player whom the element shows: nobody if the player is not available or not known yet.

use super::*;

/// A condition: nobody is shown, in the place of a figure.
const SILHOUETTE: &str = "canvas.hidden && image.hidden && figure.internals.role === 'img' \
    && figure.shadowRoot.querySelector('svg').getBoundingClientRect().height === 2 * figure.size";

/// Runs a script after which nobody is shown, and returns what the page is told.
fn refused(browser: &Browser, script: &str) -> Value {
    events(browser);
    browser.script(script);
    browser.wait_for("events.length");
    browser.wait_for(SILHOUETTE);
    events(browser)
}

#[test]
fn nobody_is_shown_under_the_name_of_another() {
    let (server, browser) = or_skip!(embedded("size=96"));
    let message = server.error_of("/v1/figure/Nobody");
    let told = refused(&browser, "figure.player = 'Nobody';");
    assert_eq!(told, json!([["error", 404, message]]));
    let label = format!("Nobody: {message}");
    browser.assert_is("figure.internals.ariaLabel", label);
    // Another player comes, and turns.
    browser.script("figure.player = 'Reynard';");
    browser.wait_for(&served("/Reynard?"));
    assert_eq!(events(&browser), json!([["load", null, null]]));
    browser.assert_is("figure.internals.ariaLabel", "Reynard");
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    // Neither does the browser draw the player before, nor the pose before.
    let told = refused(&browser, "figure.player = 'Nobody2';");
    assert_eq!(told[0][1], 404);
    let told = refused(
        &browser,
        "figure.player = 'Reynard'; figure.pose = 'moonwalk';",
    );
    assert_eq!(told[0][1], 400);
    assert!(told[0][2].as_str().unwrap().starts_with("Pose must be"));
    browser.script("figure.pose = 'walk';");
    browser.wait_for(&served("pose=walk"));
    // Without a server, too.
    for (url, message) in [
        ("http://127.0.0.1:9", "The server cannot be reached"),
        ("localhost:3005", "The server has no valid URL"),
    ] {
        let told = refused(&browser, &format!("figure.server = {url:?};"));
        assert_eq!(told, json!([["error", 0, message]]));
    }
    // A proxy may serve all of it below a path.
    let below = format!("{}/skins/", server.url);
    requested(&browser, "");
    browser.script(&format!("figure.server = {below:?};"));
    browser.wait_for("events.length");
    let pictures = format!("{below}v1/figure/Reynard?");
    assert!(!requested(&browser, &pictures).is_empty());
}

#[test]
fn a_picture_that_is_asked_for_again_on_its_way_is_loaded_once() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    events(&browser);
    // The first change begins to load it, the second one comes before it is there.
    let wait = "new Promise((resolve) => setTimeout(resolve, 300))";
    browser.promise(&format!(
        "(figure.player = 'Reynard', Promise.resolve().then(() => 0).then(() => {{ figure.label = 'He'; return {wait}; }}))"
    ));
    browser.wait_for(&served("/Reynard?"));
    assert_eq!(events(&browser), json!([["load", null, null]]));
}

#[test]
fn a_page_chooses_who_is_shown_instead() {
    let (_server, browser) = or_skip!(embedded("size=96 default=Reynard"));
    browser.script("figure.player = 'Nobody';");
    browser.wait_for(&served("/Nobody?"));
    assert_eq!(events(&browser), json!([["load", null, null]]));
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    assert_eq!(requested(&browser, "yaw=85"), [""; 0]);
}

#[test]
fn a_picture_inside_that_is_not_of_the_player_is_not_shown() {
    let (server, browser) = or_skip!(embedded("size=96"));
    let slot = "!figure.shadowRoot.querySelector('slot').hidden";
    let inside = format!(
        "<img alt=Gwen src={}/v1/face/Gwendolin?size=96>",
        server.url
    );
    browser.script(&format!(
        "figure.innerHTML = {inside:?}; window.inside = figure.firstChild;"
    ));
    browser.wait_for(&format!("{slot} && image.hidden"));
    browser.wait_for("figure.internals.ariaLabel === 'Gwen'");
    browser.script("figure.player = 'Reynard';");
    browser.wait_for(&served("/Reynard?"));
    browser.assert_is("figure.internals.ariaLabel", "Reynard");
    // The page changes both, or its picture cannot be loaded.
    let other = format!("{}/v1/face/Hazel?size=96", server.url);
    requested(&browser, "");
    let early = browser.promise(&format!(
        "(figure.player = 'Corvina', inside.src = {other:?}, Promise.resolve().then(() => 0).then(() => {slot}))"
    ));
    assert_eq!(early, false, "the browser still shows the picture before");
    browser.wait_for(&format!("{slot} && image.hidden"));
    assert_eq!(requested(&browser, "/v1/figure/"), [""; 0]);
    // Its picture comes first, or is a lazy one.
    let [first, lazy] =
        ["Hazel", "Corvina"].map(|player| format!("{}/v1/bust/{player}", server.url));
    browser.script(&format!("inside.src = {first:?}; figure.player = 'Hazel';"));
    browser.wait_for(&format!("{slot} && inside.naturalWidth"));
    browser.script(&format!(
        "figure.player = 'Corvina'; figure.innerHTML = '<img loading=lazy src={lazy}>'; \
         window.inside = figure.firstChild;"
    ));
    browser.wait_for(&format!("{slot} && inside.naturalWidth"));
    browser.script("inside.src = 'http://127.0.0.1:9/a.png';");
    browser.wait_for(&served("/Corvina?"));
}

#[test]
fn pictures_far_down_a_page_wait() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    requested(&browser, "");
    browser.script(
        "const far = document.createElement('div'); far.style.marginTop = '5000px'; \
         far.innerHTML = '<effigy-figure player=Reynard></effigy-figure>\
             <effigy-figure player=Hazel loading=eager></effigy-figure>'; \
         for (const figure of far.children) figure.server = window.figure.shadowRoot.querySelector('img').src.split('/v1/')[0]; \
         document.body.append(far); window.far = far.firstChild;",
    );
    browser.promise("new Promise((done) => setTimeout(done, 500))");
    let urls = requested(&browser, "/v1/figure/");
    assert!(urls.len() == 1 && urls[0].contains("/Hazel?"), "{urls:?}");
    // It keeps its place.
    browser.assert_is("far.getBoundingClientRect().height", 256);
    browser.script("far.scrollIntoView();");
    browser.wait_for("far.shadowRoot.querySelector('img').naturalWidth > 0");
    assert_eq!(requested(&browser, "/v1/figure/Reynard?").len(), 1);
}

#[test]
fn what_was_refused_is_not_drawn_and_what_failed_is_tried_again() {
    let (_server, browser) = or_skip!(embedded("size=96"));
    browser.script("figure.padding = 300;");
    browser.wait_for(SILHOUETTE);
    browser.promise("figure.load()");
    browser.promise("new Promise((done) => setTimeout(done, 300))");
    browser.wait_for(SILHOUETTE);
    browser.block(&["*/v1/*"]);
    browser.script("figure.padding = null; figure.player = 'Reynard';");
    browser.wait_for("events.length > 1");
    browser.wait_for(SILHOUETTE);
    browser.block(&[]);
    browser.script("figure.rest();");
    browser.wait_for(&served("/Reynard?"));
    browser.wait_for("figure.internals.ariaLabel === 'Reynard'");
}

#[test]
fn it_says_what_is_wrong_wherever_somebody_looks() {
    let (server, browser) = or_skip!(embedded("size=96"));
    browser.log("browser");
    let message = server.error_of("/v1/figure/Nobody");
    let told = refused(&browser, "figure.player = 'Nobody';");
    assert_eq!(told, json!([["error", 404, message]]));
    let title = "figure.shadowRoot.querySelector('svg title').textContent";
    browser.assert_is(title, format!("Nobody: {message}"));
    let log = format!("{:?}", browser.log("browser"));
    assert!(log.contains(&message), "{log}");
    // A skin that cannot be drawn.
    let reply = server.get("/v1/figure/Truncated?size=96").json();
    let told = refused(&browser, "figure.player = 'Truncated';");
    assert_eq!(told[0][2], reply["error"]);
    assert_ne!(told[0][2], Value::Null);
    // Without a player, too. One who comes later is shown.
    let told = refused(&browser, "figure.player = null;");
    assert_eq!(
        told,
        json!([["error", 0, "The attribute player is missing"]])
    );
    browser.script("figure.player = 'Reynard';");
    browser.wait_for(&served("/Reynard?"));
    browser.assert_is(title, "");
}

#[test]
fn a_size_that_no_picture_has_is_the_nearest_one() {
    let (_server, browser) = or_skip!(embedded("size=64"));
    for (size, shown) in [("5000", 2048), ("0.2", 1), ("-5", 128), ("many", 128)] {
        browser.script(&format!("figure.size = {size:?};"));
        browser.wait_for(&served(&format!("size={shown}&")));
        browser.assert_is("figure.offsetWidth", shown);
    }
    assert!(
        events(&browser)
            .as_array()
            .unwrap()
            .iter()
            .all(|event| event[0] == "load")
    );
}

#[test]
fn a_texture_is_turned_without_a_profile() {
    let (server, browser) = or_skip!(embedded("size=96"));
    let profile = server.get("/v1/profile/Gwendolin").json();
    let url = profile["texture_url"].as_str().unwrap();
    let hash = url.rsplit('/').next().unwrap();
    browser.script(&format!("figure.player = {hash:?};"));
    browser.wait_for(&served(hash));
    requested(&browser, "");
    browser.drag("effigy-figure", &[[2, 0]; 40]);
    browser.wait_for(&drawn("85"));
    let requests = requested(&browser, "/v1/");
    assert_eq!(requests.len(), 1, "{requests:?}");
    assert!(requests[0].contains(&format!("/v1/texture/{hash}")));
}
